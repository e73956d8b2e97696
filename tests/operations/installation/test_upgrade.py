"""A service goes from one version to another while people post: nothing that was acknowledged is lost, whether the new
version is well, or its data have to be brought up, or it goes back."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from operations.serving.nginx import find_nginx
from tests.injected.faults import share
from tests.operations.installation.machine import Machine, Storm, machine
from tests.operations.serving.served import ROOT

BEFORE_THE_ROOMS = (
    "16472267"  # of 22 November 2026: data of version 1, one worker for all, no engine of its own
)
BEFORE_NEWS = (
    "3942fe19"  # of 27 November 2026: data of this version, and nobody tells open pages or pushes
)


def has_commit(ref: str) -> bool:
    command = ["git", "-C", str(ROOT), "cat-file", "-e", f"{ref}^{{commit}}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


pytestmark = [
    pytest.mark.engines("embedded", reason="each site runs an engine of its own"),
    pytest.mark.timeout(600),
    pytest.mark.long,
    pytest.mark.skipif(find_nginx({}) is None, reason="nginx is not installed"),
    pytest.mark.skipif(not has_commit(BEFORE_THE_ROOMS), reason="a clone without its history"),
]


# Each takes a minute or two, so a run tells two of them, and FAULTS=long all.
STORIES = ["earlier version", "back", "broken version", "data", "at Amazon"]
TOLD = share(STORIES, one_of=3, salt="upgrades")


def told(story: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(story not in TOLD, reason="other runs tell this story")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Machine]:
    with machine(tmp_path) as made:
        yield made


def installed(site: Machine, ref: str) -> None:
    """The service as it was with the code of a day."""
    if ref == BEFORE_THE_ROOMS:  # one worker did both
        site.systemd.without = ("--only", "stream")
    done = site.install("--yes", "--ref", ref)
    assert done.returncode == 0, done.stdout + done.stderr + site.logs()
    site.systemd.without = ()


def version(site: Machine) -> str:
    return site.places.current.resolve().name


# With a storm, from two earlier versions.


@told("earlier version")
@pytest.mark.parametrize(
    ("ref", "is_closed"),
    share([(BEFORE_THE_ROOMS, True), (BEFORE_NEWS, False)], one_of=2, salt="earlier versions"),
)
def test_no_acknowledged_post_is_lost_from_an_earlier_version(site, ref, is_closed):
    installed(site, ref)
    with Storm(site.port) as storm:
        storm.wait_for(12)
        done = site.upgrade()
        assert done.returncode == 0, done.stdout + done.stderr + site.logs()
        storm.wait_for(12)
    assert ("so the site is closed meanwhile" in done.stdout) is is_closed
    assert ("counts set right" in done.stdout) is is_closed  # what changed, in numbers
    assert ref not in version(site)
    assert set(storm.acknowledged) <= site.posts()
    print(
        f"{len(storm.acknowledged)} posts acknowledged, {storm.refused} refused, 0 lost; longest silence "
        f"{storm.longest_silence:.1f} s"
    )


@told("back")
def test_back_by_one_command_while_people_post(site):
    installed(site, BEFORE_NEWS)
    assert site.upgrade().returncode == 0
    with Storm(site.port) as storm:
        storm.wait_for(6)
        back = site.upgrade("--roll-back")
        assert back.returncode == 0, back.stdout + back.stderr + site.logs()
        storm.wait_for(6)
    assert BEFORE_NEWS in version(site)
    assert set(storm.acknowledged) <= site.posts()


# A version that is not well never takes over.


def broken(folder: Path, change: Callable[[Path], None]) -> Path:
    """A checkout of this code that something is wrong with."""
    source = folder / "broken"
    subprocess.run(["git", "clone", "-q", "--shared", str(ROOT), str(source)], check=True)
    change(source)
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "Broken"],
        cwd=source,
        check=True,
    )
    return source


def no_page_works(source: Path) -> None:
    (source / "socialsite/wsgi.py").write_text("raise RuntimeError('no')\n")


def no_worker_works(source: Path) -> None:
    file = source / "operations/management/commands/run_worker.py"
    file.write_text("raise RuntimeError('no')\n")


def migration_fails(source: Path) -> None:
    state = source / "socialsite/table/data_state.py"
    state.write_text(state.read_text().replace("DATA_VERSION = 2", "DATA_VERSION = 3"))
    file = source / "operations/management/commands/reconcile.py"
    file.write_text(file.read_text().replace("worker.drain()", "raise RuntimeError('half done')"))


@told("broken version")
@pytest.mark.parametrize(
    ("wrong", "options", "sentence"),
    share(
        [
            (no_page_works, ("--seconds", "12"), "does not answer as it should"),
            (no_worker_works, ("--seconds", "45"), "was not well"),
            (migration_fails, (), "`manage.py upgrade --no-backup"),
            (migration_fails, ("--no-rehearsal",), "with the data of before"),
        ],
        one_of=4,
        salt="broken versions",
    ),
)
def test_a_version_that_is_not_well_leaves_the_site_as_it_was(
    site, tmp_path, wrong, options, sentence
):
    installed(site, "HEAD")
    before = version(site)
    source = broken(tmp_path, wrong)
    with Storm(site.port) as storm:
        storm.wait_for(6)
        done = site.upgrade("--source", str(source), *options)
        assert done.returncode == 1, done.stdout
        assert sentence in done.stderr, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        storm.wait_for(6)
    assert version(site) == before
    assert set(storm.acknowledged) <= site.posts()


def newer_data(source: Path) -> None:
    state = source / "socialsite/table/data_state.py"
    state.write_text(state.read_text().replace("DATA_VERSION = 2", "DATA_VERSION = 3"))


@told("data")
def test_data_that_were_brought_up_go_back_by_their_backup_alone_and_it_says_what_is_lost(
    site, tmp_path
):
    installed(site, "HEAD")
    before = version(site)
    with Storm(site.port) as storm:
        storm.wait_for(6)
    done = site.upgrade("--source", str(broken(tmp_path, newer_data)))
    assert done.returncode == 0, done.stdout + done.stderr + site.logs()
    assert "from version 2 to 3" in done.stdout
    refused = site.upgrade("--roll-back")
    assert refused.returncode == 1
    assert "cannot read the data any more" in refused.stderr
    assert "would be lost" in refused.stderr
    assert version(site) != before
    back = site.upgrade("--roll-back", "--restore")
    assert back.returncode == 0, back.stdout + back.stderr + site.logs()
    assert version(site) == before
    assert set(storm.acknowledged) <= site.posts()
