/* A disk that takes nothing more for a while, for LD_PRELOAD.
 *
 * While the file $ROOKERY_REFUSING holds a number, writing to the database files under
 * $ROOKERY_DISK fails with that error: 28 for a disk without room (ENOSPC), 30 for one that may
 * only be read (EROFS). Of a long piece a disk without room still takes the first half, as disks do.
 * With 5 (EIO) everything is written, and every sync fails.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef ssize_t (*writer)(int, const void *, size_t);
typedef ssize_t (*placed)(int, const void *, size_t, off_t);
typedef int (*sized)(int, off_t);
typedef int (*syncer)(int);
typedef int (*opener)(const char *, int, ...);

static int refusing(void) {
  const char *path = getenv("ROOKERY_REFUSING");
  char digits[8] = {0};
  if (path == NULL) return 0;
  int fd = ((opener)dlsym(RTLD_NEXT, "open"))(path, O_RDONLY);
  if (fd < 0) return 0;
  ssize_t size = read(fd, digits, sizeof digits - 1);
  close(fd);
  return size > 0 ? atoi(digits) : 0;
}

static int told(int fd) {
  const char *folder = getenv("ROOKERY_DISK");
  char link[64], path[PATH_MAX];
  if (folder == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (strncmp(path, folder, strlen(folder)) != 0 || strstr(path, ".sqlite3") == NULL) return 0;
  return refusing();
}

static int refused(int fd) {
  int why = told(fd);
  return why == EIO ? 0 : why;
}

static ssize_t put(const char *name, int fd, const void *from, size_t size, off_t at) {
  placed whole = (placed)dlsym(RTLD_NEXT, name);
  int why = refused(fd);
  if (why == 0) return whole(fd, from, size, at);
  if (why == ENOSPC && size > 512) return whole(fd, from, size / 2, at);
  errno = why;
  return -1;
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t at) {
  return put("pwrite", fd, from, size, at);
}

ssize_t pwrite64(int fd, const void *from, size_t size, off_t at) {
  return put("pwrite64", fd, from, size, at);
}

ssize_t write(int fd, const void *from, size_t size) {
  int why = refused(fd);
  if (why == 0) return ((writer)dlsym(RTLD_NEXT, "write"))(fd, from, size);
  errno = why;
  return -1;
}

static int cut(const char *name, int fd, off_t size) {
  int why = refused(fd);
  if (why == 0) return ((sized)dlsym(RTLD_NEXT, name))(fd, size);
  errno = why;
  return -1;
}

int ftruncate(int fd, off_t size) {
  return cut("ftruncate", fd, size);
}

int ftruncate64(int fd, off_t size) {
  return cut("ftruncate64", fd, size);
}

static int sync_by(const char *name, int fd) {
  if (told(fd) != EIO) return ((syncer)dlsym(RTLD_NEXT, name))(fd);
  errno = EIO;
  return -1;
}

int fsync(int fd) {
  return sync_by("fsync", fd);
}

int fdatasync(int fd) {
  return sync_by("fdatasync", fd);
}
