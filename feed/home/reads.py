"""The home timeline (pattern 7 of the published design) and that of favourites, whether the viewer follows them or not.

Which posts are newer than an open page is what its pill counts, and what pressing it shows. The cursor carries along
which reposted posts a reader has met on the pages before this one, so that neither another repost nor the post itself
brings them again, and no call more is made.

People to follow, for the right column and the first steps, are authors on this site whom the viewer does not follow yet
and, above them, the people whom the viewer may know (`relations/suggested.py`). The people who posted here last are the
same for everyone, so each process keeps them, with the newest post of each, for `KEPT_FOR` seconds. What must act at
once (a block, a suspension, a deleted post) is asked anew by each page that shows them. Only their numbers of
followers, and who posted in between, may be that old.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice
from typing import NamedTuple, Self
from urllib.parse import urlencode

from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR, Viewer
from feed.cards.muting import AT_HOME
from feed.cards.post_card import PostCard
from feed.cards.reads import get_posts, keys_of_page, people_in
from feed.posts.reads import Pointer, goes_out, is_plain, mute_keys, pointer_of
from feed.profiles.reads import source_of_posts
from feed.timelines.big_authors import News, get_news
from feed.timelines.local import DAYS_A_PAGE, day_of, latest, newest_of_shards
from relations.models import Relation, RelationType
from relations.muted_words.reads import muted_keys
from relations.own_choices.writes import MOST_FAVOURITES
from relations.reads import keys_of_people, people_of
from relations.relation import is_in_force
from relations.suggested import (
    Recommendation,
    Suggestion,
    find_suggestions,
    keys_of_suggestions,
    looked_at,
    more_suggestions,
    own_relations,
    suggestions_of,
)
from relations.topics import Topic
from socialsite.clock import utc_now
from socialsite.process_state import KeptCopy
from socialsite.table import (
    PAGE_SIZE,
    Key,
    Page,
    Place,
    RawItem,
    Source,
    Stretch,
    access_pattern,
    fetch,
    ids,
    keys,
    query,
    query_merged,
    read_cursor,
    row,
    write_cursor,
)
from socialsite.table.reading import BATCH_GET_LIMIT

MOST = 60  # posts, the last ones: half of the repeats in 1,200 cards, for 740 characters of address
LENGTH = 8  # characters of an id, 5 bytes, all of them random


def seen_before(scope: str, cursor: str | None) -> list[str]:
    """Returns the ends of the ids of posts that earlier pages showed as reposts, the latest last."""
    carried = read_cursor(scope, cursor).carried[-MOST * LENGTH :] if cursor else ""
    return [carried[start : start + LENGTH] for start in range(0, len(carried), LENGTH)]


def not_seen(pointers: Iterable[Pointer], seen: Sequence[str]) -> list[Pointer]:
    """Returns the pointers without those that bring a post again."""
    return [one for one in pointers if one.shown.post_id[-LENGTH:] not in seen]


def carry(page: Page[PostCard], seen: Sequence[str]) -> Page[PostCard]:
    """Returns the page with a cursor that carries along what it shows as reposts."""
    shown = [card.post_id[-LENGTH:] for card in page.items if card.reposters]
    if page.next_cursor is None or not (seen or shown):
        return page
    carried = "".join([*seen, *shown][-MOST:])
    place = replace(read_cursor(page.scope, page.next_cursor), carried=carried)
    return replace(page, next_cursor=write_cursor(page.scope, place))


# Keys of a post that leads to no other: the post, its author, its counts, the viewer's trace.
PLAIN_KEYS = 4


@access_pattern
def get_timeline(
    viewer: Viewer, *, cursor: str | None = None, news: News | None = None
) -> Page[PostCard]:
    """Pattern 7, getTimelineByUserID: returns posts of the people and with the tags that someone follows, newest first.

    Query `PK = u#<id>#timeline`, then one BatchGetItem of posts, authors, like counts and own likes: at most 80 keys
    for 20 posts, at most 0.5 + 40 read units, whatever number of people they follow. One BatchGetItem more where posts
    are not for everyone. Replies take up to 3 keys more, reposts up to 4, posts that a tag brought 2; the page ends
    where its keys make 100. Muted words that this process does not have are one key more. What earlier pages showed as
    a repost does not come again. Posts of authors who are not fanned out but pulled stand in the timeline too, or in
    the `news`, which are read (`get_news`) if the caller has not done so.
    """
    page = timeline_page(viewer, cursor, get_news(viewer) if news is None else news)
    seen = seen_before(keys.timeline(viewer.user_id), cursor)
    pointers = [pointer_of(raw) for raw in page.items]
    page = page.cut(_most_in_one_batch(pointers, viewer))
    fresh = not_seen(pointers[: len(page.items)], seen)
    return carry(page.with_items(timeline_posts(fresh, viewer)), seen)


def _most_in_one_batch(pointers: Sequence[Pointer], viewer: Viewer) -> int:
    """Returns how many of the posts one BatchGetItem can read. Replies take more keys than other posts."""
    count = len(pointers)
    if all(map(is_plain, pointers)) and count * PLAIN_KEYS < BATCH_GET_LIMIT:
        return count
    while _keys_needed(pointers[:count], viewer) > BATCH_GET_LIMIT:
        count -= 1
    return count


def _keys_needed(pointers: Sequence[Pointer], viewer: Viewer) -> int:
    blocks_and_mutes = 2 * len(_answered(pointers, viewer) | _found_by_tag(pointers))
    beside = blocks_and_mutes + len(muted_keys(viewer))
    return len(keys_of_page(pointers, viewer=viewer)) + beside


LOOKED_AT = 100  # entries, where people of lists are not in Home


def timeline_page(
    viewer: Viewer, cursor: str | None, news: News, size: int = PAGE_SIZE
) -> Page[RawItem]:
    """Returns a page of the viewer's timeline as it is stored, with the news among it: one Query. Where people of lists
    are not in Home, it asks for 100 entries at once, 3 read units, and leaves theirs out. The page may be short."""
    entries = Source(keys.timeline(viewer.user_id))
    scope, beside = entries.partition, news.entries
    if away := viewer.not_home:

        def is_in_home(raw: RawItem) -> bool:
            return raw["author_id"]["S"] not in away

        beside = [*filter(is_in_home, beside)]
        entries = replace(
            entries, wanted=is_in_home, look_at_most=max(LOOKED_AT, size), at_once=LOOKED_AT
        )
    return query_merged([entries], scope=scope, cursor=cursor, size=size, beside=beside)


def timeline_posts(pointers: Iterable[Pointer], viewer: Viewer) -> list[PostCard]:
    """Returns the posts of timeline entries that the viewer may see and wants to: one BatchGetItem or more."""
    # Blocks end the follow, and mutes keep posts out of the fan-out. The worker clears what was there before, and
    # `hidden` names the people until then. Only posts that a followed tag brought were never checked. A reply also
    # leaves with the person answered, of whom the fan-out could not know later; so does a repost.
    hidden = set(viewer.hidden)
    wanted = [
        one
        for one in pointers
        if not (hidden and one.author_id != viewer.user_id and hidden & people_in(one))
        and not (one.repost_of and one.author_id in viewer.without_reposts)
    ]
    checked = _answered(wanted, viewer) | _found_by_tag(wanted)
    posts = get_posts(wanted, viewer=viewer, blocks_of=checked, mutes_of=checked, quiet=AT_HOME)
    by_tag = {one.post_id for one in wanted if one.tag}
    return [one for one in posts if not (one.post_id in by_tag and one.author.is_limited)]


def _answered(pointers: Iterable[Pointer], viewer: Viewer) -> set[str]:
    """Returns the people whom replies answer, and whose posts others reposted."""
    # Also those who stand among the pointers as authors: an entry whose post was deleted before a block is still there.
    notable = (one for one in pointers if not is_plain(one))
    found = {person for one in notable for person in people_in(one) - {one.author_id}}
    return found - {viewer.user_id}


def _found_by_tag(pointers: Iterable[Pointer]) -> set[str]:
    """Returns the people whose posts a followed tag brought, and whom the viewer need not follow."""
    return {one.author_id for one in pointers if one.tag}


@dataclass(frozen=True, slots=True)
class Pill:
    """The number of new posts above a page. It counts from the cursor `since`; up to the cursor `counted` it has."""

    since: str
    counted: str = ""
    count: int = 0
    is_full: bool = False  # there are more than it counts
    follows_pulled: bool = False  # the timeline is merged from more than its own entries

    @classmethod
    def above(cls, viewer: Viewer, top: str | None) -> Self:
        """Returns the empty pill of a page, from the place of the page's first entry."""
        place = Place("previous", top or keys.pointer("", ""))
        since = write_cursor(keys.timeline(viewer.user_id), place)
        return cls(since, follows_pulled=bool(viewer.pulled))

    @property
    def count_text(self) -> str:
        return f"{self.count}+" if self.is_full else str(self.count)

    @property
    def show_url(self) -> str:
        return f"/new?{urlencode({'since': self.since, 'show': 1})}"

    @property
    def asked(self) -> str:
        """Returns the part of an address that asks for what is newer still; empty if more would change nothing."""
        if self.is_full:
            return ""
        pulled = {"pulled": 1} if self.follows_pulled else {}
        counted = {"counted": self.counted} if self.counted else {}
        return urlencode({"since": self.since, **counted, **pulled})


