"""The inbox: what is new, a page of it, and what of it was shown."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from accounts.models import SignIn, UserSettings
from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR, Viewer, Waiting
from feed.cards.muting import IN_NOTIFICATIONS, quieten
from feed.cards.post_card import PostCard
from feed.cards.reads import Fetched, keys_of_page, visible_posts
from feed.posts.reads import Pointer, block_keys, mute_keys, pointer_of, sight_of
from notifications.cards import NotificationCard
from notifications.delivery import holds
from notifications.models import SUBJECT, Notification
from relations.models import Relation
from relations.muted_words.reads import muted_keys
from relations.relation import blocks_either_way, is_in_force
from socialsite.table import (
    Key,
    NotFound,
    Page,
    RawItem,
    Source,
    access_pattern,
    fetch,
    ids,
    keys,
    query_merged,
    row,
)
from socialsite.table.reading import BATCH_GET_LIMIT
from socialsite.telling import Actors, Kind, kind_of

LOOKED_AT = 200  # groups for one page of a filter
NAMED = 2  # people whom a sentence names
FILTERS: Mapping[str, Callable[[Kind], bool]] = {
    "": lambda kind: True,
    "mentions": lambda kind: kind.shows_whole_post,
    "follows": lambda kind: kind.is_about_people,
}


@access_pattern
def list_notifications(
    viewer: Viewer, *, only: str = "", cursor: str | None = None
) -> Page[NotificationCard]:
    """Returns what a person was told, newest first, all of it or one of the `FILTERS`.

    Query `PK = u#<id>#notification`, consistent, 1 read unit per 4 KB, then one BatchGetItem of posts, people and what
    shows that it still holds: at most 100 keys, where the page ends. In all 3 + 50 read units. With a filter it looks
    at 200 at most. A notification of something that is gone, may not be seen or has a muted word is left out. Raises
    `BadCursor`.
    """
    is_shown = FILTERS[only]
    told = Source(
        keys.notifications(viewer.user_id),
        wanted=lambda raw: is_shown(kind_of(row(Notification, raw).kind)),
        look_at_most=LOOKED_AT,
        consistent=True,
    )
    page = query_merged([told], scope=f"{told.partition} {only}", cursor=cursor)
    count = len(page.items)
    while len(set(_keys(page.items[:count], viewer))) > BATCH_GET_LIMIT:
        count -= 1
    page = page.cut(count)
    return page.with_items(_cards(page.items, viewer))


@access_pattern
def get_notification(viewer: Viewer, place: str) -> NotificationCard:
    """Returns one line of a person's inbox, as its page shows it. Raises `NotFound`, also where the page would leave it
    out.

    A consistent BatchGetItem of it, 1 read unit, and one as for a page, at most 12 keys, 0.5 read units each.
    """
    key = keys.notification(viewer.user_id, place)
    found = fetch([key], consistent=True)
    cards = _cards(list(found.values()), viewer)
    if not cards:
        raise NotFound("no such notification")
    return cards[0]


def hidden_people(relations: Iterable[RawItem]) -> set[str]:
    """Returns the people whom blocks and mutes among a person's own relations hide from them."""
    return {
        row(Relation, raw).other_id
        for raw in relations
        if is_in_force(raw) or blocks_either_way(raw)
    }


@access_pattern
def get_waiting(user_id: str, secret_hash: str, *, with_pulled: bool = False) -> Viewer:
    """Returns as much of the viewer as an open page needs to know whether something is new: what waits for them, and if
    wanted the authors whose posts are merged into their timeline. A visitor if they are signed out.

    BatchGetItem of `u#<id>#session` and `u#<id>` `bell`: 1 read unit, with `settings` 1.5.
    """
    if not user_id:
        return VISITOR
    sign_in, bell = keys.sign_in(user_id, secret_hash), keys.bell(user_id)
    settings = keys.user_settings(user_id)
    found = fetch([sign_in, bell, settings] if with_pulled else [sign_in, bell])
    if not row(SignIn, found.get(sign_in, {})).user_id:
        return VISITOR
    own = row(UserSettings, found.get(settings, {}))
    return Viewer(
        user_id,
        secret_hash,
        pulled=tuple(own.pulled),
        merged=own.merged,
        waiting=Waiting.from_raw(found.get(bell, {})),
    )


