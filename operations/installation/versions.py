"""How does a version get a folder and packages of its own? From a checkout: what git has at a commit, or the folder as
it is where there is no git."""

import os
import re
import shlex
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from operations.installation.places import Places
from operations.installation.services import InstallationError, say

WHOLE = ".whole"  # written last, so that a half version is never taken for one
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "var", "node_modules", "staticfiles", "__pycache__", ".env"
)
DATA_VERSION = re.compile(r"^DATA_VERSION = (\d+)", re.MULTILINE)
SETUP = "make setup"


def name_of(source: Path, ref: str) -> str:
    """Returns the version's name: the commit with its day, or the newest change of the folder."""
    shown = _git(source, "show", "-s", "--format=%cs-%h", ref)
    if shown:
        return shown
    if ref != "HEAD":
        raise InstallationError(f"{source} has no commit {ref}.")
    newest = max(file.stat().st_mtime for file in source.glob("*.py"))
    return f"folder-{int(newest)}"


def make_version(places: Places, source: Path, ref: str, setup: str = SETUP) -> str:
    """Makes the folder of a version with its packages, if it is not there yet, and returns its name."""
    name = name_of(source, ref)
    folder = places.versions / name
    if (folder / WHOLE).exists():
        say(f"The version {name} is there already.")
        return name
    say(f"Making the version {name} in {folder} …")
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    _take_code(source, ref, folder)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    command = shlex.split(setup)
    done = subprocess.run(  # noqa: S603 - the operator's own command
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or [""]
        raise InstallationError(f"`{setup}` failed in {folder}. {last[0]} Nothing has changed.")
    if not (folder / ".venv/bin/python").exists():
        raise InstallationError(f"`{setup}` made no .venv in {folder}. Nothing has changed.")
    python = str(folder / ".venv/bin/python")
    # The site's user cannot write there, so it is compiled now.
    without = r"[/\\](\.venv|node_modules)[/\\]"
    subprocess.run([python, "-m", "compileall", "-qx", without, "."], cwd=folder, check=False)  # noqa: S603
    _collect_static(folder)
    (folder / WHOLE).touch()
    return name


def _collect_static(folder: Path) -> None:
    """Collects the static files into the version, with a data folder and secrets for this moment alone."""
    own = {name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ}
    with tempfile.TemporaryDirectory() as data:
        done = subprocess.run(  # noqa: S603
            [str(folder / ".venv/bin/python"), "manage.py", "collectstatic", "--noinput", "-v0"],
            cwd=folder,
            env=own
            | {"DATA_DIR": data, "DEBUG": "0"}
            | {"SECRET_KEY": data * 9, "DATA_KEY": data[::-1] * 9, "ALLOWED_HOSTS": "localhost"},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise InstallationError(
            f"The static files of {folder} cannot be collected. {done.stderr.strip()[-300:]}"
        )


def _take_code(source: Path, ref: str, folder: Path) -> None:
    if not _git(source, "rev-parse", "--verify", f"{ref}^{{commit}}"):
        shutil.copytree(source, folder, ignore=LEFT_OUT, symlinks=True)
        return
    with tempfile.TemporaryFile() as file:
        command = [*_git_in(source), "archive", "--format=tar", ref]
        if subprocess.run(command, stdout=file, check=False).returncode:  # noqa: S603
            raise InstallationError(f"git cannot take {ref} out of {source}.")
        file.seek(0)
        folder.mkdir(mode=0o755)
        with tarfile.open(fileobj=file) as archive:
            archive.extractall(folder, filter="data")


def _git(source: Path, *arguments: str) -> str:
    if not (command := _git_in(source)):
        return ""
    done = subprocess.run(  # noqa: S603 - the machine's own
        [*command, *arguments], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else ""


def _git_in(source: Path) -> list[str]:
    """Returns git for a checkout that may be another user's, as root installs it. Empty without git."""
    program = shutil.which("git")
    return [program, "-c", f"safe.directory={source}", "-C", str(source)] if program else []


def data_version(folder: Path) -> int:
    """Returns up to which version of the data this code reads, 0 if it says none. It is read, not run."""
    for file in (folder / "socialsite").rglob("*.py"):
        if found := DATA_VERSION.search(file.read_text(errors="replace")):
            return int(found[1])
    return 0


def remove_old_versions(places: Places, *, keep: set[str]) -> list[str]:
    """Removes the versions that nothing names any more, and returns their names."""
    gone = [folder.name for folder in places.versions.iterdir() if folder.name not in keep]
    for name in gone:
        shutil.rmtree(places.versions / name, ignore_errors=True)
    return gone
