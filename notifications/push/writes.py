"""Turning push on and off for a device, and what is planned for the pusher."""

import hashlib
import json
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from pynamodb.expressions.update import Action

from accounts.credentials.reencrypt import key_to_seal
from accounts.models import Bell, SignIn
from accounts.people.viewer import Viewer
from accounts.sessions import BROWSER_MAX_LENGTH, today
from notifications.models import PushSubscription, PushWork
from notifications.push.choices import PushChoices
from notifications.push.encryption import BrowserKeys
from notifications.push.services import service_of
from socialsite.clock import utc_now
from socialsite.table import (
    ALWAYS,
    IS_ABSENT,
    Change,
    Check,
    Delete,
    Erase,
    Moved,
    NotFound,
    Put,
    Upsert,
    access_pattern,
    fetch,
    keys,
    query,
    row,
    transact,
    write_batch,
    write_optimistically,
)

KEPT_DAYS = 60  # after the last visit
MOST_DEVICES = 10
DEVICE = 20  # hexadecimal digits
APP = "app-"  # before those of an app
SEALED = "sealed"  # the attribute
WINDOW = 10  # seconds, of which what comes in them is one push
SOON = timedelta(seconds=4)
TEST = "test"


def device_of(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()[:DEVICE]


@access_pattern
def turn_on(
    *, by: Viewer, endpoint: str, p256dh: str, auth: str, key_id: str, browser: str, language: str
) -> str:
    """Has what waits for the person pushed to this browser, for as long as they are signed in here, and returns the
    device. The same browser again renews it. Of more than 10 devices the one that was longest unseen goes. Raises
    `UnknownService`, `BadKeys`, and `NotFound` if the sign-in has ended meanwhile.

    One consistent Query of the devices and one consistent BatchGetItem of the SignIn, 1.5 to 3 read units, and 0.5 for
    the person's key. One TransactWriteItems of subscription, bell and sign-in, with a check of the key: 8 write units,
    and 2 for a device that goes.
    """
    service = service_of(endpoint)
    BrowserKeys.from_text(p256dh, auth)
    device, key = device_of(endpoint), key_to_seal(by.user_id)
    place = keys.push_subscription(by.user_id, device)
    text = json.dumps({"endpoint": endpoint, "p256dh": p256dh, "auth": auth})
    new = PushSubscription.new(
        user_id=by.user_id,
        device=device,
        sealed=key.seal(text, key=place, attribute=SEALED),
        service=service.name,
        session=by.secret_hash,
        key_id=key_id,
        browser=browser[:BROWSER_MAX_LENGTH],
        language=language,
        made=today(),
        ttl=utc_now() + timedelta(days=KEPT_DAYS),
    )

    def attempt() -> None:
        before = _device_here(by)
        for gone in devices_that_go(by.user_id, device, before):
            remove_device(user_id=by.user_id, device=gone)
        here = SignIn.push_device == before if before else SignIn.push_device.does_not_exist()
        transact(
            Put(new),
            Upsert(Bell, keys.bell(by.user_id), named_in_bell(by.user_id, device), ALWAYS, Moved),
            Change(
                SignIn,
                keys.sign_in(by.user_id, by.secret_hash),
                [SignIn.push_device.set(device)],
                condition=here,
                otherwise=Moved,
            ),
            key.check(),
        )

    write_optimistically(attempt)
    return device


def _device_here(by: Viewer) -> str:
    key = keys.sign_in(by.user_id, by.secret_hash)
    raw = fetch([key], consistent=True).get(key)
    if raw is None:
        raise NotFound("signed out meanwhile")
    return row(SignIn, raw).push_device


def devices_that_go(user_id: str, device: str, before: str) -> list[str]:
    """Returns what this sign-in or app had before, and those that were longest unseen if there are too many."""
    found = list(query(keys.push_subscriptions(user_id), consistent=True))
    found.sort(key=lambda raw: int(raw["ttl"]["N"]))
    others = [row(PushSubscription, raw).device for raw in found]
    left = [one for one in others if one not in (device, before)]
    gone = left[: max(0, len(left) + 1 - MOST_DEVICES)]
    return [*gone, before] if before not in ("", device) else gone


def named_in_bell(user_id: str, device: str) -> list[Action]:
    """Returns what names a device in the bell, which may be a new one."""
    return [
        Bell.user_id.set(user_id),
        Bell.unseen.set(Bell.unseen | {}),
        Bell.changes.set(Bell.changes | 0),
        Bell.push_to.add({device}),
    ]


@access_pattern
def remove_device(*, user_id: str, device: str, session: str = "") -> None:
    """Has nothing pushed to a device any more, with `session` only if it is that sign-in's by now: it may have been
    brought again under another. Safe to repeat. One TransactWriteItems of subscription and bell, 4 write units."""
    key = keys.push_subscription(user_id, device)
    its = PushSubscription.session == session
    gone = Delete(key, its, otherwise=Moved) if session else Erase(key)
    with suppress(Moved):
        try:
            transact(gone, Change(Bell, keys.bell(user_id), [Bell.push_to.delete({device})]))
        except NotFound:  # the account is gone
            transact(gone)


@access_pattern
def forget_device(*, user_id: str, device: str) -> None:
    """Takes a device out of the bell whose subscription has expired, unless it was turned on again meanwhile. Safe to
    repeat. One TransactWriteItems of the bell with a check of the subscription, 4 write units."""
    is_gone = Check(keys.push_subscription(user_id, device), IS_ABSENT, otherwise=Moved)
    with suppress(Moved, NotFound):
        transact(is_gone, Change(Bell, keys.bell(user_id), [Bell.push_to.delete({device})]))


@access_pattern
def choose_push(*, by: Viewer, choices: PushChoices) -> None:
    """Writes how the person wants to be pushed to. It holds for what comes from now on. Safe to repeat. One
    TransactWriteItems of the bell, 2 write units."""
    chosen = [
        Bell.user_id.set(by.user_id),
        Bell.unseen.set(Bell.unseen | {}),
        Bell.changes.set(Bell.changes | 0),
        Bell.push_as.set(str(choices)),
    ]
    transact(Upsert(Bell, keys.bell(by.user_id), chosen, ALWAYS, Moved))


@access_pattern
def send_test(*, by: Viewer, device: str) -> None:
    """Plans a push that only says that it came. Twice is two. One BatchWriteItem, 1 write unit."""
    now = utc_now()
    test = PushWork.new(user_id=by.user_id, moment=now, since=now, about=TEST, device=device)
    write_batch(puts=[test])


def plan_push(
    user_id: str, *, about: str, choices: PushChoices, since: datetime, now: datetime
) -> PushWork:
    """Returns the work for what came now: it is due when the window of ten seconds ends, or the quiet hours. Every call
    within them returns the same key, and takes in what came from their beginning on: the last one is put over the
    others."""
    moment = _end_of_window(now)
    if quiet := choices.quiet_around(moment):
        since, moment = quiet
    begun = moment - SOON - timedelta(seconds=WINDOW)
    return PushWork.new(user_id=user_id, moment=moment, since=min(since, begun), about=about)


def _end_of_window(now: datetime) -> datetime:
    seconds = (now + SOON).timestamp()
    return datetime.fromtimestamp((int(seconds) // WINDOW + 1) * WINDOW, UTC)
