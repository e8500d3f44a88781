# SPDX-License-Identifier: MIT
"""machines.py: machines of the examples by hand, each (events, values at the end), for judge.py."""
import math

from jets import (Jet, accelerations, coordinates, cos, go, impact, inertia, lift, pull, rates, responses,
                  sin, solve)


# ---- mechanisms with friction in their joints: one freedom, positions in closed form ----

def mechanism(places, build, n, drive, torque):
    """A piece maker of a mechanism with one freedom y = [angle, rate, t]: places(angle) gives the n
    positions, build(jets) gives (terms, weights, rows, frictions), a friction being (its slip as a jet, coefficient,
    the rows whose forces bound it). drive: which coordinate is the angle; torque(t) acts on it."""

    def look(y):
        q = places(y[0])
        _, _, rows, _ = build(coordinates(q, [0.0] * n))
        u = rates(rows, n, drive, y[1])
        return build(coordinates(q, u))

    def slips(y):
        return [f[0].d for f in look(y)[3]]

    def angular(y, side, press):
        """(acceleration, forces that bound the frictions). press: signs of single forces."""
        terms, weights, rows, frictions = look(y)
        forces = [[0.0] * n for _ in range(len(frictions) + 1)]
        forces[0][drive] += torque(y[2])
        for w, z in weights:
            pull(z, -w, forces[0])
        for (slip, mu, _), s, force in zip(frictions, side, forces[1:]):
            pull(slip, -s * mu, force)
        (a, l), *unit = responses(terms, forces, rows)
        load = [0.0] * len(frictions)
        for _ in range(200):
            now = [x + sum(N * u[1][i] for N, u in zip(load, unit)) for i, x in enumerate(l)]
            old, load = load, [math.sqrt(sum(now[i] ** 2 for i in f[2])) if len(f[2]) > 1 else
                               press * now[f[2][0]] for f in frictions]
            if max(abs(x - o) for x, o in zip(load, old)) <= 1e-14 * max(load):
                break
        return a[drive] + sum(N * u[0][drive] for N, u in zip(load, unit)), load

    def heading(y, s):
        """Signs of the slips when the angle goes in the direction s."""
        return [1 if x > 0 else -1 for x in slips([y[0], float(s), y[2]])]

    def rests(y):
        return (lambda q: [0.0, 0.0, 1.0]), []

    def starts(y, s):
        """A piece that goes in the direction s from rest or with its speed, or None."""
        to = heading(y, s)
        for press in (1, -1):
            a, load = angular(y, to, press)
            if min(load) >= 0 and (y[1] != 0 or s * a > 0):
                return turns(s, to, press)
        return None

    def turns(s, side, press):
        single = [i for i, f in enumerate(look([1.0, 1.0, 0.0])[3]) if len(f[2]) == 1]

        def stops(z):
            z = [z[0], 0.0, z[2]]
            on = starts(z, -s)
            return ["reverse" if on else "stick"] * len(side), z, on or rests

        def passes(i):
            def act(z):
                return "reverse", z, turns(s, [-x if k == i else x for k, x in enumerate(side)], press)
            return (lambda q: side[i] * slips(q)[i]), act

        def presses(i):
            return ((lambda q: angular(q, side, press)[1][i]),
                    lambda z: ([], z, turns(s, side, -press)))

        return lambda y: ((lambda q: [q[1], angular(q, side, press)[0], 1.0]),
                          [((lambda q: s * q[1]), stops)] + [passes(i) for i in range(len(side))] +
                          [presses(i) for i in single])

    return lambda y: ((starts(y, 1) if y[1] >= 0 else None) or starts(y, -1))(y)


def rod(m, l, x, y, a):
    return [(m, x), (m, y), (m * l * l / 12, a)]


