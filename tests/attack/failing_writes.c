// Preloaded into a program, makes one of its calls that write files fail: the call with the number FAIL_AT, in the way
// of FAIL_WITH. `full` and `io` are errors, after half of the bytes for a write; `kill` ends the program there. Only
// writes to regular files by the program itself count. COUNT_TO names a file that gets the number of such calls. The
// file with ".opened" after that name gets the path of each file that is opened by name for writing.
#define _GNU_SOURCE       // NOLINT(bugprone-reserved-identifier): the C library asks for this name
#undef _FILE_OFFSET_BITS  // open and open64 are two functions here
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long calls;

__attribute__((constructor)) static void alone(void) { unsetenv("LD_PRELOAD"); }

// POSIX gets a pointer to a function through a pointer to data.
#define NEXT(real, name) *(void**)&(real) = dlsym(RTLD_NEXT, name)

// Notes the name before the call can fail.
static void note_opened(const char* path) {
  const char* to = getenv("COUNT_TO");
  if (!to) return;
  char name[4096];
  const int size = snprintf(name, sizeof name, "%s.opened", to);
  if (size < 0 || (size_t)size >= sizeof name) return;
  FILE* (*real)(const char*, const char*);
  NEXT(real, "fopen64");
  FILE* file = real(name, "a");
  if (!file) return;
  fprintf(file, "%s\n", path);
  fclose(file);
}

static int fails(void) {
  const char* at = getenv("FAIL_AT");
  const char* how = getenv("FAIL_WITH");
  if (atomic_fetch_add(&calls, 1) + 1 != (at ? atol(at) : 0)) return 0;
  if (how && strcmp(how, "kill") == 0) kill(getpid(), SIGKILL);
  errno = how && strcmp(how, "io") == 0 ? EIO : ENOSPC;
  return 1;
}

static int regular(int file) {
  struct stat about;
  return fstat(file, &about) == 0 && S_ISREG(about.st_mode);
}

ssize_t write(int file, const void* bytes, size_t size) {
  ssize_t (*real)(int, const void*, size_t);
  NEXT(real, "write");
  if (!regular(file)) return real(file, bytes, size);
  const char* at = getenv("FAIL_AT");
  if (at && atomic_load(&calls) + 1 == atol(at)) {
    const int before = errno;
    if (real(file, bytes, size / 2) < 0) errno = before;
  }
  return fails() ? -1 : real(file, bytes, size);
}

ssize_t writev(int file, const void* pieces, int count) {
  ssize_t (*real)(int, const void*, int);
  NEXT(real, "writev");
  return regular(file) && fails() ? -1 : real(file, pieces, count);
}

static int opened(const char* name, const char* path, int flags, va_list rest) {
  int (*real)(const char*, int, ...);
  NEXT(real, name);
  const int without_name = (flags & O_TMPFILE) == O_TMPFILE;
  const int mode = flags & O_CREAT || without_name ? va_arg(rest, int) : 0;
  if ((flags & O_ACCMODE) != O_RDONLY && !without_name) note_opened(path);
  return (flags & O_ACCMODE) != O_RDONLY && (flags & (O_CREAT | O_TRUNC) || without_name) && fails()
             ? -1
             : real(path, flags, mode);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int file = opened("open", path, flags, rest);
  va_end(rest);
  return file;
}

int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int file = opened("open64", path, flags, rest);
  va_end(rest);
  return file;
}

FILE* fopen64(const char* path, const char* mode) {
  FILE* (*real)(const char*, const char*);
  NEXT(real, "fopen64");
  if (mode[0] != 'r') note_opened(path);
  return mode[0] != 'r' && fails() ? NULL : real(path, mode);
}

int fsync(int file) {
  int (*real)(int);
  NEXT(real, "fsync");
  return regular(file) && fails() ? -1 : real(file);
}

int fchmod(int file, mode_t mode) {
  int (*real)(int, mode_t);
  NEXT(real, "fchmod");
  return fails() ? -1 : real(file, mode);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  int (*real)(int, const char*, int, const char*, int);
  NEXT(real, "linkat");
  return fails() ? -1 : real(from_folder, from, to_folder, to, flags);
}

int rename(const char* from, const char* to) {
  int (*real)(const char*, const char*);
  NEXT(real, "rename");
  return fails() ? -1 : real(from, to);
}

__attribute__((destructor)) static void count(void) {
  const char* path = getenv("COUNT_TO");
  if (!path) return;
  FILE* (*real)(const char*, const char*);
  NEXT(real, "fopen64");
  FILE* file = real(path, "w");
  if (!file) return;
  fprintf(file, "%ld\n", atomic_load(&calls));
  fclose(file);
}
