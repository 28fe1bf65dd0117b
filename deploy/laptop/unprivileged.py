"""Become the user `nobody` and run a program: `python unprivileged.py PROGRAM ARGUMENT...`, started by root.

PostgreSQL refuses to run as root. Its data may lie below a folder that only root may enter (a clone in /root), and
nobody's folder modes are to be changed for that: so on Linux the program keeps one capability of root's, to pass
through folders (CAP_DAC_OVERRIDE, as an ambient one). A script of its own, not a preexec_fn: the standard library
advises against those in programs with threads.
"""

import ctypes
import os
import pwd
import struct
import sys

PR_SET_SECUREBITS = 28
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2
SECBIT_NO_SETUID_FIXUP = 1 << 2  # capabilities outlive setuid, and access(2) looks at them
CAP_DAC_OVERRIDE = 1
CAPABILITY_VERSION_3 = 0x20080522


def _call(name: str, *arguments: object) -> None:
    """Call the C library, and raise what it reports."""
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _prctl(*arguments: int) -> None:
    padded = [*arguments, 0, 0, 0, 0][:5]
    _call("prctl", *(ctypes.c_ulong(argument) for argument in padded))


def keep_capabilities() -> None:
    """Before the change of user: let it take no capability away."""
    _prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP)


def keep_only_passage() -> None:
    """After the change of user: give up everything but the way through folders, and hand that to the program."""
    mask = 1 << CAP_DAC_OVERRIDE
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    _call("capset", header, struct.pack("=6I", mask, mask, mask, 0, 0, 0))
    _prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE)


def main() -> None:
    """Change the user, then become the program. A container may forbid the passage; the program says what it lacks."""
    nobody = pwd.getpwnam("nobody")
    passage = sys.platform == "linux"
    if passage:
        try:
            keep_capabilities()
        except OSError:
            passage = False
    os.setgroups([])
    os.setgid(nobody.pw_gid)
    os.setuid(nobody.pw_uid)
    if passage:
        keep_only_passage()
    os.execv(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