def slider_crank_friction():
    r, l, mC, mR, mP, g, rp, mu, mg = 0.1, 0.3, 0.3, 0.4, 0.5, 9.81, 0.01, 0.2, 0.1

    def places(th):
        ph = math.asin(r / l * math.sin(th))
        x = r * math.cos(th) + l * math.cos(ph)
        return [r / 2 * math.cos(th), r / 2 * math.sin(th), th, x - l / 2 * math.cos(ph),
                l / 2 * math.sin(ph), ph, x, 0.0]

    def build(j):
        xc, yc, th, xr, yr, ph, x, y = j
        terms = rod(mC, r, xc, yc, th) + rod(mR, l, xr, yr, ph) + [(mP, x), (mP, y)]
        rows = [xc - r / 2 * cos(th), yc - r / 2 * sin(th),
                xr - l / 2 * cos(ph) - r * cos(th), yr + l / 2 * sin(ph) - r * sin(th),
                xr + l / 2 * cos(ph) - x, yr - l / 2 * sin(ph) - y, y]
        frictions = [(rp * th, mu, (0, 1)), (rp * (th + ph), mu, (2, 3)), (rp * ph, mu, (4, 5)),
                     (x, mg, (6,))]
        return terms, [(mC * g, yc), (mR * g, yr), (mP * g, y)], rows, frictions

    events = []
    y, _ = go(mechanism(places, build, 8, 2, lambda t: 0.0), [0.5, 20.0, 0.0], 0, 0.45, 2e-3, events)
    return events, {"th": y[0], "th'": y[1]}


def four_bar_friction():
    a, b, c, d, m1, m2, m3, g, rp, mu, M0 = 0.1, 0.3, 0.25, 0.3, 0.2, 0.6, 0.5, 9.81, 0.01, 0.2, 0.6

    def places(th):
        A = (a * math.cos(th), a * math.sin(th))
        ex, ey = d - A[0], -A[1]
        e = math.hypot(ex, ey)
        along = (b * b - c * c + e * e) / (2 * e)
        up = math.sqrt(b * b - along * along)
        B = (A[0] + (along * ex - up * ey) / e, A[1] + (along * ey + up * ex) / e)
        ph, ps = math.atan2(B[1] - A[1], B[0] - A[0]), math.atan2(B[1], B[0] - d)
        return [A[0] / 2, A[1] / 2, th, (A[0] + B[0]) / 2, (A[1] + B[1]) / 2, ph,
                (d + B[0]) / 2, B[1] / 2, ps]

    def build(j):
        x1, y1, th, x2, y2, ph, x3, y3, ps = j
        terms = rod(m1, a, x1, y1, th) + rod(m2, b, x2, y2, ph) + rod(m3, c, x3, y3, ps)
        Ax, Ay, Bx, By = a * cos(th), a * sin(th), d + c * cos(ps), c * sin(ps)
        hx, hy = b / 2 * cos(ph), b / 2 * sin(ph)
        rows = [x1 - 0.5 * Ax, y1 - 0.5 * Ay, x2 - hx - Ax, y2 - hy - Ay, x2 + hx - Bx,
                y2 + hy - By, x3 - c / 2 * cos(ps) - d, y3 - c / 2 * sin(ps)]
        frictions = [(rp * th, mu, (0, 1)), (rp * (ph - th), mu, (2, 3)),
                     (rp * (ps - ph), mu, (4, 5)), (rp * ps, mu, (6, 7))]
        return terms, [(m1 * g, y1), (m2 * g, y2), (m3 * g, y3)], rows, frictions

    events = []
    piece = mechanism(places, build, 9, 2, lambda t: M0 * math.cos(5 * t))
    y, _ = go(piece, [1.0, 0.0, 0.0], 0, 0.6, 4e-3, events)
    return events, {"th": y[0], "th'": y[1]}


