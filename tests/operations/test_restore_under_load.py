"""A site is backed up while people use it, killed, and restored: what was acknowledged before the backup is there.

One restore a run, in one of both ways, and twenty with `FAULTS=long`.
Real processes: the commands as a person types them, the site, someone who uses it (`tests.faults.load`).
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.processes import Child, wait_until
from tests.faults.world import World
from tests.injected.faults import share
from tests.operations.commands.test_runserver import ROOT, Site, processes_of, running

pytestmark = [
    pytest.mark.engines("embedded", reason="it restores an engine of its own"),
    pytest.mark.timeout(1800),
]

ROUNDS = 20
DEEDS = 25  # acknowledged before each backup
OWN = ("AWS_", "DYNAMODB_", "DJANGO_", "SECRET_KEY", "DATA_KEY", "DEBUG")


def environment(data_dir: Path) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(OWN)}
    return clean | {"DATA_DIR": str(data_dir), "DEMO": "0"}


def manage(data_dir: Path, *arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(data_dir),
        capture_output=True,
        text=True,
        check=False,
        **more,  # type: ignore[call-overload]
    )


def use_site(data_dir: Path, deeds: Path) -> Child:
    """Someone who uses the site beside its server, on the keys in the folder."""
    return Child(
        ["-m", "tests.faults.load", str(deeds), deeds.stem],
        {"DATA_DIR": str(data_dir), "DEBUG": "1", "SECRET_KEY": "", "DATA_KEY": ""},
        deeds.with_suffix(".log"),
    )


def kill_everything(site: Site, load: Child, data_dir: Path) -> None:
    load.kill()
    os.killpg(site.process.pid, signal.SIGKILL)
    site.process.wait()
    wait_until(lambda: not processes_of(data_dir), seconds=20)


def backed_up_under_load(data_dir: Path, deeds: Path) -> tuple[Path, World, World]:
    """Uses the site, backs it up, goes on using it, and kills all at once.

    Returns the backup, and what was acknowledged before it began and after it ended.
    """
    site = Site(data_dir, DEMO="0")
    site.wait_for("socialsite is at")
    load = use_site(data_dir, deeds)
    try:
        wait_until(lambda: World.read(deeds).deeds >= DEEDS, seconds=120)
        before = World.read(deeds)
        saved = manage(data_dir, "backup")
        after = World.read(deeds)
        assert saved.returncode == 0, saved.stderr
        wait_until(lambda: World.read(deeds).deeds > after.deeds, seconds=60)
    finally:
        kill_everything(site, load, data_dir)
    return Path(saved.stdout.strip()), before, after


def posts_in(data_dir: Path) -> set[str]:
    listing = manage(data_dir, "shell", "-c", LIST_POSTS)
    assert listing.returncode == 0, listing.stderr
    lines = listing.stdout.splitlines()
    return {line.removeprefix("post ") for line in lines if line.startswith("post ")}


def has_same_email(data_dir: Path) -> bool:
    """Whether an address that has an account is known, which takes the key of the backup."""
    return "email" in manage(
        data_dir,
        "createadmin",
        "another_one",
        "--email=person_0@example.org",
        "--password-stdin",
        input="correct horse battery\n",
    ).stderr.replace("e-mail", "email")


@pytest.mark.long
def test_after_a_crash_a_restore_brings_back_all_that_the_backup_had_seen(tmp_path):
    acknowledged = 0
    rounds = share(range(ROUNDS), one_of=ROUNDS, salt="restores")
    for number in rounds:
        data_dir, deeds = tmp_path / f"var-{number}", tmp_path / f"deeds-{number}.jsonl"
        file, before, after = backed_up_under_load(data_dir, deeds)
        # In turn over what the crash left, log included, and into a folder that was never there.
        target = data_dir if number % 2 == 0 else tmp_path / f"empty-{number}"
        restored = manage(target, "restore", str(file))
        assert restored.returncode == 0, restored.stderr
        with running(target, DEMO="0"):
            wait_until(lambda: manage(target, "audit").returncode == 0, seconds=60)  # noqa: B023
            assert has_same_email(target)
            there = posts_in(target)
        assert set(before.posts) - set(after.deleted) <= there
        assert there <= set(World.read(deeds).posts) | set(World.read(deeds).deleted)
        acknowledged += len(before.posts)
    print(
        f"{len(rounds)} restores: {acknowledged} posts acknowledged before the backups, 0 missing"
    )


LIST_POSTS = """
from socialsite.table.reading import scan
for raw in scan():
    if raw["type"]["S"] == "Post":
        print("post", raw["post_id"]["S"])
"""
