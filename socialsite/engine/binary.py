"""Which program is the embedded engine on this machine? Fetching it is `install.py`'s work."""

import hashlib
import os
import platform
from pathlib import Path

from socialsite.engine.errors import EngineError

BINARY_VARIABLE = "SOCIALSITE_ENGINE_BINARY"
INSTALL_COMMAND = "python -m socialsite.engine.install"

# Only platforms whose package exists at the pinned version: npm fails on one that does not.
SHA256_OF_PLATFORM = {
    "linux-x64": "be909b7910d3fb552e85db10ef3c8ebae4bd35fee0f26dffdb6dfa5cc656426e",
}

# npm's words for what Python calls these.
NPM_OS = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}
NPM_CPU = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def find_binary(project: Path) -> Path:
    """Return the engine's executable, verified, or raise the sentence that says what to do."""
    chosen = os.environ.get(BINARY_VARIABLE)
    if chosen:
        return _chosen_binary(Path(chosen))
    name = platform_name()
    if name not in SHA256_OF_PLATFORM:
        raise EngineError(no_engine_sentence(name))
    path = packaged_binary(project, name)
    if not path.is_file():
        raise EngineError(
            f"The embedded DynamoDB engine is not installed: run `{INSTALL_COMMAND}`."
        )
    if sha256_of(path) != SHA256_OF_PLATFORM[name]:
        raise EngineError(
            f"The embedded DynamoDB engine {path} is not the file this version expects (its "
            f"SHA-256 differs): run `{INSTALL_COMMAND}` to install it anew."
        )
    return path


def _chosen_binary(path: Path) -> Path:
    # A binary someone built or chose on purpose has no checksum that could be known here.
    if not path.is_file() or not os.access(path, os.X_OK):
        raise EngineError(
            f"{BINARY_VARIABLE} is set to {path}, which is not an executable file: correct it, "
            "or unset it to use the installed engine."
        )
    return path.resolve()


def platform_name() -> str:
    """Return this machine as npm's platform packages spell it, such as `linux-x64`."""
    system, machine = platform.system(), platform.machine().lower()
    return f"{NPM_OS.get(system, system.lower())}-{NPM_CPU.get(machine, machine)}"


def no_engine_sentence(name: str) -> str:
    """Return the sentence for a platform without a packaged engine."""
    return (
        f"The embedded DynamoDB engine does not exist for {name}: set DYNAMODB_ENDPOINT to any "
        "DynamoDB, such as DynamoDB Local, or use Amazon DynamoDB through AWS settings "
        "(AWS_REGION and credentials)."
    )


def packaged_binary(project: Path, name: str) -> Path:
    """Return where npm puts the engine of a platform."""
    return project / "node_modules" / "@dynoxide" / name / "dynoxide"


def sha256_of(path: Path) -> str:
    """Return the file's SHA-256 in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
