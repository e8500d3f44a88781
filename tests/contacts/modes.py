# SPDX-License-Identifier: MIT
"""All solutions of an instant with contacts, by trying every mode of every contact: open, or closed and
sticking, or closed and sliding one way or the other. Forces and impulses alike: with columns in the metric
of the masses, y = (column) . (sum of forces) + z for each row. Plain enumeration, in no way fast."""
import itertools

from algebra import distance_to_cone, dot

MOST = 6  # contacts


class Contact:
    """normal, z of the normal; slip (or None), its z, mu (None: rough), sign of a slip that goes on."""

    def __init__(self, normal, z, slip=None, z_slip=0.0, mu=0.0, goes=0):
        self.normal, self.z = normal, z
        self.slip, self.z_slip, self.mu, self.goes = slip, z_slip, mu, goes

    def modes(self):
        if self.slip is None:
            return ("open", "smooth")
        if self.mu is None:
            return ("open", "grip")
        if self.goes:
            return ("open", "up" if self.goes > 0 else "down")
        return ("open", "stick", "up", "down")

    def forces(self, mode):
        """Generators of the cone of forces."""
        n, t = self.normal, self.slip
        if mode == "open":
            return []
        if mode == "smooth":
            return [n]
        if mode == "grip":
            return [n, t, [-x for x in t]]
        edge = {s: [a - s*self.mu*b for a, b in zip(n, t)] for s in (1, -1)}
        return [edge[1], edge[-1]] if mode == "stick" else [edge[1 if mode == "up" else -1]]

    def equations(self, mode):
        rows = [] if mode == "open" else [(self.normal, self.z)]
        return rows + ([(self.slip, self.z_slip)] if mode in ("stick", "grip") else [])

    def allows(self, mode, total, tol):
        y = dot(self.normal, total) + self.z
        if mode == "open":
            return y >= -tol
        if mode in ("up", "down") and not self.goes:
            slip = dot(self.slip, total) + self.z_slip
            return slip*(1 if mode == "up" else -1) >= -tol
        return True


def pulls(contacts, modes, weights, tol):
    """A rough contact that grips without pushing."""
    at = 0
    for c, m in zip(contacts, modes):
        own = weights[at:at + len(c.forces(m))]
        at += len(own)
        if m == "grip" and own[0] <= tol < max(own[1:]):
            return True
    return False


def solutions(contacts, size, grip=1e-7):
    """Sums of forces that satisfy all laws, each once; None: too many contacts. size: of the rates; grip:
    part of it with which a rough contact has to push."""
    if len(contacts) > MOST:
        return None
    found, tol = [], 1e-7*size
    for modes in itertools.product(*(c.modes() for c in contacts)):
        pushes = [g for c, m in zip(contacts, modes) for g in c.forces(m)]
        rows = [e for c, m in zip(contacts, modes) for e in c.equations(m)]
        n = len(contacts[0].normal) if contacts else 0
        total = [0.0]*n
        if rows:
            weights = distance_to_cone([[dot(a, g) for a, _ in rows] for g in pushes],
                                       [-z for _, z in rows], weights=True)
            for w, g in zip(weights, pushes):
                total = [a + w*b for a, b in zip(total, g)]
            if any(abs(dot(a, total) + z) > tol for a, z in rows) or pulls(contacts, modes, weights, grip*size):
                continue
        if all(c.allows(m, total, tol) for c, m in zip(contacts, modes)):
            if not any(max(abs(a - b) for a, b in zip(total, other)) <= 10*tol for other in found):
                found.append(total)
    return found