def double_wishbone():
    """The suspension moves in a plane: its tie rod is the lower arm, shifted."""
    ml, mu, mw, ll, lu, h, g, k, c = 2, 1.5, 12, 0.35, 0.28, 0.25, 9.81, 3e4, 1500
    y0 = 0.07

    def places(a):
        A = (ll * math.cos(a), ll * math.sin(a))
        ex, ey = y0 - A[0], h - A[1]
        e = math.hypot(ex, ey)
        along = (h * h - lu * lu + e * e) / (2 * e)
        up = math.sqrt(h * h - along * along)
        B = (A[0] + (along * ex + up * ey) / e, A[1] + (along * ey - up * ex) / e)
        b = math.atan2(B[1] - h, B[0] - y0)
        p = math.atan2(-(B[0] - A[0]), B[1] - A[1])
        G = ((A[0] + B[0]) / 2 + 0.05 * math.cos(p), (A[1] + B[1]) / 2 + 0.05 * math.sin(p))
        return [A[0] / 2, A[1] / 2, a, (y0 + B[0]) / 2, (h + B[1]) / 2, b, G[0], G[1], p]

    def build(j):
        x1, z1, a, x2, z2, b, x3, z3, p = j
        terms = [(ml, x1), (ml, z1), (0.02, a), (mu, x2), (mu, z2), (0.01, b), (mw, x3), (mw, z3),
                 (0.3, p)]
        lx, lz = x3 - 0.05 * cos(p) + h / 2 * sin(p), z3 - 0.05 * sin(p) - h / 2 * cos(p)
        ux, uz = x3 - 0.05 * cos(p) - h / 2 * sin(p), z3 - 0.05 * sin(p) + h / 2 * cos(p)
        rows = [x1 - ll / 2 * cos(a), z1 - ll / 2 * sin(a), x2 - y0 - lu / 2 * cos(b),
                z2 - h - lu / 2 * sin(b), lx - ll * cos(a), lz - ll * sin(a),
                ux - y0 - lu * cos(b), uz - h - lu * sin(b)]
        return terms, rows

    def f(y):
        q = places(y[0])
        u = rates(build(coordinates(q, [0.0] * 9))[1], 9, 2, y[1])
        j = coordinates(q, u)
        terms, rows = build(j)
        force = [0.0] * 9
        force[1] = -ml * g - k * (q[1] + 0.03) - c * u[1]
        force[4], force[7] = -mu * g, -mw * g + 900 * math.sin(20 * y[2])
        return [y[1], accelerations(terms, force, rows)[0][2], 1.0]

    y, _ = go(lambda y: (f, []), [0.0, 0.0, 0.0], 0, 1, 0.02, [])
    q = places(y[0])
    return [], {"lower.p[3]": q[1], "upright.p[2]": q[6], "upright.p[3]": q[7],
                "upright.R.q[2]": math.sin(q[8] / 2)}


# ---- walker, walker.pawl ----

def walker():
    mh, m, l, d, g, s, h, T0, mu = 10, 2, 1, 0.5, 9.81, 0.04, 0.06, 0.75, 1.2
    phase = [0]  # which leg is drawn in

    def build(y):
        x, z, a, b = coordinates(y[:4], y[4:8])
        t = Jet(y[8], 1.0, 0.0, [0.0] * 4)
        wave = sin(math.pi / T0 * t)
        c = h * wave * wave
        c1, c2 = (lift(0.0), c) if phase[0] % 2 == 0 else (c, lift(0.0))
        l1, l2 = l - c1, l - c2
        A, B = (x + l1 * sin(a), z - l1 * cos(a)), (x + l2 * sin(b), z - l2 * cos(b))
        G = [(mh, x, z), (m, x + d * sin(a), z - d * cos(a)), (m, x + d * sin(b), z - d * cos(b))]
        force = [0.0] * 4
        for w, gx, gz in G:
            pull(gx, w * g * math.sin(s), force)
            pull(gz, -w * g * math.cos(s), force)
        return [(w, p) for w, gx, gz in G for p in (gx, gz)], force, A, B

    def stands(foot):
        def f(y):
            terms, force, A, B = build(y)
            qdd, _ = accelerations(terms, force, (A, B)[foot])
            return y[4:8] + qdd + [1.0]

        def gap(y):
            return build(y)[2 + (1 - foot)][1].v

        def lands(y):
            terms, _, A, B = build(y)
            new, old = ((A, B)[1 - foot], (A, B)[foot])
            u, P = impact(terms, y[4:8], new)
            assert P[1] > 0 and abs(P[0]) <= mu * P[1]
            up = sum(x * v for x, v in zip(old[1].g, u))
            assert up > 0
            return ["impact", "liftoff"], y[:4] + u + [y[8]], stands(1 - foot)
        return lambda y: (f, [(gap, lands)])

    z = math.cos(0.25)
    w = 0.95
    y = [0.0, z, 0.25, -0.25, w * z, w * math.sin(0.25), -w, 0.2, 0.0]
    events = []
    piece, t = stands(0), 0.0
    for end in (T0, 2 * T0, 3 * T0, 2.3):
        y, piece = go(piece, y, t, end, 0.025, events)
        y[8] = t = end
        phase[0] += 1
    return events, {"x": y[0], "y": y[1], "a": y[2], "b": y[3]}


