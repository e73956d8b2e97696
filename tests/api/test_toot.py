"""toot, the client of the command line, unchanged from PyPI: its commands are run as a person types them, and what it
prints is what it understood."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from api.pages import pointer_to
from feed.likes.writes import like_post
from feed.sharing.writes import repost
from feed.threads.reads import get_conversation
from relations.follows.writes import follow
from relations.reads import get_profile, list_following
from tests.accounts.pictures import camera_jpeg
from tests.api.conftest import code_on_page, tokens_of
from tests.conftest import post
from tests.feed.scenes import answer as reply
from tests.photos.conftest import *  # noqa: F403 - `folder`

SECONDS = 60  # for its start, on a busy machine
# Its commands run in one process, as its start takes longer than they do. The process is not that of the tests: what
# its terminal library (urwid) puts in the place of modules warns those who inspect them.
RUNNER = """
import json, sys
from click.testing import CliRunner
from toot.cli import cli

for line in sys.stdin:
    done = CliRunner().invoke(cli, json.loads(line))
    print(json.dumps([done.exit_code, done.output or repr(done.exception)]), flush=True)
"""


class Toot:
    """toot with a configuration of its own."""

    def __init__(self, home: Path, url: str) -> None:
        own = {"XDG_CONFIG_HOME": str(home), "NO_COLOR": "1", "COLUMNS": "120", "PYTHONUTF8": "1"}
        self.url, self.environment = url, own
        self.running = self._start(sys.executable, "-c", RUNNER)

    def _start(self, *command: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=self.environment, stdin=pipe, stdout=pipe, text=True)

    def sign_in(self, browser: Any) -> str:
        """Runs `toot login`, opens its address in a browser, and answers with the code that the page shows. Returns
        what it says at the end."""
        program = str(Path(sys.executable).with_name("toot"))
        process = self._start(program, "login", "--instance", self.url)
        assert process.stdout
        said = ""
        for line in process.stdout:
            said += line
            if line.startswith(self.url):
                break
        else:
            pytest.fail(f"toot asked for no sign-in: {said}")
        asked = dict(parse_qsl(urlsplit(line.strip()).query))
        page = browser.post("/oauth/authorize", asked | {"allow": "1"}).content.decode()
        told, _ = process.communicate(f"n\n{code_on_page(page)}\n", timeout=SECONDS)
        assert process.returncode == 0, told
        return told

    def run(self, *words: str) -> tuple[int, str]:
        """Runs a command, and returns its exit code and what it prints."""
        assert self.running.stdin
        assert self.running.stdout
        print(json.dumps(words), file=self.running.stdin, flush=True)
        code, said = json.loads(self.running.stdout.readline())
        return code, said

    def __call__(self, *words: str) -> str:
        code, said = self.run(*words)
        assert code == 0, (words, said)
        return said

    def json(self, *words: str) -> Any:
        return json.loads(self(*words, "--json"))

    def fails(self, *words: str) -> str:
        code, said = self.run(*words)
        assert code != 0, (words, said)
        return said


@pytest.fixture
def toot(alice, table, live_server, log_in, tmp_path, folder):
    """toot, signed in for alice."""
    one = Toot(tmp_path, live_server.url)
    assert "Successfully logged in" in one.sign_in(log_in(alice))
    yield one
    one.running.kill()
    one.running.wait()


def test_a_day_with_it(alice, bob, toot, tmp_path, drain_stream):
    """One story, as one sign-in is what it costs."""
    assert "@alice" in toot("whoami")
    assert "alice@" in toot("auth")
    assert "socialsite" in toot("instance")

    # Posting, with a warning, a photo and a poll.
    theirs = post(bob, "Bob was here first")
    name = f"{theirs}{bob.user_id}"
    mine = toot.json("post", "Hello from the #commandline")["id"]
    picture = tmp_path / "cat.jpg"
    picture.write_bytes(camera_jpeg())
    with_photo = toot.json(
        "post", "A cat", "--media", str(picture), "--description", "Black", "--spoiler-text", "Cat"
    )
    assert with_photo["media_attachments"][0]["description"] == "Black"
    asked = toot.json("post", "Tea?", "--poll-option", "Yes", "--poll-option", "No")
    assert [one["title"] for one in asked["poll"]["options"]] == ["Yes", "No"]
    assert "Yes" in toot("polls", "show", asked["poll"]["id"])

    # People.
    assert "You are now following bob" in toot("follow", "bob")
    assert [one.user_id for one in list_following(alice.user_id, viewer=alice).items] == [
        bob.user_id
    ]
    assert "@bob" in toot("following")
    assert "@bob" in toot("whois", "bob")
    drain_stream()
    later = post(bob, "Bob is in your home")
    drain_stream()

    # Timelines and posts.
    assert "Bob is in your home" in toot("timelines", "home", "--no-pager", "--no-clear")
    assert "Bob was here first" in toot("timelines", "public", "--no-pager", "--no-clear")
    assert "Bob was here first" in toot("timelines", "account", "bob", "--no-pager", "--no-clear")
    assert "commandline" in toot("timelines", "tag", "commandline", "--no-pager", "--no-clear")
    assert "Bob was here first" in toot("status", name)
    answer = toot.json("post", "Indeed", "--reply-to", name)
    assert answer["in_reply_to_id"] == name
    drain_stream()
    assert "Indeed" in toot("thread", name)
    (branch,) = get_conversation(theirs, bob.user_id, viewer=bob).branches
    assert branch.chain[0].card.text == "Indeed"

    # What one does with a post, and its undoing.
    likes = ("timelines", "favourites", "--no-pager", "--no-clear")
    for done, undone, shown in (
        ("favourite", "unfavourite", likes),
        ("bookmark", "unbookmark", ("bookmarks", "--once")),
    ):
        toot(done, name)
        assert "Bob was here first" in toot(*shown)
        toot(undone, name)
        assert "Bob was here first" not in toot(*shown)
    toot("reblog", name)
    drain_stream()
    assert "Alice Archer" in toot("reblogged-by", name)
    toot("unreblog", name)
    toot("pin", mine)
    toot("unpin", mine)

    # The inbox and the search.
    like_post(by=bob, post_id=mine[:26], author_id=alice.user_id)
    repost(by=bob, post=pointer_to(mine))
    follow(by=bob, user_id=alice.user_id)
    reply(bob, alice, mine[:26], "Welcome")
    drain_stream()
    told = toot("notifications")
    for words in ("favourited", "boosted", "now follows you", "Welcome"):
        assert words in told, words
    assert "Welcome" in toot("notifications", "--type", "mention")
    assert "cleared" in toot("notifications", "--clear")
    found = toot("search", "bob")
    assert "@bob" in found
    assert name in toot("search", "first", "--type", "statuses")
    assert "favourited" in toot("favourite", f"{toot.url}/@bob/posts/{theirs}")

    # Lists and tags.
    toot("lists", "create", "Near")
    toot("lists", "add", "Near", "bob")
    assert "@bob" in toot("lists", "accounts", "Near")
    drain_stream()
    assert "Bob is in your home" in toot("timelines", "list", "Near", "--no-pager", "--no-clear")
    toot("lists", "remove", "Near", "bob")
    toot("lists", "delete", "Near")
    assert "no lists" in toot("lists", "list")
    toot("tags", "follow", "tea")
    assert "tea" in toot("tags", "followed")
    toot("tags", "unfollow", "tea")
    assert "not following any" in toot("tags", "followed")
    assert "Not followed" in toot("tags", "info", "commandline")
    assert "Tag not found" in toot.fails("tags", "info", "comma")

    # The profile, and leaving people be.
    toot("update-account", "--display-name", "Alice of the line")
    assert "Alice of the line" in toot("whoami")
    toot("mute", "bob")
    assert "@bob" in toot("muted")
    toot("unmute", "bob")
    toot("block", "bob")
    assert "@bob" in toot("blocked")
    assert get_profile(bob.user_id, viewer=alice).relationship.blocks
    toot("unblock", "bob")
    assert "No accounts blocked" in toot("blocked")

    # Errors are sentences.
    assert "Record not found" in toot.fails("status", f"{later}{alice.user_id}")
    assert "Choose who can see it" in toot.fails("post", "x", "--visibility", "direct")

    toot("delete", mine)
    assert "Record not found" in toot.fails("status", mine)
    (account,) = (line.split()[1] for line in toot("auth").splitlines() if line.startswith("*"))
    assert "logged out" in toot("logout", account)
    assert "not logged in" in toot("auth")
    assert tokens_of(alice)  # it forgets its token, and ends it nowhere
