# SPDX-License-Identifier: MIT
"""Linear algebra of the judge, in plain lists: small, and nobody else's."""
import math


def cross(a, b):
    return [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]


def unit(n, i):
    return [1.0 if j == i else 0.0 for j in range(n)]


def dot(a, b):
    return sum(x*y for x, y in zip(a, b))


def solve(A, b):
    """Gauss' elimination with pivots; None: singular."""
    n = len(b)
    M = [list(A[i]) + [b[i]] for i in range(n)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(M[i][k]))
        if abs(M[p][k]) < 1e-13:
            return None
        M[k], M[p] = M[p], M[k]
        for i in range(k + 1, n):
            f = M[i][k]/M[k][k]
            if f:
                for j in range(k, n + 1):
                    M[i][j] -= f*M[k][j]
    x = [0.0]*n
    for i in reversed(range(n)):
        x[i] = (M[i][n] - sum(M[i][j]*x[j] for j in range(i + 1, n)))/M[i][i]
    return x


def cholesky(M):
    n = len(M)
    L = [[0.0]*n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            s = M[i][j] - sum(L[i][k]*L[j][k] for k in range(j))
            L[i][j] = math.sqrt(s) if i == j else s/L[j][j]
    return L


def forward(L, v):
    y = []
    for i in range(len(v)):
        y.append((v[i] - sum(L[i][k]*y[k] for k in range(i)))/L[i][i])
    return y


def backward(L, v):
    """L^T x = v."""
    n, x = len(v), [0.0]*len(v)
    for i in reversed(range(n)):
        x[i] = (v[i] - sum(L[k][i]*x[k] for k in range(i + 1, n)))/L[i][i]
    return x


def distance_to_cone(columns, b, weights=False):
    """What is left of b by the x >= 0 of least |sum x_i columns_i - b| (Lawson and Hanson), or x."""
    m = len(columns)
    x, inside, banned = [0.0]*m, [], set()
    for _ in range(10*m + 20):
        r = [bi - sum(x[j]*columns[j][i] for j in inside) for i, bi in enumerate(b)]
        w = [dot(c, r) for c in columns]
        free = [j for j in range(m) if j not in inside and j not in banned]
        best = max(free, key=lambda j: w[j], default=None)
        if best is None or w[best] <= 1e-13*(1 + math.sqrt(dot(b, b))):
            break
        trial = inside + [best]
        while trial:
            G = [[dot(columns[i], columns[j]) + (1e-14 if i == j else 0) for j in trial] for i in trial]
            s = solve(G, [dot(columns[i], b) for i in trial])
            if s is None:
                banned.add(best)
                trial = None
                break
            if all(v > 0 for v in s):
                break
            ratio, out = min((x[j]/(x[j] - v), j) for j, v in zip(trial, s) if v <= 0)
            for j, v in zip(trial, s):
                x[j] += ratio*(v - x[j])
            x[out] = 0.0
            trial = [j for j in trial if j != out]
        if trial is None:
            continue
        inside = trial
        x = [0.0]*m
        for j, v in zip(inside, s):
            x[j] = v
        banned.clear()
    return x if weights else [bi - sum(x[j]*columns[j][i] for j in range(m)) for i, bi in enumerate(b)]


def distance_to_cones(columns, disks, b):
    """The same with circular cones (n, [t1, t2], mu): their edges towards what is left are added until
    that no longer helps."""
    columns = list(columns) + [n for n, _, _ in disks]
    left = distance_to_cone(columns, b)
    for _ in range(60 if disks else 0):
        size = math.sqrt(dot(left, left))
        for n, (t1, t2), mu in disks:
            a, c = dot(t1, left), dot(t2, left)
            wide = math.hypot(a, c)
            if wide > 0:
                columns.append([x + mu*(a*y + c*z)/wide for x, y, z in zip(n, t1, t2)])
        left = distance_to_cone(columns, b)
        if math.sqrt(dot(left, left)) > 0.9*size:
            break
    return math.sqrt(dot(left, left))
