// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises: robots in other formats. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_import[] = {
    {"E0624",
     "The file is not XML that `pawl import` reads: an element or a value does not end, an "
     "end tag closes\n"
     "nothing, elements are nested more than 200 deep, or there is a document type or an "
     "entity of one's\n"
     "own. Nothing is expanded and nothing is loaded from elsewhere. Files with macros "
     "(xacro) are to be\n"
     "expanded first: `xacro robot.xacro > robot.urdf`.\n"},
    {"E0625",
     "An attribute must hold numbers, as many as its place needs: `xyz=\"0 0 0.5\"`. Words, "
     "missing numbers,\n"
     "infinities and NaN are refused.\n"},
    {"E0626",
     "An element is incomplete: it needs a name, a known type, a link that exists, an axis with\n"
     "a direction, limits with the lower one first. Of MJCF, bodies with more than one joint and "
     "orientations by `xyaxes` or\n"
     "`zaxis` are not read.\n"},
    {"E0627",
     "The links form a loop: two joints carry the same link, or a link carries itself. Both "
     "formats describe\n"
     "trees. Cut the loop in the file, import the tree, and close it in the model with a "
     "`joint` line;\n"
     "redundant loops are no trouble there.\n"},
    {"E0628",
     "A link that moves has no mass or no positive definite inertia. Every body needs both: "
     "the mass matrix\n"
     "would be singular. Links that are fixed to others need none; they are joined to one "
     "body.\n"},
    {"E0629",
     "The file cannot be read, is longer than 16 MiB, describes more than 2000 links, or is "
     "neither URDF\n"
     "(`<robot>`) nor MJCF (`<mujoco>`).\n"},
    {"W0626",
     "Elements that have no meaning in a model, or that the file does not determine, are not\n"
     "converted: meshes, materials, actuators, sensors, contacts of shapes, limits of effort.\n"
     "Each kind is named once here and in a comment at the head of the model.\n"},
    {NULL, NULL}};