# ---- hopper, swung-hopper.pawl ----

def swung_hopper():
    m, mf, J, l, k, c, g, mu = 5, 0.3, 0.4, 0.6, 4000, 15, 9.81, 0.9
    kp, kd, a0 = 40, 4, 0.1
    hip = [0.0]

    def build(y):
        x, z, p, a, s = coordinates(y[:5], y[5:10])
        F = (x + s * sin(a), z - s * cos(a))
        force = [0.0, -m * g, -hip[0], hip[0], -k * (y[4] - l) - c * y[9]]
        pull(F[1], -mf * g, force)
        return [(m, x), (m, z), (J, p), (mf, F[0]), (mf, F[1])], force, F

    def flies(y):
        def f(y):
            terms, force, _ = build(y)
            return y[5:10] + accelerations(terms, force, [])[0]

        def lands(y):
            terms, _, F = build(y)
            u, P = impact(terms, y[5:10], F)
            assert P[1] > 0 and abs(P[0]) <= mu * P[1]
            return "impact", y[:5] + u, stands
        return f, [((lambda y: build(y)[2][1].v), lands)]

    def forces(y):
        terms, force, F = build(y)
        return accelerations(terms, force, F)[1]

    def stands(y):
        def f(y):
            terms, force, F = build(y)
            return y[5:10] + accelerations(terms, force, F)[0]

        def slips(y):
            side = -1 if forces(y)[0] > 0 else 1
            return "slip", y, slides(side)

        def lifts(y):
            return "liftoff", y, flies
        return f, [((lambda y: mu * forces(y)[1] - abs(forces(y)[0])), slips),
                   ((lambda y: forces(y)[1]), lifts)]

    def slides(side):
        def acts(y):
            """Sliding: the normal force N and the friction -side mu N along the floor."""
            terms, force, F = build(y)
            M, h = inertia(terms, 5)
            A = [M[i] + [-F[1].g[i] + side * mu * F[0].g[i]] for i in range(5)]
            A.append(list(F[1].g) + [0.0])
            x = solve(A, [h[i] + force[i] for i in range(5)] + [-F[1].a])
            return x[:5], x[5]

        def sticks(y):
            return "stick", y, stands

        def lifts(y):
            return "liftoff", y, flies
        return lambda y: ((lambda y: y[5:10] + acts(y)[0]),
                          [((lambda y: acts(y)[1]), lifts),
                           ((lambda y: side * build(y)[2][0].d + 1e-12), sticks)])

    y, piece, events = [0.0, 0.8, 0.0, -0.1, 0.6, 1.0, 0.0, 0.0, 0.0, 0.0], flies, []
    for i in range(190):
        F = build(y)[2]
        hip[0] = kp * (a0 - y[3]) - kd * y[8] if F[1].v > 1e-3 else 0.0
        y, piece = go(piece, y, i * 5e-3, (i + 1) * 5e-3, 5e-3, events)
    return events, {"x": y[0], "y": y[1], "p": y[2], "a": y[3]}


# ---- gripper, gripper.pawl ----

