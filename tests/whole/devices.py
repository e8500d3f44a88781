# SPDX-License-Identifier: MIT
"""Devices with a judge of their own: drives with backlash, rubbing blocks with four friction laws, servos with chirps, cams from
tables, spinning bodies with a brake, slots with play, sampled controllers, oscillators that are watched by narrow events. Units of
length, mass and time are 1e-6 to 1e6.

Each family returns a `Device` (device_judge.py): its text, parameters whose change the rows of its motion tell, and the right
states at five instants, by the steps of the judge or by a closed form. Nothing here shares a line with the engine."""
import math

from device_judge import Device, INSTANTS, Law, Restless, SPAN, Units, both, motion
from device_parts import Chirp, Pulses, Rubbing, Table, beyond, kinks_of, rub_of


def drive(rng, u):
    """A motor with a curve of torque drives a load with friction through gears with backlash."""
    top = rng.uniform(2, 6)
    curve = Table([0, 0.3*top, 0.7*top, top], [rng.uniform(1, 3), rng.uniform(2, 4), rng.uniform(1, 3), 0.0], rng.random() < 0.5)
    J, K, k, b = rng.uniform(0.3, 2), rng.uniform(0.3, 2), 10**rng.uniform(1, 3.5), 10**rng.uniform(-3, -0.5)
    c = rng.choice([0, rng.uniform(0.1, 2)])
    shake = Chirp(rng, 0.5, 3)
    rub, law = rub_of(rng, u, "rub", "y'", 0.0, dict(m=1, l=2))
    text = curve.text("M", u, dict(s=-1), dict(m=1, l=2, s=-2)) + f"""parameter J = {u(J, m=1, l=2)}, K = {u(K, m=1, l=2)}, k = {u(k, m=1, l=2, s=-2)}, b = {b!r}
coordinates x, y
kinetic T = 1/2*J*x'^2 + 1/2*K*y'^2
spring gear: stretch x - y, stiffness k, play -b..b{f", damping {u(c, m=1, l=2, s=-1)}" if c else ""}
force x: M(x')
force y: {shake.text(u, m=1, l=2, s=-2)}
{rub}start x = 0, y = 0
run 0..{u(SPAN, s=1)}
"""

    def push(t, z):
        f = beyond(z[0] - z[1], b, k, c, z[2] - z[3])
        return [curve(z[2]) - f, f + shake(t)]

    def kinks(t, z):
        return kinks_of(z[0] - z[1], b, k, c, z[2] - z[3]) + [z[2] - v for v in curve.x]
    looks = {"x": (0, 1), "y": (1, 1), "x'": (2, u.size(s=-1)), "y'": (3, u.size(s=-1))}
    return Device(text, ["J", "K"], looks, *both(lambda: Rubbing([J, K], [None, law], push, kinks), [0, 0, 0, 0]))


def blocks(rng, u):
    """Blocks in a row on belts, with springs, each with another law of friction, pushed by pulses and a chirp."""
    n = rng.randint(1, 3)
    names, belts = "xyz"[:n], [rng.choice([0.0, 0.0, rng.uniform(-0.6, 0.6)]) for _ in range(n)]
    m, k = [rng.uniform(0.3, 3) for _ in range(n)], [10**rng.uniform(0, 2.5) for _ in range(n)]
    push, shake, who = Pulses(rng, 4), Chirp(rng, 0.3, 3), rng.randrange(n)
    text = "parameter " + ", ".join(f"m{i} = {u(m[i], m=1)}, k{i} = {u(k[i], m=1, s=-2)}" for i in range(n)) + "\n"
    text += f"coordinates {', '.join(names)}\nkinetic T = " + " + ".join(f"1/2*m{i}*{names[i]}'^2" for i in range(n)) + "\npotential V = "
    text += " + ".join(f"1/2*k{i}*" + (f"({names[i]} - {names[i - 1]})^2" if i else f"{names[0]}^2") for i in range(n)) + "\n"
    text += f"force {names[who]}: {push.text(u, m=1, l=1, s=-2)} + {shake.text(u, m=1, l=1, s=-2)}\n"
    laws = []
    for i in range(n):
        rub, law = rub_of(rng, u, f"rub{i}", f"{names[i]}' - {u(belts[i], l=1, s=-1)}" if belts[i] else f"{names[i]}'", belts[i], dict(m=1, l=1))
        text += rub
        laws.append(law)
    z = [rng.uniform(-0.2, 0.2) for _ in range(n)] + [rng.choice([0.0, rng.uniform(-1, 1)]) for _ in range(n)]
    text += "start " + ", ".join(f"{names[i]} = {u(z[i], l=1)}, {names[i]}' = {u(z[n + i], l=1, s=-1)}" for i in range(n))
    text += f"\nrun 0..{u(SPAN, s=1)}\n"

    def forces(t, z):
        pull = [k[i]*(z[i] - (z[i - 1] if i else 0.0)) for i in range(n)] + [0.0]
        out = [pull[i + 1] - pull[i] for i in range(n)]
        out[who] += push(t) + shake(t)
        return out
    looks = {name: (i, u.size(l=1)) for i, name in enumerate(names)}
    looks.update({name + "'": (n + i, u.size(l=1, s=-1)) for i, name in enumerate(names)})
    return Device(text, ["m0"], looks, *both(lambda: Rubbing(m, laws, forces), z, push.breaks()))


