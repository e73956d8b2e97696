"""`make upgrade` of a service: a backup, the new version beside the old one, what it changes in numbers, the switch.
And back by one command."""

import fcntl
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from operations.installation.places import ROOT, Places
from operations.installation.services import (
    READY_SECONDS,
    InstallationError,
    manage,
    read_env,
    say,
    uses_engine,
)
from operations.installation.switch import Switch
from operations.installation.versions import (
    SETUP,
    data_version,
    make_version,
    name_of,
    remove_old_versions,
)
from socialsite.clock import utc_now

UP = "The data are up to date"  # as the command says it
BRING_UP = ("upgrade", "--no-backup", "--patience", "30")
# A copy of the data is never to reach what the site keeps elsewhere.
BUCKETS = ("MEDIA_BUCKET", "PHOTO_BUCKET", "ARCHIVE_BUCKET", "EXPORT_BUCKET", "MAIL_EVENTS_QUEUE")
ROOM = 1_500_000_000  # bytes, for the packages of a version


@dataclass(frozen=True)
class Wish:
    places: Places
    source: Path = ROOT
    ref: str = "HEAD"
    setup: str = SETUP
    rehearse: bool = True
    seconds: float = READY_SECONDS


@contextmanager
def alone(places: Places) -> Iterator[None]:
    """One upgrade at a time. Raises `InstallationError` for a second one."""
    file = places.home / "upgrade.lock"
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise InstallationError(
            f"{file} cannot be opened ({error.strerror}). Run it as root."
        ) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise InstallationError(
            "Another upgrade or roll-back is under way. Wait for it."
        ) from error
    try:
        yield
    finally:
        os.close(descriptor)


def upgrade(wish: Wish) -> None:
    """Raises `InstallationError`; then the site runs as before."""
    places = wish.places
    with alone(places):
        before = places.read_state()
        if name_of(wish.source, wish.ref) == before.current:
            say(f"The site runs {before.current} already.")
            return
        old = places.versions / before.current
        embedded = uses_engine(read_env(places.env))
        if embedded:
            check_room(places)
        name = make_version(places, wish.source, wish.ref, wish.setup)
        new = places.versions / name
        manage(places, new, "check", "--deploy")
        backup = _back_up(places, old, name) if embedded else ""
        if data_version(new) < data_version(old):
            raise InstallationError(
                f"{name} is older than the data (version {data_version(old)}): it could not read them."
            )
        changes = data_version(new) > data_version(old)
        if embedded:
            is_due = wish.rehearse and rehearse(places, new, Path(backup))
        else:
            is_due = not manage(places, new, "upgrade", "--is-due").stdout.startswith(UP)
        switch = Switch(places, name, backup, wish.seconds, changes)
        if changes or is_due:
            if not embedded:
                say(
                    f"The table is at Amazon: its state of {utc_now():%Y-%m-%dT%H:%M} (UTC) can be restored."
                )
            say("The data are brought up, so the site is closed meanwhile.")
            switch.closed(lambda folder: _bring_up(places, folder))
        else:
            switch.open()
        remove_old_versions(places, keep={name, before.current})
        remove_old_backups(places)
    say(f"The site runs {name}. To go back to {before.current}: tools/upgrade-service --roll-back")


def check_room(places: Places) -> None:
    """Refuses before anything is written: a backup and a copy for the rehearsal are as large as the data each."""
    size = sum(file.stat().st_size for file in places.data.rglob("*") if file.is_file())
    for folder, needed in ((places.data, size), (places.backups, size), (places.home, ROOM)):
        free = shutil.disk_usage(folder).free
        if free < needed:
            raise InstallationError(
                f"The disk of {folder} has {free / 1e9:.1f} GB left, and the upgrade needs {needed / 1e9:.1f} GB "
                "there. Make room, then try again. Nothing has changed."
            )


