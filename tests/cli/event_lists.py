# SPDX-License-Identifier: MIT
"""Lists of events: in the terminal, by `events`, filtered, shortened."""
import os
import re

from kit import BALL, case, code, equal, expect, get, OSCILLATOR, put, STOP


@case
def filters_of_events():
    put("m.pawl", OSCILLATOR)
    out = code(0, "run", "m.pawl", "--save", "npz")[0]
    expect("trajectory.npz, certificate.json)" in out, out)
    expect("`user`" in code(2, "events", "m.out", "--kind", "bogus")[1])
    expect("`nought`" in code(2, "events", "m.out", "--at", "nosuch")[1])
    code(0, "events", "m.out", "--kind", "impact")
    err = code(5, "events", "nowhere", "--kind", "impact")[1]
    equal(err.count("cannot read"), 1)


def shown(text):
    """Without what differs from run to run or from machine to machine."""
    text = re.sub(r"[\d.]+ (ms|s)$", "#", text, flags=re.M)
    text = re.sub(r"unexplained [-\d.e]+", "unexplained #", text)
    return re.sub(r"(?m)^(certificate  PASS  [^,]*, .*?  ).*", r"\1#", text)


@case
def ball_table():
    put("ball.pawl", BALL)
    out, err = code(0, "run", "ball.pawl")
    equal(shown(out), """\
ball.pawl: 1 coordinate, 1 unilateral constraint; 0..5 s, tol 1e-09, #
  t            event   at      before     after      impulse    energy   [s, m/s, m/s, N*s, J]
  0.451523641  impact  floor   -4.429447   2.214723   6.644170  -7.357500
  0.903047282  impact  floor   -2.214723   1.107362   3.322085  -1.839375
  1.128809102  impact  floor   -1.107362   0.553681   1.661043  -0.459844
  ...          impacts continue, each interval 0.500 times the one before  -0.153281
  1.354570923  rest    floor   accumulation of impacts; contact stays closed, force(floor) = 9.81
energy       9.810000 = 0.000000 at end + 9.810000 lost at floor   (unexplained #)
certificate  PASS  weak principle, dissipative  #
wrote        ball.out/  (report.html, trajectory.csv 2063 rows, events.csv 31 rows, certificate.json)
""")
    lines = code(0, "events", "ball.out", "--kind", "impact", "--at", "floor")[0].splitlines()
    equal(len(lines), 31)
    equal(lines[1].split(), out.splitlines()[2].split())
    expect(all(line.split()[1:3] == ["impact", "floor"] for line in lines[1:]), lines)
    lines = code(0, "events", "ball.out")[0].splitlines()
    equal((len(lines), lines[-1].strip()), (32, out.splitlines()[6].strip()))
    equal(len(code(0, "events", "ball.out", "--kind", "liftoff")[0].splitlines()), 1)


@case
def stop_table():
    put("stop.pawl", STOP)
    equal(shown(code(0, "run", "stop.pawl")[0]), """\
stop.pawl: 1 coordinate, 1 unilateral constraint; 0..4 s, tol 1e-09, #
  t            event   at      before     after      impulse    energy   [s, rad/s, rad/s, J*s, J]
  0.429648395  impact  stop    -4.923301   3.446311   2.092403  -1.545230
  1.284044772  impact  stop    -3.446311   2.412418   1.464682  -0.757162
  2.167894191  impact  stop    -2.412418   1.688692   1.025277  -0.371010
  3.103789050  impact  stop    -1.688692   1.182085   0.717694  -0.181795
energy       -1.777365 = -4.632561 at end + 2.855196 lost at stop   (unexplained #)
certificate  PASS  weak principle, dissipative  #
wrote        stop.out/  (report.html, trajectory.csv 2009 rows, events.csv 4 rows, certificate.json)
""")


