// SPDX-License-Identifier: MIT
/* Edit distance with insertions, deletions, replacements and swaps of neighbours (optimal string
 * alignment). A candidate is near if at most a third of the letters differ. */
#include "base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { LONGEST = 64 }; /* longer names get no suggestion */

static int smaller(int a, int b) {
  return a < b ? a : b;
}

/* Equal but for capital letters. */
static bool alike_in_letters(const char *a, const char *b) {
  while (*a != '\0' && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
    a++;
    b++;
  }
  return *a == *b;
}

static int edit_distance(const char *a, int n, const char *b, int m) {
  int rows[3][LONGEST + 1]; /* distances of prefixes of a with i-2, i-1, i letters */
  for (int j = 0; j <= m; j++) {
    rows[0][j] = j;
  }
  for (int i = 1; i <= n; i++) {
    int *row = rows[i % 3];
    const int *above = rows[(i + 2) % 3];
    const int *above2 = rows[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      row[j] = smaller(above[j - 1] + (a[i - 1] != b[j - 1]), smaller(above[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = smaller(row[j], above2[j - 2] + 1);
      }
    }
  }
  return rows[n % 3][m];
}

pw_suggest pw_suggest_begin(const char *wanted) {
  return (pw_suggest){.wanted = wanted};
}

void pw_suggest_try(pw_suggest *s, const char *candidate) {
  size_t n = strlen(s->wanted), m = strlen(candidate);
  if (n > LONGEST || m > LONGEST || strcmp(s->wanted, candidate) == 0) {
    return;
  }
  int longer = n > m ? (int)n : (int)m;
  int limit = longer < 6 ? 1 : longer / 3;
  bool same = alike_in_letters(s->wanted, candidate);
  int distance = same ? 1 : edit_distance(s->wanted, (int)n, candidate, (int)m);
  /* Two different names of one letter have nothing in common. */
  bool alike = distance < longer || same;
  if (distance <= limit && alike && (s->best == NULL || distance < s->distance)) {
    s->best = candidate;
    s->distance = distance;
  }
}
