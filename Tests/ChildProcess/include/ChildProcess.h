#ifndef CHILD_PROCESS_H
#define CHILD_PROCESS_H

#include <sys/types.h>

// What Swift does not see of the C library on Linux, or may not do between fork and exec.

/// Starts a program in a session of its own, with default signals of which none is blocked.
///
/// With a `terminal` that is opened as its three files and becomes its controlling terminal;
/// otherwise `files` are the three. After 45 seconds SIGALRM ends the program. Returns the process, or -1 with `errno`.
pid_t child_process_start(
  const char *path, char *const arguments[], char *const environment[], const char *folder,
  const int files[3], const char *terminal);

/// Opens the controlling side of a new terminal, not inherited by programs, and copies the path of
/// the other side. Returns -1 with `errno` on failure.
int child_process_open_terminal(char *path, size_t size);

/// Opens a pipe that programs do not inherit. Returns -1 with `errno` on failure.
int child_process_open_pipe(int ends[2]);

#endif
