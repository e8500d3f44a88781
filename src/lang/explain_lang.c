// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Characters, words, statements and files. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_lang[] = {
    {"E0001",
     "A model is a text file in UTF-8. This file holds a zero byte or bytes that are not UTF-8, "
     "so\n"
     "it is either no text at all (a picture, an archive, a program) or was saved in another\n"
     "encoding such as Latin-1 or UTF-16. Only the first such byte is reported.\n"
     "Open the file in an editor and save it as UTF-8.\n"},
    {"E0002",
     "The text holds an invisible control character. Between words only spaces, tabs and line "
     "ends\n"
     "(LF or CR LF) may stand. Such characters get into a file by copying from a terminal or from\n"
     "a formatted document. Only the first one of a file is reported; delete all of them.\n"},
    {"E0003",
     "This character has no meaning in the language. Often it looks like one that has: a "
     "typographic\n"
     "minus or quote, a multiplication cross, a superscript. The signs of the language are\n"
     "  + - * / ^ ' ( ) [ ] , : . .. = >= <= > < ~ +- \"\n"
     "and, accepted as well, the characters for >=, <=, +- and the centred dot for `*`.\n"
     "Names may hold letters of any alphabet, digits and `_`.\n"},
    {"E0004",
     "A string starts with a quote and ends with a quote on the same line:\n"
     "  model \"A pendulum with a stop\"\n"
     "A quote inside a string is written \\\", a backslash \\\\. If you meant the second time\n"
     "derivative, write two single quotes: x''.\n"},
    {"E0005",
     "Inside a string a backslash starts an escape. There are two: \\\" is a quote and \\\\ is a\n"
     "backslash. In paths write / instead, which works on every system:\n"
     "  include \"parts/wheel.pawl\"\n"},
    {"E0006", "Numbers are IEEE doubles: their size lies between 4.9e-324 and 1.797e308. A literal "
              "outside of\n"
              "that range would silently become infinity or zero, so it is refused. Write `inf` "
              "where a law\n"
              "accepts infinity (the ends of a `graph`), or choose a unit that fits: 5 [km] "
              "instead of 5000.\n"},
    {"E0007",
     "`+-` (also written with the plus-minus sign) is one sign, the tolerance of an expectation:\n"
     "  expect x = 1.25 +- 1e-6 at t = 2\n"
     "It cannot stand in an expression. For a sum with a negative term write `a - b` or, with a\n"
     "space, `a + -b`.\n"},
    {"E0008",
     "Names and words have at most 200 bytes. A longer one is nearly always a damaged file.\n"},
    {"E0009", "This operator exists in other languages, but not in this one:\n"
              "  ==   write =      (all equations are relations, nothing is assigned)\n"
              "  =>   write >=\n"
              "  =<   write <=\n"
              "  **   write ^      (x^2 is the square)\n"
              "  //   write #      (a comment)\n"},
    {"E0010",
     "A word in column 1 starts a statement, so it must be a keyword:\n"
     "  model include parameter coordinates rotation body let kinetic potential dissipation force\n"
     "  constraint friction spring law servo start end event output plot draw run expect\n"
     "If the line continues the statement above, indent it by at least one space.\n"},
    {"E0011",
     "Statements start in column 1, and an indented line continues the statement above. The first\n"
     "line of the file has nothing above it to continue. Delete the spaces in front of it.\n"},
    {"E0012", "A line in column 1 starts a statement, and statements start with a keyword. A line "
              "that starts\n"
              "with a sign or a number is usually the continuation of the line above: indent it.\n"
              "  constraint loop: x =\n"
              "    r*cos(th) + l*cos(ph)\n"},
    {"E0013", "A keyword stands at the start of an indented line. Indented lines continue the "
              "statement above,\n"
              "so this keyword was read as a part of it. Move it to column 1.\n"
              "(Keywords are reserved in column 1 only: elsewhere `run` or `law` may be names.)\n"},
    {"E0014",
     "The statement is not complete where it ends: at the end of the file, or before the next\n"
     "line that starts in column 1. Complete it. If the next line belongs to the statement,\n"
     "indent it:\n"
     "  parameter m = 1 [kg],\n"
     "    l = 0.5 [m]\n"},
    {"E0015",
     "Something else was expected here; the message names it. The usual reasons are a missing\n"
     "comma between parts, a missing `:` after the name of a law, or a misspelt word.\n"
     "  constraint floor: y >= 0, restitution 0.5\n"
     "  friction rub: slip x', mu 0.3 on floor\n"},
    {"E0016", "A bracket is opened and not closed, or closed and not opened. `(` belongs to `)` "
              "and `[` to `]`,\n"
              "and both must stand in the same statement.\n"},
    {"E0017",
     "There is no operator between two operands. A product needs its `*`, since `m g` could also\n"
     "be a misspelt name: write `m*g`, `2*x`, `(a + b)*(c + d)`.\n"},
    {"E0018", "Only one sign may stand in front of an operand. Write `-(-x)`, or rather `x`.\n"},
    {"E0019",
     "Comparisons with `>`, `>=`, `<`, `<=` are allowed only in the first argument of `if`:\n"
     "  let k = if(x > 0, k1, k2)\n"
     "A condition on the motion is a law:\n"
     "  constraint wall: x <= 1, restitution 0.5\n"},
    {"E0020", "A relation has exactly two sides. For x between a and b write two constraints\n"
              "  constraint left: x >= a, restitution 0\n"
              "  constraint right: x <= b, restitution 0\n"
              "and in `if` two comparisons: `if(a < x and x < b, ...)`.\n"},
    {"E0021", "Constraints, servos and events compare two expressions with `=`, `>=` or `<=`. "
              "Strict signs `>`\n"
              "and `<` do not exist there: a contact includes the instants of touching.\n"
              "  constraint floor: y >= 0, restitution 0.5\n"
              "  event top: y' = 0, falling\n"},
    {"E0022",
     "This word is not a clause of this law. The clauses are\n"
     "  constraint   restitution E, poisson E, vakonomic, inertia PHI [reservoir|complementary],\n"
     "               viscous N, stiffness K\n"
     "  friction     first one of: mu M on LAW, rough on LAW, bound F;\n"
     "               then behind mu: restitution E, static M; rough: restitution E; bound: static "
     "F\n"
     "  contact      restitution E or poisson E; mu M, then static M; rough; roll A, spin A\n"
     "  spring       stiffness K, play A..B, preload F, damping C, pull allow\n"
     "  law          graph (x1,f1)(x2,f2)..., then damping C\n"
     "  servo        by X, or by (X: a, Y: b), then one-way\n"},
    {"E0023",
     "The names t, pi, inf, in and the names of functions have a fixed meaning:\n"
     "  sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max hypot\n"
     "  dot cross norm sum axis if\n"
     "Choose another name. All other names are free, also `e`, `g` and `mu`.\n"},
    {"E0024", "Brackets, powers and primes may be nested 200 levels deep. (Sums and products may "
              "be as long\n"
              "as you like.) Give the inner parts names with `let`.\n"},
    {"E0025", "A unit follows a number directly and is a product of names with integer powers:\n"
              "  9.81 [m/s^2]   3 [N*m/rad]   50 [1/s]   2 [m^-1]\n"
              "There are no parentheses, and `/` divides by the next name only: [J/kg/K], not "
              "[J/(kg*K)].\n"},
    {"E0026", "`model` and `include` are followed by a text in quotes:\n"
              "  model \"Woodpecker toy\"\n"
              "  include \"common/toys.pawl\"\n"},
    {"E0027", "Included files are put in place of the include statement. A file that includes "
              "itself, directly\n"
              "or through others, would never end. The note shows the circle; remove one of its "
              "statements.\n"},
    {"E0028", "The included file could not be read. The path is relative to the file that holds "
              "the include\n"
              "statement; check its spelling and that you may read it. A model that is not read "
              "from a file\n"
              "(from standard input, for example) may not be able to include others.\n"},
    {"E0029",
     "A model consists of at most 100 files, and includes may be nested 20 levels deep.\n"},
    {"E0030",
     "`'` is the time derivative of the name, index or closing parenthesis before it.\n"
     "  x'   x[2]'   (x*cos(th))'\n"
     "The derivative of a number is zero, so after a number it is most likely a mistake.\n"},
    {"E0031", "A law or body with an index is a family: the index needs a name and a range.\n"
              "  constraint link[i in 2..N]: (x[i] - x[i-1])^2 <= l^2, restitution 0\n"},
    {"E0032", "Each option of `run` is a word followed by its value, without a sign between them:\n"
              "  run 0..10, tol 1e-11, every 0.01, method moreau\n"},
    {"E0033", "An expectation is checked within a tolerance, which must be given:\n"
              "  expect energy.total = 3 +- 1e-8\n"
              "  expect x = 1.25 +- 1e-6 at t = 2\n"
              "  expect t = 0.4515236 +- 1e-6 at impact 1 of floor\n"},
    {"E0034",
     "The first argument of `if` is a condition: comparisons with `>`, `>=`, `<`, `<=`, joined\n"
     "by `and` and `or` (`and` binds tighter). An equality is not a condition: it holds at\n"
     "single instants, where the two pieces of the function meet.\n"
     "  let k = if(x > a and x < b, k1, k2)\n"},
    {"E0035", "A clause may be given once in each statement. Delete one of the two.\n"},
    {"E0036", "A joint is of one of these kinds:\n"
              "  fixed         nothing moves           prismatic    slides along its axis\n"
              "  revolute      turns about its axis    cylindrical  slides and turns\n"
              "  universal     turns about two axes    spherical    turns about a point\n"
              "  planar        slides across its axis and turns about it\n"
              "Others are constraints between points and directions of bodies, such as\n"
              "  constraint c: dot(a.R*(1, 0, 0), b.R*(0, 1, 0)) = 0\n"},
    {"E0040",
     "A model text, or the whole of a model with its included files, is limited in size. A file "
     "this\n"
     "large is nearly always not a model. Use families (`link[i in 2..N]`) instead of copies.\n"},
    {"E0041", "The model file could not be read. Check the spelling of its path and that you may "
              "read it.\n"},
    {NULL, NULL}};
