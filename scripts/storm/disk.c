/*
 * A disk that fails, for the files of a ledger (LD_PRELOAD). What a program writes to the ledger goes to its file as
 * ever, so that it reads back what it wrote; what it has flushed (fsync, fdatasync) is kept beside, in a shadow of the
 * file. Whoever cuts the power puts the shadow in the file's place (disk.ts). The byte in the file `mode` of the shadow
 * folder says what the disk is like: 0 well, 1 full (nothing can grow or be made), 2 read-only.
 *
 * TOLLGATE_STORM_LEDGER: path of the ledger. TOLLGATE_STORM_SHADOW: the shadow folder, with `mode` and, for each file,
 * its shadow and a map of what is not flushed yet (a byte a page), which every process with the ledger open shares.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES (1 << 18)
enum { WELL, FULL, READ_ONLY };

typedef struct {
  char path[PATH_MAX];
  char shadow[PATH_MAX];
  unsigned char *unflushed;
} Kept;

static Kept kept[2];
static char folder[PATH_MAX];
static volatile unsigned char *mode;

#define REAL(name) ((__typeof__(name) *)real(#name, &real_##name))
#define SLOT(name) static void *real_##name
SLOT(pwrite64); SLOT(pwrite); SLOT(write); SLOT(ftruncate64); SLOT(ftruncate);
SLOT(open); SLOT(open64); SLOT(unlink);

static void *real(const char *name, void **slot) {
  if (*slot == NULL) *slot = dlsym(RTLD_NEXT, name);
  return *slot;
}

static void *shared(const char *path, size_t size) {
  int fd = REAL(open)(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || REAL(ftruncate)(fd, (off_t)size) != 0) abort();
  void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) abort();
  close(fd);
  return map;
}

__attribute__((constructor)) static void begin(void) {
  const char *ledger = getenv("TOLLGATE_STORM_LEDGER");
  const char *shadows = getenv("TOLLGATE_STORM_SHADOW");
  if (ledger == NULL || shadows == NULL) return;
  const char *ends[2] = {"", "-wal"};
  const char *names[2] = {"ledger", "wal"};
  char path[PATH_MAX];
  for (int i = 0; i < 2; i += 1) {
    snprintf(kept[i].path, PATH_MAX, "%s%s", ledger, ends[i]);
    snprintf(kept[i].shadow, PATH_MAX, "%s/%s", shadows, names[i]);
    snprintf(path, PATH_MAX, "%s/%s.unflushed", shadows, names[i]);
    kept[i].unflushed = shared(path, PAGES);
  }
  snprintf(folder, PATH_MAX, "%s", ledger);
  *(strrchr(folder, '/') + 1) = 0;
  snprintf(path, PATH_MAX, "%s/mode", shadows);
  mode = shared(path, 1);
}

static int state(void) { return mode == NULL ? WELL : *mode; }

static Kept *of_path(const char *path) {
  for (int i = 0; i < 2; i += 1)
    if (kept[i].unflushed != NULL && strcmp(kept[i].path, path) == 0) return &kept[i];
  return NULL;
}

static int path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, PATH_MAX - 1);
  if (n < 0) return 0;
  path[n] = 0;
  return 1;
}

static int in_folder(const char *path) { return folder[0] != 0 && strncmp(path, folder, strlen(folder)) == 0; }

static Kept *of_fd(int fd) {
  char path[PATH_MAX];
  return path_of(fd, path) ? of_path(path) : NULL;
}

static int fail(int error) {
  errno = error;
  return -1;
}

/* The error with which the disk refuses to write up to a place in a file; 0 where it takes it. */
static int refusal(int fd, off_t end) {
  int now = state();
  char path[PATH_MAX];
  struct stat found;
  if (now == WELL || !path_of(fd, path) || !in_folder(path)) return 0;
  if (now == READ_ONLY) return EROFS;
  return fstat(fd, &found) == 0 && end > found.st_size ? ENOSPC : 0;
}

static void mark(int fd, off_t from, off_t to) {
  int error = errno;
  Kept *file = of_fd(fd);
  for (off_t page = from / PAGE; file != NULL && page * PAGE < to && page < PAGES; page += 1)
    __atomic_store_n(&file->unflushed[page], 1, __ATOMIC_SEQ_CST);
  errno = error;
}

/* What was written so far lies in the shadow when this returns. */
static int flush(int fd) {
  Kept *file = of_fd(fd);
  if (file == NULL) return 0;
  struct stat found;
  char bytes[PAGE];
  int shadow = REAL(open)(file->shadow, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  int source = REAL(open)(file->path, O_RDONLY | O_CLOEXEC);
  if (shadow < 0 || source < 0 || fstat(source, &found) != 0) abort();
  for (int page = 0; page < PAGES; page += 1) {
    if (file->unflushed[page] == 0) continue;
    /* Written anew while it is copied, it stays marked. */
    __atomic_store_n(&file->unflushed[page], 2, __ATOMIC_SEQ_CST);
    ssize_t n = pread(source, bytes, PAGE, (off_t)page * PAGE);
    if (n > 0 && REAL(pwrite)(shadow, bytes, (size_t)n, (off_t)page * PAGE) != n) abort();
    unsigned char copying = 2;
    __atomic_compare_exchange_n(&file->unflushed[page], &copying, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
  if (REAL(ftruncate)(shadow, found.st_size) != 0) abort();
  close(source);
  close(shadow);
  return 0;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  int error = refusal(fd, at + (off_t)size);
  if (error != 0) return fail(error);
  ssize_t n = REAL(pwrite64)(fd, bytes, size, at);
  if (n > 0) mark(fd, at, at + n);
  return n;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) { return pwrite64(fd, bytes, size, at); }

ssize_t write(int fd, const void *bytes, size_t size) {
  if (state() != WELL) {
    int error = refusal(fd, LONG_MAX);
    if (error != 0) return fail(error);
  }
  return REAL(write)(fd, bytes, size);
}

int fsync(int fd) { return flush(fd); }

int fdatasync(int fd) { return flush(fd); }

int ftruncate64(int fd, off64_t size) {
  int error = refusal(fd, size);
  return error != 0 ? fail(error) : REAL(ftruncate64)(fd, size);
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int open_refusal(const char *path, int flags) {
  int now = state();
  if (now == WELL || !in_folder(path)) return 0;
  if (now == READ_ONLY && ((flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0)) return EROFS;
  if (now == FULL && (flags & O_CREAT) != 0 && access(path, F_OK) != 0) return ENOSPC;
  return 0;
}

static int opened(int (*open_)(const char *, int, ...), const char *path, int flags, mode_t rights) {
  int error = open_refusal(path, flags);
  return error != 0 ? fail(error) : open_(path, flags, rights);
}

#define OPENING(name)                                                                \
  int name(const char *path, int flags, ...) {                                       \
    va_list rest;                                                                    \
    va_start(rest, flags);                                                           \
    mode_t rights = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                                    \
    return opened(REAL(name), path, flags, rights);                                  \
  }
OPENING(open)
OPENING(open64)

/* A file that is gone is gone for good: SQLite takes its log away only when all of it lies flushed in the ledger. */
int unlink(const char *path) {
  if (state() == READ_ONLY && in_folder(path)) return fail(EROFS);
  Kept *file = of_path(path);
  int done = REAL(unlink)(path);
  if (done == 0 && file != NULL) {
    memset(file->unflushed, 0, PAGES);
    REAL(unlink)(file->shadow);
  }
  return done;
}