@access_pattern
def find_newer(viewer: Viewer, pill: Pill) -> str:
    """Returns a place up to which entries of others came that the pill has not counted, whether the viewer may see
    them or not; empty if none came.

    One Query, 0.5 read units, asked with `get_waiting`; more if many own posts lie in between. Before it what
    `get_news` reads. Raises `BadCursor`.
    """
    news = get_news(viewer)
    cursor: str | None = pill.counted or pill.since
    while cursor:
        page = timeline_page(viewer, cursor, news)
        if _of_others(page, viewer):
            return page.top or ""
        cursor = page.previous_cursor
    return ""


def count_newer(viewer: Viewer, pill: Pill, found: str) -> Pill:
    """Returns the pill with the number of new posts that the viewer may see, as `list_newer` reads them.

    It has counted up to the place that `find_newer` found too: what is not in Home does not come up again.
    """
    page = list_newer(viewer, since=pill.since)
    counted = Pill.above(viewer, max(page.top or "", found)).since
    return Pill(
        pill.since, counted, len(page.items), bool(page.previous_cursor), bool(viewer.pulled)
    )


@access_pattern
def list_newer(viewer: Viewer, *, since: str, size: int = PAGE_SIZE) -> Page[PostCard]:
    """Returns at most `size` posts of others in the timeline that are newer than a cursor.

    What `get_news` reads, and one Query, 0.5 read units, if there are none, otherwise also one BatchGetItem. In all 0.5
    + 40 read units. More only if many own posts lie in between. `top` is the place up to which it looked. Raises
    `BadCursor`.
    """
    others: list[Pointer] = []
    top = None
    news = get_news(viewer)
    cursor: str | None = since
    while cursor and len(others) < size:
        page = timeline_page(viewer, cursor, news, size)
        others = _of_others(page, viewer) + others
        top, cursor = page.top or top, page.previous_cursor
    posts = timeline_posts(others, viewer) if others else []
    return Page(posts, None, cursor, top)


