# SPDX-License-Identifier: MIT
"""`check`: the card of a model, its laws, realisations and what laws cost."""
import json
import os

from kit import BOUNCE, case, code, equal, expect, get, pawl, put, ROOT, SLIDER


@case
def check_card():
    put("m.pawl", SLIDER)
    out, err = code(0, "check", "m.pawl")
    expect("rod" in out and "holonomic" in out and err == "", out, err)
    card = json.loads(code(0, "check", "m.pawl", "--json")[0])
    equal(card["coordinates"], ["x", "y"])
    equal([(law["name"], law["kind"], law["line"]) for law in card["laws"]],
          [("rod", "holonomic", 5)])
    equal((card["dof"], card["errors"], card["warnings"]), (1, [], []))
    equal(card["start"], {"x": 2, "y": 0, "x'": 0, "y'": 0})
    card = json.loads(code(0, "check", "m.pawl", "l=3", "x=3", "--json")[0])
    equal(card["start"]["x"], 3)
    equal(os.listdir("."), ["m.pawl"])


@case
def every_example_has_a_card():
    """Also those whose contacts are found by steps, with the start of their own method."""
    names = [w for line in code(0, "examples")[0].splitlines() if line.startswith("  ")
             for w in line.split()[:1]]
    expect(len(names) > 100, names)
    for name in names:
        put("m.pawl", code(0, "examples", name)[0])
        if b'include "' not in get("m.pawl"):
            expect("freedom" in code(0, "check", "m.pawl")[0], name)


@case
def check_laws_of_all_kinds():
    put("m.pawl", "coordinates y\nkinetic T = 1/2*y'^2\nconstraint floor: y >= 0, restitution 0.5\n"
                  "start y = 1\nrun 0..1\n")
    card = json.loads(code(0, "check", "m.pawl", "--json")[0])
    equal(card["laws"][0]["kind"], "unilateral")


@case
def forces_that_are_not_unique_are_named():
    """C7: both corners of a flat block stick, M4: 24 conditions of rank 23."""
    for name, wanted in (("c7-flat-block", ["fl", "fr"]), ("m4-bricard", None)):
        path = os.path.join(ROOT, "tests", "cases", name + ".pawl")
        _, out, _ = pawl("run", path, "--json", "--no-report", "-o", name, "-t", "0..0.2")
        named = json.loads(out)["force_not_unique"]
        expect(named == wanted if wanted else len(named) > 1, name, named)


@case
def closed_contacts_in_the_card():
    put("m.pawl", "parameter e = 0\n" + BOUNCE.replace("y = 0.5, y' = -2", "floor closed"))
    out, err = code(0, "check", "m.pawl")
    expect("closed       floor" in out and "freedom      0" in out, out)
    card = json.loads(code(0, "check", "m.pawl", "--json")[0])
    equal((card["dof"], card["laws"][0]["closed"], card["start"]), (0, True, {"y": 0.5, "y'": 0}))
    put("m.pawl", "parameter e = 0\n" + BOUNCE.replace("y = 0.5, y' = -2", "y = 1"))
    card = json.loads(code(0, "check", "m.pawl", "--json")[0])
    equal((card["dof"], card["laws"][0]["closed"]), (1, False))


@case
def forces_without_kinks():
    """A constraint `=` realised by a force, or a straight graph, has no events; members at rest at
    their kinks do not stop a run."""
    head = "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = x^2 + y^2\n"
    for law in ("constraint c: x' - y' = 0, viscous 1", "constraint c: x = 0, viscous 1, stiffness 9",
                "law c: stretch x, graph (-1,-2)(1,2)", "law c: slip x', graph (-1,-2)(1,2)",
                "spring c: stretch x, stiffness 3"):
        put("m.pawl", head + law + "\nstart x = 1, y' = 0.3\nrun 0..9\n")
        run = json.loads(code(0, "run", "m.pawl", "--json")[0])
        equal((run["events"]["count"], run["certificate"]["ok"]), (0, True))
        expect(abs(run["force"]["c"]) > 1e-6, run["force"])
    for law in ("x' - y' = 0, viscous 50", "y' + x'^2 <= 0, viscous 50",
                "y' + x'^2 >= 0, viscous 50", "x - y >= 0, viscous 5, stiffness 50"):
        put("m.pawl", head + "constraint c: " + law + "\nstart x = 0.1, y = 0.1\nrun 0..3\n")
        equal(json.loads(code(0, "run", "m.pawl", "--json")[0])["certificate"]["ok"], True)