@access_pattern
def list_waiting_lines(
    viewer: Viewer, groups: Collection[str], *, most: int, consistent: bool = False
) -> list[NotificationCard]:
    """Returns the newest of some groups of a person's bell as their page would show them, for what tells of them
    elsewhere: without those that have nothing to show any more, and without people whom blocks and
    mutes hide by now.

    One BatchGetItem of at most so many lines, 0.5 read units each, 1 if consistent, one of posts, people and what shows
    that they still hold, and one of what is between the people, 0.5 each.
    """
    unseen = viewer.waiting.unseen
    newest = sorted(groups, key=unseen.__getitem__, reverse=True)[:most]
    if not newest:
        return []
    told = [keys.notification(viewer.user_id, f"{unseen[one][: keys.TIME]}{one}") for one in newest]
    found = fetch(told, consistent=consistent)
    cards = _cards([found[line] for line in told if line in found], viewer)
    people = {one.user_id for card in cards for one in card.named} - {viewer.user_id}
    between = fetch([*block_keys(viewer, people), *mute_keys(viewer, people).values()])
    hidden = hidden_people(between.values())
    return [card for card in cards if not hidden & {one.user_id for one in card.named}]


def _cards(raws: Sequence[RawItem], viewer: Viewer) -> list[NotificationCard]:
    fetched = Fetched([viewer.card] if viewer.card else [])
    fetched.more(_keys(raws, viewer))
    posts = _posts(raws, fetched, viewer)
    cards = (_card(raw, posts, fetched, viewer) for raw in raws)
    return [card for card in cards if card]


def _keys(raws: Sequence[RawItem], viewer: Viewer) -> Iterator[Key]:
    yield from muted_keys(viewer)
    for raw in raws:
        note, pointer = row(Notification, raw), pointer_of(raw)
        kind = kind_of(note.kind)
        if kind.shows_whole_post:
            yield from keys_of_page([pointer], viewer=viewer)
            yield from block_keys(viewer, [pointer.author_id, pointer.reply_to_author_id])
            continue
        if kind.actors == Actors.POSTS:
            yield from keys_of_page(_newest(note), viewer=viewer)
            yield from block_keys(viewer, [pointer.author_id])
            continue
        if pointer.post_id:
            yield keys.post(pointer.author_id, pointer.post_id)
        for actor in sorted(note.actors)[:NAMED]:
            yield keys.user_info(actor)
            yield from block_keys(viewer, [actor])
            if cause := _cause(note, actor):
                yield cause


def _cause(note: Notification, actor: str) -> Key | None:
    """Returns the item that shows that a named person still means it, None where nothing can be taken back."""
    return kind_of(note.kind).still(note.user_id, actor, note.post_id or "")


def _posts(raws: Sequence[RawItem], fetched: Fetched, viewer: Viewer) -> dict[str, PostCard]:
    notes = [row(Notification, raw) for raw in raws]
    posted = {
        pointer
        for note in notes
        if kind_of(note.kind).actors == Actors.POSTS
        for pointer in _newest(note)
    }
    pointers = ({pointer_of(raw) for raw in raws} | posted) - {Pointer("", "")}
    wanted = [keys.post(pointer.author_id, pointer.post_id) for pointer in sorted(pointers)]
    found = [post for key in wanted if (post := fetched.items.get(key))]
    cards = visible_posts(found, fetched, viewer=viewer)
    shown = quieten(cards, fetched.mutes(viewer), IN_NOTIFICATIONS)
    return {card.post_id: card for card in shown}


