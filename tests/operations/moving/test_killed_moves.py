"""A site moves while people post and like, and while its command is killed (SIGKILL) at moments of chance: nothing is
lost or twice."""

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import call_command

from feed.likes.writes import like_post
from feed.publishing.writes import publish_post
from operations.installation.services import read_env
from operations.moving.place import OF_A_SITE
from socialsite.site_settings.read_only import closed_while_read_only, read_only_now
from socialsite.streams.worker import Worker
from socialsite.table import ids
from socialsite.table.errors import ReadOnly
from tests.conftest import browser_of, post
from tests.engine.processes import PROJECT
from tests.looks import broken_invariants
from tests.operations.moving.places import Site, living_at
from tests.operations.moving.test_moving import likes_here, posts_here

pytestmark = pytest.mark.engines("embedded", reason="chance decides, not the engine")

KILLS = 5
POSTS = 150
LONGEST = 9.0  # seconds that the command may take here, on a busy machine


@dataclass
class Storm:
    """People who post and like, as pages let them: not while the site is only read."""

    people: list
    posts: dict[str, str] = field(default_factory=dict)  # author by post, what was acknowledged
    likes: set[tuple[str, str]] = field(default_factory=set)
    refused: int = 0
    faults: list[Exception] = field(default_factory=list)

    @contextmanager
    def raging(self) -> Iterator[None]:
        stop = threading.Event()
        threads = [threading.Thread(target=self._run, args=(one, stop)) for one in self.people]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        assert self.faults == []

    def _run(self, by, stop: threading.Event) -> None:
        try:
            while not stop.is_set():
                read_only_now()
                with closed_while_read_only():
                    self._act(by)
        except Exception as error:
            self.faults.append(error)

    def _act(self, by) -> None:
        try:
            made = publish_post(by=by, content="In the storm", nonce=ids.new_id())
            self.posts[made] = by.user_id
            for liked, author_id in [*self.posts.items()][-3:]:
                if author_id != by.user_id and (by.user_id, liked) not in self.likes:
                    like_post(by=by, post_id=liked, author_id=author_id)
                    self.likes.add((by.user_id, liked))
        except ReadOnly:
            self.refused += 1
            time.sleep(0.1)
        time.sleep(0.03)


@contextmanager
def worker_at_work() -> Iterator[None]:
    stop = threading.Event()
    thread = threading.Thread(target=Worker().run, args=(stop,))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_site_moves_in_a_storm_and_back_and_loses_nothing(
    old, new, alice, bob, carol, monkeypatch, capsys
):
    # How long a page may take here: engines have half a minute in tests.
    monkeypatch.setattr(settings, "PAGE_SECONDS", 8.0)
    storm = Storm([alice, bob, carol])
    storages["photos"].save("private/a.webp", ContentFile(b"a photo"))
    browser = browser_of(alice)
    with worker_at_work(), storm.raging():
        call_command("move", to=new.file)
        seen = len(storm.posts)
        call_command("move", to=new.file, finish=True, no_audit=True)
    assert storm.refused
    assert len(storm.posts) > seen > 3
    with living_at(new):
        assert storm.posts.keys() <= posts_here()
        assert storm.likes <= likes_here()
        assert broken_invariants() == {}
        assert storages["photos"].open("private/a.webp").read() == b"a photo"
        assert browser.get("/").status_code == 200
        assert read_only_now()
        call_command("read_only", "off")
        monkeypatch.setattr(settings, "PAGE_SECONDS", 8.0)
        liked = post(alice, "There")
        like_post(by=bob, post_id=liked, author_id=alice.user_id)
        with worker_at_work(), storm.raging():
            call_command("move", to=old.file, finish=True, no_audit=True)
    with living_at(old):
        assert {*storm.posts, liked} <= posts_here()
        assert storm.likes <= likes_here()
        assert broken_invariants() == {}
        call_command("read_only", "off")
        like_post(by=carol, post_id=liked, author_id=alice.user_id)
        Worker().drain()
        assert broken_invariants() == {}
    with capsys.disabled():
        print(f"\n{len(storm.posts)} posts and {len(storm.likes)} likes acknowledged, 0 lost")


def move(old: Site, new: Site) -> "subprocess.Popen[str]":
    own = {name: one for name, one in os.environ.items() if not name.startswith(OF_A_SITE)}
    return subprocess.Popen(
        [sys.executable, "manage.py", "move", "--to", str(new.file), "--finish"],
        cwd=PROJECT,
        env=own | read_env(old.file) | {"SITE_RULES_SECONDS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_move_that_is_killed_again_and_again_ends_well(old, new, alice, bob):
    seed = os.environ["FAULTS_SEED"]
    chance, killed = random.Random(seed), 0
    liked = [post(alice, f"Number {number}") for number in range(POSTS)]
    for post_id in liked[:20]:
        like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    posts, likes = posts_here(), likes_here()
    while True:
        child = move(old, new)
        try:
            said, _ = child.communicate(
                timeout=chance.uniform(1.0, LONGEST) if killed < KILLS else 120
            )
            break
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            killed += 1
    assert child.returncode == 0, f"FAULTS_SEED={seed}: {said}"
    assert "The audit there finds nothing broken." in said
    with living_at(new):
        assert (posts_here(), likes_here()) == (posts, likes)
        call_command("read_only", "off")
        like_post(by=bob, post_id=liked[-1], author_id=alice.user_id)
        Worker().drain()
        assert broken_invariants() == {}
    print(f"killed {killed} times")