def _back_up(places: Places, old: Path, name: str) -> str:
    """Saves the site by the version that runs, under a name that `--keep` of the nightly backups leaves alone."""
    file = places.backups / f"upgrade-to-{name}.tar.gz"
    file.unlink(missing_ok=True)
    manage(places, old, "backup", str(file))
    say(f"Saved the site as it is now in {file}.")
    return str(file)


def remove_old_backups(places: Places) -> None:
    """Removes what earlier upgrades saved, but for the backup by which one can go back now."""
    kept = places.read_state().backup
    for file in places.backups.glob("upgrade-to-*.tar.gz"):
        if str(file) != kept:
            file.unlink()


def rehearse(places: Places, new: Path, backup: Path) -> bool:
    """Brings a copy of the data up with the new version if it is due, and says what that changed in numbers. Returns
    whether it was due. Raises `InstallationError` if it fails there: then the site was never touched."""
    with tempfile.TemporaryDirectory(dir=places.data.parent, prefix="rehearsal-") as folder:
        if places.is_real:
            shutil.chown(folder, "socialsite", "socialsite")
        own = dict.fromkeys(BUCKETS, "") | {"DATA_DIR": str(Path(folder) / "data")}
        say("Rehearsing on a copy of the data:")
        manage(places, new, "restore", str(backup), **own)
        is_due = not manage(places, new, "upgrade", "--is-due", **own).stdout.startswith(UP)
        if not is_due:
            say("    The data are as the new version wants them, so the site stays open.")
            return False
        said = manage(places, new, *BRING_UP, **own).stdout
    for line in said.strip().splitlines():
        if not line.startswith(UP):
            say(f"    {line}")
    say(f"    The data go from version {_version_of(backup)} to {data_version(new)}.")
    return True


def _version_of(backup: Path) -> int:
    with tarfile.open(backup) as archive:
        content = archive.extractfile("manifest.json")
        return int(json.loads(content.read())["data_version"]) if content else 0


def _bring_up(places: Places, new: Path) -> None:
    for line in manage(places, new, *BRING_UP).stdout.strip().splitlines():
        say(f"    {line}")


def roll_back(wish: Wish, *, restore: bool = False) -> None:
    """Goes back to the version before. Where data were brought up since, that version cannot read them: with `restore`
    the backup of before takes their place, and what was written since is lost. Raises `InstallationError`."""
    places = wish.places
    with alone(places):
        state = places.read_state()
        if not state.previous or not (places.versions / state.previous).exists():
            raise InstallationError("There is no version before this one.")
        if state.migrated and not state.backup:
            raise InstallationError(
                f"{state.previous} cannot read the data any more: they were brought up for {state.current}, in the "
                "table at Amazon. Mend the new version, or restore the table to a moment before (docs/amazon.md)."
            )
        if state.migrated and not restore:
            raise InstallationError(
                f"{state.previous} cannot read the data any more: they were brought up for {state.current}. What can "
                f"go back is the site of before, from {state.backup}. All that people wrote since then would be lost: "
                "posts, messages, sign-ups, decisions. Where you want that, add --restore. Else mend the new version."
            )
        # Going back by a backup leaves nothing that the version after could not read.
        switch = Switch(places, state.previous, state.backup, wish.seconds)
        if state.migrated:
            old = places.versions / state.previous
            switch.closed(lambda _: _put_back(places, old, state.backup))
        else:
            switch.open()
    say(f"The site runs {state.previous} again.")


def _put_back(places: Places, old: Path, backup: str) -> None:
    said = manage(places, old, "restore", backup).stdout
    for line in said.strip().splitlines():
        say(f"    {line}")


def upgrade_here(arguments: list[str]) -> int:
    """Brings the data of a checkout up, as `manage.py upgrade` does."""
    command = [str(ROOT / ".venv/bin/python"), "manage.py", "upgrade", *arguments]
    return subprocess.run(command, cwd=ROOT, check=False).returncode  # noqa: S603
