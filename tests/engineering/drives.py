# SPDX-License-Identifier: MIT
"""drives.py: models with signals for judge.py, each written by hand: controllers at a clock, tables, delays and
states, cut at every instant at which a formula changes. Shares nothing with Pawl."""
import math

from jets import go, leap, solve


def drift(f, y, span, n):
    """y after a span without events, in n steps."""
    for _ in range(n):
        y = leap(f, y, span / n)
    return y


# ---- motor with PID at a clock, motor-pid.pawl ----

def motor_pid():
    """Between two instants the torque is constant: the angle is a parabola, its integral a cubic."""
    J, kp, ki, kd, r, T = 0.01, 2, 5, 0.1, 1, 0.005
    th = w = z = u = 0.0
    for _ in range(600):
        u = min(1, max(-1, kp * (r - th) + ki * z - kd * w))
        a = u / J
        z += r * T - (th * T + w * T * T / 2 + a * T ** 3 / 6)
        th += w * T + a * T * T / 2
        w += a * T
    return [], {"th": th, "th'": w, "z": z, "u": u}


# ---- drive with pulse-width modulation, pwm-drive.pawl ----

def pwm_drive():
    U, R, L, k, J, w0, P = 24, 1.2, 5e-3, 0.05, 2e-4, 200, 1e-3
    y, duty = [0.0, 0.0, 0.0], 0.0

    def fed(volts):
        return lambda q: [q[1], (k * q[2] - 1e-4 * q[1]) / J, (volts - R * q[2] - k * q[1]) / L]

    for _ in range(100):
        duty = min(1, max(0, 0.5 + 0.01 * (w0 - y[1])))
        y = drift(fed(U), y, P * duty, 1)
        y = drift(fed(0), y, P * (1 - duty), 1)
    return [], {"ph": y[0], "ph'": y[1], "i": y[2], "n": 100, "duty": duty}


# ---- clutch with a measured torque curve, clutch-curve.pawl ----

def natural_spline(x, y):
    """Pieces (x, value, slope, half second derivative, sixth of the third) through the points."""
    n, h = len(x), [b - a for a, b in zip(x, x[1:])]
    A, right = [[0.0] * n for _ in range(n)], [0.0] * n
    A[0][0] = A[-1][-1] = 1.0
    for i in range(1, n - 1):
        A[i][i - 1], A[i][i], A[i][i + 1] = h[i - 1], 2 * (h[i - 1] + h[i]), h[i]
        right[i] = 6 * ((y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1])
    m = solve(A, right)
    return [(x[i], y[i], (y[i + 1] - y[i]) / h[i] - h[i] * (2 * m[i] + m[i + 1]) / 6, m[i] / 2,
             (m[i + 1] - m[i]) / (6 * h[i])) for i in range(n - 1)]


def on_piece(piece, x):
    x0, a, b, c, d = piece
    s = x - x0
    return a + s * (b + s * (c + s * d))


def clutch_curve():
    J1, J2, F = 0.2, 0.5, 90
    knots, values = [0, 100, 200, 300], [80, 120, 110, 60]
    pieces = natural_spline(knots, values) + [(300, 60, 0, 0, 0)]

    def torque(w, i):
        return on_piece(pieces[i], w)

    def slips(i, full):  # state a, b, a', b', t
        def f(q):
            m, g = torque(q[2], i), F * (1 if full else q[4])
            return [q[2], q[3], (m - g) / J1, g / J2, 1.0]
        guards = [(lambda q: q[2] - q[3], lambda z: ("stick", z, sticks(i)))]
        if i < 3:
            guards.append((lambda q: knots[i + 1] - q[2], lambda z: ("knot", z, slips(i + 1, full))))
        if i > 0:
            guards.append((lambda q: q[2] - knots[i], lambda z: ("knot", z, slips(i - 1, full))))
        if not full:
            guards.append((lambda q: 1 - q[4], lambda z: ("full", z, slips(i, True))))
        return lambda y: (f, guards)

    def sticks(i):
        def f(q):
            a = torque(q[2], i) / (J1 + J2)
            return [q[2], q[3], a, a, 1.0]
        guards = [(lambda q: F - J2 * f(q)[3], lambda z: ("slip", z, None))]
        if i < 3:
            guards.append((lambda q: knots[i + 1] - q[2], lambda z: ("knot", z, sticks(i + 1))))
        return lambda y: (f, guards)

    events = []
    y, _ = go(slips(1, False), [0.0, 0.0, 100.0, 0.0, 0.0], 0, 3, 0.02, events)
    return events, {"a": y[0], "b": y[1], "a'": y[2], "b'": y[3]}


