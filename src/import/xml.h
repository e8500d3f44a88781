// SPDX-License-Identifier: MIT
/* A reader for small XML documents: elements and attributes. Text between elements, comments and
 * processing instructions are skipped; a document type is refused, so that nothing is expanded or
 * loaded. Time and memory grow with the length of the text; the depth is bounded. */
#ifndef PW_IMPORT_XML_H
#define PW_IMPORT_XML_H

#include "base/diag.h"

typedef struct pw_xml_attr {
  const char *name, *value;
  pw_span span; /* of the value */
} pw_xml_attr;

typedef struct pw_xml {
  const char *name;
  pw_span span; /* of the name where it begins */
  struct {
    pw_xml_attr *items;
    int n, cap;
  } attr;
  struct pw_xml *parent, *first, *last, *next;
} pw_xml;

/* The root element, or NULL after an error. `file`: number of the source. */
pw_xml *pw_xml_parse(pw_arena *arena, const pw_source *source, int file, pawl_diags *diags);

const pw_xml_attr *pw_xml_find(const pw_xml *x, const char *name);
const char *pw_xml_text(const pw_xml *x, const char *name); /* NULL: no such attribute */
const pw_xml *pw_xml_child(const pw_xml *x, const char *name);
bool pw_xml_is(const pw_xml *x, const char *name);

/* Up to n numbers of an attribute into out; how many there are, 0 without the attribute, -1 after
 * an error. */
int pw_xml_reals(const pw_xml *x, const char *name, double *out, int n, pawl_diags *diags);
/* Exactly n numbers; without the attribute out stays as it is. False after an error. */
bool pw_xml_vector(const pw_xml *x, const char *name, double *out, int n, pawl_diags *diags);

#endif