def _of_others(page: Page[RawItem], viewer: Viewer) -> list[Pointer]:
    pointers = map(pointer_of, page.items)
    return [pointer for pointer in pointers if pointer.author_id != viewer.user_id]


@access_pattern
def get_favourites(viewer: Viewer, *, cursor: str | None = None) -> Page[PostCard]:
    """Returns the posts of the viewer's favourites, newest first.

    One Query of the favourites, one of the posts of each, at most 30, merged, then one BatchGetItem of at most 100
    keys: 0.5 + 30 read units if posts are short, and 50. In all 15.5 + 50 read units. Nothing is fanned out, because
    favourites are few. Raises `BadCursor`.
    """
    partition = keys.relations(viewer.user_id)
    stars = query(partition, between=keys.relation_bounds(RelationType.FAVOURITE))
    sources = [
        source_of_posts(row(Relation, raw).other_id, wanted=goes_out)
        for raw in islice(filter(is_in_force, stars), MOST_FAVOURITES)
    ]
    scope = f"{partition} {int(RelationType.FAVOURITE)}"
    page = query_merged(sources, scope=scope, cursor=cursor)
    pointers = [pointer_of(raw) for raw in page.items]
    reposted = {one.repost_of_author_id for one in pointers if one.repost_of}
    return page.with_items(get_posts(pointers, viewer=viewer, mutes_of=reposted, quiet=AT_HOME))


