/* A disk whose power may fail at any moment, for LD_PRELOAD.
 *
 * Files under $ROOKERY_DURABLE count as written only when they are synced: each fsync or fdatasync
 * leaves a copy of the file as it is then, beside it, named *.durable. The copy is made aside and
 * moved, so that it is the old one or the new one whenever the process is killed.
 * $ROOKERY_SYNC_MS makes every sync last so long.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static int copied(int from, const char *path) {
  static char block[1 << 16];
  int to = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
  off_t at = 0;
  ssize_t size = 0;
  if (to < 0) return 0;
  while ((size = pread(from, block, sizeof block, at)) > 0) {
    if (pwrite(to, block, size, at) != size) break;
    at += size;
  }
  close(to);
  return size == 0;
}

static void synced(int fd) {
  const char *folder = getenv("ROOKERY_DURABLE");
  const char *wait = getenv("ROOKERY_SYNC_MS");
  char link[64], path[PATH_MAX], aside[PATH_MAX + 16], durable[PATH_MAX + 16], again[PATH_MAX];
  struct stat kind;
  if (wait != NULL) usleep(1000 * atoi(wait));
  if (folder == NULL || fstat(fd, &kind) != 0 || !S_ISREG(kind.st_mode)) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = 0;
  if (strncmp(path, folder, strlen(folder)) != 0) return;
  /* The file may be open for writing only. */
  snprintf(again, sizeof again, "%s", path);
  int from = open(again, O_RDONLY);
  if (from < 0) return;
  snprintf(aside, sizeof aside, "%s.aside", path);
  snprintf(durable, sizeof durable, "%s.durable", path);
  pthread_mutex_lock(&one_at_a_time);
  if (copied(from, aside)) rename(aside, durable);
  pthread_mutex_unlock(&one_at_a_time);
  close(from);
}

int fsync(int fd) {
  synced(fd);
  return 0;
}

int fdatasync(int fd) {
  synced(fd);
  return 0;
}
