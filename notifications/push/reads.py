"""Devices of a person, as their settings show them and as the pusher needs them, and the work that waits for it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import islice

from cryptography.exceptions import InvalidTag

from accounts.encryption.person_keys import OpenKey, keys_to_open, open_found
from accounts.models import Bell, SignIn, UserSettings
from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer, Waiting
from accounts.sessions import browser_name, is_of_epoch
from notifications.models import PushSubscription, PushWork
from notifications.push.choices import PushChoices, read_choices
from notifications.push.encryption import BadKeys, BrowserKeys
from notifications.push.services import Service, UnknownService, service_of
from notifications.push.site_key import key_id_of
from notifications.push.writes import KEPT_DAYS, SEALED
from socialsite.clock import utc_now
from socialsite.due.models import PushHost
from socialsite.table import (
    Key,
    NotFound,
    RawItem,
    access_pattern,
    as_model,
    fetch,
    get,
    keys,
    query,
    row,
)
from socialsite.web.preferences import parse

RENEWED_AFTER = timedelta(days=7)  # of the 60 days
GONE_AFTER = timedelta(days=1)  # a host that has not written since sends no more


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """A device as its owner sees it, without what its browser gave."""

    device: str
    browser: str
    made: date
    until: datetime
    is_app: bool
    is_here: bool
    is_current: bool  # made for the site's present key


@dataclass(frozen=True, slots=True)
class PushState:
    """How push stands for someone. `public` is the key that a browser subscribes with, empty on a site that sends no
    push. `had_device` is the one that was turned on in this sign-in, though it may be gone by now."""

    public: str
    devices: tuple[DeviceRow, ...] = ()
    choices: PushChoices = field(default_factory=PushChoices)
    had_device: str = ""

    @property
    def here(self) -> DeviceRow | None:
        return next((one for one in self.devices if one.is_here), None)

    @property
    def must_renew(self) -> bool:
        """Whether the browser at hand should bring its subscription again."""
        here = self.here
        renewed = timedelta(days=KEPT_DAYS) - RENEWED_AFTER
        return here is not None and (not here.is_current or here.until - utc_now() < renewed)


@access_pattern
def get_push_state(viewer: Viewer) -> PushState:
    """Returns the devices of a person, that of this browser first, their choices, and the key to subscribe with.

    One Query of the devices and one BatchGetItem of bell, host and sign-in: 2 read units.
    """
    host, bell = keys.push_host(), keys.bell(viewer.user_id)
    sign_in = keys.sign_in(viewer.user_id, viewer.secret_hash)
    found = fetch([host, bell, sign_in])
    raw_host = found.get(host)
    public = public_key_of(row(PushHost, raw_host) if raw_host else None)
    devices = [
        DeviceRow(
            device=one.device,
            browser=one.app or browser_name(one.browser),
            made=date.fromisoformat(one.made),
            until=one.ttl,
            is_app=bool(one.app),
            is_here=one.session == viewer.secret_hash,
            is_current=bool(public) and one.key_id == key_id_of(public),
        )
        for one in (row(PushSubscription, raw) for raw in query(_devices_of(viewer.user_id)))
    ]
    devices.sort(key=lambda one: (one.is_here, one.until), reverse=True)
    chosen = row(Bell, found.get(bell, {})).push_as
    had = row(SignIn, found.get(sign_in, {})).push_device
    return PushState(public, tuple(devices), read_choices(chosen), had)


def _devices_of(user_id: str) -> str:
    return keys.push_subscriptions(user_id)


def public_key_of(host: PushHost | None) -> str:
    """Returns the key to subscribe with, empty where nobody has sent for a day."""
    if host is None:
        return ""
    is_gone = datetime.fromisoformat(host.until) < utc_now() - GONE_AFTER
    return "" if is_gone else host.public


@access_pattern
def get_host() -> PushHost | None:
    """Returns which process sends the pushes. One consistent GetItem, 1 read unit."""
    try:
        return get(PushHost, keys.push_host(), consistent=True)
    except NotFound:
        return None


@access_pattern
def list_push_work(shard: int, moment: datetime, *, most: int) -> list[PushWork]:
    """Returns the work of a shard that is due by this moment, the oldest first. The pusher asks each of 4 shards every
    2 seconds. One Query, 0.5 read units while nothing is due."""
    raws = query(keys.pushes(shard), between=keys.due_until(moment), limit=most)
    return [as_model(PushWork, raw) for raw in islice(raws, most)]


@dataclass(frozen=True, slots=True)
class AppPush:
    """What an app gave: its token, the words of what it wants to hear of, and by whom that must have been done."""

    token: str
    alerts: frozenset[str]
    policy: str


@dataclass(frozen=True, slots=True)
class Device:
    """A device that may be pushed to now, open. `language` is that of its browser. `app` is what an app asked for."""

    device: str
    endpoint: str
    service: Service
    keys: BrowserKeys
    language: str
    app: AppPush | None = None


@dataclass(frozen=True, slots=True)
class Addressee:
    """A person as the pusher needs them: what waits for them, how they want to hear of it, and where. `ended` are
    devices that get nothing any more: their sign-in has ended, or their address cannot be used. `expired` stand in the
    bell alone."""

    viewer: Viewer
    choices: PushChoices
    language: str
    devices: tuple[Device, ...]
    ended: tuple[str, ...]
    expired: tuple[str, ...] = ()

    @property
    def waiting(self) -> Waiting:
        return self.viewer.waiting


@access_pattern
def read_addressee(user_id: str, *, key_id: str, device: str = "") -> Addressee | None:
    """Returns a person with those of their devices that may be pushed to at this moment, or with the one given. None
    for someone who is gone or locked out.

    One consistent Query of the devices and one consistent BatchGetItem of info, settings, bell and sign-ins: 1 read
    unit each, 5 for a person with one device, and 1 for their key once a minute.
    """
    all_devices = [
        as_model(PushSubscription, raw) for raw in query(_devices_of(user_id), consistent=True)
    ]
    found_devices = [one for one in all_devices if device in ("", one.device)]
    info, settings, bell = keys.user_info(user_id), keys.user_settings(user_id), keys.bell(user_id)
    sign_ins = {
        one.device: (keys.app_token if one.app else keys.sign_in)(user_id, one.session)
        for one in found_devices
    }
    to_open = keys_to_open([user_id])
    found = fetch([info, settings, bell, *set(sign_ins.values()), *to_open], consistent=True)
    if info not in found or (card := PersonCard.from_raw(found[info])).is_locked_out:
        return None
    own = found.get(settings, {})
    alive = [one for one in found_devices if _is_alive(found.get(sign_ins[one.device]), own)]
    ours = [one for one in alive if one.key_id == key_id]
    opened = list(_opened(ours, open_found([user_id], found).get(user_id)))
    # One that was made for another key of the site is renewed at its next visit.
    renewed = {one.device for one in alive if one.key_id != key_id}
    kept_devices = renewed | {one.device for one in opened}
    kept, raw_bell = row(UserSettings, own), found.get(bell, {})
    bell_row = row(Bell, raw_bell)
    preferences = parse(kept.preferences)
    viewer = Viewer(
        user_id,
        card=card,
        waiting=Waiting.from_raw(raw_bell),
        opted_out=tuple(kept.opted_out),
        muted_version=kept.muted_version,
    )
    return Addressee(
        viewer,
        read_choices(bell_row.push_as),
        preferences.language if preferences else "",
        tuple(opened),
        tuple(one.device for one in found_devices if one.device not in kept_devices),
        tuple(sorted(set(bell_row.push_to) - {one.device for one in all_devices})),
    )


def _is_alive(sign_in: RawItem | None, settings: Mapping[str, dict[str, str]]) -> bool:
    return sign_in is not None and is_of_epoch(sign_in, dict(settings))


def _opened(found: list[PushSubscription], key: OpenKey | None) -> Iterator[Device]:
    for one in found if key else ():
        assert key
        place = Key(one.pk, one.sk)
        try:
            given = json.loads(key.unseal(one.sealed, key=place, attribute=SEALED))
            service = service_of(given["endpoint"])
            browser = BrowserKeys.from_text(given["p256dh"], given["auth"])
        except (InvalidTag, UnknownService, BadKeys):
            continue
        app = None
        if one.app:
            alerts = frozenset((one.alerts or "").split())
            app = AppPush(given["token"], alerts, one.policy or "all")
        yield Device(
            one.device,
            given["endpoint"],
            service,
            browser,
            one.language,
            app,
        )