ENOUGH = 30  # authors: yesterday is read if today has fewer
MOST_AUTHORS = 40
POSTS_READ = 20  # of a shard and day: what half a read unit holds
KEPT_FOR = 30.0  # seconds


class NewestAuthors(NamedTuple):
    """Where the newest post of each author is, by author id, newest first; and the authors' counts, for the order in
    which they are shown."""

    posts: dict[str, Pointer]
    counts: dict[Key, RawItem]


def newest_authors() -> NewestAuthors:
    """Returns the last people who posted, from this process's copy. At most once in `KEPT_FOR` seconds it costs as much
    as `read_newest_authors`."""
    return _newest.get()


@access_pattern
def read_newest_authors() -> NewestAuthors:
    """Reads the last 40 people who posted, which each process keeps for 30 seconds, for all pages. Four Queries for
    today, four more for yesterday if that makes fewer than 30, 0.5 read units each; then one BatchGetItem of their
    counts, 20 read units. In all 4 + 20 read units."""
    now, newest = latest(), dict[str, Pointer]()
    for day in (day_of(now) - timedelta(days=number) for number in range(DAYS_A_PAGE)):
        if len(newest) < ENOUGH:
            for pointer in sorted(newest_of_shards(day, now, POSTS_READ), reverse=True):
                newest.setdefault(pointer.author_id, pointer)
    posts = dict(islice(newest.items(), MOST_AUTHORS))
    return NewestAuthors(posts, fetch(map(keys.user_count, posts)))


_newest = KeptCopy(lambda: read_newest_authors(), seconds=lambda: KEPT_FOR)


@access_pattern
def list_newest_by_author(*, viewer: Viewer = VISITOR, size: int) -> list[PostCard]:
    """Returns the newest post of each of the last people who posted, newest first, so that nobody fills a page alone.

    `newest_authors`, and one BatchGetItem: at most 2 read units a post. In all 20 read units. May return fewer than
    `size`.
    """
    pointers = list(newest_authors().posts.values())[:size]
    posts = get_posts(pointers, viewer=viewer, mutes_of={one.author_id for one in pointers})
    return [post for post in posts if not post.author.is_limited]


MOST_SUGGESTED = 12
MORE = 8  # looked at beyond those shown, for whom the viewer follows already
NEWCOMER = timedelta(days=7)


@access_pattern
def suggest_people(*, viewer: Viewer = VISITOR, size: int = MOST_SUGGESTED) -> list[PersonCard]:
    """Returns people who posted lately and whom the viewer neither follows nor mutes. Leaves out the viewer, and people
    who opted out.

    People who have been here for a week come first, then those with most followers, then those who posted last: so a
    new account that posts a lot does not reach the top by that. `newest_authors` and `own_relations`, then one
    BatchGetItem of 8 people more than asked for, with the viewer's follow edges: 1 read unit a person, 20 for 12. In
    the first steps 14 read units. Fewer people, or nobody, if the viewer follows nearly everyone who posts.
    """
    return authors_not_followed(viewer, own_relations(viewer), size)


