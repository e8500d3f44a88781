# SPDX-License-Identifier: MIT
"""Models for the methods with fixed steps: text, method, and numbers with which the same motion is
none of the model. A number is wrong by a tenth of a per cent where the impulse balance shows it; a
restitution or a bound by what the order of the step leaves visible."""

BALL = """parameter g = 9.81, e = 0.6, m = 2
coordinates y
kinetic T = 1/2*m*y'^2
potential V = m*g*y
constraint floor: y >= 0, restitution e
start y = 1
run 0..2, method moreau, step 1e-3
"""

BEADS = """parameter g = 9.81, e = 0.5, d = 0.1
coordinates y[1..4]
kinetic T = sum(i in 1..4: 1/2*0.1*y[i]'^2)
potential V = sum(i in 1..4: 0.1*g*y[i])
constraint floor: y[1] >= 0, restitution e
constraint gap[i in 2..4]: y[i] - y[i - 1] >= d, restitution e
start y[i in 1..4] = 0.2 + 1.5*d*i
run 0..1.5, method moreau, step 1e-3
"""

BLOCK = """parameter k = 40, m = 1, mu = 0.3, v = 0.2, g = 9.81
coordinates x, y
kinetic T = 1/2*m*(x'^2 + y'^2)
potential V = 1/2*k*x^2 + m*g*y
constraint belt: y >= 0, restitution 0
friction rub: slip x' - v, mu mu on belt
start x = 0.1
run 0..3, method moreau, step 1e-3
"""

PUCK = """parameter F = 3, m = 1, a = 0.4
coordinates x, y
kinetic T = 1/2*m*(x'^2 + y'^2)
force x: a*y
friction rub: slip (x', y'), bound F
start x' = 1, y' = 1.5
run 0..1, method moreau, step 1e-3
"""

PENDULUM = """parameter g = 9.81, l = 1, m = 1, c = 0.1
coordinates x, y
kinetic T = 1/2*m*(x'^2 + y'^2)
potential V = m*g*y
dissipation D = 1/2*c*(x'^2 + y'^2)
constraint rod: x^2 + y^2 = 1
constraint wall: x >= -0.2, restitution 0.7
start x = 0.8, y = -0.6
run 0..2, method moreau, step 1e-3
"""

PLAY = """parameter k = 100, F0 = 2, A = 3, m = 1
coordinates x
kinetic T = 1/2*m*x'^2
dissipation D = 0.2*x'^2
spring s: stretch x, stiffness k, play -0.01..0.01, preload F0
force x: A*cos(6*t)
start x = 0
run 0..3, method moreau, step 1e-3
"""

TOP = """parameter g = 9.81, m = 1, l = 0.3
body top: mass m, inertia (0.02, 0.02, 0.01)
potential V = m*g*top.p[3]
constraint tip: top.p - top.R*(0, 0, l) = (0, 0, 0)
start top.R = axis(1, 0, 0, 0.5), top.p ~ (0, 0, 0.3), top.w ~ (0, 0, 60)
run 0..0.5, method moreau, step 5e-4
"""

SPHERICAL = """parameter g = 9.81, k = 1, R = 1
coordinates x, y
kinetic T = 1/2*(x'^2 + y'^2)
potential V = 1/4*k*(x^2 + y^2)^2 + 0.1*g*y
constraint box: x^2 + y^2 <= R^2, restitution 1
start x = 0.3, y = 0.1, x' = 1.2, y' = 1.9
run 0..10, method variational, step 0.01
"""

DOUBLE = """parameter g = 9.81, m = 1, l = 0.7
coordinates a, b
let P = (l*sin(a), -l*cos(a))
let Q = P + l*(sin(b), -cos(b))
kinetic T = 1/2*m*(P[1]'^2 + P[2]'^2 + Q[1]'^2 + Q[2]'^2)
potential V = m*g*(P[2] + Q[2])
start a = 1, b = 0.5
run 0..3, method variational, step 2e-3
"""

RESTS = """parameter g = 9.81, e = 0.4, m = 1
coordinates x, y
kinetic T = 1/2*m*(x'^2 + y'^2)
potential V = m*g*y
constraint slope: y - 0.2*x >= 0, restitution e
start x = 0, y = 0.5, x' = 1
run 0..3, method variational, step 1e-2
"""

CURVES = """parameter k = 9, a = 1, b = 0.7
table F(s): (-1.1, 4)(0.2, -3)(0.9, 6)(2, -8), linear
coordinates x, y
kinetic T = 1/2*(x'^2 + y'^2)
force x: a*F(x') - k*x
force y: b*F(x + t) - 5*y + x
constraint wall: y >= 0, restitution 0.5
start x = 0.3, x' = 2, y = 0.5
run 0..4, method moreau, step 0.013
"""

# name, text, what is wrong: parameter, factor
MODELS = [
    ("ball", BALL, [("g", 1.001), ("g", 0.999), ("e", 1.05), ("e", 0.9)]),
    ("beads", BEADS, [("g", 1.001), ("e", 1.1), ("d", 1.001)]),
    # without sticking nothing depends on the speed of the belt
    ("sticks", BLOCK.replace("start x = 0.1", "start x = 0.2"), [("k", 1.001), ("v", 1.2), ("v", 0.8)]),
    ("block", BLOCK, [("k", 1.001), ("m", 1.001), ("mu", 1.01), ("mu", 0.98)]),
    ("puck", PUCK, [("F", 1.001), ("m", 0.999), ("a", 1.001)]),
    ("pendulum", PENDULUM, [("g", 1.001), ("c", 1.01), ("m", 1.001)]),
    ("play", PLAY, [("k", 1.001), ("F0", 1.001), ("A", 1.001), ("m", 0.999)]),
    ("curves", CURVES, [("k", 1.001), ("a", 1.001), ("b", 0.999)]),
    ("top", TOP, [("g", 1.001), ("l", 1.001), ("m", 1.001)]),
    ("spherical", SPHERICAL, [("g", 1.001), ("k", 1.001), ("R", 0.999)]),
    ("double", DOUBLE, [("g", 1.001), ("l", 1.001)]),
    ("rests", RESTS, [("g", 1.001), ("e", 1.01)]),
]