def gripper():
    m, mf, w, g, mu = 0.5, 0.2, 0.03, 9.81, 0.6
    Fset, tau, A, up, c = 7, 0.05, 40, 0.2, 5

    def drive(t):
        return Fset * (1 - math.exp(-t / tau))

    def hand(t):
        return A * (t - up) * math.exp(-(t - up) / 0.1)

    def moves(left, right):
        """y = [a, b, x, y, a', b', x', y', t] on the floor; what touches moves together."""
        ma, mb = mf + (m if left else 0), mf + (m + mf if left and right else 0)

        def f(y):
            F = drive(y[8])
            if left and right:
                a = -c * (y[4] + y[5]) / (m + 2 * mf)
                acc = [a, a, a]
            elif left:
                a = (F - c * y[4]) / ma
                acc = [a, (-F - c * y[5]) / mf, a]
            else:
                acc = [(F - c * y[4]) / mf, (-F - c * y[5]) / mb, 0.0]
            return y[4:8] + acc + [0.0, 1.0]

        def hits_left(y):
            v = mf * y[4] / (mf + m)
            return "impact", y[:4] + [v, y[5], v, 0.0, y[8]], moves(True, False)

        def hits_right(y):
            v = ((m + mf) * y[4] + mf * y[5]) / (m + 2 * mf)
            return ["impact", "impact"], y[:4] + [v, v, v, 0.0, y[8]], moves(True, True)
        guards = [] if left else [((lambda y: y[2] - y[0] - w), hits_left)]
        guards += [] if right else [((lambda y: y[1] - y[2] - w), hits_right)]
        return lambda y: (f, guards)

    def lifted(holds):
        def f(y):
            a = -c * (y[4] + y[5]) / (m + 2 * mf)
            s = (y[8] - up) / 0.1
            up_by = A * math.exp(-s) * (1 - s) if holds else 2 * mu * drive(y[8]) / m - g
            return y[4:8] + [a, a, a, up_by, 1.0]

        def catches(y):
            return ["stick", "stick"], y, lifted(True)
        guards = [] if holds else [((lambda y: hand(y[8]) - y[7]), catches)]
        return lambda y: (f, guards)

    events = []
    y, _ = go(moves(False, False), [-0.05, 0.06, 0, 0, 0, 0, 0, 0, 0.0], 0, up, 0.01, events)
    events += [("liftoff", up, y), ("slip", up, y), ("slip", up, y)]
    y, _ = go(lifted(False), y, up, 1, 0.01, events)
    return events, {"a": y[0], "b": y[1], "x": y[2], "y": y[3]}


# ---- quadruped, quadruped.pawl: all four legs do the same ----

def quadruped():
    M, m, l, k, c, g, lean, h, mu = 12, 0.8, 0.3, 25, 1, 9.81, 0.3, 0.05, 0.15
    J = m * l * l / 12

    def build(y):  # height of the trunk, lean of a leg; a quarter of the trunk
        z, a = coordinates(y[:2], y[2:4])
        foot = (l * sin(a), z - l * cos(a))
        G = (l / 2 * sin(a), z - l / 2 * cos(a))
        force = [-M / 4 * g, -k * (y[1] - lean) - c * y[3]]
        pull(G[1], -m * g, force)
        return [(M / 4, z), (m, G[0]), (m, G[1]), (J, a)], force, foot

    def slides(y):
        terms, force, foot = build(y)
        Mm, hh = inertia(terms, 2)
        A = [Mm[i] + [-foot[1].g[i] + mu * foot[0].g[i]] for i in range(2)]
        A.append(list(foot[1].g) + [0.0])
        return solve(A, [hh[i] + force[i] for i in range(2)] + [-foot[1].a])

    def sliding(y):
        return (lambda y: y[2:4] + slides(y)[:2]), [
            ((lambda y: build(y)[2][0].d),
             lambda y: (["stick"] * 4, y[:2] + [0.0, 0.0], lambda y: ((lambda y: [0.0] * 4), [])))]

    def falling(y):
        def lands(y):
            terms, _, foot = build(y)
            u, P = impact(terms, y[2:4], [foot[1]], [(foot[0], 0, -mu)])
            assert P[0] > 0 and sum(x * v for x, v in zip(foot[0].g, u)) > 0
            return ["impact"] * 4, y[:2] + u, sliding
        return (lambda y: y[2:4] + accelerations(*build(y)[:2], [])[0]), [
            ((lambda y: build(y)[2][1].v), lands)]

    events = []
    y, _ = go(falling, [l * math.cos(lean) + h, lean, 0.0, 0.0], 0, 0.5, 0.01, events)
    return events, {"trunk.p[3]": y[0], "fore[1].rod.p[1]": 0.3 + l / 2 * math.sin(y[1])}


