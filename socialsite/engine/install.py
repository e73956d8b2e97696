"""How does the embedded engine get onto this machine? Run `python -m socialsite.engine.install`.

It fetches the program that `choice.py` names, and what that needs, so that Python alone is enough.
"""

import os
import sys
from pathlib import Path

from socialsite.engine.choice import choose
from socialsite.engine.program import EngineError


def main() -> int:
    """Install, and print the one sentence when that cannot be done."""
    project = Path(__file__).resolve().parents[2]
    try:
        choose(Path(os.environ.get("DATA_DIR") or project / "var")).install(project)
    except EngineError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
