"""What is this machine, and is a file the one that was expected?"""

import hashlib
import platform
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
