# SPDX-License-Identifier: MIT
"""The command line itself: help, options, words, streams, quiet, completion."""
import json
import os
import re
import subprocess

from event_lists import shown
from kit import case, code, equal, expect, get, OSCILLATOR, pawl, PAWL, put, ROOT, SLIDER, used


@case
def help_and_version():
    out, err = code(0, "--version")
    expect(out.startswith("pawl ") and "(model language 1)" in out and err == "")
    out, err = code(0, "--help")
    expect("check" in out and "run" in out and err == "")
    for command in ("check", "run", "sweep", "bvp", "gauss", "equilibria", "certify", "test", "plot", "report",
                    "export", "events", "explain", "fmt", "new", "examples", "dump"):
        out, err = code(0, command, "--help")
        expect(out.startswith("usage: pawl " + command) and err == "")
        equal(code(0, "help", command)[0], out)


@case
def wrong_usage():
    out, err = code(2)
    equal(out, "")
    expect("did you mean `check`" in code(2, "chek")[1])
    expect("did you mean `--tol`" in code(2, "run", "m.pawl", "--tel", "3")[1])
    put("m.pawl", OSCILLATOR)
    for args in (["run"], ["check"], ["run", "m.pawl", "-t", "5..5"], ["run", "m.pawl", "-t", "5"],
                 ["run", "m.pawl", "-t", "0..x"], ["run", "m.pawl", "-t", "0..inf"],
                 ["run", "m.pawl", "-t"], ["run", "m.pawl", "--tol", "0"],
                 ["run", "m.pawl", "--tol", "nan"], ["run", "m.pawl", "--tol", "1"],
                 ["run", "m.pawl", "--every", "1e-12"], ["run", "m.pawl", "--max-seconds", "0"], ["run", "m.pawl", "--every", "-1"],
                 ["run", "m.pawl", "--method", "euler"], ["run", "m.pawl", "--save", "xls"],
                 ["run", "m.pawl", "--max-steps", "0"], ["run", "m.pawl", "m"],
                 ["run", "m.pawl", "m="], ["run", "m.pawl", "--json=1"],
                 ["run", "m.pawl", "--color=blue"], ["run", "m.pawl", "--certify=maybe"],
                 ["run", "--resume", "d", "m.pawl"], ["explain", "E9999"], ["dump", "m.pawl"],
                 ["dump", "m.pawl", "--ast", "--dag"], ["new"], ["examples", "nonesuch"],
                 ["fmt", "-w", "-"], ["--nonsense"]):
        out, err = code(2, *args)
        expect(out == "" and err != "", args)
    equal(os.listdir("."), ["m.pawl"])


@case
def errors_as_data():
    put("m.pawl", OSCILLATOR.replace("1/2*m*x'^2", "1/2*mm*x'^2"))
    for command in ("check", "run"):
        out, err = code(1, command, "m.pawl", "--json")
        error = json.loads(out)["errors"][0]
        equal((error["line"], error["column"], error["length"]), (3, 17, 2))
        expect(error["code"] in err and "m.pawl:3:17" in err, err)
        out, err = code(1, command, "m.pawl")
        equal(out, "")
    equal(os.listdir("."), ["m.pawl"], "no file may be left")


@case
def standard_input():
    out, err = code(0, "run", "-", text=OSCILLATOR)
    expect(out.startswith("stdin: ") and os.listdir(".") == ["stdin.out"], out)
    code(0, "check", "-", text=SLIDER)
    code(1, "check", "-", text="nonsense\n")
    equal(code(0, "fmt", "-", text="coordinates   x\n")[0], "coordinates x\n")