class Free(Law):
    def __init__(self, rate, kinks=lambda t, z: []):
        self.rate, self.guards = rate, kinks


def servo(rng, u):
    """A cart makes its pendulum follow a chirp, against a spring with play."""
    M, m, a, g = rng.uniform(0.5, 3), rng.uniform(0.1, 1), rng.uniform(0.3, 1.5), 9.81
    k, b, down = 10**rng.uniform(0, 3), rng.uniform(0.01, 0.3), rng.choice([-1, 1])
    path = Chirp(rng, 0.02, 0.3)
    text = f"""parameter M = {u(M, m=1)}, m = {u(m, m=1)}, a = {u(a, l=1)}, g = {u(g, l=1, s=-2)}, k = {u(k, m=1, s=-2)}, b = {u(b, l=1)}
coordinates x, th
let P = (x + a*sin(th), {down}*a*cos(th))
kinetic T = 1/2*M*x'^2 + 1/2*m*dot(P', P')
potential V = m*g*P[2]
spring wall: stretch x, stiffness k, play -b..b
servo hold: th = {path.text(u)}, by x
start x = 0, th = 0, x' = 0, th' ~ 0
run 0..{u(SPAN, s=1)}
"""

    def sway(t):
        th, w, dw = path.rates(t)
        return th, w, dw, (down*g*math.sin(th) - a*dw)/math.cos(th)

    def hold(t, x):
        th, w, dw, acc = sway(t)
        return (M + m)*acc + m*a*(dw*math.cos(th) - w*w*math.sin(th)) + beyond(x, b, k)

    def law():
        return Free(lambda t, z: [z[1], sway(t)[3]], lambda t, z: [z[0] - b, z[0] + b])
    one, two = ([z + [hold(SPAN*(i + 1)/INSTANTS, z[0])] for i, z in enumerate(s)] for s in both(law, [0.0, 0.0]))
    looks = {"x": (0, u.size(l=1)), "x'": (1, u.size(l=1, s=-1)), "force(hold)": (2, u.size(m=1, l=1, s=-2))}
    return Device(text, ["a", "g"], looks, one, two)


class Cam(Law):
    """A follower on a periodic profile of time: closed, or free until it lands without a rebound."""

    def __init__(self, m, k, pre, c, cam):
        self.m, self.k, self.pre, self.c, self.cam, self.closed = m, k, pre, c, cam, True

    def need(self, t):
        y, v, a = self.cam.rates(t)
        return self.m*a + self.k*y + self.pre + self.c*v

    def rate(self, t, z):
        if self.closed:
            y, v, a = self.cam.rates(t)
            return [v, a]
        return [z[1], -(self.k*z[0] + self.pre + self.c*z[1])/self.m]

    def guards(self, t, z):
        return [self.need(t)] if self.closed else [z[0] - self.cam(t)]

    def switch(self, t, z, i):
        y, v, a = self.cam.rates(t)
        if self.closed:
            self.closed = False
            return [y + 1e-15, v]
        self.closed = self.need(t) >= 0
        return [y if self.closed else y + 1e-15, v]

    def begin(self, t, z):
        return list(self.cam.rates(t)[:2])


