# SPDX-License-Identifier: MIT
"""Rules of the FMI standard that an unpacked unit must satisfy.

  rules.py DIR...            checks descriptions, names, references, units and files
  rules.py --build DIR F.so  builds the unit from its sources, as its buildDescription.xml says
"""
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree


def fail(*what):
    print(*what)
    sys.exit(1)


def need(ok, *what):
    if not ok:
        fail(*what)


def variables(root):
    """(name, reference, attributes of the variable and of its type)"""
    for v in root.find("ModelVariables"):
        inner = v.find("Real")
        yield v.get("name"), v.get("valueReference"), {**v.attrib, **(inner.attrib if inner is not None else {})}


def check_variable(name, a, units):
    causality, variability, initial = a["causality"], a["variability"], a.get("initial")
    need(name and name == name.strip() and "\n" not in name, "name", repr(name))
    legal = {"independent": ("continuous", None, False), "parameter": ("fixed", "exact", True),
             "input": ("continuous", None, True), "output": ("continuous", "calculated", False),
             "local": ("continuous", "calculated", False)}
    need((variability, initial, "start" in a) == legal[causality], name, a)
    need("unit" not in a or a["unit"] in units, name, "has an undefined unit", a.get("unit"))
    if "start" in a:
        float(a["start"])
    if "min" in a:
        need(float(a["min"]) <= float(a["start"]) <= float(a["max"]), name, "starts outside of its range")


def check(folder):
    root = ElementTree.parse(os.path.join(folder, "modelDescription.xml")).getroot()
    version = root.get("fmiVersion")
    need(version in ("2.0", "3.0"), "version", version)
    token = root.get("instantiationToken" if version == "3.0" else "guid")
    need(token and root.get("modelName"), "token and name")
    identifier = root.find("CoSimulation").get("modelIdentifier")
    need(identifier.isidentifier() and identifier.isascii(), identifier)
    names, references = set(), {}
    units = {u.get("name") for u in root.iter("Unit")}
    for place, (name, reference, a) in enumerate(variables(root), 1):
        need(name not in names, "two variables", name)
        need(reference not in references, "two references", reference)
        names.add(name)
        references[reference] = (place, a["causality"])
        check_variable(name, a, units)
    outputs = [r for r, (_, causality) in references.items() if causality == "output"]
    if version == "3.0":
        listed = [o.get("valueReference") for o in root.find("ModelStructure").iter("Output")]
    else:
        by_place = {str(place): r for r, (place, _) in references.items()}
        listed = [by_place[u.get("index")] for u in root.find("ModelStructure/Outputs")]
    need(listed == outputs, "outputs", listed, outputs)
    need(os.path.exists(os.path.join(folder, "resources/model.pawl")), "no model")
    for source in sources(folder, version):
        need(os.path.exists(os.path.join(folder, "sources", source)), "no source", source)
    if version == "3.0" and shutil.which("xmllint"):
        schema = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schema3.xsd")
        subprocess.run(["xmllint", "--noout", "--schema", schema, os.path.join(folder, "modelDescription.xml")], check=True)
    schemas = os.environ.get("PAWL_FMI_SCHEMAS")
    if schemas and version == "3.0":
        for schema, path in (("fmi3ModelDescription", "modelDescription.xml"),
                             ("fmi3BuildDescription", "sources/buildDescription.xml")):
            subprocess.run(["xmllint", "--noout", "--schema", os.path.join(schemas, schema + ".xsd"),
                            os.path.join(folder, path)], check=True)


def sources(folder, version):
    path = "modelDescription.xml" if version == "2.0" else "sources/buildDescription.xml"
    root = ElementTree.parse(os.path.join(folder, path)).getroot()
    found = [f.get("name") for f in root.iter("File" if version == "2.0" else "SourceFile")]
    need(len(found) > 100, "only", len(found), "sources")
    return found


def build(folder, target):
    place = os.path.join(folder, "sources")
    root = ElementTree.parse(os.path.join(place, "buildDescription.xml")).getroot()
    includes = [x.get("name") for x in root.iter("IncludeDirectory")]
    subprocess.run(["clang", "-std=c17", "-O0", "-fPIC", "-shared", "-fvisibility=hidden", "-w",
                    *(f"-I{os.path.join(place, i)}" for i in includes), "-o", os.path.abspath(target),
                    *sources(folder, "3.0"), "-lm"], cwd=place, check=True)


if __name__ == "__main__":
    if sys.argv[1] == "--build":
        build(sys.argv[2], sys.argv[3])
    else:
        for unit in sys.argv[1:]:
            check(unit)
