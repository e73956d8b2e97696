"""`manage.py move` is killed (SIGKILL) at moments of chance, again and again, then ends: nothing is lost or twice."""

import os
import random
import subprocess
import sys

import pytest
from django.core.management import call_command

from feed.likes.writes import like_post
from operations.installation.services import read_env
from operations.moving.place import OF_A_SITE
from socialsite.streams.worker import Worker
from tests.conftest import post
from tests.engine.processes import PROJECT
from tests.looks import broken_invariants
from tests.operations.moving.places import Site, living_at
from tests.operations.moving.test_moving import likes_here, posts_here

pytestmark = pytest.mark.engines("embedded", reason="chance decides, not the engine")

KILLS = 5
POSTS = 150
LONGEST = 9.0  # seconds that the command may take here, on a busy machine


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