def cam(rng, u):
    """A spring presses a follower on a cam that is a periodic spline through points."""
    T, n = rng.uniform(1.5, 4), rng.randint(4, 8)
    knots = [T*i/n for i in range(n + 1)]
    y = [0.0] + [rng.uniform(0, 0.3) for _ in range(n - 1)]
    profile = Table(knots, y + [y[0]], True, True)
    m, k, pre, c = rng.uniform(0.3, 2), rng.uniform(5, 60), rng.uniform(0.5, 6), rng.uniform(0, 1)
    text = profile.text("cam", u, dict(s=1), dict(l=1)) + f"""parameter m = {u(m, m=1)}, k = {u(k, m=1, s=-2)}, F = {u(pre, m=1, l=1, s=-2)}, c = {u(c, m=1, s=-1)}
coordinates y
kinetic T = 1/2*m*y'^2
potential V = 1/2*k*y^2 + F*y
dissipation D = 1/2*c*y'^2
constraint lift: y >= cam(t), restitution 0
start y = 0, y' ~ 0, lift closed
run 0..{u(SPAN, s=1)}
"""
    breaks = [T*j + x for j in range(int(SPAN/T) + 1) for x in knots]
    return Device(text, ["k", "F"], {"y": (0, u.size(l=1)), "y'": (1, u.size(l=1, s=-1))},
                  motion(Cam(m, k, pre, c, profile), [0.0, 0.0], breaks), motion(Cam(m*(1 + 1e-9), k, pre, c, profile), [0.0, 0.0], breaks))


class Spin(Law):
    """Euler's equations with a brake on the third axis; W and a quaternion."""

    def __init__(self, J, F, torque):
        self.J, self.F, self.torque, self.way = J, F, torque, 1

    def free(self, t, z):
        """Torques of the right side: J W' = this, without the brake."""
        J, W, N = self.J, z[:3], self.torque(t)
        return [N[i] + (J[(i + 1) % 3] - J[(i + 2) % 3])*W[(i + 1) % 3]*W[(i + 2) % 3] for i in range(3)]

    def rate(self, t, z):
        f = self.free(t, z)
        f[2] = 0.0 if self.way == 0 else f[2] - self.way*self.F
        a, b, c, d = z[3:]
        x, y, w = z[:3]
        return [f[i]/self.J[i] for i in range(3)] + [(-b*x - c*y - d*w)/2, (a*x + c*w - d*y)/2, (a*y + d*x - b*w)/2, (a*w + b*y - c*x)/2]

    def guards(self, t, z):
        f = self.free(t, z)[2]
        return [self.F - f, self.F + f] if self.way == 0 else [self.way*z[2], 1.0]

    def switch(self, t, z, i):
        z = list(z)
        if self.way == 0:
            self.way = 1 if i == 0 else -1
            return z
        z[2] = 0.0
        return self.begin(t, z)

    def begin(self, t, z):
        f = self.free(t, z)[2]
        self.way = (1 if z[2] > 0 else -1) if z[2] != 0 else 1 if f > self.F else -1 if f < -self.F else 0
        return z


def spin(rng, u):
    """A body turns about its centre under pulses and a chirp in its axes, with a brake on its third axis."""
    J = [rng.uniform(0.6, 1), rng.uniform(0.6, 1), rng.uniform(0.6, 1)]
    F, kick, shake = rng.uniform(0.1, 1), Pulses(rng, 1.5), Chirp(rng, 0.1, 0.8)
    W = [rng.uniform(-1, 1), rng.uniform(-1, 1), rng.choice([0.0, rng.uniform(-1, 1)])]
    unit = dict(m=1, l=2, s=-2)
    text = f"""parameter A = {u(J[0], m=1, l=2)}, B = {u(J[1], m=1, l=2)}, C = {u(J[2], m=1, l=2)}, F = {u(F, **unit)}
rotation R
kinetic T = 1/2*(A*R.W[1]^2 + B*R.W[2]^2 + C*R.W[3]^2)
force R.W: ({kick.text(u, **unit)}, 0, {shake.text(u, **unit)})
friction brake: slip R.W[3], bound F
output W1 = R.W[1], W2 = R.W[2], W3 = R.W[3], c1 = (R*(1, 0, 0))[1], c2 = (R*(1, 0, 0))[2], c3 = (R*(0, 0, 1))[3]
start R.W = ({', '.join(u(w, s=-1) for w in W)})
run 0..{u(SPAN, s=1)}
"""
    runs = both(lambda: Spin(J, F, lambda t: [kick(t), 0.0, shake(t)]), W + [1.0, 0.0, 0.0, 0.0], kick.breaks())

    def seen(z):
        a, b, c, d = (x/math.hypot(*z[3:]) for x in z[3:])
        return list(z[:3]) + [a*a + b*b - c*c - d*d, 2*(b*c + a*d), a*a - b*b - c*c + d*d]
    looks = {f"W{i + 1}": (i, u.size(s=-1)) for i in range(3)}
    looks.update(c1=(3, 1), c2=(4, 1), c3=(5, 1))
    return Device(text, ["A", "B"], looks, *([seen(z) for z in run] for run in runs))


