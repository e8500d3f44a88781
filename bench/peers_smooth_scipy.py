#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The chain of rods of bench/peers_smooth.c by scipy.integrate.solve_ivp, method DOP853, with M and h as
arrays: a line "tolerance seconds steps x y" for each tolerance. Arguments: rods, angle, end of the time.
"""
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

N, ANGLE, TO = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
G = 9.81
# M_ij = w_ij cos(a_i - a_j), w_ij = sum over rods n of the factors of a_i and a_j in its middle
factor = np.tril(np.ones((N, N)), -1) + 0.5 * np.eye(N)
weight = factor.T @ factor
load = factor.sum(axis=0)


def rates(_, y):
    a, u = y[:N], y[N:]
    apart = a[:, None] - a[None, :]
    mass = weight * np.cos(apart) + np.eye(N) / 12
    force = -(weight * np.sin(apart)) @ u**2 - G * load * np.sin(a)
    return np.concatenate((u, np.linalg.solve(mass, force)))


start = np.concatenate((np.full(N, ANGLE), np.zeros(N)))
for tol in (1e-4, 1e-8):
    begun = time.process_time()
    result = solve_ivp(rates, (0, TO), start, method="DOP853", rtol=tol, atol=tol)
    took = time.process_time() - begun
    end = result.y[:N, -1]
    print(tol, took, len(result.t) - 1, np.sin(end).sum(), -np.cos(end).sum())
