#define _GNU_SOURCE
#define _DARWIN_C_SOURCE

#include "ChildProcess.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Runs in the child, where only what is safe in a signal handler may be called.
static void become(
  const char *path, char *const arguments[], char *const environment[], const char *folder,
  const int files[3], const char *terminal)
{
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setsid();
  // Ends a program that hangs, and with it the test that waits for it. Survives exec.
  alarm(45);
  if (terminal) {
    int file = open(terminal, O_RDWR);
    if (file < 0 || ioctl(file, TIOCSCTTY, 0) < 0) return;
    for (int number = 0; number < 3; number++) dup2(file, number);
    if (file > 2) close(file);
  } else {
    for (int number = 0; number < 3; number++) dup2(files[number], number);
  }
  if (chdir(folder) == 0) execve(path, arguments, environment);
}

pid_t child_process_start(
  const char *path, char *const arguments[], char *const environment[], const char *folder,
  const int files[3], const char *terminal)
{
  pid_t process = fork();
  if (process == 0) {
    become(path, arguments, environment, folder, files, terminal);
    _exit(127);
  }
  return process;
}

int child_process_open_terminal(char *path, size_t size)
{
  int file = posix_openpt(O_RDWR | O_NOCTTY);
  if (file < 0) return -1;
  fcntl(file, F_SETFD, FD_CLOEXEC);
  const char *name = NULL;
  if (grantpt(file) == 0 && unlockpt(file) == 0) name = ptsname(file);
  if (!name || strlen(name) >= size) {
    close(file);
    return -1;
  }
  strcpy(path, name);
  return file;
}

int child_process_open_pipe(int ends[2])
{
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) < 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}
