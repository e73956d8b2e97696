"""Removing illegal pictures and keeping their hashes: what a decision writes, and its undoing.

The chosen pictures leave everyone, their author too: posts with them are hidden, the files of photos deleted (the case
has its copy), pictures of the profile taken away. Their hashes go on the list of blocked pictures
(`socialsite/blocked_pictures/`), held by the action. The account can be suspended with it. Undoing takes all of that
back: the stream worker makes the files anew from the copy, which is up to 960 pixels wide.
"""

import io
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from accounts.models import UserInfo
from accounts.people.restrictions import UNTIL, Restriction
from moderation.cases.evidence import Reset, put_back, reset_of
from moderation.cases.photos import CannotCopy, copy_photo, name_of
from moderation.cases.reads import CaseMoved
from moderation.models import (
    ActionKind,
    Case,
    CaseAction,
    CaseKind,
    CasePhoto,
    Keeping,
    Strike,
)
from photos.files import read_copy
from photos.models import COMING, REMOVED, Photo
from socialsite.blocked_pictures.reads import Hashes, HashKind
from socialsite.blocked_pictures.writes import blocked, let_go
from socialsite.pictures.decoding import PictureRefused, make_pictures
from socialsite.table import Change, Key, NotFound, RawItem, WriteAction, as_model, fetch, keys, row

MOST_PICTURES = 14  # in one decision, which is one transaction of at most 100 items


NOTHING_RESET = Reset()


@dataclass(frozen=True, slots=True)
class Removal:
    """What removes pictures: the posts that showed them, the photos whose files go, the hashes that are kept, and what
    is reset of the profile."""

    posts: tuple[str, ...] = ()
    photos: tuple[str, ...] = ()
    hashes: tuple[str, ...] = ()
    reset: Reset = NOTHING_RESET
    writes: tuple[WriteAction, ...] = ()


def picture_name(photo: CasePhoto) -> str:
    """Returns what a form calls a picture: it leads to its item."""
    return f"{photo.photo_id}.{photo.version}"


def removal_of(person_id: str, names: Collection[str], *, action_id: str) -> Removal:
    """Returns what removes these pictures of a case. Those that are not part of it are left out.

    Two consistent BatchGetItems of the copies and the photos, 2 read units each, and what `reset_of` reads for pictures
    of the profile. For a picture without a perceptual hash a child process with its copy. 8 write units for each.
    """
    asked = [key for one in list(names)[:MOST_PICTURES] if (key := _key_of(person_id, one))]
    for raw in fetch(asked, consistent=True).values():
        if row(CasePhoto, raw).state == Keeping.COMING:  # the worker has not come to it yet
            with suppress(CannotCopy):
                copy_photo(Key(raw["PK"]["S"], raw["SK"]["S"]))
    chosen = [as_model(CasePhoto, raw) for raw in fetch(asked, consistent=True).values()]
    of_photos = {keys.photo(person_id, one.photo_id) for one in chosen if not one.part}
    found = fetch([*of_photos, keys.user_info(person_id)], consistent=True)
    info = row(UserInfo, found.get(keys.user_info(person_id), {}))
    known = {name for one in chosen for name in _hashes_of(one, found)}
    parts = [str(one.part) for one in chosen if one.part and getattr(info, one.part) == one.source]
    reset = reset_of(person_id, parts) if parts else Reset()
    gone = [photo for one in chosen if (photo := _photo_to_remove(one, found))]
    writes = [blocked(*_kind_and_value(name), holder=action_id) for name in sorted(known)]
    return Removal(
        posts=tuple(dict.fromkeys(one.post_id for one in chosen if one.post_id)),
        photos=tuple(dict.fromkeys(one.photo_id for one in gone)),
        hashes=tuple(sorted(known)),
        reset=reset,
        writes=(*writes, *(_removed(one) for one in {one.photo_id: one for one in gone}.values())),
    )


def with_suspension(person_id: str, writes: Sequence[WriteAction], until: str) -> list[WriteAction]:
    """Returns the writes with the person suspended as well. An item can be in a transaction only once, and the reset of
    a profile has the same."""
    actions = [UNTIL[Restriction.SUSPENDED].set(until)]
    return _in_one_change(Change(UserInfo, keys.user_info(person_id), actions), writes)


