"""The program `ipcsim`, as `python -m ipcsim` or by the script that pip installs."""

from __future__ import annotations

import sys

from . import _native


def run() -> int:
    """Runs the program with the arguments of the process, and returns its exit code."""
    return _native.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(run())