# ---- valve train, valve-train.pawl ----

def spline(points):
    """Periodic spline: a function that gives value, slope and curvature."""
    x, y = [p[0] for p in points], [p[1] for p in points]
    n = len(x)
    h = [x[i + 1] - x[i] for i in range(n - 1)]
    A, b = [[0.0] * n for _ in range(n)], [0.0] * n
    A[-1][0], A[-1][-1] = 1.0, -1.0
    for i in range(n - 1):
        last = i - 1 if i > 0 else n - 2
        A[i][last], A[i][i], A[i][i + 1] = h[last], 2 * (h[last] + h[i]), h[i]
        b[i] = 6 * ((y[i + 1] - y[i]) / h[i] - (y[i] - y[last]) / h[last])
    m = solve(A, b)

    def at(s, i):
        d, e = s - x[i], x[i + 1] - s
        value = ((m[i] * e ** 3 + m[i + 1] * d ** 3) / 6 / h[i] +
                 (y[i] / h[i] - m[i] * h[i] / 6) * e + (y[i + 1] / h[i] - m[i + 1] * h[i] / 6) * d)
        slope = ((m[i + 1] * d * d - m[i] * e * e) / 2 / h[i] + (y[i + 1] - y[i]) / h[i] -
                 (m[i + 1] - m[i]) * h[i] / 6)
        return value, slope, (m[i] * e + m[i + 1] * d) / h[i]
    return at, x


def valve_train():
    m1, m2, k, c, kv, F0, F1, n = 0.1, 0.12, 2e5, 60, 2e4, 250, 60, 400
    half = [0.2, 0.8, 1.8, 3.1, 4.6, 6.1, 7.3, 8.2, 8.8]
    mm = [0, 0, 0] + half + [9] + half[::-1] + [0, 0, 0]
    deg = [0, 40] + list(range(60, 261, 10)) + [280, 360]
    at, knots = spline([(math.radians(a), 1e-3 * v) for a, v in zip(deg, mm)])
    piece_of = [0]

    def lift_at(t):
        s, ds, dds = at(n * t - 2 * math.pi * turn[0], piece_of[0])
        return s, n * ds, n * n * dds

    turn = [0]

    def stretch(y):
        return -k * (y[1] - y[0]) - c * (y[3] - y[2])

    def machine(on_cam, on_seat, in_play, pushes):
        def acc(y):
            P = stretch(y) if pushes else 0.0
            a = lift_at(y[4])[2] if on_cam else (-F1 - P) / m1
            b = 0.0 if on_seat else (P - F0 - kv * y[1]) / m2
            return a, b, m1 * a + F1 + P, F0 + kv * y[1] - P

        def f(y):
            a, b, _, _ = acc(y)
            return [y[2], y[3], a, b, 1.0]

        def to(name, **what):
            now = dict(on_cam=on_cam, on_seat=on_seat, in_play=in_play, pushes=pushes)
            now.update(what)
            return lambda y: (name, y, machine(**now))

        def hits_cam(y):
            s, ds, _ = lift_at(y[4])
            return "impact", [s, y[1], ds, y[3], y[4]], choose(True, on_seat, in_play)

        def hits_seat(y):
            return "impact", [y[0], 0.0, y[2], 0.0, y[4]], choose(on_cam, True, in_play)

        def choose(cam, seat, play):
            return lambda y: machine(cam, seat, play, not play and stretch(y) > 0)(y)

        guards = []
        if on_cam:
            guards.append(((lambda y: acc(y)[2]), to("liftoff", on_cam=False)))
        else:
            guards.append(((lambda y: y[0] - lift_at(y[4])[0]), hits_cam))
        if on_seat:
            guards.append(((lambda y: acc(y)[3]), to("liftoff", on_seat=False)))
        else:
            guards.append(((lambda y: y[1]), hits_seat))
        if in_play:
            guards.append(((lambda y: y[1] - y[0]),
                           lambda y: ("engage", y, choose(on_cam, on_seat, False))))
        else:
            guards.append(((lambda y: y[0] - y[1]), to("release", in_play=True, pushes=False)))
            guards.append(((lambda y: stretch(y)), to([], pushes=False)) if pushes else
                          ((lambda y: -stretch(y)), to([], pushes=True)))
        return lambda y: (f, guards)

    events, t, y = [], 0.0, [0.0, 0.0, lift_at(0.0)[1], 0.0, 0.0]
    piece = machine(True, True, False, True)
    while t < 0.015:
        end = min(0.015, (knots[piece_of[0] + 1] + 2 * math.pi * turn[0]) / n)
        y, piece = go(piece, y, t, end, 2e-4, events)
        t = y[4] = end
        piece_of[0] += 1
        if piece_of[0] == len(knots) - 1:
            piece_of[0], turn[0] = 0, turn[0] + 1
    return events, {"u": y[0], "v": y[1]}


