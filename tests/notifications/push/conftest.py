"""What tests of push share: a push service of this machine, a pusher, and a person with a device."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from accounts.models import SignIn
from accounts.people.viewer import Viewer
from accounts.sessions import hash_secret
from accounts.sign_in.writes import sign_in
from notifications.push.sender import Pusher
from socialsite.clock import utc_now
from socialsite.table import Item, as_model, fetch, keys, query
from tests.conftest import epoch_of
from tests.notifications.push.services import Browser, PushService, new_pusher, running_service


@pytest.fixture
def service() -> Iterator[PushService]:
    with running_service() as service:
        yield service


@pytest.fixture
def pusher(table: str) -> Pusher:
    return new_pusher()


def signed_in(person: Viewer) -> Viewer:
    """The person in a browser of their own."""
    secret = sign_in(user_id=person.user_id, browser="tests", epoch=epoch_of(person))
    return replace(person, secret_hash=hash_secret(secret))


@pytest.fixture
def alice_here(alice: Viewer) -> Viewer:
    return signed_in(alice)


@pytest.fixture
def device(alice_here: Viewer, pusher: Pusher, service: PushService) -> Browser:
    """Alice's browser, in which she has turned push on."""
    browser = Browser(f"{service.origin}/ok/alice")
    browser.turn_on(alice_here)
    return browser


@pytest.fixture
def push(drain_stream: Callable[[], None], pusher: Pusher) -> Callable[..., None]:
    """`push()`: the worker handles what happened, and the pusher sends what is due a minute later."""

    def send(*, at: datetime | None = None) -> None:
        drain_stream()
        pusher.look(at or utc_now() + timedelta(minutes=1))
        pusher.finish()

    return send


def waiting_work() -> list[Item]:
    return [
        as_model(Item, raw)
        for shard in range(keys.PUSH_SHARDS)
        for raw in query(keys.pushes(shard), consistent=True)
    ]


def devices_of(person: Viewer) -> list[str]:
    partition = keys.push_subscriptions(person.user_id)
    return [raw["device"]["S"] for raw in query(partition, consistent=True)]


def named_in_bell(person: Viewer) -> list[str]:
    key = keys.bell(person.user_id)
    return sorted(fetch([key], consistent=True).get(key, {}).get("push_to", {}).get("SS", ()))


def sign_in_of(person: Viewer) -> SignIn | None:
    key = keys.sign_in(person.user_id, person.secret_hash)
    raw = fetch([key], consistent=True).get(key)
    return as_model(SignIn, raw) if raw else None
