"""Starter packs in a case: what it keeps of one as it was reported, withdrawing packs, resetting their words, and
undoing both: writes for the transaction of a decision and of its undoing. A withdrawn pack stays its owner's private
list, which they cannot offer again."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from operator import and_
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.models import UserInfo
from moderation.cases.reads import CaseMoved
from moderation.models import Case, CaseAction, CaseKind, PackEvidence
from relations.lists.reads import OwnList, read_own_list
from relations.models import PersonList
from socialsite.table import Change, Key, RawItem, Upsert, WriteAction, fetch, keys, row

TITLE, ABOUT = "title", "about"
WORDS = {TITLE: PersonList.pack_title, ABOUT: PersonList.pack_about}


def is_offered(raw: RawItem | None) -> bool:
    """Whether a raw `PersonList` is a starter pack that others see."""
    return raw is not None and read_own_list(raw).is_pack


def pack_evidence(raw: RawItem, owner: RawItem, *, now: str) -> Upsert:
    """Returns the starter pack of a raw `PersonList` as evidence. The same words are kept once, no matter how many
    people report them."""
    pack, handle = row(PersonList, raw), row(UserInfo, owner).handle
    actions = [
        PackEvidence.list_id.set(pack.list_id),
        PackEvidence.person_id.set(pack.user_id),
        PackEvidence.handle.set(handle),
        PackEvidence.title.set(pack.pack_title),
        PackEvidence.kept_at.set(PackEvidence.kept_at | now),
    ]
    if pack.pack_about:
        actions.append(PackEvidence.about.set(pack.pack_about))
    as_read = PackEvidence.title.does_not_exist() | (PackEvidence.title == pack.pack_title)
    return Upsert(PackEvidence, _evidence_key(pack, handle), actions, as_read, CaseMoved)


def is_pack_kept(raw: RawItem, owner: RawItem) -> bool:
    """Whether the case already has these words of the pack. One consistent BatchGetItem, 1 read unit."""
    key = _evidence_key(row(PersonList, raw), row(UserInfo, owner).handle)
    return key in fetch([key], consistent=True)


def _evidence_key(pack: PersonList, handle: str) -> Key:
    version = _version_of(pack, handle)
    return keys.case_pack(CaseKind.PERSON, pack.user_id, pack.list_id, version)


def _version_of(pack: PersonList, handle: str) -> str:
    said = "\0".join((pack.pack_title, pack.pack_about or "", handle))
    return hashlib.sha256(said.encode()).hexdigest()[:12]


def withdrawn(person_id: str, list_ids: Collection[str]) -> list[WriteAction]:
    """Returns what takes starter packs away from everyone but their owner. Skips those that are gone or offered no
    more. One consistent BatchGetItem, 1 read unit per 4 KB."""
    offered = [raw for raw in _lists(person_id, list_ids).values() if is_offered(raw)]
    mark, still = PersonList.withdrawn.set("yes"), PersonList.withdrawn.does_not_exist()
    return [_change(raw, [mark], still & PersonList.pack_title.exists()) for raw in offered]


def shown_again(person_id: str, list_ids: Collection[str]) -> list[WriteAction]:
    """Returns what undoes `withdrawn`, for the same read. An owner who took the words away has a private list."""
    marked = [raw for raw in _lists(person_id, list_ids).values() if row(PersonList, raw).withdrawn]
    mark, still = PersonList.withdrawn.remove(), PersonList.withdrawn.exists()
    return [_change(raw, [mark], still) for raw in marked]


def part_of_pack(part: str) -> tuple[str, str, str]:
    """Returns which words of which list a part names, and the version that the case keeps of them, each empty if it
    names none."""
    word, _, rest = part.partition("#")
    list_id, _, version = rest.partition("#")
    return word, list_id, version


def part_named(word: str, list_id: str, version: str = "") -> str:
    return "#".join(filter(None, (word, list_id, version)))


def words_reset(
    owner: RawItem, parts: Collection[str], *, now: str
) -> tuple[tuple[str, ...], list[WriteAction]]:
    """Returns the parts of starter packs that had something to reset, with the version that the case keeps of each, and
    the writes. The title becomes the handle, the description goes. One consistent BatchGetItem if any are named."""
    info = row(UserInfo, owner)
    done: list[str] = []
    writes: list[WriteAction] = []
    for raw, words in _chosen(info.user_id, parts):
        pack = row(PersonList, raw)
        now_said = {TITLE: pack.pack_title, ABOUT: pack.pack_about or ""}
        handle = f"@{info.handle}"
        taken = [word for word in words if now_said.get(word) and now_said[word] != handle]
        if not taken or not is_offered(raw):
            continue
        new: dict[str, Any] = {TITLE: WORDS[TITLE].set(handle), ABOUT: WORDS[ABOUT].remove()}
        as_read = [WORDS[word] == now_said[word] for word in taken]
        writes.append(_change(raw, [new[word] for word in taken], reduce(and_, as_read)))
        writes.append(pack_evidence(raw, owner, now=now))
        done += [part_named(word, pack.list_id, _version_of(pack, info.handle)) for word in taken]
    return tuple(done), writes


def words_put_back(
    case: Case, action: CaseAction, *, taken_again: Collection[tuple[str, str]]
) -> list[WriteAction]:
    """Returns what gives starter packs back the words that an action reset, except those that their owner has changed
    since, and those that a later reset took again (each a word and a list). A BatchGetItem of lists and evidence."""
    named = [part_of_pack(part) for part in action.parts or ()]
    versions = {list_id: version for _, list_id, version in named if list_id}
    kept_keys = {
        list_id: keys.case_pack(case.kind, case.subject_id, list_id, version)
        for list_id, version in versions.items()
    }
    lists = _lists(case.person_id, versions)
    found = fetch(kept_keys.values(), consistent=True) if kept_keys else {}
    writes: list[WriteAction] = []
    for list_id, raw in lists.items():
        if kept_keys[list_id] not in found:
            continue
        kept = row(PackEvidence, found[kept_keys[list_id]])
        words = [word for word, one, _ in named if one == list_id]
        back = [word for word in words if (word, list_id) not in taken_again]
        if changes := list(_put_back(row(PersonList, raw), kept, back)):
            actions, as_read = zip(*changes, strict=True)
            writes.append(_change(raw, actions, reduce(and_, as_read)))
    return writes


def _put_back(
    pack: PersonList, kept: PackEvidence, words: Sequence[str]
) -> Iterator[tuple[Action, Condition]]:
    title, about = WORDS[TITLE], WORDS[ABOUT]
    if TITLE in words and pack.pack_title == f"@{kept.handle}":
        yield title.set(kept.title), title == pack.pack_title
    if ABOUT in words and kept.about and pack.pack_title and not pack.pack_about:
        yield about.set(kept.about), about.does_not_exist()


def _chosen(person_id: str, parts: Collection[str]) -> Iterator[tuple[RawItem, list[str]]]:
    words: dict[str, list[str]] = defaultdict(list)
    for part in parts:
        word, list_id, _ = part_of_pack(part)
        if list_id:
            words[list_id].append(word)
    for list_id, raw in _lists(person_id, words).items():
        yield raw, sorted(words[list_id])


def _lists(person_id: str, list_ids: Collection[str]) -> dict[str, RawItem]:
    """Returns those of the person's lists that are there."""
    wanted = {list_id: keys.person_list(person_id, list_id) for list_id in sorted(set(list_ids))}
    found = fetch(wanted.values(), consistent=True) if wanted else {}
    return {list_id: found[key] for list_id, key in wanted.items() if key in found}


def _change(raw: RawItem, actions: Sequence[Action], condition: Condition) -> Change:
    pack: OwnList = read_own_list(raw)
    key = keys.person_list(pack.user_id, pack.list_id)
    return Change(PersonList, key, actions, condition, CaseMoved)
