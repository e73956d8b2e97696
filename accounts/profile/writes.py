"""Editing your profile: its texts, its pictures and your handle; your preferences and privacy; taking a break.

The old handle stays yours for 90 days, and leads to you. The pictures are made anew of uploads by the child for
pictures (`socialsite/pictures/`). `UserInfo` holds the name of the square one's file, and what the names of the wide
one's two files begin with. The names that a person gave to circles and folders are in `UserSettings`, a map from id
to name for each kind of thing. Preferences are kept in the account, so that another browser gets them when the person
signs in.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import IO

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from pynamodb.attributes import JSONAttribute

from accounts.models import HandleClaim, UserInfo, UserSettings
from accounts.notices import HANDLE_CHANGED
from accounts.people.cards import Kind, files_of
from accounts.people.reads import (
    KEPT,
    HandleTaken,
    Holder,
    find_mentioned,
    former_handles,
    holder_of,
)
from accounts.people.viewer import Viewer
from socialsite.blocked_pictures.uploads import make_allowed_pictures
from socialsite.clock import utc_now
from socialsite.observing.logs import Event, note_event
from socialsite.pictures.decoding import BLOCKED, PictureRefused
from socialsite.table import (
    TRIES,
    Change,
    Conflict,
    Create,
    Moved,
    NotFound,
    RawItem,
    TableError,
    access_pattern,
    change,
    fetch,
    get,
    ids,
    keys,
    row,
    transact,
    translated,
    write_optimistically,
)
from socialsite.telling import Cause, tell
from socialsite.web.limits import HANDLE_CHANGES, hit
from socialsite.web.preferences import Preferences


@access_pattern
def edit_profile(
    *,
    by: Viewer,
    bio: str,
    name: str | None = None,
    location: str | None = None,
    gender: str | None = None,
) -> None:
    """Sets the name, bio, location and pronouns of the signed-in person. None leaves a value as it is. One UpdateItem,
    1 write unit, after a BatchGetItem if the bio mentions someone. Raises `Frozen`.

    The stream worker updates the directory later.
    """
    by.must_have_voice()
    actions = [UserInfo.name.set(name)] if name else []
    mentions = find_mentioned(bio)
    actions.append(
        UserInfo.mentions.remove() if mentions is None else UserInfo.mentions.set(mentions)
    )
    for attribute, value in (
        (UserInfo.bio, bio),
        (UserInfo.location, location),
        (UserInfo.gender, gender),
    ):
        if value is not None:
            actions.append(attribute.set(value) if value else attribute.remove())
    change(UserInfo, keys.user_info(by.user_id), actions)


class BadImage(Exception):
    """The file cannot be used as this picture. `is_blocked` says that it is on the list of blocked pictures."""

    def __init__(self, kind: Kind, *, is_blocked: bool = False) -> None:
        super().__init__(kind)
        self.kind = kind
        self.is_blocked = is_blocked


def reencode(kind: Kind, upload: IO[bytes], *, user_id: str) -> Mapping[str, bytes]:
    """Returns the WebP files of a picture by their names in the recipe. As `make_allowed_pictures`. Raises `BadImage`,
    and `PicturesBusy` if too many others are being made."""
    try:
        return make_allowed_pictures(upload, kind, user_id=user_id).pictures.files
    except PictureRefused as refused:
        raise BadImage(kind, is_blocked=refused.reason == BLOCKED) from refused


def new_name(kind: Kind, picture_id: str = "") -> str:
    """Returns a name for a picture that nobody can guess or has had before."""
    name = f"{kind}s/{picture_id or ids.new_id()}"
    return f"{name}.webp" if kind == Kind.AVATAR else name


log = logging.getLogger(__name__)


@access_pattern
def change_pictures(*, by: Viewer, uploads: Mapping[Kind, IO[bytes]]) -> None:
    """Re-encodes and stores pictures under new random names, then deletes those before. All are made before the first
    is stored, so a bad one changes nothing.

    As `make_allowed_pictures`, one consistent GetItem, and one UpdateItem, 1 write unit, for each. In all 1 write unit
    and 18 read units for each. Raises `BadImage` if an upload is
    not an acceptable picture, `PicturesBusy`, and `Frozen`.
    """
    by.must_have_voice()
    made = {kind: reencode(kind, upload, user_id=by.user_id) for kind, upload in uploads.items()}
    for kind, files in made.items():
        _store(by, kind, files)


@access_pattern
def remove_picture(*, by: Viewer, kind: Kind) -> None:
    """Removes a picture and its files. One consistent GetItem, 1 read unit, and one UpdateItem, 1 write unit."""
    _replace(by, kind, None)


def _store(by: Viewer, kind: Kind, files: Mapping[str, bytes]) -> None:
    name = new_name(kind)
    stored = files_of(name)
    try:
        for made, path in stored.items():
            with translated():
                default_storage.save(path, ContentFile(files[made]))
        _replace(by, kind, name)
    except Conflict:
        _delete_files(stored.values())
        raise


def _replace(by: Viewer, kind: Kind, name: str | None) -> None:
    # Each upload deletes only the files that it replaced itself, so two at once never delete the same ones.
    key = keys.user_info(by.user_id)
    attribute = {Kind.AVATAR: UserInfo.avatar, Kind.HEADER: UserInfo.header}[kind]
    action = attribute.set(name) if name else attribute.remove()
    replaced: set[str | None] = set()
    for _ in range(TRIES):
        old: str | None = getattr(get(UserInfo, key, consistent=True), kind)
        if old == name:  # an earlier try did commit, but its answer was lost
            break
        replaced.add(old)
        unchanged = attribute == old if old else attribute.does_not_exist()
        try:
            change(UserInfo, key, [action], condition=unchanged)
        except NotFound:
            continue
        replaced = {old}
        break
    else:
        raise Conflict("others keep changing the picture")
    if len(replaced) == 1:
        _delete_files(files_of(replaced.pop()).values())


def _delete_files(names: Iterable[str]) -> None:
    # A leftover file does no harm: nobody knows its name any more.
    for name in names:
        try:
            with translated():
                default_storage.delete(name)
        except TableError as error:
            log.warning("could not delete %s: %s", name, error)


class ChangedTooOften(TableError):
    """The person changed their handle as often as `HANDLE_CHANGES` allows."""


@access_pattern
def change_handle(*, by: Viewer, handle: str) -> None:
    """Gives the signed-in person another handle; their present one becomes a former one. Their own former handle they
    can take back. Does nothing if they have the handle already, so it is safe to repeat.

    Raises `HandleTaken`, also for handles that someone else had in the last 90 days, `ChangedTooOften`, and `Frozen`.

    One BatchGetItem of UserInfo, UserSettings and the claim, consistent, 3 read units. One TransactWriteItems of both
    claims, UserInfo, UserSettings, the limit and the letter, 12 write units. The stream worker lists the person in the
    directory under the new handle later.
    """
    by.must_have_voice()
    info_key, settings_key = keys.user_info(by.user_id), keys.user_settings(by.user_id)
    claim_key = keys.handle_claim(handle)

    def attempt() -> bool:
        now = utc_now().replace(microsecond=0)
        found = fetch([info_key, settings_key, claim_key], consistent=True)
        old = row(UserInfo, found.get(info_key, {})).handle
        if old == handle:
            return False
        transact(
            _take(handle, by.user_id, found.get(claim_key)),
            _give_up(old, by.user_id, now),
            Change(
                UserInfo, info_key, [UserInfo.handle.set(handle)], UserInfo.handle == old, Moved
            ),
            _list_former(row(UserSettings, found.get(settings_key, {})), by, old, handle, now),
            hit(HANDLE_CHANGES, by.user_id, otherwise=ChangedTooOften),
            *tell(by.user_id, HANDLE_CHANGED, Cause(facts={"old": old})).actions(),
        )
        return True

    if write_optimistically(attempt):
        note_event(Event.HANDLE_CHANGED, account=by.user_id)


def _take(handle: str, user_id: str, claim: RawItem | None) -> Create | Change:
    if holder_of(claim) == Holder(user_id, is_former=True):
        again = [HandleClaim.former.remove(), HandleClaim.ttl.remove()]
        own = (HandleClaim.user_id == user_id) & HandleClaim.former.exists()
        return Change(HandleClaim, keys.handle_claim(handle), again, own, Moved)
    claimed = HandleClaim.new(handle=handle, user_id=user_id)
    return Create(claimed, otherwise=HandleTaken, over_expired=True)


def _give_up(handle: str, user_id: str, now: datetime) -> Change:
    actions = [HandleClaim.former.set(now.isoformat()), HandleClaim.ttl.set(now + KEPT)]
    own = (HandleClaim.user_id == user_id) & HandleClaim.former.does_not_exist()
    return Change(HandleClaim, keys.handle_claim(handle), actions, own, Moved)


def _list_former(settings: UserSettings, by: Viewer, old: str, new: str, now: datetime) -> Change:
    """Returns the change of the list, as it was read. It forgets what is not kept any more, so it stays short."""
    kept = {one.handle: one.given_up for one in former_handles(settings)} | {old: now}
    wanted = {handle: at.isoformat() for handle, at in kept.items() if handle != new}
    attribute, listed = UserSettings.former_handles, settings.former_handles
    as_read = attribute == listed if listed else attribute.does_not_exist()
    return Change(
        UserSettings, keys.user_settings(by.user_id), [attribute.set(wanted)], as_read, Moved
    )


@access_pattern
def save_preferences(*, by: Viewer, preferences: Preferences) -> None:
    """Writes theme, language, time zone and comforts to `u#<id>` `settings`, for the next sign-in. One UpdateItem, 1
    write unit. Pages never read them: they follow a cookie."""
    action = UserSettings.preferences.set(str(preferences))
    change(UserSettings, keys.user_settings(by.user_id), [action])


@access_pattern
def save_privacy(
    *,
    by: Viewer,
    locked: bool,
    archived_before: datetime | None,
    not_suggested: bool,
    not_indexed: bool,
    no_topics: bool = False,
    shows_level: bool = False,
    not_searched: bool = False,
    no_packs: bool = False,
) -> None:
    """Writes to `u#<id>` `info` whether the account is locked, from when on its posts are for everyone, and whether
    people and search engines are shown it, and whether topics are suggested. One UpdateItem, 1 write unit.

    They take effect on everyone's next read. Posts older than `archived_before` are for followers only, a locked
    account must be asked first, and people who are `not_suggested` are only found by their name. People with
    `no_topics` are suggested none, and count for none. With `shows_level` it stands on their profile, and they are
    found by it. Search engines are asked to leave out people who are `not_indexed`, the search on this site leaves out
    the posts of those who are `not_searched`, and starter packs leave out people with `no_packs`. Waiting requests stay
    (`answer_waiting_requests`).
    """
    edge = ids.first_id_at(archived_before) if archived_before else ""
    actions = [
        attribute.set(value) if value else attribute.remove()
        for attribute, value in (
            (UserInfo.locked, "yes" if locked else ""),
            (UserInfo.archived_before, edge),
            (UserInfo.not_suggested, "yes" if not_suggested else ""),
            (UserInfo.not_indexed, "yes" if not_indexed else ""),
            (UserInfo.no_topics, "yes" if no_topics else ""),
            (UserInfo.shows_level, "yes" if shows_level else ""),
            (UserInfo.not_searched, "yes" if not_searched else ""),
            (UserInfo.no_packs, "yes" if no_packs else ""),
        )
    ]
    change(UserInfo, keys.user_info(by.user_id), actions)


Names = dict[str, str]  # by id


def change_names(
    user_id: str, edit: Callable[[Names], Names], *, attribute: JSONAttribute
) -> Names:
    """Changes the names in an attribute of `UserSettings` if nobody else changed them since they were read, and returns
    them. Raises `Conflict`.

    One GetItem consistent, and one UpdateItem if `edit` returns something else than it was given.
    """
    key = keys.user_settings(user_id)

    def attempt() -> Names:
        settings = get(UserSettings, key, consistent=True)
        old: Names | None = getattr(settings, str(attribute.attr_name))
        new = edit(old or {})
        if new == (old or {}):
            return new
        same = attribute == old if old else attribute.does_not_exist()
        action = attribute.set(new) if new else attribute.remove()
        change(UserSettings, key, [action], condition=same, otherwise=Moved)
        return new

    return write_optimistically(attempt)


@access_pattern
def pause_account(*, by: Viewer) -> None:
    """Hides the person and all they wrote from everyone else, at the next request. Safe to repeat.

    One UpdateItem of UserInfo, 1 write unit: the same reads that leave out suspended people leave them out.
    """
    change(UserInfo, keys.user_info(by.user_id), [UserInfo.paused.set("yes")])
    note_event(Event.ACCOUNT_PAUSED, account=by.user_id)


@access_pattern
def end_pause(*, by: Viewer) -> None:
    """Brings the person back as they were. Other restrictions stay. Safe to repeat. One UpdateItem, 1 write unit."""
    change(UserInfo, keys.user_info(by.account_id), [UserInfo.paused.remove()])
    note_event(Event.PAUSE_ENDED, account=by.account_id)


@access_pattern
def read_notice(*, by: Viewer) -> None:
    """Removes a moderators' notice from every page. Safe to repeat. One UpdateItem, 1 write unit."""
    change(UserSettings, keys.user_settings(by.account_id), [UserSettings.notice.remove()])
