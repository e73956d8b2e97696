"""Apps hear what is new as it comes: the real process beside the real site, and what it passes on to whom."""

import http.client
import json
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from mastodon import StreamListener
from pytest_django.live_server_helper import LiveServer

from accounts.access.writes import end_access
from accounts.people.viewer import Viewer
from accounts.sessions import end_sign_ins_with, hash_secret, unchanged
from feed.likes.writes import like_post
from feed.posts.reads import Pointer
from feed.publishing.changes import edit_post
from feed.publishing.writes import delete_post
from feed.sharing.writes import repost
from moderation.models import ActionKind
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.table import ids
from socialsite.table.connection import endpoint
from tests.api.conftest import token_of
from tests.conftest import post
from tests.faults.processes import wait_until
from tests.live import SOON, LiveProcess, served_by
from tests.moderation.cases import about, decide, report

pytestmark = pytest.mark.engines("embedded", reason="the process works beside the engine at hand")


@pytest.fixture
def live(table: str, tmp_path: Path, live_server: LiveServer) -> Iterator[LiveProcess]:
    process = LiveProcess(tmp_path, str(endpoint()), LIVE_SITE=live_server.url)
    yield process
    process.kill()


class Hearing:
    """An app that listens: the events that it got, and whether its stream has ended."""

    def __init__(self, live: LiveProcess, token: str, stream: str = "user", **headers: str) -> None:
        self.events: queue.SimpleQueue[tuple[str, Any, str]] = queue.SimpleQueue()
        self.has_ended = False
        self.response = live.ask(
            f"/api/v1/streaming/{stream}",
            Authorization=f"Bearer {token}",
            Host=live_host(live),
            **headers,
        )
        self.begun = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def status(self) -> int:
        return self.response.status

    def next(self) -> tuple[str, Any, str]:
        with suppress(queue.Empty):
            return self.events.get(timeout=SOON)
        return "", None, ""

    def is_quiet(self, *, seconds: float = 2.5) -> bool:
        with suppress(queue.Empty):
            self.events.get(timeout=seconds)
            return False
        return True

    def ends(self) -> bool:
        with suppress(AssertionError):
            wait_until(lambda: self.has_ended, seconds=SOON)
        return self.has_ended

    def _read(self) -> None:
        event: dict[str, str] = {}
        lines = 0
        with suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
            for raw in self.response:
                line = raw.decode().rstrip("\n")
                if line.startswith(":"):
                    lines += 1
                    if lines == 2:  # the first look is over
                        self.begun.set()
                elif line:
                    name, _, value = line.partition(": ")
                    event[name] = value
                elif event:
                    self.events.put((event["event"], json.loads(event["data"]), event["id"]))
                    self.begun.set()
                    event = {}
        self.has_ended = True


HOSTS: dict[str, str] = {}


def live_host(live: LiveProcess) -> str:
    return HOSTS["site"]


Hears = Callable[..., Hearing]


@pytest.fixture
def hears(live: LiveProcess, live_server: LiveServer) -> Hears:
    """`hears(alice)`: an app of hers that listens, and has looked at what was there before."""
    HOSTS["site"] = live_server.url.removeprefix("http://")

    def listen(viewer: Viewer, *scopes: str, stream: str = "user", **headers: str) -> Hearing:
        hearing = Hearing(live, token_of(viewer, *scopes), stream, **headers)
        assert hearing.status == 200, hearing.response.read()
        assert hearing.begun.wait(SOON)
        return hearing

    return listen


def test_a_post_comes_to_those_who_follow_with_all_that_is_in_it(
    hears, alice, bob, carol, drain_stream
):
    follow(by=bob, user_id=alice.user_id)
    post(alice, "Before")
    drain_stream()
    his, others = hears(bob), hears(carol)
    post_id = post(alice, "Hello")
    drain_stream()
    event, status, _ = his.next()
    assert (event, status["id"]) == ("update", f"{post_id}{alice.user_id}")
    assert "Hello" in status["content"]
    assert others.is_quiet()


def test_a_like_is_a_notification_and_home_stays_out_of_the_stream_of_notifications(
    hears, alice, bob, drain_stream
):
    post_id = post(alice, "Hello")
    drain_stream()
    hers, only = hears(alice), hears(alice, stream="user/notification")
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    drain_stream()
    for one in (hers, only):
        event, told, _ = one.next()
        assert (event, told["type"], told["account"]["acct"]) == (
            "notification",
            "favourite",
            "bob",
        )
    post(alice, "Another")
    drain_stream()
    assert hers.next()[0] == "update"  # one's own stands in one's home
    assert only.is_quiet()


def test_a_token_hears_what_its_scopes_let_it_read(hears, live, alice, bob, drain_stream):
    post_id = post(alice, "Hello")
    drain_stream()
    hers = hears(alice, "read:statuses")
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    drain_stream()
    assert hers.is_quiet()
    assert Hearing(live, token_of(alice, "write"), "user").status == 403
    assert Hearing(live, token_of(alice, "read:statuses"), "user/notification").status == 403