def authors_not_followed(
    viewer: Viewer, own: Stretch, size: int, *, besides: Collection[str] = ()
) -> list[PersonCard]:
    """Returns what `suggest_people` does, with the viewer's own relations that were read, and without some people."""
    authors = authors_looked_at(viewer, size, besides=besides)
    items = own.fetch(keys_of_authors(viewer, authors))
    return best_of(authors, items, viewer=viewer, size=size)


def authors_looked_at(viewer: Viewer, size: int, *, besides: Collection[str] = ()) -> list[str]:
    """Returns the ids of the authors who may be shown, those who have been here for a week first."""
    posts = newest_authors().posts
    authors = [one for one in posts if one not in besides and one != viewer.user_id]
    return sorted(authors, key=is_newcomer)[: size + MORE]


def keys_of_authors(viewer: Viewer, author_ids: Sequence[str]) -> list[Key]:
    """Returns what decides whether authors are shown: 4 keys each, 2 of them among the own relations."""
    return [*keys_of_people(author_ids, viewer), *mute_keys(viewer, author_ids).values()]


def best_of(
    author_ids: Sequence[str], items: dict[Key, RawItem], *, viewer: Viewer, size: int
) -> list[PersonCard]:
    """Returns cards of the authors to show, best first, from the items of `keys_of_authors`."""
    people = people_of(author_ids, newest_authors().counts | items, viewer=viewer)
    unknown = filter(_is_unknown, people)
    best = sorted(unknown, key=lambda one: (is_newcomer(one.user_id), -(one.followers or 0)))
    return best[:size]


def is_newcomer(user_id: str) -> bool:
    return ids.time_of(user_id) > utc_now() - NEWCOMER


def _is_unknown(person: PersonCard) -> bool:
    return not (person.followed or person.is_self or person.not_suggested or person.is_limited)


@dataclass(frozen=True, slots=True)
class ToFollow:
    """People to follow, nobody in two of the lists; on Explore also those who are new, and topics of people near."""

    known: list[Suggestion]
    people: list[PersonCard]  # who post here
    newcomers: Sequence[PersonCard] = ()  # of them, those who have been here for less than a week
    topics: Sequence[Topic] = ()


@access_pattern
def list_few_to_follow(*, viewer: Viewer, size: int, besides: str = "") -> ToFollow:
    """Returns at most `size` people in all, those whom the viewer may know first. `besides` is a handle that is left
    out.

    `find_suggestions` and `own_relations`, then one BatchGetItem of at most 5 keys for each of `size` + 1 people. Where
    fewer were found than are shown, it asks for `newest_authors` too, with 2 keys for each of `size` + 8. Where too few
    of those found still fit, that is one BatchGetItem more. In all 10 read units, 26 where too few were found.
    """
    most = size + 1 if besides else size
    found, own = find_suggestions(viewer).people, own_relations(viewer)
    few = _together(viewer, found, own, most, most if len(found) < most else 0)
    if len(few.known) < most <= len(found):
        shown = [one.person.user_id for one in few.known]
        few = replace(few, people=authors_not_followed(viewer, own, most, besides=shown))
    known = [one for one in few.known if one.person.handle != besides][:size]
    people = [one for one in few.people if one.handle != besides]
    return ToFollow(known, people[: size - len(known)])


def _together(
    viewer: Viewer,
    found: list[Recommendation],
    own: Stretch,
    known: int,
    size: int,
) -> ToFollow:
    first = found[: looked_at(known)]
    ids = {one.user_id for one in first}
    authors = authors_looked_at(viewer, size, besides=ids) if size else []
    keys_of_known = keys_of_suggestions(viewer.user_id, first)
    items = own.fetch([*keys_of_known, *keys_of_authors(viewer, authors)])
    suggested = suggestions_of(viewer.user_id, first, items)
    suggested = more_suggestions(suggested, viewer, found, own, size=known)
    shown = {one.person.user_id for one in suggested}
    unseen = [one for one in authors if one not in shown]
    people = best_of(unseen, items, viewer=viewer, size=size)
    return ToFollow(suggested, people)