@case
def what_laws_cost():
    """`pawl check` says what each realisation does to energy and direction of time."""
    words = {"constraint c: x = y": "no work, reversible",
             "constraint c: x = sin(t)": "its drive does work",
             "constraint c: x' = y'*x": "no work, reversible",
             "constraint c: x' = 1": "does work",
             "constraint c: x >= -1, restitution 1": "impacts keep the energy, reversible",
             "constraint c: x >= -1, restitution 0.5": "lose energy: irreversible",
             "constraint c: x' >= 0": "letting go and gripping is irreversible",
             "constraint c: x' = y'*x, vakonomic": "no work, reversible with its sign turned",
             "constraint c: x' = 0, inertia x'": "its control does work",
             "constraint c: x' >= 0, inertia x'": "constant off the constraint",
             "constraint c: x' >= 0, inertia -x' complementary": "zero off the constraint",
             "constraint c: x' = 0, viscous 3": "both sides; loses energy, irreversible",
             "constraint c: x' >= 0, viscous 3": "gives way; loses energy, irreversible",
             "constraint c: x >= 0, viscous 3, stiffness 9": "stores some in its stiffness",
             "servo c: x' = 0, by x": "the control force does work",
             "servo c: x' >= 0, by x": "lets go where its sign would turn",
             "servo c: x' = 0, by x, one-way": "pushes one way only",
             "friction c: slip x', bound 1": "loses energy, irreversible"}
    for law, said in words.items():
        put("m.pawl", "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n" + law +
            "\nstart x ~ 0, x' ~ 0\nrun 0..1\n")
        laws = json.loads(code(0, "check", "m.pawl", "--json")[0])["laws"]
        expect(said in laws[0]["cost"], law, laws[0]["cost"])
        expect("reversible" in laws[0]["cost"], law, laws[0]["cost"])
        expect(said in code(0, "check", "m.pawl")[0], law)


@case
def one_member_realised():
    head = "parameter N = 3\ncoordinates x[1..N], y[1..N], th[1..N]\n" \
        "kinetic T = sum(i in 1..N: 1/2*(x[i]'^2 + y[i]'^2 + th[i]'^2))\n" \
        "potential V = sum(i in 1..N: -x[i])\n"
    blade = "x[i]'*sin(th[i]) - y[i]'*cos(th[i]) = 0"
    put("m.pawl", head + "constraint blade[i in 1..N]:" + blade + "  # held\n"
        "start x' = 0.5, th' = 1\nrun 0..2\n")
    alone = {}
    for way in ("ideal", "vakonomic", "viscous:50", "servo:(y[i]:1, x[i]:-2)"):
        run = json.loads(code(0, "run", "m.pawl", "--realise", "blade=" + way, "--json")[0])
        alone[way] = run["state"]["x[2]"]
    run = json.loads(code(0, "run", "m.pawl", "--realise", "blade[3]=vakonomic", "--realise",
                          "blade[1]=viscous:50", "--json")[0])
    got = [run["state"]["x[%d]" % i] for i in (1, 2, 3)]
    want = [alone["viscous:50"], alone["ideal"], alone["vakonomic"]]
    expect(all(abs(a - b) < 1e-8 for a, b in zip(got, want)), got, want)
    expect(abs(want[1] - want[2]) > 0.1, want)
    run = json.loads(code(0, "run", "m.pawl", "N=5", "--realise",
                          "blade[5]=servo:(y[i]:1, x[i]:-2)", "--json")[0])
    expect(abs(run["state"]["x[5]"] - alone["servo:(y[i]:1, x[i]:-2)"]) < 1e-8, run["state"])
    again = json.loads(code(0, "run", "m.out/model.pawl", "--json")[0])
    equal(again["state"], run["state"])
