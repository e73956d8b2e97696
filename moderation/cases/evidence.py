"""What a case keeps of what was reported, as it was then, even if the person changes it: posts, the profile, and what
one person says of another, report by report, so that what they said first is not lost when they report again. And
resetting parts of a profile, and putting them back from what is kept: writes for the transaction of a decision and of
its undoing."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.models import UserInfo
from accounts.people.cards import Kind, PersonCard
from accounts.people.reads import find_mentioned
from feed.polls.models import said_by
from feed.posts.models import Audience, Post
from feed.posts.reads import audience_of
from feed.publishing.models import PostVersion
from moderation.cases.packs import part_of_pack, words_put_back, words_reset
from moderation.cases.photos import photo_evidence, picture_evidence, stored_anew
from moderation.cases.reads import CaseMoved
from moderation.models import (
    ActionKind,
    Case,
    CaseAction,
    CaseEvidence,
    CaseKind,
    CaseReport,
    ProfileEvidence,
    ReportSaying,
    Strike,
)
from socialsite.clock import utc_now_iso
from socialsite.table import (
    IS_ABSENT,
    Change,
    Check,
    Key,
    NotFound,
    RawItem,
    Upsert,
    WriteAction,
    fetch,
    keys,
    query,
    row,
)
from socialsite.texts import MORE, shortened, shortened_to_bytes

ROOM = 3000  # bytes for what is said in a report, which stays under 4 KB with its posts
MOST_RULES = 10
OF_EACH = 80  # bytes of a saying, besides its comment


def sayings_of(report: CaseReport) -> list[ReportSaying]:
    """Returns all that someone said in the round of their report, the latest last."""
    latest = ReportSaying(
        rule_id=report.rule_id or None, comment=report.comment or None, said_at=report.reported_at
    )
    return [*(report.said_before or ()), latest]


def rules_said(report: CaseReport) -> set[str]:
    """Returns the rules that someone named in the round of their report, an empty one for "something else"."""
    return {one.rule_id or "" for one in sayings_of(report)}


def names_another(report: CaseReport, *, rule_id: str, comment: str) -> bool:
    """Whether someone names a rule that they have not named yet in this round, at most so many. "Something else" takes
    words."""
    said = rules_said(report)
    return bool(rule_id or comment) and rule_id not in said and len(said) < MOST_RULES


def adds_words(report: CaseReport, *, rule_id: str, comment: str) -> bool:
    """Whether someone says what they have not said yet in this round, with another rule or another comment."""
    if rule_id not in rules_said(report):
        return names_another(report, rule_id=rule_id, comment=comment)
    return bool(comment) and (rule_id, comment) not in {
        (one.rule_id or "", one.comment) for one in sayings_of(report)
    }


def kept_before(report: CaseReport, *, comment: str) -> list[ReportSaying]:
    """Returns what is kept of earlier reports beside a new comment: each rule, the first comment, and of the others the
    newest for which there is room."""
    first, *others = sayings_of(report)
    room = ROOM - len(comment.encode()) - OF_EACH * len(rules_said(report))
    kept = {0: _cut(first, room)}
    room -= _length(kept[0])
    named = {first.rule_id}
    for place, one in reversed(list(enumerate(others, start=1))):
        is_named = one.rule_id in named
        takes = _length(one) + OF_EACH * is_named
        if takes <= room:
            kept[place] = one
            room -= takes
        elif not is_named:
            kept[place] = _cut(one, 0)
        named.add(one.rule_id)
    return [kept[place] for place in sorted(kept)]


def _length(saying: ReportSaying) -> int:
    return len((saying.comment or "").encode())


def _cut(saying: ReportSaying, room: int) -> ReportSaying:
    text = shortened_to_bytes(saying.comment or "", room)
    said = text if text != MORE else None
    return ReportSaying(rule_id=saying.rule_id, comment=said, said_at=saying.said_at)


def heads_of(raw: RawItem) -> list[Key]:
    """Returns the keys of what says who may read the thread of a reply: its root, what is left of that, and its author;
    none for any other post."""
    post = row(Post, raw)
    if not post.root_id:
        return []
    root_id, author_id = str(post.root_id), str(post.root_author_id)
    return [keys.post(author_id, root_id), keys.thread_gate(root_id), keys.user_info(author_id)]


def audience_in_thread(
    raw: RawItem, author: PersonCard, found: Mapping[Key, RawItem]
) -> Audience | str:
    """Returns for whom a raw `Post` of this author is: a reply is for no more people than its thread. `found` has what
    `heads_of` names; without it the reply is not for everyone."""
    own, heads = audience_of(raw, author), heads_of(raw)
    if own or not heads:
        return own
    root, gate, root_author = map(found.get, heads)
    head = root or gate
    if head is None or root_author is None:
        return Audience.FOLLOWERS
    return audience_of(head, PersonCard.from_raw(root_author))


OF_A_REPLY = ("root_id", "root_author_id", "reply_to", "path")


def post_evidence(
    raw: RawItem, *, audience: str, version: int, now: str, is_added: bool = False
) -> list[WriteAction]:
    """Returns the post as it is now, or was in a version, as evidence, with the audience that it has (as
    `audience_in_thread`). The same text is kept once, no matter how many people report it. `is_added` says that a
    moderator takes it into the case."""
    post = row(Post, raw)
    content, warning = _seen(post, version)
    actions = [
        CaseEvidence.post_id.set(post.post_id),
        CaseEvidence.author_id.set(post.author_id),
        CaseEvidence.content.set(content),
        CaseEvidence.kept_at.set(CaseEvidence.kept_at | now),
    ]
    if audience:
        actions.append(CaseEvidence.audience.set(audience))
    if warning:
        actions.append(CaseEvidence.warning.set(warning))
    if post.lang:
        actions.append(CaseEvidence.lang.set(post.lang))
    if is_added:
        actions.append(CaseEvidence.added.set("yes"))
    for name in OF_A_REPLY:
        if value := getattr(post, name):
            actions.append(getattr(CaseEvidence, name).set(value))
    same = CaseEvidence.content.does_not_exist() | (CaseEvidence.content == content)
    key = _post_key(post, content, warning)
    return [Upsert(CaseEvidence, key, actions, same, CaseMoved), *photo_evidence(raw)]


LONGEST_LINE = 120


def line_of(raw: RawItem, *, audience: str) -> str:
    """Returns one line of a post that everyone can read, its content warning if it has one; empty for any other: nobody
    sees those before the log says that they looked."""
    post = row(Post, raw)
    if audience:
        return ""
    return in_one_line(post.warning or said_by(post))


def in_one_line(text: str) -> str:
    return shortened(" ".join(text.split()), LONGEST_LINE)


def is_kept(raw: RawItem) -> bool:
    """Whether the case already has this version of the post, so that moderators see it or have seen it. One consistent
    BatchGetItem, 1 read unit."""
    return not not_kept([raw])


def not_kept(posts: Sequence[RawItem]) -> list[RawItem]:
    """Returns the posts whose present version the case of their author does not have yet. One consistent BatchGetItem,
    1 read unit each."""
    wanted = [_key_now(row(Post, raw)) for raw in posts]
    found = fetch(wanted, consistent=True) if wanted else {}
    return [raw for raw, key in zip(posts, wanted, strict=True) if key not in found]


def _key_now(post: Post) -> Key:
    return _post_key(post, said_by(post), post.warning or "")


def _seen(post: Post, version: int) -> tuple[str, str]:
    """Returns what the post said when the reporter saw it, and its content warning then."""
    if 0 < version < int(post.version):
        key = keys.post_version(post.post_id, version)
        if raw := fetch([key], consistent=True).get(key):
            seen = row(PostVersion, raw)
            return seen.content, seen.warning or ""
    return said_by(post), post.warning or ""


def _post_key(post: Post, content: str, warning: str) -> Key:
    words = f"{warning}\0{content}" if warning else content
    version = hashlib.sha256(words.encode()).hexdigest()[:12]
    return keys.case_evidence(CaseKind.PERSON, post.author_id, post.post_id, version)


KEPT_PARTS = ("handle", "name", "bio", "location", "avatar", "header", "gender")


def profile_evidence(
    raw: RawItem, *, now: str, withdrawn: Collection[str] = ()
) -> list[WriteAction]:
    """Returns the profile of a raw `UserInfo` as evidence, with its pictures. The same profile is kept once, no matter
    how many people report it. `withdrawn` as in `picture_evidence`."""
    info = row(UserInfo, raw)
    said = {name: getattr(info, name) for name in KEPT_PARTS}
    actions = [
        ProfileEvidence.person_id.set(info.user_id),
        ProfileEvidence.kept_at.set(ProfileEvidence.kept_at | now),
        *(getattr(ProfileEvidence, name).set(text) for name, text in said.items() if text),
    ]
    same = ProfileEvidence.handle.does_not_exist() | (ProfileEvidence.handle == info.handle)
    kept = Upsert(ProfileEvidence, _profile_key(info), actions, same, CaseMoved)
    return [kept, *picture_evidence(info, withdrawn=withdrawn)]


def is_profile_kept(raw: RawItem) -> bool:
    """Whether the case already has the profile of a raw `UserInfo`. One consistent BatchGetItem, 1 read unit."""
    key = _profile_key(row(UserInfo, raw))
    return key in fetch([key], consistent=True)


def version_of(info: UserInfo) -> str:
    """Returns what tells this version of the profile from every other. One without pronouns has the name that it had
    before they were kept."""
    parts = KEPT_PARTS if info.gender else KEPT_PARTS[:-1]
    said = "\0".join(str(getattr(info, name)) for name in parts)
    return hashlib.sha256(said.encode()).hexdigest()[:12]


def _profile_key(info: UserInfo) -> Key:
    return keys.case_profile(CaseKind.PERSON, info.user_id, version_of(info))


CAN_BE_RESET = ("name", "bio", "gender", "location", "avatar", "header")


@dataclass(frozen=True, slots=True)
class Reset:
    """What resets a profile and the words of starter packs: the parts that had something to reset, the version that the
    case keeps of the profile, empty if nothing of it was, and the writes."""

    parts: tuple[str, ...] = ()
    profile: str = ""
    writes: tuple[WriteAction, ...] = ()


def reset_of(person_id: str, parts: Collection[str]) -> Reset:
    """Returns what resets parts of a profile and of starter packs, and keeps them in the case. Name and titles become
    the handle, everything else goes. The stream worker deletes the public files of pictures, once it has copied them.

    One consistent BatchGetItem, 1 read unit, and one of the packs if any are named. Raises `NotFound`.
    """
    key = keys.user_info(person_id)
    raw = fetch([key], consistent=True).get(key)
    if raw is None:
        raise NotFound("nobody to reset")
    info = row(UserInfo, raw)
    of_packs, writes = words_reset(raw, parts, now=utc_now_iso())
    chosen = tuple(part for part in CAN_BE_RESET if part in parts and _says_something(info, part))
    if not chosen:
        return Reset(of_packs, "", tuple(writes))
    actions: list[Action] = []
    as_read: list[Condition] = [UserInfo.handle == info.handle]
    for part in chosen:
        attribute: Any = getattr(UserInfo, part)
        actions.append(attribute.set(info.handle) if part == "name" else attribute.remove())
        as_read.append(attribute == getattr(info, part))
    if "bio" in chosen:
        actions.append(UserInfo.mentions.remove())
    kept = profile_evidence(raw, now=utc_now_iso(), withdrawn=chosen)
    changed = Change(UserInfo, key, actions, reduce(and_, as_read), CaseMoved)
    return Reset((*chosen, *of_packs), version_of(info), (changed, *kept, *writes))


def put_back(case: Case, action: CaseAction) -> list[WriteAction]:
    """Returns what gives a profile and starter packs back the parts that an action reset, except those that the person
    has changed since, and those that a later reset took again. Pictures get new files.

    A Query of the person's strikes; for the profile one consistent BatchGetItem, 3 read units, for mentions one more,
    for each picture as `stored_anew`, for packs as `words_put_back`.
    """
    again = _taken_again(case, action)
    taken_again = {(word, list_id) for word, list_id, _ in map(part_of_pack, again)}
    packs = words_put_back(case, action, taken_again=taken_again)
    return [*packs, *(_profile_put_back(case, action, without=again) if action.profile else [])]


def _profile_put_back(
    case: Case, action: CaseAction, *, without: Collection[str]
) -> list[WriteAction]:
    key = keys.user_info(case.person_id)
    kept_key = keys.case_profile(case.kind, case.subject_id, str(action.profile))
    erasure = keys.erasure(case.person_id)  # it has deleted the pictures, and does so once
    found = fetch([key, kept_key, erasure], consistent=True)
    if key not in found or kept_key not in found or erasure in found:
        return []
    info, kept = row(UserInfo, found[key]), row(ProfileEvidence, found[kept_key])
    wanted = set(action.parts or ()) - set(without)
    actions: list[Action] = []
    as_read: list[Condition] = []
    for part in CAN_BE_RESET:
        reset = kept.handle if part == "name" else ""
        if part not in wanted or getattr(info, part) != reset:
            continue
        value = str(getattr(kept, part))
        if part in set(Kind):
            value = stored_anew(case.person_id, Kind(part), value, action_id=action.action_id)
        if not value:
            continue
        attribute: Any = getattr(UserInfo, part)
        actions.append(attribute.set(value))
        as_read.append(attribute == reset if reset else attribute.does_not_exist())
        if part == "bio" and (mentioned := find_mentioned(value)) is not None:
            actions.append(UserInfo.mentions.set(mentioned))
    if not actions:
        return []
    not_erased = Check(erasure, IS_ABSENT, CaseMoved)
    return [Change(UserInfo, key, actions, reduce(and_, as_read), CaseMoved), not_erased]


def _says_something(info: UserInfo, part: str) -> bool:
    """Whether there is anything to reset."""
    value = getattr(info, part)
    return bool(value) and (part != "name" or value != info.handle)


def _taken_again(case: Case, action: CaseAction) -> set[str]:
    """Returns the parts that later resets took, which stand."""
    strikes = query(keys.strikes(case.person_id), forward=False, consistent=True)
    found = (row(Strike, raw) for raw in strikes)
    later = (
        strike
        for strike in found
        if strike.kind == ActionKind.RESET
        and not strike.undone_at
        and strike.action_id > action.action_id
    )
    return {part for strike in later for part in strike.parts}
