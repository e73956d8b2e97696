"""Where an export takes its data from: the person's own partitions, each read page by page in the order of `SOURCES`,
and how far the steps have got, which is what its job's cursor says. Everything that a person wrote into others'
partitions has a trace in their own (rule 8), so these are all; to a conversation their entry leads. Where the site has
a `PERSON_ROLE`, each is read with credentials for this person alone, but for the messages of groups."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Self

from chats.export import get_entry, next_entry, take_chat
from privacy.export.account_records import (
    ACCOUNT,
    APPS,
    HELP,
    OLD_POSTS,
    ORIGINS,
    PASSKEYS,
    PROFILE,
    PUSH_DEVICES,
    REPORTS,
    SIGN_INS,
    STRIKES,
    help_lines,
    profile_lines,
    push_lines,
    report_lines,
    strike_lines,
)
from privacy.export.care_records import REPORTS_RECORD, SECURED, record_lines, secured_lines
from privacy.export.import_records import (
    IMPORT_LINES,
    IMPORTS,
    import_lines,
    import_report_lines,
)
from privacy.export.kinds import Kind, Owner, Record
from privacy.export.message_records import (
    CONVERSATIONS,
    KEPT_MESSAGES,
    MESSAGES,
    chat_lines,
    kept_lines,
)
from privacy.export.post_records import (
    DRAFTS,
    PHOTOS,
    POSTS,
    REPOSTS,
    SCHEDULED,
    draft_lines,
    photo_lines,
    post_lines,
    scheduled_lines,
)
from privacy.export.relation_records import (
    FOLLOWERS,
    FOLLOWING,
    HIDDEN_SUGGESTIONS,
    LEFT_THREADS,
    LIKES,
    LISTS,
    MUTED_WORDS,
    NOTIFICATIONS,
    QUOTE_REFUSALS,
    RELATIONS,
    SAVED,
    SITE_VOTES,
    TAGS,
    VOTES,
    ballot_lines,
    follower_lines,
    following_lines,
    list_lines,
    muted_word_lines,
    notification_lines,
    relation_lines,
    saved_lines,
    suggestion_lines,
    tag_lines,
    trace_lines,
)
from privacy.export.settings_records import SETTINGS
from relations.export import FileKind, list_file_rows
from socialsite.table import Key, RawItem, access_pattern, as_person, key_of, keys, query

ITEMS_A_STEP = 200

# In the order in which pages and manifest name them.
KINDS: tuple[Kind, ...] = (
    *(
        PROFILE,
        ACCOUNT,
        SIGN_INS,
        APPS,
        PUSH_DEVICES,
        ORIGINS,
        PASSKEYS,
        SETTINGS,
        OLD_POSTS,
        POSTS,
        REPOSTS,
        DRAFTS,
        SCHEDULED,
        PHOTOS,
        LIKES,
        VOTES,
        SITE_VOTES,
        SAVED,
        TAGS,
    ),
    *(CONVERSATIONS, MESSAGES, KEPT_MESSAGES),
    *(FOLLOWING, FOLLOWERS, RELATIONS, LISTS, MUTED_WORDS),
    *(HIDDEN_SUGGESTIONS, NOTIFICATIONS),
    *(LEFT_THREADS, QUOTE_REFUSALS, STRIKES, HELP, SECURED, REPORTS, REPORTS_RECORD),
    *(IMPORTS, IMPORT_LINES),
)


@dataclass(frozen=True, slots=True)
class Piece:
    """What a step has read: lines for a part, and the sort key after which the next step begins, empty at the end."""

    lines: Sequence[str]
    following: str


@dataclass(frozen=True, slots=True)
class Source:
    name: str
    read: Callable[[Owner, str], Piece]


def line(name: str, content: object) -> str:
    """Returns a record of a kind, or a row of a CSV file, as a line of a part."""
    return f"{name}\t{json.dumps(content, ensure_ascii=False)}"


@access_pattern
def read_own_items(
    user_id: str, partition: str, between: tuple[str, str] | None = None, after: str = ""
) -> tuple[list[RawItem], str]:
    """Returns the next 200 items of one of a person's partitions, and the sort key after which the next begin, empty
    at the end. One Query, 0.5 read units per 4 KB."""
    start = Key(partition, after) if after else None
    with as_person(user_id):
        found = query(partition, after=start, between=between, limit=ITEMS_A_STEP)
        raws = list(islice(found, ITEMS_A_STEP))
    return raws, key_of(raws[-1]).sk if len(raws) == ITEMS_A_STEP else ""


def own_photos(user_id: str) -> Iterator[RawItem]:
    """Yields the photos of a person, 200 with each Query."""
    after, is_first = "", True
    while after or is_first:
        raws, after = read_own_items(user_id, keys.photos(user_id), after=after)
        is_first = False
        yield from raws


def _of_partition(
    name: str,
    partition: Callable[[str], str],
    lines_of: Callable[[Owner, Sequence[RawItem]], Iterator[tuple[str, Record]]],
    between: tuple[str, str] | None = None,
) -> Source:
    def read(owner: Owner, after: str) -> Piece:
        user_id = owner.user_id
        raws, following = read_own_items(user_id, partition(user_id), between, after)
        return Piece(_written(lines_of(owner, raws)), following)

    return Source(name, read)


def _read_chats(owner: Owner, after: str) -> Piece:
    """Reads the next conversation, or what follows a message of one: `after` is the id of a conversation, and of a
    message in it if that was not the last."""
    chat_id, _, message_id = after.partition(" ")
    user_id = owner.user_id
    entry = get_entry(user_id, chat_id) if message_id else next_entry(user_id, chat_id)
    if entry is None:
        return Piece([], f"{chat_id} " if message_id else "")
    taken = take_chat(owner.viewer, entry, after=message_id)
    lines = _written(chat_lines(owner, taken, is_first=not message_id))
    return Piece(lines, f"{entry.chat_id} {taken.following}")


def _of_profile() -> Source:
    return Source("profile", lambda owner, after: Piece(_written(profile_lines(owner)), ""))


def _of_csv(kind: FileKind) -> Source:
    def read(owner: Owner, after: str) -> Piece:
        rows, following = list_file_rows(owner.viewer, kind, host=owner.host, after=after)
        return Piece([line(kind, list(cells)) for cells in rows], following)

    return Source(f"{kind}.csv", read)


def _written(records: Iterable[tuple[str, Record]]) -> list[str]:
    return [line(name, record) for name, record in records]


SOURCES: tuple[Source, ...] = (
    _of_profile(),
    _of_partition("posts", keys.posts, post_lines),
    _of_partition("photos", keys.photos, photo_lines),
    _of_partition("likes", keys.traces, trace_lines),
    _of_partition("ballots", keys.ballots, ballot_lines),
    _of_partition("saved", keys.shelf, saved_lines, keys.saved_bounds()),
    _of_partition("tags", keys.followed_tags, tag_lines),
    _of_partition("following", keys.followings, following_lines),
    _of_partition("followers", keys.followers, follower_lines),
    _of_partition("muted words", keys.all_muted_words, muted_word_lines),
    _of_partition("lists-of-people", keys.person_lists, list_lines),
    _of_partition("suggestions", keys.dismissals, suggestion_lines),
    _of_partition("notifications", keys.notifications, notification_lines),
    _of_partition("push", keys.push_subscriptions, push_lines),
    _of_partition("decisions", keys.strikes, strike_lines),
    _of_partition("help", keys.help_offers, help_lines),
    _of_partition("secured", keys.all_secured, secured_lines),
    _of_partition("reports", keys.report_traces, report_lines),
    _of_partition("reporter", keys.reporter_records, record_lines),
    _of_partition("imports", keys.transfers, import_lines),
    _of_partition("import reports", keys.transfer_reports, import_report_lines),
    *map(_of_csv, FileKind),
)
# Private notes, messages and what is not published yet are sealed with keys that the stream worker may not read, so the
# clock reads these.
BY_CLOCK: tuple[Source, ...] = (
    _of_partition("relations", keys.relations, relation_lines),
    _of_partition("drafts", keys.shelf, draft_lines, keys.draft_bounds()),
    _of_partition("scheduled", keys.shelf, scheduled_lines, keys.scheduled_bounds()),
    Source("chats", _read_chats),
    _of_partition("kept", keys.kept_messages, kept_lines),
)
NAMES = [source.name for source in SOURCES]


@dataclass(frozen=True, slots=True)
class Place:
    """The source that is read next and the sort key after which, and the name of the last part."""

    source: str
    after: str = ""
    part: str = ""

    @classmethod
    def from_cursor(cls, cursor: str) -> Self:
        return cls(**json.loads(cursor)) if cursor else cls(NAMES[0])

    def __str__(self) -> str:
        return json.dumps(asdict(self))

    @property
    def number(self) -> int:
        """Returns how many sources are done."""
        return NAMES.index(self.source)

    def further(self, *, after: str, part: str) -> "Place | None":
        """Returns where the next step begins, None behind the last source."""
        if after:
            return Place(self.source, after, part)
        rest = NAMES[self.number + 1 :]
        return Place(rest[0], "", part) if rest else None