@case
def long_and_mixed_tables():
    put("m.pawl", BALL.replace("0..5", "0..30").replace("e = 0.5", "e = 1"))
    lines = code(0, "run", "m.pawl")[0].splitlines()
    rows = [line for line in lines if line.startswith("  ") and " impact " in line]
    equal((len(rows), lines[14].split()), (16, ["...", "17", "more"]))
    expect(all(row.split()[3:] == ["-4.429447", "4.429447", "8.858894", "0.000000"]
               for row in rows), rows)
    expect("energy       9.810000 = 9.810000 at end   (" in "\n".join(lines), lines)
    put("m.pawl", BALL + "dissipation D = 0.1 [kg/s]*y'^2\nforce y: -0.5 [N]\n"
        "event high: y = 0.2 [m], rising\n")
    out = code(0, "run", "m.pawl")[0]
    row = next(line for line in out.splitlines() if " user " in line)
    expect(re.search(r"  user    high    y = 0\.2, y' = 0\.\d+$", row), out)
    energy = next(line for line in out.splitlines() if line.startswith("energy"))
    parts = re.match(r"energy       9\.810000 = 0\.000000 at end((?: [-+] [\d.]+ [a-z ]+ \w+)+)   "
                     r"\(unexplained", energy)
    expect(parts, energy)
    parts = {name: float(sign + size) for sign, size, name in
             re.findall(r"([-+]) ([\d.]+) ([a-z]+ [a-z]+ \w+)", parts[1])}
    equal(set(parts), {"lost in D", "lost at floor", "work of y"})
    expect(abs(sum(parts.values()) - 9.81) < 3e-6 and parts["work of y"] == -0.5, parts)
    # no trace of rounding where a number is 0
    put("m.pawl", OSCILLATOR)
    row = code(0, "run", "m.pawl")[0].splitlines()[2]
    equal(row.split(), ["2.356194490", "user", "nought", "0", "2"])


@case
def broken_lists_of_events():
    put("ball.pawl", BALL)
    code(0, "run", "ball.pawl", "-q")
    whole = get("ball.out/events.csv")
    head = whole.split(b"\n")[0] + b"\n"
    for text in (b"", b"nonsense\n", head[:30]):
        put("ball.out/events.csv", text)
        expect("list of events" in code(5, "events", "ball.out")[1])
    for text in (head, whole[:-30], head + b",,,,,,,\n\n1,impact\n", head + b'1,impact,"a""b,c",x\n',
                 head + b'1,impact,"open', whole + bytes(range(256))):
        put("ball.out/events.csv", text)
        code(0, "events", "ball.out")


@case
def list_of_events():
    put("m.pawl", OSCILLATOR + "event tick: every 2\n")
    code(0, "run", "m.pawl", "-q")
    equal(len(code(0, "events", "m.out")[0].splitlines()),
          len(get("m.out/events.csv").splitlines()))
    lines = code(0, "events", "m.out", "--at", "nought")[0].splitlines()
    expect(len(lines) == 4 and all("user" in line for line in lines[1:]), lines)
    lines = code(0, "events", "m.out", "--kind", "strobe")[0].splitlines()
    expect(len(lines) >= 5 and all("tick" in line for line in lines[1:]), lines)
    code(5, "events", "nonesuch")


@case
def events_of_a_pipe_are_refused():
    put("m.pawl", OSCILLATOR)
    code(0, "run", "m.pawl", "-q")
    os.remove("m.out/events.csv")
    os.mkfifo("m.out/events.csv")
    expect("m.out/events.csv" in code(5, "events", "m.out")[1])


@case
def long_lists_are_counted():
    put("m.pawl", "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\n"
        "event a: x = 0\nevent b: x' = 0\nstart x = 1\nrun 0..100\n")
    out = code(0, "run", "m.pawl", "--no-save")[0]
    expect("\ncounts       32 user at a, 31 user at b\n" in out, out)
    out = code(0, "run", "m.pawl", "--no-save", "-t", "0..5")[0]
    expect("counts" not in out, out)