def without_suspension(
    person_id: str, writes: Sequence[WriteAction], until: str
) -> list[WriteAction]:
    """Returns the writes with the end of the suspension, or with the earlier one that is in force again."""
    end = UNTIL[Restriction.SUSPENDED]
    actions = [end.set(until) if until else end.remove()]
    return _in_one_change(Change(UserInfo, keys.user_info(person_id), actions), writes)


def _in_one_change(change: Change, writes: Sequence[WriteAction]) -> list[WriteAction]:
    for place, one in enumerate(writes):
        if isinstance(one, Change) and one.key == change.key:
            both = replace(one, actions=[*one.actions, *change.actions])
            return [*writes[:place], both, *writes[place + 1 :]]
    return [change, *writes]


def hashes_let_go(action: CaseAction) -> list[WriteAction]:
    """Returns the writes after which the action holds no hash any more. What another decision or a list holds stays."""
    return [
        let_go(*_kind_and_value(one), holder=action.action_id)
        for one in sorted(action.hashes or ())
    ]


def removal_undone(case: Case, action: CaseAction, others: Collection[Strike]) -> list[WriteAction]:
    """Returns what gives the pictures of an action back, without the posts and the suspension: hashes, photos whose
    files the worker then makes anew, and pictures of the profile. What one of the `others`, strikes that stand,
    removed as well stays away. One consistent BatchGetItem of the photos, 1 read unit each, one of the other removals
    if there are any, and as `put_back`."""
    photos = set(action.photos or ()) - _photos_of(others)
    asked = [keys.photo(case.person_id, one) for one in sorted(photos)]
    found = fetch(asked, consistent=True) if asked else {}
    removed = Photo.state == REMOVED
    back = [
        Change(Photo, key, [Photo.state.set(COMING)], removed, CaseMoved)
        for key, raw in found.items()
        if row(Photo, raw).state == REMOVED
    ]
    return [
        *(put_back(case, action) if action.profile else []),
        *hashes_let_go(action),
        *back,
    ]


def _photos_of(strikes: Collection[Strike]) -> set[str]:
    wanted = [
        keys.case_action(one.case_kind, one.subject_id, one.action_id)
        for one in strikes
        if one.kind == ActionKind.REMOVE
    ]
    found = fetch(wanted, consistent=True).values() if wanted else ()
    return {photo_id for raw in found for photo_id in row(CaseAction, raw).photos or ()}


def _key_of(person_id: str, name: str) -> Key | None:
    photo_id, _, version = name.partition(".")
    if not photo_id or not version:
        return None
    return keys.case_photo(CaseKind.PERSON, person_id, photo_id, version)


def _hashes_of(kept: CasePhoto, found: dict[Key, RawItem]) -> Iterable[str]:
    """Returns the hashes of a picture: as its report kept them, otherwise the photo's own, otherwise made of the copy.
    The file as it was uploaded is gone, so older pictures of profiles have no exact hash."""
    photo = row(Photo, found.get(keys.photo(kept.person_id, kept.photo_id), {}))
    is_same = photo.secret == kept.source
    sha256 = kept.sha256 or (photo.sha256 if is_same else "") or ""
    pdq = kept.pdq or (photo.pdq if is_same else "") or ""
    known = Hashes(sha256=sha256, pdq=(pdq,) if pdq else _made_of_copy(kept))
    return [f"{kind} {value}" for kind, value in known.named]


def _made_of_copy(kept: CasePhoto) -> tuple[str, ...]:
    if kept.state != Keeping.KEPT:
        return ()
    with suppress(NotFound, PictureRefused):
        copy = io.BytesIO(read_copy(kept.person_id, name_of(kept)))
        return make_pictures(copy, "known").pdq
    return ()


def _photo_to_remove(kept: CasePhoto, found: dict[Key, RawItem]) -> Photo | None:
    """Returns the photo if it is still there and the case has its copy, without which nothing could be judged again.
    One that is removed already is removed by this decision too, and comes back once none of them stands."""
    raw = found.get(keys.photo(kept.person_id, kept.photo_id))
    if raw is None or kept.part or kept.state != Keeping.KEPT:
        return None
    photo = as_model(Photo, raw)
    return photo if photo.secret == kept.source else None


def _removed(photo: Photo) -> Change:
    removed = [Photo.state.set(REMOVED), Photo.public_secret.remove()]
    as_read = (Photo.state == photo.state) & (Photo.secret == photo.secret)
    return Change(Photo, photo.key, removed, as_read, CaseMoved)


def _kind_and_value(name: str) -> tuple[HashKind, str]:
    kind, _, value = name.partition(" ")
    return HashKind(kind), value