# ---- ball and beam with a delay, ball-beam-delay.pawl ----

def chebyshev(n):
    """Points of [-1, 1], and the matrix from values at them to integrals from -1 to each."""
    s = [-math.cos(math.pi * i / n) for i in range(n + 1)]

    def coefficients(k):  # of the cardinal function of point k
        end = 0.5 if k in (0, n) else 1.0
        return [2.0 / n * end * (0.5 if j in (0, n) else 1.0) * math.cos(j * math.acos(s[k]))
                for j in range(n + 1)]

    def whole(j, x):  # an integral of T_j
        if j == 0:
            return x
        if j == 1:
            return x * x / 2
        return (math.cos((j + 1) * math.acos(x)) / (j + 1) - math.cos((j - 1) * math.acos(x)) / (j - 1)) / 2

    rows = [[0.0] * (n + 1) for _ in range(n + 1)]
    for k in range(n + 1):
        c = coefficients(k)
        for i in range(n + 1):
            rows[i][k] = sum(c[j] * (whole(j, s[i]) - whole(j, -1.0)) for j in range(n + 1))
    return s, rows


def ball_beam_delay():
    """Method of steps: on each interval of length T the force is known from the last one, at the same
    Chebyshev points, and two integrations give the motion."""
    g, kp, kd, T, n = 9.81, 0.4, 0.35, 0.06, 16
    _, rows = chebyshev(n)
    past = [(0.3, 0.0)] * (n + 1)
    x = v = None
    for _ in range(100):
        force = [5 / 7 * g * math.sin(-kp * a - kd * b) for a, b in past]
        x0, v0 = past[-1]
        v = [v0 + T / 2 * sum(r * f for r, f in zip(row, force)) for row in rows]
        x = [x0 + T / 2 * sum(r * w for r, w in zip(row, v)) for row in rows]
        past = list(zip(x, v))
    return [], {"x": x[-1], "x'": v[-1]}


# ---- hysteresis of Bouc and Wen, bouc-wen.pawl; friction of LuGre, lugre.pawl ----

def bouc_wen():
    k, a, A, beta, gamma, c, F, W = 10, 0.2, 1, 0.5, 0.4, 0.1, 4, 2

    def piece(sv, sz):  # signs of x' and z; state x, x', z, t
        def f(q):
            x, v, z, t = q
            return [v, -a * k * x - c * v - (1 - a) * k * z + F * math.sin(W * t),
                    A * v - beta * sv * v * z - gamma * v * sz * z, 1.0]
        return lambda y: (f, [(lambda q: sv * q[1], lambda z: ("turn", z, piece(-sv, sz))),
                              (lambda q: sz * q[2], lambda z: ("pass", z, piece(sv, -sz)))])

    y, _ = go(piece(1, 1), [0.0, 0.0, 0.0, 0.0], 0, 10, 0.02, [])
    return [], {"x": y[0], "x'": y[1], "z": y[2]}


def lugre():
    s0, s1, s2, Fc, Fs, vs, k, v0 = 1e4, 60, 0.4, 1, 1.5, 0.01, 50, 0.1

    def piece(side):
        def f(q):
            x, v, z, t = q
            g = (Fc + (Fs - Fc) * math.exp(-(v / vs) ** 2)) / s0
            rate = v - side * v * z / g
            return [v, -k * (x - v0 * t) - (s0 * z + s1 * rate + s2 * v), rate, 1.0]
        return lambda y: (f, [(lambda q: side * q[1], lambda z: ("turn", z, piece(-side)))])

    y, _ = go(piece(1), [0.0, 0.0, 0.0, 0.0], 0, 3, 5e-4, [])
    return [], {"x": y[0], "x'": y[1], "z": y[2]}


