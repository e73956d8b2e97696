"""masto and megalodon, the clients on which apps in browsers are built, unchanged from npm, each play a day of alice's
(`npm/masto.mjs`, `npm/megalodon.mjs`)."""

import shutil
import subprocess
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from feed.likes.writes import like_post
from feed.polls.models import PollWish
from feed.publishing.writes import publish_post
from relations.follows.writes import follow
from socialsite.table import ids
from tests.accounts.pictures import camera_jpeg
from tests.api.conftest import code_on_page
from tests.conftest import post
from tests.photos.conftest import *  # noqa: F403 - `folder`

NPM = Path(__file__).with_name("npm")
SECONDS = 60  # on a busy machine


@pytest.fixture
def node() -> str:
    found = shutil.which("node")
    if found is None or not (NPM / "node_modules").exists():
        pytest.skip("tools/install-npm-packages brings it, with Node 20 on the PATH")
    return found


@pytest.mark.parametrize("client", ["masto", "megalodon"])
def test_a_day_with(alice, bob, client, node, live_server, log_in, tmp_path, folder, drain_stream):
    follow(by=alice, user_id=bob.user_id)
    theirs, *_newer = [post(bob, f"Number {number}") for number in range(25)]
    wish = PollWish(("Yes", "No"))
    asked = publish_post(by=bob, content="Tea?", nonce=ids.new_id(), poll=wish)
    mine = post(alice)
    like_post(by=bob, post_id=mine, author_id=alice.user_id)
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    picture = tmp_path / "cat.jpg"
    picture.write_bytes(camera_jpeg())
    names = [f"{one}{bob.user_id}" for one in (theirs, asked)]
    known = [live_server.url, str(picture), bob.user_id, *names]
    complaints = tmp_path / "complaints"
    with complaints.open("w") as errors:
        process = subprocess.Popen(
            [node, f"{client}.mjs", *known],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=NPM,
            text=True,
        )
    assert process.stdin
    assert process.stdout
    said, _space, address = process.stdout.readline().partition(" ")
    assert said == "open", complaints.read_text()
    query = dict(parse_qsl(urlsplit(address.strip()).query))
    page = log_in(alice).post("/oauth/authorize", query | {"allow": "1"})
    print(code_on_page(page.content.decode()), file=process.stdin, flush=True)
    for _ in range(SECONDS * 3):  # the worker, beside it
        drain_stream()
        try:
            process.wait(0.3)
            break
        except subprocess.TimeoutExpired:
            continue
    process.kill()
    process.wait()
    assert process.stdout.read() == "whole\n", complaints.read_text()
