"""News for open pages: the real process, real sockets, and what it says to whom."""

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client

from accounts.people.viewer import Viewer
from accounts.sessions import end_sign_ins_with, unchanged
from feed.likes.writes import like_post
from feed.posts.models import Audience
from feed.publishing.writes import publish_post
from moderation.models import ActionKind
from notifications.writes import read_notifications
from operations.serving.nginx import free_addresses
from relations.follows.writes import follow
from relations.lists.writes import add_to_list, create_list
from socialsite import news
from socialsite.news import News, pack, tell_pages, topic_of, unpack, watch, watched
from socialsite.streams.worker import Worker
from socialsite.table import ids, keys, writing
from socialsite.table.connection import endpoint
from tests.chats.scenes import knows, write
from tests.conftest import post
from tests.feed.scenes import answer
from tests.live import Listener, LiveProcess, cookie_of
from tests.moderation.cases import about, decide, report
from tests.web.html import Html

pytestmark = pytest.mark.engines("embedded", reason="the process works beside the engine at hand")


@pytest.fixture
def live(table: str, tmp_path: Path) -> Iterator[LiveProcess]:
    process = LiveProcess(tmp_path, str(endpoint()))
    yield process
    process.kill()


Listens = Callable[..., Listener]


@pytest.fixture
def listens(live: LiveProcess, log_in: Callable[[Viewer], Client]) -> Listens:
    """`listens(alice)`: her page, which has heard that somebody tells."""

    def listen(viewer: Viewer, query: str = "ago=0") -> Listener:
        listener = Listener(live, log_in(viewer), query)
        assert (listener.status, listener.next()) == (200, "open")
        return listener

    return listen


def test_a_like_an_answer_and_a_message_are_told_to_whom_they_are_for_alone(
    listens, alice, bob, carol, drain_stream
):
    post_id = post(alice, "Hello")
    knows(alice, bob)
    drain_stream()
    hers, his, others = listens(alice), listens(bob), listens(carol)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    drain_stream()
    assert hers.hears("bell")
    write(bob, alice)
    drain_stream()
    assert hers.hears("chat")
    assert his.hears("chat")  # in his other windows
    assert others.is_quiet()