class Slot(Law):
    """A bead in a slot whose place is given: straight lines and rebounds."""

    def __init__(self, path, b, e, g):
        self.path, self.b, self.e, self.g, self.last = path, b, e, g, []

    def rate(self, t, z):
        return [z[1], -self.g]

    def guards(self, t, z):
        y = self.path(t)
        return [self.b - (z[0] - y), self.b + (z[0] - y)]

    def switch(self, t, z, i):
        y, v, a = self.path.rates(t)
        side = 1 if i == 0 else -1
        self.last = [x for x in self.last if x > t - 0.02] + [t]
        if len(self.last) > 8 or (z[1] - v)*side < 1e-4:  # it would come to rest on a wall, or grazes it
            raise Restless
        return [y + side*self.b*(1 - 1e-15), v - self.e*(z[1] - v)]


def slot(rng, u):
    """A bead between two walls of a frame that is moved as a chirp."""
    m, b, e, g = rng.uniform(0.1, 3), 10**rng.uniform(-1.5, 0.3), rng.uniform(0.6, 1), rng.choice([0.0, rng.uniform(0.1, 2)])
    path = Chirp(rng, 0.2, 1.5)
    v = rng.uniform(-2, 2)
    text = f"""parameter m = {u(m, m=1)}, b = {u(b, l=1)}, e = {e!r}, g = {u(g, l=1, s=-2)}
coordinates x, y
kinetic T = 1/2*m*(x'^2 + y'^2)
potential V = m*g*x
constraint given: y = {path.text(u, l=1)}
constraint right: x - y <= b, restitution e
constraint left: x - y >= -b, restitution e
start x = 0, x' = {u(v, l=1, s=-1)}, y ~ 0, y' ~ 0
run 0..{u(SPAN, s=1)}
"""
    return Device(text, ["e", "b"], {"x": (0, u.size(l=1)), "x'": (1, u.size(l=1, s=-1))}, *both(lambda: Slot(path, b, e, g), [0.0, v]))


class Sampled(Rubbing):
    """A friction drive whose motor holds a value between the beats of its clock. State: x, y, x', y', integral, held value."""

    def __init__(self, masses, rub, push, kinks, rest, clock, value):
        super().__init__(masses, rub, push, kinks, rest)
        self.clock, self.value, self.beat = clock, value, 0

    def rate(self, t, z):
        return super().rate(t, z) + [0.0]

    def guards(self, t, z):
        return super().guards(t, z) + [self.clock*(self.beat + 1) - t]

    def switch(self, t, z, i):
        z = list(super().switch(t, z, i))
        if i == len(self.guards(t, z)) - 1:
            self.beat += 1
            z[5] = self.value(t, z)
        return z

    def begin(self, t, z):
        z = list(z)
        z[5] = self.value(t, z)
        return super().begin(t, z)


