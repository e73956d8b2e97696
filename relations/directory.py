"""The directory finds people by the beginning of their handle or of a word of their name; the index of tags finds
those in use by their beginning.

Names are folded, so that accents, case and width do not matter: `Zoë`, `ZOE` and `ｚｏｅ` are equal. An entry is in two
partitions, one for its first letter and one for its first two, so both `陈` and `al` find people. The stream worker
keeps the entries (`stream_handlers.py`). Every read decides from the `UserInfo` who is found. It keeps the index of
tags too (`tags/models.py`); a tag expires with the last of its posts.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR, Viewer
from relations.models import DirectoryEntry, TagUse
from relations.reads import list_people
from socialsite.table import (
    PAGE_SIZE,
    Page,
    RawItem,
    Source,
    access_pattern,
    keys,
    query,
    query_merged,
    row,
)
from socialsite.table.transport.requests import query_request
from socialsite.texts import fold, fold_beginning

WORDS = 4  # words of a name that find it
LONGEST = 40  # folded characters of an entry
LETTERS = (1, 2)  # letters in a partition key


@access_pattern
def search_people(
    text: str, *, viewer: Viewer = VISITOR, cursor: str | None = None, size: int = PAGE_SIZE
) -> Page[PersonCard]:
    """Returns people whose handle, or a word of whose name, begins with the text. Returns nobody for a text without
    letters.

    Query `PK = find#<first 2 letters>`, `SK` beginning with the folded text, then one BatchGetItem of infos and the
    viewer's follow edges: at most 0.5 + 30 read units, however many people there are. In the right column 0.5 + 18 read
    units. A page may be short: it has everyone once, at their first matching entry, and leaves out people whose name
    has changed or who are gone. Limited people are found by their followers, and by people who type the whole handle.
    """
    prefix = looked_for(text)
    if not prefix:
        return Page(())
    partition = keys.directory(prefix[: max(LETTERS)])
    source = Source(partition, between=keys.bounds(prefix))
    scope = f"{partition} {prefix}"
    page = query_merged([source], scope=scope, cursor=cursor, size=size, newest_first=False)
    ids = [row(DirectoryEntry, raw).user_id for raw in page.items]
    return page.with_items(found_people(page.items, list_people(ids, viewer=viewer), prefix))


def looked_for(text: str) -> str:
    """Returns how entries begin that a text finds, empty for a text without letters."""
    return fold(text)[:LONGEST].rstrip()


def entries_request(prefix: str, *, limit: int) -> dict[str, Any]:
    """Returns the Query of the first entries that begin so, to be asked together with others (`query_all`)."""
    partition = keys.directory(prefix[: max(LETTERS)])
    return query_request(partition, between=keys.bounds(prefix), limit=limit)


def found_people(
    entries: Sequence[RawItem], people: Iterable[PersonCard], prefix: str
) -> list[PersonCard]:
    """Returns the people of these entries whom the text finds, each at their first entry that fits."""
    cards = {person.user_id: person for person in people}
    ids = [row(DirectoryEntry, raw).user_id for raw in entries]
    return [
        cards[user_id]
        for user_id, raw in zip(ids, entries, strict=True)
        if user_id in cards
        and is_first_fit(raw, cards[user_id], prefix)
        and _is_looked_for(cards[user_id], prefix)
    ]


def directory_entries(*, user_id: str, handle: str, name: str) -> list[DirectoryEntry]:
    """Returns all entries of a person: at most two for the handle and for each of four words of the name."""
    return [
        DirectoryEntry.new(letters=letters, folded=folded, user_id=user_id)
        for folded in _findable(handle, name)
        for letters in dict.fromkeys(folded[:count] for count in LETTERS)
    ]


def _findable(handle: str, name: str) -> list[str]:
    words = fold(name).split()
    starts = [" ".join(words[number:]) for number in range(min(len(words), WORDS))]
    return list(dict.fromkeys(start[:LONGEST].rstrip() for start in [fold(handle), *starts]))


def is_first_fit(entry: RawItem, person: PersonCard, prefix: str) -> bool:
    """Whether an entry is the first of the person's that begins with the text, so that a search has them once."""
    fits = [folded for folded in _findable(person.handle, person.name) if folded.startswith(prefix)]
    return fits[:1] == [row(DirectoryEntry, entry).folded]


def _is_looked_for(person: PersonCard, prefix: str) -> bool:
    knows = person.followed or person.is_self or fold(person.handle) == prefix
    return bool(knows) or not person.is_limited


@access_pattern
def find_tags(text: str, *, size: int) -> list[str]:
    """Returns tags in use that begin with the text, in the order of their letters, so the very tag first. None for a
    text that no tag begins with.

    Query `PK = find#tag#<first 2 letters>`, `SK` beginning with the folded text: 0.5 read units. With a single letter
    of an alphabet only the tag of that name is found.
    """
    beginning = fold_beginning(text)
    if not beginning:
        return []
    between = keys.tag_bounds(beginning)
    rows = query(keys.tag_index(beginning), between=between, limit=size)
    return tags_of(islice(rows, size))


def tags_request(text: str, *, limit: int) -> dict[str, Any] | None:
    """Returns the Query of `find_tags`, to be asked together with others; None for a text that no tag begins with."""
    beginning = fold_beginning(text)
    if not beginning:
        return None
    return query_request(keys.tag_index(beginning), between=keys.tag_bounds(beginning), limit=limit)


def tags_of(uses: Iterable[RawItem]) -> list[str]:
    return [row(TagUse, raw).tag for raw in uses]
