# SPDX-License-Identifier: MIT
"""robots.py: files as tools write them, an arm with six axes, a gripper with a mimic joint, a quadruped that falls and an
MJCF scene. `pawl import` prints models that run as they stand; what is known of their motions is compared."""
import json
import math
import os
import subprocess
import tempfile

LIMIT = '<limit lower="-2.9" upper="2.9" effort="87" velocity="2.2"/><dynamics damping="0.5" friction="0.1"/>'


def link(name, m, xyz, i):
    return ('<link name="%s"><inertial><origin xyz="%s" rpy="0 0 0"/><mass value="%r"/><inertia ixx="%r" iyy="%r" izz="%r" '
            'ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="package://robot/%s.dae"/></geometry>'
            '</visual><collision><geometry><cylinder radius="0.05" length="0.2"/></geometry></collision></link>\n'
            % (name, xyz, m, *i, name))


def joint(name, kind, parent, child, xyz, axis, extra="", rpy="0 0 0"):
    return ('<joint name="%s" type="%s"><parent link="%s"/><child link="%s"/><origin xyz="%s" rpy="%s"/><axis xyz="%s"/>%s'
            '</joint>\n' % (name, kind, parent, child, xyz, rpy, axis, extra))


def six():
    out = '<robot name="six"><link name="world"/>\n' + link("base", 4, "0 0 0.05", (0.02, 0.02, 0.02))
    out += joint("fix", "fixed", "world", "base", "0 0 0", "0 0 1")
    axes = ["0 0 1", "0 1 0", "0 1 0", "1 0 0", "0 1 0", "1 0 0"]
    places = ["0 0 0.1", "0 0 0.15", "0 0 0.4", "0.1 0 0.05", "0.3 0 0", "0.08 0 0"]
    parent = "base"
    for k in range(6):
        name = "link_%d" % (k + 1)
        out += link(name, 3 - 0.4 * k, "0.02 0 0.08", (0.02, 0.025, 0.015))
        out += joint("joint_%d" % (k + 1), "revolute", parent, name, places[k], axes[k], LIMIT, "0 0 0.1" if k == 1 else "0 0 0")
        parent = name
    out += '<link name="tool0"/>' + joint("tool", "fixed", parent, "tool0", "0.05 0 0", "0 0 1")
    return out + '<transmission name="t1"/><gazebo reference="link_1"/></robot>'


def hand():
    out = '<robot name="hand">' + link("palm", 0.5, "0 0 0.02", (1e-3, 1e-3, 1e-3))
    for side, sign, mimic in (("left", 1, ""), ("right", -1, '<mimic joint="left_joint"/>')):
        out += link(side, 0.05, "0 0 0.03", (1e-5, 1e-5, 1e-5))
        out += joint(side + "_joint", "prismatic", "palm", side, "0 %r 0.06" % (0.01 * sign), "0 %d 0" % sign,
                     '<limit lower="0" upper="0.04" effort="20" velocity="1"/><dynamics damping="2"/>' + mimic)
    return out + '<link name="world"/>' + joint("mount", "fixed", "world", "palm", "0 0 0.5", "0 0 1") + "</robot>"


def dog():
    out = '<robot name="dog">' + link("trunk", 6, "0 0 0", (0.02, 0.06, 0.07))
    for leg, x, y in (("FL", 0.2, 0.05), ("FR", 0.2, -0.05), ("RL", -0.2, 0.05), ("RR", -0.2, -0.05)):
        out += link(leg + "_hip", 0.6, "0 0 0", (5e-4, 8e-4, 5e-4))
        out += joint(leg + "_hip_joint", "revolute", "trunk", leg + "_hip", "%r %r 0" % (x, y), "1 0 0", LIMIT)
        out += link(leg + "_thigh", 1.0, "0 0 -0.1", (5e-3, 5e-3, 1e-3))
        out += joint(leg + "_thigh_joint", "revolute", leg + "_hip", leg + "_thigh", "0 %r 0" % y, "0 1 0", LIMIT)
        out += link(leg + "_calf", 0.2, "0 0 -0.1", (1e-3, 1e-3, 1e-4))
        out += joint(leg + "_calf_joint", "continuous", leg + "_thigh", leg + "_calf", "0 0 -0.2", "0 1 0",
                     '<dynamics damping="0.2" friction="0.05"/>')
        out += link(leg + "_foot", 0.06, "0 0 0", (1e-5, 1e-5, 1e-5))
        out += joint(leg + "_foot_joint", "fixed", leg + "_calf", leg + "_foot", "0 0 -0.2", "0 0 1")
    return out + "</robot>"


MJCF = """<mujoco model="scene"><compiler angle="degree"/>
  <default><joint damping="0.1"/><geom density="800"/><default class="thin"><geom size="0.02"/></default></default>
  <worldbody><light pos="0 0 3"/><geom type="plane" size="1 1 .1"/>
    <body name="upper" pos="0 0 1"><joint name="shoulder" type="hinge" axis="0 1 0" range="-90 90" limited="true"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03"/>
      <body name="lower" pos="0 0 -0.4"><joint name="elbow" type="hinge" axis="0 1 0"/>
        <geom class="thin" type="capsule" fromto="0 0 0 0.1 0 -0.3"/>
        <body name="wrist" pos="0.1 0 -0.3"><joint type="ball" name="w"/><geom type="box" size="0.03 0.02 0.04"/></body>
      </body></body>
    <body name="puck" pos="1 0 0.5"><freejoint/><geom type="cylinder" size="0.05 0.02"/></body>
    <body name="cart" pos="0 1 0.2"><joint name="slide" type="slide" axis="1 0 0" stiffness="20" damping="1"/>
      <inertial pos="0 0 0" mass="2" diaginertia="0.1 0.1 0.1"/></body>
    <body name="sled" pos="0 2 0.2"><joint name="run" type="slide" axis="1 0 0" ref="0.3" stiffness="20" springref="0.1" damping="0"/>
      <inertial pos="0 0 0" mass="2" diaginertia="0.1 0.1 0.1"/></body>
  </worldbody><actuator><motor joint="shoulder"/></actuator></mujoco>"""

# file, text, state at the end
ROBOTS = {
    "import-six-axes": ("six.urdf", six, {}),
    "import-hand": ("hand.urdf", hand, {"left.p[2]": 0.01, "right.p[2]": -0.01}),
    "import-dog": ("dog.urdf", dog, {"trunk.p[3]": -9.81 / 2, "FL_calf.p[3]'": -9.81}),
    "import-scene": ("scene.xml", lambda: MJCF, {"puck.p[3]": 0.5 - 9.81 / 2, "cart.p[3]": 0.2,
                                                 "sled.p[1]": 0.2 * (math.cos(math.sqrt(10)) - 1)}),
}


def judge(pawl, name):
    """Largest difference, numbers; infinite where the printed model does not run."""
    file, text, want = ROBOTS[name]
    with tempfile.TemporaryDirectory() as folder:
        source, model = os.path.join(folder, file), os.path.join(folder, "m.pawl")
        with open(source, "w") as out:
            out.write(text())
        subprocess.run([pawl, "import", source, "-o", model], capture_output=True)
        run = subprocess.run([pawl, "run", model, "--no-save", "--json"], capture_output=True, text=True)
        if run.returncode != 0:
            return math.inf, 0
        state = json.loads(run.stdout)["state"]
    return max([0.0, *(abs(state[k] - v) for k, v in want.items())]), len(want) + 1
