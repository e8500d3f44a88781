// SPDX-License-Identifier: MIT
/* The interpreter loop for one width of code words; included once for each, with LOOP naming the
 * function and WORD the type. Not a header in the usual sense, hence no guard. With gcc and clang
 * each instruction jumps to the next by its own indirect branch, elsewhere it is a switch. */

#ifdef PW_THREADED
#define LABEL(name, value) __extension__ &&at_##name,
#define CASE(name) at_##name
#define NEXT __extension__({ goto *label[*ip]; })
#define LOOP_OPEN NEXT;
#define LOOP_CLOSE
#else
#define CASE(name) case PW_TAPE_##name
#define NEXT break
#define LOOP_OPEN \
  for (;;) {      \
    switch (*ip) {
#define LOOP_CLOSE \
  default: return; \
    }              \
    }
#endif

#define BODY1(name, value)       \
  CASE(name) : {                 \
    const double a = reg[ip[2]]; \
    reg[ip[1]] = value;          \
    ip += 3;                     \
    NEXT;                        \
  }
#define BODY2(name, value)       \
  CASE(name) : {                 \
    const double a = reg[ip[2]]; \
    const double b = reg[ip[3]]; \
    reg[ip[1]] = value;          \
    ip += 4;                     \
    NEXT;                        \
  }
#define BODY3(name, value)       \
  CASE(name) : {                 \
    const double a = reg[ip[2]]; \
    const double b = reg[ip[3]]; \
    const double c = reg[ip[4]]; \
    reg[ip[1]] = value;          \
    ip += 5;                     \
    NEXT;                        \
  }
#define BODY4(name, value)       \
  CASE(name) : {                 \
    const double a = reg[ip[2]]; \
    const double b = reg[ip[3]]; \
    const double c = reg[ip[4]]; \
    const double e = reg[ip[5]]; \
    reg[ip[1]] = value;          \
    ip += 6;                     \
    NEXT;                        \
  }

static void LOOP(const WORD *ip, double *reg, const pw_lut *const *table) {
#ifdef PW_THREADED
  static const void *const label[] = {PW_TAPE_LIST1(LABEL) PW_TAPE_LIST2(LABEL) PW_TAPE_LIST3(
      LABEL) PW_TAPE_LIST4(LABEL) LABEL(POWI, 0) LABEL(SINCOS, 0) LABEL(LOOKUP, 0) LABEL(END, 0)};
#endif
  LOOP_OPEN
  PW_TAPE_LIST1(BODY1)
  PW_TAPE_LIST2(BODY2)
  PW_TAPE_LIST3(BODY3)
  PW_TAPE_LIST4(BODY4)
  BODY_POWI
  BODY_SINCOS
  BODY_LOOKUP
  CASE(END) : return;
  LOOP_CLOSE
}

#undef LABEL
#undef CASE
#undef NEXT
#undef LOOP_OPEN
#undef LOOP_CLOSE
#undef BODY1
#undef BODY2
#undef BODY3
#undef BODY4
