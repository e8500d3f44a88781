// SPDX-License-Identifier: MIT
#include "pawl/status.h"

const char *pawl_status_text(pawl_status status) {
  switch (status) {
#define STATUS_TEXT(name, value, text) \
  case name: return text;
    PAWL_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
  }
  return "unknown status";
}
