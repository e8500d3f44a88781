// SPDX-License-Identifier: MIT
/* `pawl examples`: the models that come with Pawl, which are part of the program. Each says in its
 * first comment what it shows, and in a line `# group: NAME` where it belongs. */
#include "examples.h"

#include <ctype.h>
#include <string.h>

#include "cli.h"

static const char help[] =
    "usage: pawl examples [NAME|WORD]\n\n"
    "Lists the example models by groups, those that contain a word, or prints the one with this\n"
    "name.\n";

/* In the order of the list; a group that is not here comes behind them. */
static const char *const groups[] = {"pendulums",
                                     "springs and oscillators",
                                     "contacts",
                                     "scenes",
                                     "friction",
                                     "rolling",
                                     "skates and sleighs",
                                     "servo and vakonomic",
                                     "paradoxes",
                                     "mechanisms",
                                     "machines and controllers",
                                     "bodies in space",
                                     "between two points",
                                     "the papers"};
enum { N_GROUPS = sizeof groups / sizeof *groups, COLUMNS = 100 };

static const char *text_of(const cli_example *e) {
  return (const char *)e->bytes;
}

static const char group_mark[] = "# group: ";

/* The group of a model, without its end; *len 0: none. */
static const char *group_of(const cli_example *e, size_t *len) {
  const char *at = strstr(text_of(e), group_mark);
  at = at == NULL ? "" : at + sizeof group_mark - 1;
  *len = strcspn(at, "\n");
  return at;
}

static bool is_in(const cli_example *e, const char *group) {
  size_t len;
  const char *own = group_of(e, &len);
  return strlen(group) == len && strncmp(own, group, len) == 0;
}

static bool is_listed(const cli_example *e) {
  bool listed = false;
  for (int g = 0; g < N_GROUPS; g++) {
    listed = listed || is_in(e, groups[g]);
  }
  return listed;
}

/* The first sentence of the first comment, its lines joined. A dot in parentheses ends none. */
static size_t story(const cli_example *e, char *out, size_t room) {
  const char *at = text_of(e);
  size_t n = 0;
  int depth = 0;
  while (*at != '\0' && *at != '#') {
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  while (*at == '#' && strncmp(at, group_mark, sizeof group_mark - 1) != 0) {
    const char *line = at + 1 + strspn(at + 1, "# ");
    size_t len = strcspn(line, "\n");
    if (n > 0 && n + 1 < room) {
      out[n++] = ' ';
    }
    for (size_t i = 0; i < len && n + 1 < room; i++) {
      out[n++] = line[i];
      depth += (line[i] == '(') - (line[i] == ')' && depth > 0);
      bool ends = line[i] == '.' && depth == 0 && (i + 1 == len || line[i + 1] == ' ');
      if (ends) {
        out[n] = '\0';
        return n;
      }
    }
    at = line + len;
    at += *at == '\n';
  }
  out[n] = '\0';
  return n;
}

/* What does not fit into a line is cut between words. */
static void print_entry(const cli_example *e, bool whole) {
  char text[1000];
  size_t n = story(e, text, sizeof text), most = COLUMNS - 29;
  if (!whole && n > most) {
    n = most - 3;
    while (n > 0 && text[n] != ' ') {
      n--;
    }
    n -= n > 0 && strchr(",:;", text[n - 1]) != NULL;
    strcpy(text + n, "...");
  }
  printf("  %-26s %s\n", e->name, text);
}

static bool same_letter(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Whether the text has the word, whatever its case. */
static bool contains(const char *text, const char *word) {
  size_t n = strlen(word);
  for (; *text != '\0'; text++) {
    size_t i = 0;
    while (i < n && same_letter(text[i], word[i])) {
      i++;
    }
    if (i == n) {
      return true;
    }
  }
  return false;
}

static bool fits(const cli_example *e, const char *word) {
  return word == NULL || contains(e->name, word) || contains(text_of(e), word);
}

static int list_group(const char *group, const char *word, bool whole) {
  int n = 0;
  for (const cli_example *e = cli_examples; e->name != NULL; e++) {
    bool here = group != NULL ? is_in(e, group) : !is_listed(e);
    if (here && fits(e, word)) {
      if (n++ == 0) {
        printf("%s\n", group != NULL ? group : "others");
      }
      print_entry(e, whole);
    }
  }
  return n;
}

static int list(const char *word, bool whole) {
  int n = 0;
  for (int g = 0; g <= N_GROUPS; g++) {
    n += list_group(g < N_GROUPS ? groups[g] : NULL, word, whole);
  }
  return n;
}

static const char *name_at(const void *payload, int i) {
  const cli_example *examples = payload;
  return examples[i].name;
}

static bool has_name(const cli_example *e, const char *word) {
  size_t n = strlen(e->name);
  return strncmp(word, e->name, n) == 0 && (word[n] == '\0' || strcmp(word + n, ".pawl") == 0);
}

int cmd_examples(int argc, char **argv) {
  const cli_spec spec = {"examples", help, NULL, 0, 0, 1, "the name", NULL};
  cli_args args;
  int code = cli_parse(&spec, argc, argv, &args);
  if (code >= 0) {
    return code;
  }
  const char *word = args.n_word == 0 ? NULL : args.words[0];
  for (const cli_example *e = cli_examples; word != NULL && e->name != NULL; e++) {
    if (has_name(e, word)) {
      fwrite(e->bytes, 1, e->count, stdout);
      return CLI_DONE;
    }
  }
  bool empty = word != NULL && word[0] == '\0';
  if (!empty && list(word, args.verbose) > 0) {
    return CLI_DONE;
  }
  const char *near = cli_nearest(word, name_at, cli_examples);
  return near == NULL ? cli_usage_error("examples",
                                        "no example has the name or contains the word `%s`; `pawl "
                                        "examples` lists them",
                                        word)
                      : cli_usage_error("examples", "there is no example `%s`; did you mean `%s`?",
                                        word, near);
}
