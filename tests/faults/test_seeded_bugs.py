"""All seeded bugs, by the sentence that says what is wrong."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.faults.crash_points import LONG, SEED
from tests.faults.processes import ROOT
from tests.faults.seeded import Bug
from tests.faults.seeded_in_feed import COMPOSING, FEED, POLLS, TAGS
from tests.faults.seeded_in_moderation import MODERATION
from tests.faults.seeded_in_posts import EDITING, EXPIRY, PHOTOS, THREAD_BUGS, TIMELINES
from tests.faults.seeded_in_streams import NOTIFICATIONS, STREAMS, TABLE

ALL = (
    *(*STREAMS, *FEED, *TIMELINES, *EXPIRY, *POLLS, *THREAD_BUGS, *EDITING),
    *(*COMPOSING, *PHOTOS),
    *(*MODERATION, *NOTIFICATIONS, *TABLE, *TAGS),
)
BUGS = {one.name: one for one in ALL}

# The tests see known bugs: each is put into a copy of the tree, where the tests must fail.
#
# The short form tries a handful, others each day; `FAULTS=long` tries all, and the copy without a bug.

pytestmark = [
    pytest.mark.engines("embedded", reason="the copy runs its tests on an engine of its own"),
    pytest.mark.timeout(200),
]

HANDFUL = 3
LEAST_BUGS = 20
CODE = [
    *settings.ROOMS,
    *("templates", "tests", "deploy"),
    *("manage.py", "pyproject.toml"),
]
TESTS_FAILED = 1  # pytest's exit code: tests ran, and some failed

chosen = [*BUGS] if LONG else random.Random(SEED).sample([*BUGS], HANDFUL)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the code with its engine and static files."""
    copy = tmp_path_factory.mktemp("tree")
    for name in CODE:
        source = ROOT / name
        if source.is_dir():
            # With the compiled code, which Python leaves aside once a file has another time or size.
            shutil.copytree(source, copy / name)
        else:
            shutil.copy(source, copy / name)
    for unchanged in ("node_modules", "static"):
        (copy / unchanged).symlink_to(ROOT / unchanged)
    return copy


def run_tests(tree: Path, bug: Bug) -> subprocess.CompletedProcess[str]:
    arguments = ["-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", bug.tests]
    environment = os.environ | {"FAULTS": "long", "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("DATA_DIR", "DYNAMODB_ENDPOINT", "DJANGO_SETTINGS_MODULE"):
        environment.pop(name, None)
    return subprocess.run(
        [sys.executable, "-m", "pytest", *arguments, *(["-k", bug.only] if bug.only else [])],
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
        timeout=170,  # longer than a test may take: it then ends its engine itself
        check=False,
    )


def seeded(bug: Bug, source: str) -> str:
    for old, new in bug.changes:
        assert source.count(old) == 1, f"{bug.file} holds this {source.count(old)} times: {old}"
        source = source.replace(old, new)
    return source


@pytest.mark.parametrize("name", chosen)
def test_the_tests_catch_it_that(name: str, tree: Path) -> None:
    bug = BUGS[name]
    file = tree / bug.file
    right = file.read_text()
    try:
        file.write_text(seeded(bug, right))
        ended = run_tests(tree, bug)
    finally:
        file.write_text(right)
    assert ended.returncode == TESTS_FAILED, f"not caught: {name}\n{ended.stdout[-2000:]}"
    # A test failed, not only its file: an error after it is the audit, which saw the bug too.
    assert " failed" in ended.stdout.splitlines()[-1], ended.stdout[-3000:]


@pytest.mark.parametrize("name", chosen if LONG else chosen[:1])
def test_without_the_bug_the_same_tests_pass(name: str, tree: Path) -> None:
    ended = run_tests(tree, BUGS[name])
    assert ended.returncode == 0, ended.stdout[-3000:]


@pytest.mark.parametrize("name", BUGS)
def test_the_code_still_has_the_place_of(name: str) -> None:
    bug = BUGS[name]
    right = (ROOT / bug.file).read_text()
    assert seeded(bug, right) != right


def test_the_list_is_long_enough() -> None:
    assert len(BUGS) >= LEAST_BUGS
