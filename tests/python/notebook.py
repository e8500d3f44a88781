# SPDX-License-Identifier: MIT
"""Runs the code cells of a notebook in one namespace. A cell whose stored output is text must give
the same text again.

  notebook.py F.ipynb   runs it and stores the outputs
"""
import ast
import contextlib
import io
import json
import sys


def stored_text(cell):
    """What the cell has printed and shown as text."""
    parts = []
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            parts.append("".join(output["text"]))
    return "".join(parts)


def run_cell(source, space):
    """Executes the source; returns what it prints, and the value of its last expression."""
    tree = ast.parse(source)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), space)
        value = eval(compile(last, "cell", "eval"), space) if last is not None else None
    return printed.getvalue(), value


def run(path):
    """(number, source, stored, got) of every code cell; pictures are drawn, but neither stored nor compared."""
    with open(path, encoding="utf-8") as file:
        book = json.load(file)
    assert book["nbformat"] == 4
    space = {"__name__": "__main__"}
    for number, cell in enumerate(book["cells"]):
        if cell["cell_type"] != "code":
            continue
        source = "".join(cell["source"])
        printed, value = run_cell(source, space)
        pictures = [name for name in ("_repr_html_", "_repr_svg_") if hasattr(value, name)]
        for name in pictures:
            assert getattr(value, name)()
        yield number, source, stored_text(cell), printed + ("" if value is None or pictures
                                                            else repr(value) + "\n")


def write(path):
    """Puts the outputs of a new run into the notebook; pictures stay out of it."""
    with open(path, encoding="utf-8") as file:
        book = json.load(file)
    cells = [c for c in book["cells"] if c["cell_type"] == "code"]
    for cell in cells:
        cell["outputs"] = []
    with open(path, "w", encoding="utf-8") as file:
        json.dump(book, file, indent=1, ensure_ascii=False)
        file.write("\n")
    texts = [got for _, _, _, got in run(path)]
    for count, (cell, text) in enumerate(zip(cells, texts), 1):
        cell["execution_count"] = count
        if text:
            cell["outputs"] = [{"output_type": "stream", "name": "stdout",
                                "text": text.splitlines(keepends=True)}]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(book, file, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    write(sys.argv[1])