# ---- spring and friction in series, jenkins-element.pawl ----

def jenkins():
    m, k, F, k0, c = 1, 100, 5, 20, 0.5

    def follows(y):
        return (lambda y: [y[1], (-k0 * y[0] - c * y[1] - k * y[2]) / m, y[1]]), [
            ((lambda y: F / k - y[2]), lambda y: ("slip", y[:2] + [F / k], slides(1))),
            ((lambda y: F / k + y[2]), lambda y: ("slip", y[:2] + [-F / k], slides(-1)))]

    def slides(side):
        return lambda y: ((lambda y: [y[1], (-k0 * y[0] - c * y[1] - side * F) / m, 0.0]), [
            ((lambda y: side * y[1]), lambda y: ("stick", [y[0], 0.0, y[2]], follows))])

    events = []
    y, _ = go(follows, [0.5, 0.0, 0.0], 0, 3, 0.01, events)
    return events, {"x": y[0], "x'": y[1], "n": y[0] - y[2]}


# ---- two frictions in series, iwan-series.pawl: stretches, with one force through all of them ----

def iwan():
    m, k, ks, F = 1, 100, (50, 30), (3, 6)

    def piece(modes):
        def rates(y):
            rise = k * y[1] / (1 + sum(k / ks[i] for i in (0, 1) if modes[i]))
            return [y[1], -k * (y[0] - y[2] - y[3]) / m] + [rise / ks[i] if modes[i] else 0.0 for i in (0, 1)]

        def held(y, i):
            return k * (y[0] - y[2] - y[3]) - ks[i] * y[2 + i]

        guards = []
        for i in (0, 1):
            def to(s, i=i):
                return piece(tuple(s if j == i else modes[j] for j in (0, 1)))
            if not modes[i]:
                guards += [(lambda y, i=i, s=s: F[i] - s * held(y, i), lambda y, s=s, to=to: ("slip", y, to(s)))
                           for s in (1, -1)]
        if any(modes):
            turn = [s for s in modes if s][0]
            stops = ["stick"] * sum(1 for s in modes if s)
            guards.append((lambda y: turn * y[1], lambda y: (stops, y, piece((0, 0)))))
        return lambda y: (rates, guards)

    events = []
    y, _ = go(piece((0, 0)), [0.0, 4.0, 0.0, 0.0], 0, 2, 0.005, events)
    return events, {"x": y[0], "x'": y[1], "n": y[2] + y[3], "p": y[3]}


# ---- a mass on a massless plate, bumper-plate.pawl: closed form ----

def bumper():
    w = 22.0  # sqrt(k/m - (c/2m)^2)
    tau = (math.pi - math.atan(8 * w / 468)) / w  # k x + c x' = 0
    x = 2 / w * math.exp(-4 * tau) * math.sin(w * tau)
    v = 2 * math.exp(-4 * tau) * (math.cos(w * tau) - 4 / w * math.sin(w * tau))
    return [("close", 0.15, None), ("liftoff", 0.15 + tau, None)], {"x": x + v * (0.85 - tau), "x'": v}