# ---- quarter of a car on measured heights, road-profile.pawl ----

def monotone_circle(x, y):
    """Cubics through the points around a circle with slopes that are weighted harmonic means."""
    n = len(x) - 1
    h = [b - a for a, b in zip(x, x[1:])]
    s = [(y[i + 1] - y[i]) / h[i] for i in range(n)]
    d = []
    for i in range(n + 1):
        l, r = (i - 1) % n, i % n
        p, q = 2 * h[r] + h[l], h[r] + 2 * h[l]
        d.append((p + q) / (p / s[l] + q / s[r]) if s[l] * s[r] > 0 else 0.0)
    return [(x[i], y[i], d[i], (3 * s[i] - 2 * d[i] - d[i + 1]) / h[i],
             (d[i] + d[i + 1] - 2 * s[i]) / h[i] ** 2) for i in range(n)]


def road_profile():
    m1, m2, k1, c1, k2, v, g = 300, 40, 15000, 1200, 160000, 15, 9.81
    knots, heights = [0, 4, 7, 9, 10, 14, 20], [0, 0.02, -0.01, 0.05, 0, -0.03, 0]
    pieces = monotone_circle(knots, heights)

    def wheel(road, laps, touches):
        def gap(q):
            return q[1] - on_piece(road, v * q[4] - 20 * laps)

        def f(q):
            z1, z2, u1, u2, _ = q
            between = k1 * (z1 - z2) + c1 * (u1 - u2)
            tyre = -k2 * gap(q) if touches else 0.0
            return [u1, u2, -g - between / m1, -g + (between + tyre) / m2, 1.0]
        side = -1 if touches else 1
        return lambda y: (f, [(lambda q: side * gap(q),
                               lambda z: ("hop", z, wheel(road, laps, not touches)))])

    y, laps = [-0.21703, -0.02085, 0.0, 0.0, 0.0], 0
    while y[4] < 4 - 1e-12:  # from knot to knot
        for i, road in enumerate(pieces):
            end = (20 * laps + knots[i + 1]) / v
            touches = y[1] < on_piece(road, v * y[4] - 20 * laps)
            y, _ = go(wheel(road, laps, touches), y, y[4], min(end, 4.0), 0.01, [])
            y[4] = min(end, 4.0)
        laps += 1
    return [], {"z1": y[0], "z2": y[1], "z1'": y[2], "z2'": y[3]}


# ---- shunted wagons, shunted-wagons.pawl ----

def shunted_wagons():
    n, L, m = 4, 12, [80e3, 30e3, 35e3, 40e3]
    k, gap = [2e6, 2e6 / 2, 2e6 / 3], [0.2, 0.4, 0.6]

    def pressed(q, j):
        return q[j] + L - q[j + 1]

    def piece(touching):
        def f(q):
            push = [k[j] * pressed(q, j) if touching[j] else 0.0 for j in range(n - 1)]
            return q[n:] + [((push[i - 1] if i > 0 else 0.0) - (push[i] if i < n - 1 else 0.0)) / m[i]
                            for i in range(n)]

        def change(j):
            now = touching[:j] + (not touching[j],) + touching[j + 1:]
            return lambda z: ("engage" if now[j] else "release", z, piece(now))
        return lambda y: (f, [((lambda q, j=j: pressed(q, j) if touching[j] else -pressed(q, j)), change(j))
                              for j in range(n - 1)])

    events = []
    place = [L * (i + 1) + sum(gap[:i]) for i in range(n)]
    y, _ = go(piece((False,) * (n - 1)), place + [1.5, 0.0, 0.0, 0.0], 0, 3, 0.01, events)
    end = {"x[%d]" % (i + 1): y[i] for i in range(n)}
    end.update({"x[%d]'" % (i + 1): y[n + i] for i in range(n)})
    return events, end


MODELS = {"motor-pid": motor_pid, "pwm-drive": pwm_drive, "clutch-curve": clutch_curve,
          "ball-beam-delay": ball_beam_delay, "bouc-wen": bouc_wen, "lugre": lugre,
          "road-profile": road_profile, "shunted-wagons": shunted_wagons}
