"""Another implementation of a push service takes what the pusher sends, and reads it word for word; and a pusher of its
own process loses nothing when it is killed."""

import json
import shutil
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings

from notifications.push.asking import Outcome
from notifications.push.services import service_of
from notifications.push.site_key import open_site_key
from notifications.push.writes import turn_on
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.due.models import PushHost
from socialsite.table import change, keys
from tests.faults.processes import Child, environment_of, wait_until
from tests.notifications.push.conftest import devices_of, waiting_work
from tests.notifications.push.services import Answering, Browser, running_service

NPM = Path(__file__).with_name("npm")
PROGRAM = NPM / "node_modules/web-push-testing/src/bin/server.js"


@pytest.fixture(scope="module")
def real_service() -> Iterator[str]:
    """The address of npm's `web-push-testing`."""
    node = shutil.which("node")
    if node is None or not PROGRAM.exists():
        pytest.skip("tools/install-npm-packages brings it, with Node 20 on the PATH")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([node, str(PROGRAM), str(port)], stdout=subprocess.DEVNULL, cwd=NPM)
    origin = f"http://localhost:{port}"
    try:
        wait_until(lambda: _answers(port), seconds=20)
        before, settings.PUSH_TEST_ORIGINS = settings.PUSH_TEST_ORIGINS, [origin]
        yield origin
        settings.PUSH_TEST_ORIGINS = before
    finally:
        process.kill()
        process.wait()


def _answers(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def ask(origin: str, path: str, **sent: object) -> dict[str, object]:
    request = urllib.request.Request(
        f"{origin}/{path}",
        json.dumps(sent).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        text = answer.read()
    return json.loads(text)["data"] if text.startswith(b"{") else {}


def subscribed(origin: str, viewer, *, key: str = "") -> dict[str, object]:
    """A subscription of that service, turned on for someone."""
    public = key or open_site_key().public
    given = ask(origin, "subscribe", userVisibleOnly="true", applicationServerKey=public)
    turn_on(
        by=viewer,
        endpoint=given["endpoint"],
        **given["keys"],
        key_id=open_site_key().key_id,
        browser="tests",
        language="en",
    )
    return given


def messages(origin: str, given: dict[str, object]) -> list[dict[str, object]]:
    got = ask(origin, "get-notifications", clientHash=given["clientHash"])
    return [json.loads(one) for one in got["messages"]]


def test_a_real_push_service_reads_the_right_words(
    alice, alice_here, bob, pusher, real_service, push
):
    given = subscribed(real_service, alice_here)
    follow(by=bob, user_id=alice.user_id)
    push()
    assert messages(real_service, given) == [
        {"title": "Bob Brandt followed you", "tag": "follow", "url": "/notifications", "badge": 1}
    ]
    assert pusher.answers == {Outcome.SENT: 1}


def test_it_refuses_what_another_key_signed(alice, alice_here, bob, pusher, real_service, push):
    other = Browser("https://fcm.googleapis.com/x").p256dh  # as good as any public key
    given = subscribed(real_service, alice_here, key=other)
    follow(by=bob, user_id=alice.user_id)
    push()
    assert pusher.answers == {Outcome.REFUSED: 1}
    assert messages(real_service, given) == []


def test_an_altered_push_is_refused(
    alice, alice_here, bob, pusher, real_service, push, monkeypatch
):
    given = subscribed(real_service, alice_here)
    real = pusher.connections.post
    monkeypatch.setattr(
        "notifications.push.asking.Connections.post",
        lambda self, service, body, headers: real(service, body[:-1] + b"x", headers),
    )
    follow(by=bob, user_id=alice.user_id)
    push()
    assert pusher.answers == {Outcome.REFUSED: 1}
    assert messages(real_service, given) == []


def test_an_expired_subscription_goes(alice, alice_here, bob, pusher, real_service, push):
    given = subscribed(real_service, alice_here)
    ask(real_service, f"expire-subscription/{given['clientHash']}")
    follow(by=bob, user_id=alice.user_id)
    push()
    assert devices_of(alice) == []


@pytest.mark.engines("embedded", reason="another process works on the same engine")
def test_a_pusher_killed_after_sending_sends_once_more_at_most(
    alice, alice_here, bob, pusher, drain_stream, table, tmp_path, monkeypatch
):
    """It is killed when the service has the push and has not answered. The next one takes over and sends it again."""
    monkeypatch.setattr("notifications.push.writes.WINDOW", 1)
    monkeypatch.setattr("notifications.push.writes.SOON", timedelta())
    with running_service() as service:
        browser = Browser(f"{service.origin}/hang/x")
        browser.turn_on(alice_here)
        assert service_of(browser.endpoint).host == "127.0.0.1"
        follow(by=bob, user_id=alice.user_id)
        drain_stream()
        let_others_send()
        environment = environment_of(settings.DYNAMODB_ENDPOINT, table, tmp_path) | {
            "DJANGO_SETTINGS_MODULE": "tests.notifications.push.settings_of_pusher",
            "PUSH_TEST_ORIGINS": service.origin,
        }
        killed = Child(["manage.py", "run_pusher"], environment, tmp_path / "log")
        try:
            wait_until(lambda: len(service.got) == 1, seconds=30)
        finally:
            killed.kill()
        assert len(waiting_work()) == 1  # it is not lost
        let_others_send()
        service.released.set()
        monkeypatch.setattr(Answering, "answer_hang", Answering.answer_ok)
        killed.start()
        try:
            wait_until(lambda: not waiting_work(), seconds=30)
        finally:
            killed.end()
        assert len(service.got) == 2
        for got in service.got:
            assert browser.read(got.body)["title"] == "Bob Brandt followed you"
    assert killed.process.returncode == 0


def let_others_send() -> None:
    """As if the half minute had passed for which the last one may send."""
    ended = [PushHost.until.set((utc_now() - timedelta(seconds=1)).isoformat())]
    change(PushHost, keys.push_host(), ended)
