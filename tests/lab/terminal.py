"""Runs a command whose standard error is a terminal of so many columns: terminal.py COLUMNS COMMAND...
Prints the exit code and the length of the longest line that was drawn there."""
import fcntl
import os
import pty
import struct
import sys
import termios

child, terminal = pty.fork()
if not child:
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.environ["TERM"] = "xterm"
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execv(sys.argv[2], sys.argv[2:])
drawn = b""
try:
    while part := os.read(terminal, 65536):
        drawn += part
except OSError:
    pass  # how a terminal ends on Linux
lines = drawn.replace(b"\x1b[K", b"").replace(b"\r", b"\n").split(b"\n")
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), max(map(len, lines)))
