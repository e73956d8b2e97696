"""Which file is dynoxide on this machine? Fetching it is `package.py`'s work."""

import os
from pathlib import Path

from socialsite.engine.errors import INSTALL_COMMAND, EngineError, no_program_sentence
from socialsite.engine.machine import platform_name, sha256_of

BINARY_VARIABLE = "SOCIALSITE_ENGINE_BINARY"

# Only platforms whose package exists at the pinned version: npm fails on one that does not.
SHA256_OF_PLATFORM = {
    "linux-x64": "be909b7910d3fb552e85db10ef3c8ebae4bd35fee0f26dffdb6dfa5cc656426e",
}


def find_binary(project: Path) -> Path:
    """Return the engine's executable, verified, or raise the sentence that says what to do."""
    chosen = os.environ.get(BINARY_VARIABLE)
    if chosen:
        return _chosen_binary(Path(chosen))
    name = platform_name()
    if name not in SHA256_OF_PLATFORM:
        raise EngineError(no_program_sentence("dynoxide", name))
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


def runs_on(name: str) -> bool:
    """Tell whether there is a dynoxide for the platform, or one that was chosen by hand."""
    return name in SHA256_OF_PLATFORM or bool(os.environ.get(BINARY_VARIABLE))


def packaged_binary(project: Path, name: str) -> Path:
    """Return where npm puts the engine of a platform."""
    return project / "node_modules" / "@dynoxide" / name / "dynoxide"