def test_posts_come_too_that_no_timeline_gets(hears, alice, bob, drain_stream, settings):
    settings.PULL_ABOVE = 0
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    post(alice, "She crosses over")
    drain_stream()
    his = hears(bob)
    pulled = post(alice, "Hello")
    drain_stream()
    assert his.next()[1]["id"][:26] == pulled


def test_a_block_between_two_events_hides_the_second(hears, alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    his = hears(bob)
    post(alice, "One")
    drain_stream()
    assert his.next()[0] == "update"
    block(by=bob, user_id=alice.user_id)
    post(alice, "Two")
    drain_stream()
    assert his.is_quiet()


def test_an_edit_and_a_deletion_are_told_of_posts_that_came(hears, alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    his = hears(bob)
    post_id = post(alice, "Helo")
    drain_stream()
    name = his.next()[1]["id"]
    edit_post(by=alice, post_id=post_id, content="Hello", version=1)
    drain_stream()
    event, status, _ = his.next()
    assert (event, status["id"]) == ("status.update", name)
    assert "Hello" in status["content"]
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    assert his.next()[:2] == ("delete", name)


def test_a_repost_comes_as_one_and_goes_with_its_post(hears, alice, bob, carol, drain_stream):
    follow(by=bob, user_id=carol.user_id)
    post_id = post(alice, "Hello")
    drain_stream()
    his = hears(bob)
    repost(by=carol, post=Pointer(post_id, alice.user_id))
    drain_stream()
    status = his.next()[1]
    assert status["reblog"]["id"] == f"{post_id}{alice.user_id}"
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    assert {his.next()[1], his.next()[1]} == {status["id"], status["reblog"]["id"]}


def test_a_burst_comes_whole_and_in_order(hears, alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    his = hears(bob)
    written = [post(alice, f"Number {number}") for number in range(30)]
    drain_stream()
    assert [his.next()[1]["id"][:26] for _ in written] == written
    assert his.is_quiet()


@pytest.mark.parametrize("end", ["token", "everywhere", "suspended"])
def test_what_ends_a_token_ends_its_stream(live, hears, alice, bob, mod, drain_stream, end):
    token = token_of(alice)
    hers = Hearing(live, token)
    assert hers.begun.wait(SOON)
    if end == "token":
        end_access(user_id=alice.user_id, secret_hash=hash_secret(token.partition(".")[2]))
    elif end == "everywhere":
        end_sign_ins_with(unchanged(alice.user_id), user_id=alice.user_id)
    else:
        report(bob, alice)
        decide(mod, about(alice), ActionKind.SUSPEND)
        drain_stream()
    assert hers.ends()
    assert Hearing(live, token).status in (401, 403)


def test_after_a_kill_nothing_is_lost_for_those_who_say_what_they_had(
    live, hears, alice, bob, drain_stream
):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    his = hears(bob)
    post(alice, "One")
    drain_stream()
    last = his.next()[2]
    live.kill()
    assert his.ends()
    missed = post(alice, "Two")
    drain_stream()
    live.start()
    again = hears(bob, Last_Event_ID=last)
    told = [again.next()[1]["id"][:26]]
    while told[-1] != missed:
        told.append(again.next()[1]["id"][:26])
    assert told.count(missed) == 1


def test_who_comes_anew_hears_only_of_what_comes_then(hears, alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    post(alice, "Before")
    drain_stream()
    assert hears(bob).is_quiet()


def test_while_the_site_is_away_a_stream_stays_and_passes_on_what_came(
    hears, alice, bob, drain_stream, monkeypatch
):
    from api import access

    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    his = hears(bob)
    answers = access._answer

    def away(request: Any, *args: Any) -> Any:
        return access.failed(503, "away", Retry_After="1")

    monkeypatch.setattr(access, "_answer", away)
    post_id = post(alice, "Hello")
    drain_stream()
    assert his.is_quiet()
    monkeypatch.setattr(access, "_answer", answers)
    assert his.next()[1]["id"][:26] == post_id


def test_a_stream_spends_one_call_and_its_questions_none(
    live, hears, alice, bob, drain_stream, app
):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    his = app(bob)
    before = his.ask("get", "/api/v1/preferences").headers["X-RateLimit-Remaining"]
    streamed = Hearing(live, his.token)
    assert streamed.begun.wait(SOON)
    for number in range(3):
        post(alice, f"Number {number}")
        drain_stream()
        assert streamed.next()[0] == "update"
    after = his.ask("get", "/api/v1/preferences").headers["X-RateLimit-Remaining"]
    assert int(before) - int(after) == 2  # the beginning, and this one


def test_what_is_no_stream_or_has_no_token_is_refused_as_elsewhere(live, hears, alice):
    token = token_of(alice)
    for path in ("public", "public/local", "hashtag?tag=cats", "list?list=1", "direct", "watching"):
        assert Hearing(live, token, path).status == 404
    assert Hearing(live, "nonsense").status == 401
    assert Hearing(live, f"{alice.user_id}.made-up").status == 401
    answer = live.ask("/api/v1/streaming/health")
    assert (answer.status, answer.read()) == (200, b"OK")
    assert live.ask("/api/v1/streaming/user", method="POST").status == 405
    upgraded = live.ask(
        f"/api/v1/streaming?access_token={token}&stream=user",
        Connection="Upgrade", Upgrade="websocket", Sec_WebSocket_Key="eA==", Sec_WebSocket_Version="13",
    )  # fmt: skip
    assert upgraded.status == 404
    asked = live.ask("/api/v1/streaming/user", method="OPTIONS", Origin="https://elk.example")
    assert asked.status == 204
    assert asked.headers["Access-Control-Allow-Origin"] == "*"
    assert "Authorization" in asked.headers["Access-Control-Allow-Headers"]


def test_a_token_may_stand_in_the_address_and_is_written_nowhere(
    live, hears, alice, tmp_path, live_server
):
    token = token_of(alice)
    answer = live.ask(f"/api/v1/streaming/user?access_token={token}", Host=HOSTS["site"])
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    assert token not in (tmp_path / "live.log").read_text()


def test_of_a_token_the_oldest_of_five_streams_ends(live, hears, alice):
    token = token_of(alice)
    streams = [Hearing(live, token) for _ in range(5)]
    assert streams[0].ends()
    assert not any(one.has_ended for one in streams[1:])


def test_what_is_asked_for_an_event_is_no_more_than_it_needs(
    alice, bob, drain_stream, measure, app
):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    his, begun = app(bob), ids.first_id_at(utc_now())
    his.get("/api/v1/preferences")
    home = f"/api/v1/timelines/home?min_id={begun}{'0' * ids.LENGTH}"
    for posts, units in ((0, 2.5), (1, 4.5), (4, 12)):
        for _ in range(posts):
            post(alice)
        drain_stream()
        with measure() as meter:
            his.get(home)
        assert sum(call.units for call in meter.calls) <= units
        assert len(meter.calls) <= 3
    for path, units in (("streaming/watching", 2), (f"notifications?min_id={begun[:10]}", 3)):
        with measure() as meter:
            his.get(f"/api/v1/{path}")
        assert sum(call.units for call in meter.calls) <= units


def test_no_address_of_streams_is_told_where_apps_would_try_a_websocket_for_ever(table, app):
    """Elk and Phanpy ask again by themselves without one; Mastodon.py takes the site's own."""
    visitor = app()
    assert "streaming" not in visitor.get("/api/v2/instance")["configuration"]["urls"]
    assert visitor.get("/api/v1/instance")["urls"] == {}


class Bot(StreamListener):
    def __init__(self) -> None:
        self.heard: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self.beats, self.has_begun = threading.Event(), False

    def on_update(self, status: Any) -> None:
        self.heard.put(("update", status))

    def on_notification(self, notification: Any) -> None:
        self.heard.put(("notification", notification))

    def on_delete(self, status_id: Any) -> None:
        self.heard.put(("delete", status_id))

    def on_status_update(self, status: Any) -> None:
        self.heard.put(("edit", status))

    def handle_heartbeat(self) -> None:
        if self.has_begun:  # the second one: the first look is over
            self.beats.set()
        self.has_begun = True


def test_mastodon_py_unchanged_hears_posts_notifications_edits_and_deletions(
    live, mastodon, alice, bob, drain_stream
):
    follow(by=alice, user_id=bob.user_id)
    drain_stream()
    with served_by(live):
        client, bot = mastodon(alice), Bot()
        assert client.stream_healthy()
        handle = client.stream_user(bot, run_async=True)
        assert bot.beats.wait(SOON)
        post_id = post(bob, "Hello")
        drain_stream()
        event, status = bot.heard.get(timeout=SOON)
        assert (event, status.account.acct, status.id[:26]) == ("update", "bob", post_id)
        edit_post(by=bob, post_id=post_id, content="Hello all", version=1)
        drain_stream()
        assert bot.heard.get(timeout=SOON)[0] == "edit"
        delete_post(by=bob, post_id=post_id)
        drain_stream()
        assert bot.heard.get(timeout=SOON) == ("delete", status.id)
        own = post(alice, "Mine")
        drain_stream()
        assert bot.heard.get(timeout=SOON)[0] == "update"
        like_post(by=bob, post_id=own, author_id=alice.user_id)
        drain_stream()
        event, told = bot.heard.get(timeout=SOON)
        assert (event, told.type, told.status.id[:26]) == ("notification", "favourite", own)
        closing = threading.Thread(target=handle.close)
        closing.start()
        wait_until(lambda: handle.closed, seconds=SOON)
        live.kill()  # else closing waits for the next line, which comes every 15 seconds
        closing.join()
