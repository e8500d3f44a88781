// SPDX-License-Identifier: MIT
/* Files of the system: special files are refused at once, limits hold, links are not followed. */
#include "base/file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static char folder[] = "/tmp/pawl_file_XXXXXX";

static const char *at(const char *name) {
  static char path[2][200];
  static int turn;
  turn = !turn;
  snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
  return path[turn];
}

static bool count_name(void *payload, const char *name) {
  ++*(int *)payload;
  return remove(at(name)) == 0;
}

static void begin(void) {
  strcpy(folder, "/tmp/pawl_file_XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
}

static void end(void) {
  int n = 0;
  CHECK_INT(pw_dir_each(folder, count_name, &n), 0);
  CHECK_INT(pw_dir_remove(folder), 0);
}

static void put(const char *path, const char *text) {
  FILE *file;
  if (CHECK_INT(pw_file_stream_out(path, &file), 0)) {
    CHECK(fputs(text, file) >= 0);
    CHECK_INT(pw_file_stream_close(file, true), 0);
  }
}

static void reads_whole_files(void) {
  begin();
  pw_buf text = {0};
  put(at("a"), "seven!\n");
  CHECK_INT(pw_file_read_all(at("a"), 7, &text), 0);
  CHECK_STR(text.text, "seven!\n");
  pw_buf_free(&text);
  text = (pw_buf){0};
  CHECK_INT(pw_file_read_all(at("a"), 6, &text), PW_FILE_TOO_LARGE);
  pw_buf_free(&text);
  text = (pw_buf){0};
  put(at("a"), ""); /* emptied */
  CHECK_INT(pw_file_read_all(at("a"), 0, &text), 0);
  CHECK_INT((long long)text.len, 0);
  CHECK_STR(text.text, "");
  pw_buf_free(&text);
  end();
}

/* None of these waits: the case ends although nobody writes to the pipe. */
static void refuses_special_files(void) {
  begin();
  pw_buf text = {0};
  FILE *file = NULL;
  CHECK_INT(mkfifo(at("pipe"), 0600), 0);
  CHECK_INT(pw_file_read_all(at("pipe"), 100, &text), PW_FILE_PIPE);
  CHECK_INT(pw_file_stream(at("pipe"), &file), PW_FILE_PIPE);
  CHECK(file == NULL);
  CHECK_INT(pw_file_stream_out(at("pipe"), &file), PW_FILE_PIPE);
  CHECK_INT(pw_file_read_all("/dev/zero", 100, &text), PW_FILE_DEVICE);
  CHECK_STR(pw_file_reason(PW_FILE_DEVICE), "it is a device, not a regular file");
  CHECK_STR(pw_file_reason(pw_file_read_all(folder, 100, &text)), "Is a directory");
  int missing = pw_file_read_all(at("nowhere"), 100, &text);
  CHECK(pw_file_is_missing(missing));
  CHECK_STR(pw_file_reason(missing), "No such file or directory");
  CHECK(text.text == NULL);
  end();
}

static void writes_through_no_link(void) {
  begin();
  pw_file file;
  pw_buf text = {0};
  put(at("a"), "kept");
  CHECK_INT(symlink(at("a"), at("link")), 0);
  CHECK_INT(pw_file_open(at("link"), PW_FILE_EMPTY, &file), PW_FILE_LINK);
  CHECK_INT(pw_file_open(at("link"), PW_FILE_KEEP, &file), PW_FILE_LINK);
  CHECK_INT(pw_file_open(at("link"), PW_FILE_CHANGE, &file), PW_FILE_LINK);
  CHECK(!pw_file_is_open(&file));
  CHECK_INT(pw_path_look(at("link")), PW_PATH_LINK);
  CHECK_INT(pw_path_target(at("link"), NULL), PW_PATH_FILE);
  CHECK(pw_file_same(at("link"), at("a")));
  CHECK_INT(pw_file_read_all(at("link"), 100, &text), 0); /* reading may */
  CHECK_STR(text.text, "kept");
  pw_buf_free(&text);
  end();
}

static void reads_and_writes_anywhere(void) {
  begin();
  pw_file file, other;
  char back[6] = "";
  int64_t size;
  CHECK_INT(pw_file_open(at("b"), PW_FILE_CHANGE, &file) != 0, 1); /* not there yet */
  CHECK_INT(pw_file_open(at("b"), PW_FILE_KEEP, &file), 0);
  CHECK_INT(pw_file_write_at(&file, "hello", 5, 3), 0);
  CHECK_INT(pw_file_size(&file, &size), 0);
  CHECK_INT(size, 8);
  CHECK_INT(pw_file_read_at(&file, back, 5, 3), 0);
  CHECK_STR(back, "hello");
  CHECK_INT(pw_file_read_at(&file, back, 5, 4), PW_FILE_FAILED); /* one byte short */
  CHECK(pw_file_write_at(&file, "x", 1, -1) != 0);
  CHECK(pw_file_read_at(&file, back, 2, INT64_MAX - 1) != 0);
  CHECK_INT(pw_file_cut(&file, 4), 0);
  CHECK_INT(pw_file_sync(&file), 0);
  CHECK_INT(pw_file_open(at("b"), PW_FILE_KEEP, &other), 0); /* not emptied */
  CHECK_INT(pw_file_size(&other, &size), 0);
  CHECK_INT(size, 4);
  pw_file_close(&other);
  CHECK_INT(pw_path_rename(at("b"), at("c")), 0);
  CHECK_INT(pw_path_look(at("b")), PW_PATH_NONE);
  pw_file_close(&file);
  pw_file_close(&file);
  end();
}

/* A lock of this process is seen by another one only. */
static void locks_against_others(void) {
  begin();
  pw_file file;
  CHECK_INT(pw_file_open(at("d"), PW_FILE_KEEP, &file), 0);
  CHECK_INT(pw_file_lock(&file), 0);
  pid_t child = fork();
  if (child == 0) {
    pw_file same;
    bool held =
        pw_file_open(at("d"), PW_FILE_CHANGE, &same) == 0 && pw_file_lock(&same) == PW_FILE_LOCKED;
    _exit(held ? 0 : 1);
  }
  int how = -1;
  CHECK_INT(waitpid(child, &how, 0), child);
  CHECK_INT(how, 0);
  pw_file_close(&file);
  end();
}

static void makes_folders(void) {
  begin();
  CHECK_INT(pw_dir_make(at("sub")), 0);
  CHECK(pw_file_exists_already(pw_dir_make(at("sub"))));
  CHECK_INT(pw_path_look(at("sub")), PW_PATH_FOLDER);
  CHECK_INT(pw_dir_check_writable(at("sub")), 0);
  CHECK(pw_dir_check_writable(at("nowhere")) != 0);
  CHECK_INT(pw_dir_remove(at("sub")), 0);
  double then = pw_clock_seconds();
  CHECK(pw_clock_seconds() >= then);
  CHECK_INT(pw_file_status(0), PAWL_OK);
  CHECK_INT(pw_file_status(PW_FILE_MEMORY), PAWL_E_MEMORY);
  CHECK_INT(pw_file_status(PW_FILE_UNSUPPORTED), PAWL_E_UNSUPPORTED);
  CHECK_INT(pw_file_status(PW_FILE_PIPE), PAWL_E_FILE);
  end();
}

CHECK_MAIN({"reads_whole_files", reads_whole_files},
           {"refuses_special_files", refuses_special_files},
           {"writes_through_no_link", writes_through_no_link},
           {"reads_and_writes_anywhere", reads_and_writes_anywhere},
           {"locks_against_others", locks_against_others}, {"makes_folders", makes_folders})