@case
def bad_files():
    os.mkdir("folder.pawl")
    put("binary.pawl", bytes(range(256))*64)
    put("elf.pawl", get(PAWL)[:100000])
    put("garbage.pawl", b"x' + (((( ,,, ]]] run start \x01 9e99 ..\n"*270000)
    put("random.pawl", bytes((i*i*31 + i//7) % 251 for i in range(10_000_000)))
    put("deep.pawl", "let a = " + "("*100000 + "1" + ")"*100000 + "\n")
    put("family.pawl", "coordinates x[1..1000000000]\n")
    put("zero.pawl", OSCILLATOR.replace("1/2*k*x^2", "k/(x - 1)"))
    put("nan.pawl", OSCILLATOR.replace("k = 4", "k = 0/0"))
    put("norun.pawl", OSCILLATOR.replace("run 0..10\n", ""))
    put("back.pawl", OSCILLATOR.replace("run 0..10", "run 5..1"))
    put("empty.pawl", "")
    names = sorted(os.listdir("."))
    for command in ("check", "run"):
        out, err = code(5, command, "nonesuch.pawl")
        expect("nonesuch.pawl" in err)
        code(5, command, "folder.pawl")
        for name in ("binary", "elf", "garbage", "random", "deep", "family", "zero", "nan"):
            begun = used()
            out, err = code(1, command, name + ".pawl")
            expect(out == "" and "error" in err, name, err[:300])
            expect(len(err) < 100000, name, "too much is said")
            expect(used() - begun < 20, name, "takes too long")
    for name in ("norun", "back", "empty"):
        expect("error" in code(1, "run", name + ".pawl")[1])
    for value in ("m=nan", "m=0/0", "m=inf", "m=", "m=1..2", "m=(", "y=3", "m=99", "m=-1"):
        got, out, err = pawl("run", "-", value, text=OSCILLATOR)
        expect(got in (1, 2) and err != "", value, got, out, err)
    equal(sorted(os.listdir(".")), names, "no file may be left")


@case
def no_run_statement():
    put("m.pawl", OSCILLATOR.replace("run 0..10\n", ""))
    expect("-t" in code(1, "run", "m.pawl")[1])
    code(0, "run", "m.pawl", "-t", "0..1", "-q")
    code(0, "check", "m.pawl")


@case
def options_of_the_run_statement():
    put("m.pawl", OSCILLATOR.replace("run 0..10", "run 0..10, tol 1e-12, every 0.5, method dop853"))
    code(0, "run", "m.pawl")
    summary = json.loads(get("m.out/summary.json"))
    equal((summary["options"]["tol"], summary["options"]["every"], summary["integrator"]),
          (1e-12, 0.5, "dop853"))
    code(0, "run", "m.pawl", "--tol", "1e-3", "--every", "1", "--method", "event", "--impacts",
         "sequential", "--certify=off", "--no-report", "--paradox", "strict")
    summary = json.loads(get("m.out/summary.json"))
    equal((summary["options"]["tol"], summary["options"]["every"], summary["integrator"]),
          (1e-3, 1, "dp5"))
    steps = summary["steps_with"]
    expect(steps["dp5"] > 0 and steps["dp5"] + steps["dop853"] == summary["counts"]["steps"], steps)


@case
def streams_and_quiet():
    put("m.pawl", OSCILLATOR)
    equal(code(0, "run", "m.pawl", "-q"), ("", ""))
    equal(code(0, "check", "m.pawl", "-q"), ("", ""))
    expect("at the end" in code(0, "run", "m.pawl", "-v")[0])
    put("bad.pawl", "coordinates x\nfoo\n")
    plain = code(1, "check", "bad.pawl", "--color=never")[1]
    expect("\033[" not in plain and "\033[" in code(1, "check", "bad.pawl", "--color=always")[1])
    equal(code(1, "check", "bad.pawl")[1], plain)
    equal(code(1, "check", "--", "bad.pawl")[1], plain)


@case
def quiet_failures():
    """-q leaves out what is right, never what failed."""
    put("m.pawl", OSCILLATOR + "expect x = 3 +- 1e-3\n")
    out, err = code(4, "run", "m.pawl", "-q")
    expect(out == "" and err.startswith("m.pawl:9: expect x = 3 +- 1e-3: is "), out, err)
    put("m.pawl", OSCILLATOR)
    put("wrong.csv", "t,x\n" + "".join("%g,%g\n" % (0.01 * i, 1 + 0.001 * i) for i in range(200)))
    out, err = code(4, "certify", "m.pawl", "wrong.csv", "-q")
    expect(out == "" and err.startswith("certificate  FAIL not a motion: "), out, err)
    put("few.csv", "t,x\n0,1\n")
    out, err = code(3, "certify", "m.pawl", "few.csv", "-q")
    expect(out == "" and "UNDECIDED" in err, out, err)
    put("m.pawl", "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 9.81*y\n"
        "start y = 1\nend y = -1\nrun 0..1\n")
    out, err = code(3, "bvp", "m.pawl", "-q", "--bounces", "2..3")
    equal((out, err), ("", "m.pawl: no motion joins the start to the end\n"))


@case
def format_in_place():
    put("m.pawl", "coordinates    x  # where\n\n\nkinetic T=1/2*x'^2\nrun 0 .. 1\n")
    os.symlink("m.pawl", "link.pawl")
    os.chmod("m.pawl", 0o640)
    once = code(0, "fmt", "m.pawl")[0]
    expect("# where" in once)
    equal(code(0, "fmt", "-", text=once)[0], once)
    code(1, "fmt", "--check", "m.pawl")
    code(0, "fmt", "-w", "link.pawl")
    expect(os.path.islink("link.pawl") and os.stat("m.pawl").st_mode & 0o777 == 0o640)
    equal(get("m.pawl").decode(), once)
    code(0, "fmt", "--check", "m.pawl")
    put("bad.pawl", "coordinates   x @\n")
    code(1, "fmt", "-w", "bad.pawl")
    out, err = code(1, "fmt", "-", text="let a = (1\n")
    expect(out == "" and "error[E0016]" in err, out, err)
    equal(code(0, "fmt", "-", text='include  "elsewhere.pawl"\n')[0], 'include "elsewhere.pawl"\n')
    equal(get("bad.pawl"), b"coordinates   x @\n")
    code(5, "fmt", "nonesuch.pawl")
    equal(sorted(os.listdir(".")), ["bad.pawl", "link.pawl", "m.pawl"])


@case
def errors_as_json():
    """`check --json` tells the errors that are shown, with the place of each."""
    reject = os.path.join(ROOT, "tests", "reject")
    shown = re.compile(r"^error\[(E\d{4})\]: (.*)(?:\n *--> .*:(\d+):(\d+)$)?", re.M)
    for word in ("contract_unknown_name", "model_calls", "model_start", "units_clause",
                 "syntax_missing_comma", "syntax_wrong_character", "start_velocity"):
        name = os.path.join(reject, word)
        given = json.loads(code(1, "check", "--json", name + ".pawl")[0])["errors"]
        for e in given:
            expect(e["length"] >= 1, word, e)
        equal([(e["code"], e["message"], str(e["line"]), str(e["column"])) for e in given],
              shown.findall(open(name + ".err", encoding="utf-8").read()))


@case
def options_before_the_command():
    put("m.pawl", OSCILLATOR)
    equal(code(0, "-q", "run", "m.pawl"), ("", ""))
    expect("\x1b[" in code(1, "--color=always", "check", "m.pawl", "mm=1")[1])
    expect("\x1b[" in code(1, "-v", "--color", "always", "check", "m.pawl", "mm=1")[1])
    code(2, "-q")
    code(2, "-q", "--version")


@case
def options_that_would_do_nothing():
    put("m.pawl", OSCILLATOR)
    code(0, "run", "m.pawl", "-q", "--certify=off", "--paradox", "strict")
    code(0, "run", "m.pawl", "-q", "--certify=on")
    code(0, "run", "m.pawl", "-q", "--paradox", "iwc")
    expect("needs `strict`, `iwc` or `enumerate`, not `stric`"
           in code(2, "run", "m.pawl", "--paradox", "stric")[1])
    expect("plain numbers" in code(2, "run", "m.pawl", "-t", "0..2*pi")[1])
    expect("has no length" in code(2, "run", "m.pawl", "-t", "0..0")[1])
    expect("1e100" in code(2, "run", "m.pawl", "-t", "0..1e300")[1])
    expect("the MODEL file is missing" in code(2, "check")[1])
    expect("`pawl examples` lists" in code(2, "examples", "nosuch")[1])


@case
def wrong_values_of_options():
    """Every option says what it needs, and nothing is written."""
    put("m.pawl", OSCILLATOR)
    number, count = "a number above 0", "a whole number from 1 on"
    wrong = {"--tol": ("a number between 1e-14 and 1e-2", "0", "-1", "1", "1e-20", "x"),
             "--every": (number, "0", "-1", "nan", "inf", "1 s"),
             "--step": (number, "0", "-0.1", "nan", "h", ""),
             "--max-seconds": (number, "0", "-5", "inf", "1m", ""),
             "--max-steps": (count, "0", "-1", "1.5", "1e16", "many"),
             "--max-events": (count, "0", "-2", "0.5", "1e99", ""),
             "--method": ("`variational`", "rk4", "", "EVENT", "dp", "1"),
             "--impacts": ("`simultaneous` or `sequential`", "both", "", "seq", "0", "Sequential"),
             "--energy-gain": ("`allow` or `stop`", "no", "", "allowed", "1", "Stop"),
             "--paradox": ("`strict`, `iwc` or `enumerate`", "all", "", "IWC", "0", "none"),
             "--validate": ("`on` or `off`", "no", "", "ON", "0", "yes"),
             "--start-impact": ("`allow`", "stop", "", "yes", "1", "Allow"),
             "--restitution-above-one": ("`allow`", "no", "", "true", "2", "ALLOW"),
             "--certify": ("`on` or `off`", "no", "", "ON", "0", "strong")}
    for option, (legal, *texts) in wrong.items():
        for text in texts:
            err = code(2, "run", "m.pawl", option, text)[1]
            expect(legal in err and "not `%s`" % text in err, option, text, err)
    for words in (("--force=1",), ("--force=",), ("--forc",), ("--force", "--resume", "x"), ("-force",)):
        code(2, "run", "m.pawl", *words)
    equal(sorted(os.listdir(".")), ["m.pawl"])


@case
def words_for_the_shell():
    expect("try `pawl run 'x y.pawl'`" in code(0, "new", "x y")[0])
    expect("try `pawl run x.pawl`" in code(0, "new", "x")[0])


@case
def new_examples_explain_dump():
    code(0, "new", "first")
    code(5, "new", "first")
    code(5, "new", "first.pawl")
    code(0, "run", "first.pawl", "-q")
    code(0, "fmt", "--check", "first.pawl")
    listed = code(0, "examples")[0].splitlines()
    names = [line.split()[0] for line in listed if line.startswith("  ")]
    groups = [line for line in listed if not line.startswith("  ")]
    expect("friction" in groups and "paradoxes" in groups and "others" not in groups, groups)
    found = code(0, "examples", "COULOMB")[0]
    expect("\n  woodpecker " in found and "kepler" not in found, found)
    expect("pendulum" in names, names)
    for name in names:
        text = code(0, "examples", name)[0]
        equal(text.encode(), get(f"{ROOT}/examples/{name}.pawl"))
    for line in code(0, "explain")[0].splitlines():
        expect(len(code(0, "explain", line.split()[0])[0]) > 20, line)
    put("m.pawl", SLIDER)
    for stage in ("tokens", "ast", "dag", "system", "tape"):
        expect(len(code(0, "dump", "m.pawl", "--" + stage)[0]) > 20, stage)


@case
def options_are_no_values():
    put("m.pawl", OSCILLATOR)
    for args in (["--resume", "-q"], ["m.pawl", "-o", "--json"], ["m.pawl", "--tol", "-q"]):
        err = code(2, "run", *args)[1]
        expect("needs a value" in err and "is an option itself" in err, err)
    expect(not os.path.exists("-q") and not os.path.exists("--json"))
    code(0, "run", "m.pawl", "-t", "-1..1", "-o", "d", "-q")  # a number may begin with a sign


@case
def circles_of_includes():
    os.mkdir("d")
    os.symlink("m.pawl", "link.pawl")
    put("d/a.pawl", 'include "../d/./b.pawl"\n')
    put("d/b.pawl", 'include "../link.pawl"\n')
    put("m.pawl", 'include "./d/a.pawl"\ncoordinates x\n')
    err = code(1, "check", "m.pawl")[1]
    expect("d/b.pawl:1:9" in err and "`m.pawl` includes `d/a.pawl` includes `d/b.pawl` includes "
           "`link.pawl`" in err, err)


@case
def bash_completes_without_extended_patterns():
    """In a shell with no settings: commands, options, values of options, examples, files."""
    for name in ("single.pawl", "table.csv", "notes.txt"):
        put(name, "")
    os.mkdir("sizes.out")

    def complete(*words):
        script = ("source \"$1\"; shift; shopt -u extglob; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _pawl; "
                  "printf '%s\\n' \"${COMPREPLY[@]}\"")
        done = subprocess.run(["bash", "--norc", "-c", script, "bash", os.path.join(ROOT, "completions", "pawl.bash"),
                               "pawl", *words], capture_output=True, text=True, check=True,
                              env=dict(os.environ, PATH=os.path.dirname(PAWL) + ":" + os.environ["PATH"]))
        return done.stdout.split()

    methods = ["auto", "dop853", "dp5", "event", "moreau", "radau", "variational"]
    equal(complete("ru"), ["run"])
    equal(complete("run", "si"), ["single.pawl", "sizes.out"])
    equal(complete("run", ""), ["single.pawl", "sizes.out", "table.csv"])
    equal(complete("run", "m.pawl", "--me"), ["--method"])
    for command in ("run", "sweep", "converge"):
        equal(complete(command, "m.pawl", "--method", ""), methods, command)
    equal(complete("run", "m.pawl", "--method", "=", "d"), ["dop853", "dp5"])
    equal(complete("run", "m.pawl", "--method", "="), methods)
    equal(complete("run", "m.pawl", "--input", "t"), ["table.csv"])
    equal(complete("new", "bouncing-ba"), ["bouncing-ball"])


@case
def input_files_that_are_missing():
    put("m.pawl", OSCILLATOR)
    err = code(5, "run", "m.pawl", "--no-save", "--input", "none.csv")[1]
    expect("E0650" in err, err)


@case
def colors_of_verdicts():
    put("m.pawl", OSCILLATOR + "expect x = 7 +- 1e-9 at t = 1\n")
    out = code(4, "run", "m.pawl", "--color=always")[0]
    expect("certificate  \033[1;32mPASS\033[0m" in out and "\033[1;31m0 of 1 hold" in out, out)
    expect("\033" not in code(4, "run", "m.pawl")[0], "colours in a file")
    expect("\033" not in code(4, "run", "m.pawl", "--color=never")[0], "colours")
