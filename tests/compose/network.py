"""A network namespace with a cable to this machine, so that an engine in it touches nothing of the machine's own."""

import os
import subprocess
from typing import Self


def ip(*words: str) -> None:
    """Run `ip`; its failure raises."""
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True, timeout=20)


class Namespace:
    """Open until `close`. There is no way out of it but to this machine, at `host`."""

    def __init__(self, name: str, inside: str, outside: str) -> None:
        self.name = name
        self.address = inside
        """Where this machine reaches what listens in the namespace."""
        self.host = outside
        self._cable = f"{name[:8]}{os.getpid() % 10_000:04}"

    @classmethod
    def open(cls, letters: str) -> Self:
        """Make one. The addresses come from the process's number, so that several runs get on side by side."""
        third, fourth = os.getpid() // 64 % 256, os.getpid() % 64 * 4
        self = cls(f"{letters}{os.getpid()}", f"10.231.{third}.{fourth + 2}", f"10.231.{third}.{fourth + 1}")
        try:
            ip("netns", "add", self.name)
            ip("link", "add", f"{self._cable}a", "type", "veth", "peer", "name", f"{self._cable}b", "netns", self.name)
            ip("addr", "add", f"{self.host}/30", "dev", f"{self._cable}a")
            ip("link", "set", f"{self._cable}a", "up")
            ip("-n", self.name, "addr", "add", f"{self.address}/30", "dev", f"{self._cable}b")
            ip("-n", self.name, "link", "set", f"{self._cable}b", "up")
            ip("-n", self.name, "link", "set", "lo", "up")
        except BaseException:
            self.close()
            raise
        return self

    def close(self) -> None:
        """Take it away, and the cable with it."""
        subprocess.run(["ip", "netns", "del", self.name], check=False, capture_output=True, timeout=20)
        subprocess.run(["ip", "link", "del", f"{self._cable}a"], check=False, capture_output=True, timeout=20)
