/*
 * A library that tests preload into the service (LD_PRELOAD). Calls on files fail or hang while the file $FAULT_RULE has
 * a rule. The wall clock is moved by the seconds in the file $FAULT_CLOCK (int64, little-endian).
 * A rule is `<errno> <letters> <part of the path>`. Letters: w writes fail, s flushes fail, o opening for writing fails,
 * h writes and flushes hang. A `$` after the part of the path means the end of the path.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const char *rule_file;
static volatile int64_t *clock_offset;

__attribute__((constructor)) static void begin(void) {
  rule_file = getenv("FAULT_RULE");
  const char *clock_file = getenv("FAULT_CLOCK");
  if (clock_file == NULL) return;
  int fd = syscall(SYS_openat, AT_FDCWD, clock_file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  void *map = mmap(NULL, 8, PROT_READ, MAP_SHARED, fd, 0);
  if (map != MAP_FAILED) clock_offset = map;
  syscall(SYS_close, fd);
}

/*
 * The errno of the rule, if it has one of these letters and names this path; else 0. Copies the letters of the rule to
 * `found` unless that is NULL. System calls are made directly, because open and read are replaced below.
 */
static int rule_for(const char *path, const char *letters, char *found) {
  if (rule_file == NULL) return 0;
  int fd = syscall(SYS_openat, AT_FDCWD, rule_file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[512];
  ssize_t length = syscall(SYS_read, fd, text, sizeof text - 1);
  syscall(SYS_close, fd);
  if (length <= 0) return 0;
  text[length] = 0;
  int code;
  char ops[16], part[256];
  if (sscanf(text, "%d %15s %255s", &code, ops, part) != 3) return 0;
  if (strpbrk(ops, letters) == NULL) return 0;
  size_t end = strlen(part) - 1;
  if (part[end] == '$') {
    size_t length = strlen(path);
    if (length < end || strncmp(path + length - end, part, end) != 0) return 0;
  } else if (strstr(path, part) == NULL) return 0;
  if (found != NULL) strcpy(found, ops);
  return code;
}

/* As rule_for, for an open file. While the rule has the letter h, it does not return. */
static int rule_for_fd(int fd, const char *letters) {
  char link[64], path[4096], ops[16];
  if (rule_file == NULL || access(rule_file, F_OK) != 0) return 0;
  for (;;) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    int code = rule_for(path, letters, ops);
    if (code == 0 || strchr(ops, 'h') == NULL) return code;
    usleep(20000);
  }
}

#define FAIL_IF(fd, letters)                   \
  do {                                         \
    int saved = errno;                         \
    int code = rule_for_fd(fd, letters);       \
    if (code != 0) { errno = code; return -1; } \
    errno = saved;                             \
  } while (0)

/* The function of the C library that ours replaces. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t n) {
  FAIL_IF(fd, "wh");
  return NEXT(write)(fd, bytes, n);
}
ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at) {
  FAIL_IF(fd, "wh");
  return NEXT(pwrite)(fd, bytes, n, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at) {
  FAIL_IF(fd, "wh");
  return NEXT(pwrite64)(fd, bytes, n, at);
}
ssize_t writev(int fd, const struct iovec *parts, int n) {
  FAIL_IF(fd, "wh");
  return NEXT(writev)(fd, parts, n);
}
ssize_t pwritev(int fd, const struct iovec *parts, int n, off_t at) {
  FAIL_IF(fd, "wh");
  return NEXT(pwritev)(fd, parts, n, at);
}
int fsync(int fd) {
  FAIL_IF(fd, "sh");
  return NEXT(fsync)(fd);
}
int fdatasync(int fd) {
  FAIL_IF(fd, "sh");
  return NEXT(fdatasync)(fd);
}

static int open_fails(const char *path, int flags) {
  if ((flags & (O_WRONLY | O_RDWR | O_CREAT)) == 0) return 0;
  int saved = errno;
  int code = rule_for(path, "o", NULL);
  errno = code != 0 ? code : saved;
  return code != 0;
}

#define OPEN(name)                                        \
  int name(const char *path, int flags, ...) {            \
    va_list rest;                                         \
    va_start(rest, flags);                                \
    mode_t mode = va_arg(rest, mode_t);                   \
    va_end(rest);                                         \
    if (open_fails(path, flags)) return -1;               \
    return NEXT(name)(path, flags, mode);                 \
  }
OPEN(open)
OPEN(open64)

int clock_gettime(clockid_t which, struct timespec *now) {
  int result = syscall(SYS_clock_gettime, which, now);
  if (result == 0 && clock_offset != NULL && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE))
    now->tv_sec += *clock_offset;
  return result;
}
int gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  struct timespec fine;
  if (now == NULL || clock_gettime(CLOCK_REALTIME, &fine) != 0) return -1;
  now->tv_sec = fine.tv_sec;
  now->tv_usec = fine.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *into) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (into != NULL) *into = now.tv_sec;
  return now.tv_sec;
}