def _card(
    raw: RawItem, posts: Mapping[str, PostCard], fetched: Fetched, viewer: Viewer
) -> NotificationCard | None:
    note = row(Notification, raw)
    kind = kind_of(note.kind)
    if kind.actors == Actors.POSTS:
        return _card_of_posts(note, posts, viewer)
    named = _named(note, fetched, viewer)
    post = posts.get(note.post_id or "")
    is_from_nobody = kind.actors == Actors.NOBODY
    if not is_from_nobody and (not named or (note.post_id and post is None)):
        return None
    gone = 0 if is_from_nobody else len(sorted(note.actors)[:NAMED]) - len(named)
    return NotificationCard(
        place=note.place,
        kind=kind_of(note.kind),
        named=named,
        people=max(len(named), int(note.people) - gone),
        created=_opened(note),
        is_new=_is_new(note.place, viewer.waiting),
        post=post,
    )


def _card_of_posts(
    note: Notification, posts: Mapping[str, PostCard], viewer: Viewer
) -> NotificationCard | None:
    newest = _newest(note)
    shown = [posts[pointer.post_id] for pointer in newest if pointer.post_id in posts]
    if not shown:
        return None
    return NotificationCard(
        place=note.place,
        kind=kind_of(note.kind),
        named=[shown[0].author],
        people=1,
        created=_opened(note),
        is_new=_is_new(note.place, viewer.waiting),
        post=shown[0],
        posts=int(note.people) - len(newest) + len(shown),
    )


def _newest(note: Notification) -> list[Pointer]:
    """Returns the newest posts that a notification names in the place of people, of which one is shown."""
    return [Pointer(one, str(note.author_id)) for one in sorted(note.actors, reverse=True)[:NAMED]]


def _named(note: Notification, fetched: Fetched, viewer: Viewer) -> list[PersonCard]:
    named, kind = [], kind_of(note.kind)
    for actor in sorted(note.actors)[:NAMED]:
        cause = _cause(note, actor)
        person = fetched.person(actor, viewer)
        still = not cause or holds(fetched.items.get(cause), kind, viewer.user_id)
        is_hidden = sight_of(viewer, actor, fetched.items).is_hidden
        if person and not person.is_locked_out and still and not is_hidden:
            named.append(person)
    return sorted(named, key=lambda person: person.name)


def _opened(note: Notification) -> datetime:
    return ids.time_of(f"{note.place[: keys.TIME]}{'0' * 16}")


def _is_new(place: str, waiting: Waiting) -> bool:
    time, group = place[: keys.TIME], place[keys.TIME : keys.TIME + 1 + SUBJECT]
    return waiting.unseen.get(group, "").startswith(time)


@dataclass(frozen=True, slots=True)
class Shown:
    """The new groups of a page, as `read_notifications` takes them: also those of which there was nothing to show any
    more, which `waiting` leaves out. `elsewhere` is the number of the others."""

    groups: Mapping[str, str]
    waiting: Waiting
    elsewhere: int

    @property
    def tokens(self) -> list[str]:
        return [token_of(group, value) for group, value in self.groups.items()]


def shown_on(page: Page[NotificationCard], waiting: Waiting, *, only: str) -> Shown:
    """Returns what stands on a page of one of the `FILTERS`. It reaches from its first place, or the start of the list,
    to its last one, or the end."""
    first = page.places[0] if page.previous_cursor and page.places else "~"
    last = page.places[-1] if page.next_cursor and page.places else ""
    groups = {
        group: value
        for group, value in waiting.unseen.items()
        if FILTERS[only](kind_of(group[0])) and last <= _sort_key(group, value) <= first
    }
    cards = {keys.notification("", card.place).sk for card in page.items}
    gone = {group for group, value in groups.items() if _sort_key(group, value) not in cards}
    rest = {group: value for group, value in waiting.unseen.items() if group not in gone}
    return Shown(groups, replace(waiting, unseen=rest), len(waiting.unseen) - len(groups))


def token_of(group: str, value: str) -> str:
    """Returns what a page says of a new group that it shows, as of its last change."""
    return f"{group}.{value}"


def _sort_key(group: str, value: str) -> str:
    return keys.notification("", f"{value[: keys.TIME]}{group}").sk