def controller(rng, u):
    """A sampled controller with a limit moves a load with friction through a joint with play."""
    J, K, k, b = rng.uniform(0.3, 2), rng.uniform(0.3, 2), 10**rng.uniform(1, 3), 10**rng.uniform(-3, -1)
    kp, kd, ki, top, clock = rng.uniform(1, 8), rng.uniform(0.5, 3), rng.uniform(0, 1), rng.uniform(1, 4), rng.uniform(0.05, 0.3)
    aim = Chirp(rng, 0.3, 1.5)
    rub, law = rub_of(rng, u, "rub", "y'", 0.0, dict(m=1, l=2))
    unit = dict(m=1, l=2, s=-2)
    text = f"""parameter J = {u(J, m=1, l=2)}, K = {u(K, m=1, l=2)}, k = {u(k, **unit)}, b = {b!r}, N = {u(top, **unit)}
parameter kp = {u(kp, **unit)}, kd = {u(kd, m=1, l=2, s=-1)}, ki = {u(ki, m=1, l=2, s=-3)}
coordinates x, y
kinetic T = 1/2*J*x'^2 + 1/2*K*y'^2
let r = {aim.text(u)}
state z' = r - x
sample n: min(N, max(-N, kp*(r - x) + ki*z - kd*x')), every {u(clock, s=1)}
spring gear: stretch x - y, stiffness k, play -b..b
force x: n
{rub}start x = 0, y = 0, z = 0
run 0..{u(SPAN, s=1)}
"""

    def push(t, z):
        f = beyond(z[0] - z[1], b, k)
        return [z[5] - f, f]

    def kinks(t, z):
        return [z[0] - z[1] - b, z[0] - z[1] + b]

    def value(t, z):
        return min(top, max(-top, kp*(aim(t) - z[0]) + ki*z[4] - kd*z[2]))
    looks = {"x": (0, 1), "y": (1, 1), "x'": (2, u.size(s=-1)), "y'": (3, u.size(s=-1))}
    return Device(text, [], looks,  # rows do not tell what a clock has sampled between them
                  *both(lambda: Sampled([J, K], [None, law], push, kinks, lambda t, z: [aim(t) - z[0]], clock, value), [0.0]*6))


def watched(rng, u):
    """An oscillator in closed form, watched by events that are narrow against its path."""
    A, w, p = rng.uniform(0.5, 2), rng.uniform(0.5, 6), rng.uniform(0, 6)

    def x(t):
        return A*math.cos(w*t + p)

    def v(t):
        return -A*w*math.sin(w*t + p)

    def times(value, of):
        """Instants with A cos(w t + p) = value, or -A w sin(w t + p) = value."""
        c = math.acos(value/A) if of is x else math.asin(-value/(A*w))
        roots = [c, -c] if of is x else [c, math.pi - c]
        out = [(r + 2*math.pi*k - p)/w for r in roots for k in range(-2, int(w*SPAN/(2*math.pi)) + 4)]
        return sorted(t for t in out if 1e-6 < t < SPAN - 1e-6)
    width, lines, events = 10**rng.uniform(-4, -1), "", {}
    a = rng.uniform(-0.8, 0.8)*A
    while abs(a) > A - 2*width:
        a = rng.uniform(-0.8, 0.8)*A
    U, X = u(a, l=1), u(width, l=1)
    half = width*math.sqrt(math.log(2))
    lines += f"event bell: exp(-((x - {U})/{X})^2) = 0.5\n"
    events["bell"] = sorted(times(a - half, x) + times(a + half, x))
    lines += f"event tube: abs(x - {U}) <= {X}, falling\n" if rng.random() < 0.5 else f"event tube: abs(x - {U}) = {X}\n"
    into = sorted(times(a - width, x) + times(a + width, x))
    events["tube"] = into
    if "falling" in lines:  # it falls where the tube is left
        events["tube"] = [t for t in into if (x(t) - a)*v(t) > 0]
    b = rng.uniform(-0.7, 0.7)*A*w
    lines += f"event both: (x' - {u(b, l=1, s=-1)})*(x - {U}) = 0\n"
    events["both"] = sorted(times(a, x) + times(b, v))
    if min([d - c for c, d in zip(events["both"], events["both"][1:])] + [1]) < 1e-4:
        raise Restless
    text = f"""parameter m = {u(1, m=1)}, k = {u(w*w, m=1, s=-2)}
coordinates x
kinetic T = 1/2*m*x'^2
potential V = 1/2*k*x^2
{lines}start x = {u(x(0), l=1)}, x' = {u(v(0), l=1, s=-1)}
run 0..{u(SPAN, s=1)}
"""
    states = [[x(SPAN*(i + 1)/INSTANTS), v(SPAN*(i + 1)/INSTANTS)] for i in range(INSTANTS)]
    return Device(text, ["k"], {"x": (0, u.size(l=1)), "x'": (1, u.size(l=1, s=-1))}, states, states, events)


FAMILIES = [drive, blocks, servo, cam, spin, slot, controller, watched]


def draw(family, rng):
    """A device whose motion is calm, and its units."""
    while True:
        u = Units(rng)
        try:
            device = family(rng, u)
        except Restless:
            continue
        if device.is_calm():
            return device, u