def test_a_post_is_told_to_the_homes_that_get_it(listens, alice, bob, carol, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    his, others = listens(bob), listens(carol)
    post(alice, "Hello")
    drain_stream()
    assert his.next() == "home"
    assert others.is_quiet()


def test_reading_in_one_window_is_told_to_the_others(listens, alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    hers = listens(alice)
    read_notifications(by=alice, up_to=9)
    assert hers.hears("bell")


def test_an_open_thread_hears_of_answers_and_only_a_page_that_was_drawn_for_one_can_listen(
    listens, alice, bob, carol, log_in, drain_stream
):
    post_id = post(alice, "Hello")
    page = Html(log_in(carol).get(f"/@alice/posts/{post_id}"))
    token = page.one(id="replies")["data-news"]
    hers, his = listens(carol, f"ago=0&w={token}"), listens(bob, f"ago=0&w={token}")
    answer(bob, alice, post_id)
    drain_stream()
    assert hers.hears("thread")
    assert his.is_quiet()


def test_an_open_list_hears_of_posts_of_its_people(listens, alice, bob, log_in, drain_stream):
    list_id = create_list(by=bob, name="Near")
    add_to_list(by=bob, list_id=list_id, user_id=alice.user_id)
    drain_stream()
    token = Html(log_in(bob).get(f"/lists/{list_id}")).one(id="feed")["data-news"]
    his = listens(bob, f"ago=0&w={token}")
    post(alice, "Hello")
    drain_stream()
    assert his.hears("posts")


def for_followers(author: Viewer) -> str:
    nonce = ids.new_id()
    return publish_post(by=author, content="Between us", nonce=nonce, audience=Audience.FOLLOWERS)


def test_posts_for_followers_are_told_to_those_who_follow_alone(
    listens, alice, bob, carol, log_in, drain_stream
):
    follow(by=carol, user_id=alice.user_id)
    drain_stream()
    for_followers(alice)
    listeners = []
    for viewer in (bob, carol):
        list_id = create_list(by=viewer, name="Near")
        add_to_list(by=viewer, list_id=list_id, user_id=alice.user_id)
        drain_stream()
        token = Html(log_in(viewer).get(f"/lists/{list_id}")).one(id="feed")["data-news"]
        listeners.append(listens(viewer, f"ago=0&w={token}"))
    his, hers = listeners
    for_followers(alice)
    drain_stream()
    assert hers.hears("posts")
    assert his.is_quiet()
    post(alice, "For all")
    drain_stream()
    assert hers.hears("posts")
    assert his.hears("posts")


def test_home_hears_of_posts_for_followers_that_no_timeline_gets(
    listens, alice, bob, log_in, drain_stream, settings
):
    settings.PULL_ABOVE = 0
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    post(alice, "She crosses over")
    drain_stream()
    token = Html(log_in(bob).get("/")).one(id="feed")["data-news"]
    his = listens(bob, f"ago=0&w={token}")
    for_followers(alice)
    drain_stream()
    assert his.hears("posts")


def test_what_came_between_a_page_and_its_connection_is_told(listens, alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert listens(alice, "ago=30").next() == "bell"
    assert listens(alice, "ago=0").is_quiet()
    assert listens(alice, "ago=3600").next() == "any"


def test_signing_out_ends_the_connection_at_once(live, listens, alice, log_in):
    browser = log_in(alice)
    here, elsewhere = Listener(live, browser), listens(alice)
    assert here.next() == "open"
    browser.post("/logout")
    assert here.ends()
    assert not elsewhere.has_ended
    assert live.ask("/live", Cookie=cookie_of(browser)).status == 204


def test_signing_out_everywhere_ends_the_others(listens, alice):
    elsewhere = listens(alice)
    end_sign_ins_with(unchanged(alice.user_id), user_id=alice.user_id)
    assert elsewhere.ends()


def test_a_suspension_ends_the_connection(listens, alice, bob, mod, drain_stream):
    hers = listens(alice)
    report(bob, alice)
    decide(mod, about(alice), ActionKind.SUSPEND)
    drain_stream()
    assert hers.ends()


def test_nothing_of_it_is_kept_or_readable_elsewhere(live, listens, alice):
    answer = listens(alice).response
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Content-Type"] == "text/event-stream"
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert "Server" not in answer.headers


def test_it_tells_only_those_who_are_signed_in_and_ask_from_this_site(live, log_in, alice):
    cookie = cookie_of(log_in(alice))
    assert live.ask("/live").status == 204
    assert live.ask("/live", Cookie=f"{cookie[:-2]}xx").status == 204
    assert live.ask("/live", Cookie=cookie, Sec_Fetch_Site="cross-site").status == 403
    assert live.ask("/live", Cookie=cookie, Origin="https://evil.example").status == 403
    assert live.ask("/live", Cookie=cookie, Origin=f"http://{live.bind}").status == 200
    assert live.ask("/live", method="POST", Cookie=cookie).status == 405
    assert live.ask("/elsewhere", Cookie=cookie).status == 404
    assert live.ask("/live?ago=soon&w=x&w=%ff&" + "a=1&" * 50, Cookie=cookie).status == 200


def test_bounds_hold_for_a_person_for_an_address_and_for_all(
    table, tmp_path, alice, bob, carol, log_in
):
    bounds = {"LIVE_PER_PERSON": "2", "LIVE_PER_ADDRESS": "3"}
    live = LiveProcess(tmp_path, str(endpoint()), **bounds)
    try:
        hers = [Listener(live, log_in(alice)) for _ in range(3)]
        assert hers[0].ends(), "the oldest makes room"
        his = Listener(live, log_in(bob))
        assert [one.status for one in (*hers[1:], his)] == [200] * 3
        refused = live.ask("/live", Cookie=cookie_of(log_in(carol)))
        assert (refused.status, refused.headers["Retry-After"]) == (429, "60")
    finally:
        live.kill()


def test_pipelined_requests_get_one_answer_and_rubbish_none(live, alice, log_in):
    cookie = cookie_of(log_in(alice))
    with live.raw() as browser:
        one = f"GET /live HTTP/1.1\r\nHost: {live.bind}\r\nCookie: {cookie}\r\n\r\n".encode()
        browser.sendall(one * 20)
        assert read_for(browser, 1.5).count(b"HTTP/1.1 200") == 1
    with live.raw() as browser:
        browser.sendall(b"GET /live HTTP/1.1\r\nCookie: " + b"x" * 100_000)
        assert b" 200 " not in read_for(browser, 1.5)
    assert live.ask("/healthz").read() == b"ok"


def read_for(browser: socket.socket, seconds: float) -> bytes:
    browser.settimeout(0.2)
    until, found = time.monotonic() + seconds, b""
    while time.monotonic() < until:
        try:
            if not (piece := browser.recv(65_536)):
                break
            found += piece
        except TimeoutError:
            continue
        except OSError:
            break
    return found


def test_a_flood_becomes_few_lines_and_a_reader_who_takes_none_holds_up_nobody(
    live, listens, alice, bob, log_in
):
    with live.raw() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        cookie = cookie_of(log_in(bob))
        slow.sendall(f"GET /live HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n".encode())
        hers = listens(alice)
        for _ in range(2000):
            tell_pages(News.BELL, [keys.user(alice.user_id), keys.user(bob.user_id)])
        assert hers.next() == "bell"
        time.sleep(2.5)
        tell_pages(News.CHAT, [keys.user(alice.user_id)])
        said = [hers.next()]
        while said[-1] not in ("chat", ""):
            said.append(hers.next())
        assert said[-1] == "chat"
        assert len(said) <= 5


def test_it_is_killed_and_started_and_the_worker_too(
    live, listens, alice, bob, carol, drain_stream
):
    """Nobody waits for it, and what it missed pages ask for by themselves: a bell is there in any case."""
    hers = listens(alice)
    live.kill()
    assert hers.ends()
    began = time.monotonic()
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert time.monotonic() - began < 10
    live.start()
    again = listens(alice)
    first = Worker()
    follow(by=carol, user_id=alice.user_id)
    first.discover()
    first.give_up()
    drain_stream()  # by another one
    assert again.hears("bell")


def test_telling_never_waits_where_nobody_reads(tmp_path, monkeypatch, settings):
    settings.DATA_DIR = tmp_path
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as stuck:
        stuck.bind(news.socket_path())
        began = time.monotonic()
        for number in range(3000):
            tell_pages(News.HOME, [f"u#{number}#{one}" for one in range(10)])
        assert time.monotonic() - began < 2
        assert 0 < len(news._sender()._waiting) < news.MOST_WAITING + 10
        stuck.setblocking(False)
        heard = set()
        for _ in range(100):
            try:
                heard |= set(unpack(stuck.recv(65_536)))
            except BlockingIOError:
                time.sleep(news.PAUSE)
                news.send_rest()
        assert len(heard) > 4000
    tell_pages(News.BELL, ["gone"])  # nobody listens any more


@pytest.mark.usefixtures("table")
def test_a_socket_that_cannot_be_made_fails_no_write_that_is_done(
    alice, bob, monkeypatch, settings, tmp_path
):
    settings.DATA_DIR, settings.LIVE_ADDRESS = tmp_path, ["[fd00::5]:8003"]

    def fail(*_: object) -> None:
        raise OSError("Address family not supported by protocol")

    monkeypatch.setattr(news, "_socket", fail)
    follow(by=bob, user_id=alice.user_id)
    read_notifications(by=alice, up_to=9)  # a bell
    tell_pages(News.CHAT, [keys.user(alice.user_id)])
    news.send_rest()


def test_what_a_listener_raises_fails_no_write_that_is_done(alice, bob, monkeypatch, caplog):
    def fail(_actions: object) -> None:
        raise RuntimeError("A listener is broken")

    monkeypatch.setattr(writing, "_listeners", [fail])
    follow(by=bob, user_id=alice.user_id)
    assert "A listener is broken" in caplog.text


def test_a_datagram_of_someone_else_says_nothing_and_names_nobody(table, alice):
    entry = news.CODES[News.BELL] + topic_of(News.BELL, keys.user(alice.user_id))
    datagram = pack([entry])
    assert [*unpack(datagram)] == [(News.BELL, entry[1:])]
    assert [*unpack(datagram[:-1] + b"x")] == []
    assert [*unpack(b""), *unpack(b"x" * 23)] == []
    assert alice.user_id.encode() not in datagram


def test_a_token_is_for_its_person_and_ends(table, alice, bob, monkeypatch):
    token = watch(alice.user_id, News.THREAD, ["a thread"])
    assert watched(alice.user_id, token) == {topic_of(News.THREAD, "a thread")}
    assert watched(bob.user_id, token) == set()
    monkeypatch.setattr(news, "WATCHED_FOR", -1)
    assert watched(alice.user_id, token) == set()
    assert watch("", News.THREAD, ["a thread"]) == ""
    assert topic_of(News.POSTS, "u#1") != topic_of(News.BELL, "u#1")


def test_where_no_worker_can_tell_it_looks_at_the_bells(
    table, tmp_path, alice, bob, log_in, settings, drain_stream
):
    elsewhere = free_addresses(1)[0]
    live = LiveProcess(tmp_path, str(endpoint()), LIVE_POLL="1", LIVE_ADDRESS=elsewhere)
    try:
        hers = Listener(live, log_in(alice))
        assert hers.next() == "open-bell"
        assert hers.is_quiet(seconds=2.5)
        follow(by=bob, user_id=alice.user_id)
        drain_stream()
        assert hers.next() == "bell"
    finally:
        live.kill()


def test_without_the_process_the_site_says_that_nobody_tells(log_in, alice):
    answer = log_in(alice).get("/live")
    assert (answer.status_code, answer["Cache-Control"]) == (204, "no-store")
