"""What is looked at once all is quiet: the invariants of `audit`, the table beside the model, and what people see."""

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import orjson
from django.conf import settings

from accounts.models import UserInfo
from accounts.people.reads import get_user_info
from chats.reads import get_chat
from feed.cards.reads import get_posts
from feed.home.reads import get_timeline
from feed.posts.models import LikeCount, Post
from feed.posts.reads import Pointer
from feed.timelines.big_authors import ask_to_merge, get_news
from feed.timelines.checks import clear_strangers
from finding.checks import mend_words
from operations.invariants import Invariants
from operations.reconcile import reconcile_page
from relations.models import RelationType
from relations.relation import is_in_force
from socialsite.clock import utc_now, utc_now_iso
from socialsite.streams.status import list_dead_letters
from socialsite.table import Item, ids, is_expired, keys, row
from tests.simulation.clockwork import clock
from tests.simulation.deeds.casting import known
from tests.simulation.model import Model, Person
from tests.simulation.shards import as_read
from tests.simulation.world import Violation, World

AWAY = (settings.ABSENT_AFTER_DAYS - 2) * 86_400.0
LOOKED_AT = 8  # people whose pages are looked at each time


def look(world: World) -> None:
    """Raises `Violation`."""
    reconcile_what_came_late(world)
    if broken := broken_rules(world):
        raise Violation(f"audit: { {rule: found[:3] for rule, found in broken.items()} }")
    if letters := list_dead_letters():
        raise Violation(f"dead letters: {letters[:2]}")
    catch_up(world)
    compare_posts(world)
    compare_pairs(world)
    nothing_of_deleted_posts(world)
    nothing_of_the_erased(world)
    people = [one for one in world.model.people.values() if one.is_here]
    for person in world.chance.sample(people, min(LOOKED_AT, len(people))):
        look_as(world, person)
        look_at_messages(world, person)


ENTRIES = {"TagEntry", "WordEntry"}


def reconcile_what_came_late(world: World) -> None:
    """Where a worker's call came after another had seen that the post was deleted, edited or shown to fewer, an entry
    under a tag or a word may point at nothing, or not be what its post says now, and a timeline may hold a post of
    someone whom its owner unfollowed. Such an entry expires, and `reconcile` puts it right
    (docs/adr/0001-late-writes.md): so that runs first, for these entries alone."""
    came = sorted(world.network.put_late.items())
    late = {place: raw for place, raw in came if world.engine.items.get(place) is raw}
    world.network.put_late.clear()
    _reconcile_entries(world, {at: raw for at, raw in late.items() if raw["type"]["S"] in ENTRIES})
    _reconcile_timelines(world, late)


def _reconcile_timelines(world: World, late: dict[tuple[str, str], dict[str, Any]]) -> None:
    """Takes out of timelines what a late call brought by someone who was unfollowed. If anything else is wrong, nothing
    is done, so that the audit tells it all."""
    left: dict[str, str] = {}
    for raw in late.values():
        if raw["type"]["S"] == "TimelineEntry":
            user_id = raw["PK"]["S"].split("#")[1]
            author_id, post_id = raw["author_id"]["S"], raw["post_id"]["S"]
            if raw_of(world, keys.following(user_id, author_id)) is None:
                left[f"{user_id}: {post_id} by {author_id}"] = user_id
    if not left:
        return
    wrong = {one for found in broken_rules(world).values() for one in found}
    if wrong <= left.keys():
        for user_id in sorted({left[one] for one in wrong}):
            if reader := raw_of(world, keys.user_settings(user_id)):
                clear_strangers(user_id, as_read(reader))


def _reconcile_entries(world: World, late: dict[tuple[str, str], dict[str, Any]]) -> None:
    """Reconciles entries under tags and words that a late call was the last to write, and of posts what words their
    entries name. Raises `Violation` if anything else of them was wrong: that came otherwise."""
    if not late:
        return
    items = world.engine.items
    before = dict(items)
    for _ in reconcile_page([as_read(raw) for raw in late.values()], begun=ids.new_id()):
        pass
    # What stays may name other words than its post, which `reconcile` puts right as it comes to the post.
    staying = [raw for place, raw in late.items() if place in items and "words" in raw]
    posts = [raw_of(world, key) for key in dict.fromkeys(map(_post_of, staying))]
    mend_words([as_read(raw) for raw in posts if raw], ())
    changed = {one for one in before.keys() | items.keys() if before.get(one) is not items.get(one)}
    if others := {one for one in changed - late.keys() if _had_to_be_right(before.get(one))}:
        raise Violation(f"did not come late, and was wrong: {sorted(others)[:3]}")


def _had_to_be_right(raw: dict[str, Any] | None) -> bool:
    """Not what has expired, and not that a tag is in use, which is forgotten with its last post."""
    return raw is None or not (is_expired(raw) or raw["type"]["S"] == "TagUse")


def _post_of(raw: dict[str, Any]) -> Any:
    return keys.post(raw["author_id"]["S"], raw["post_id"]["S"])


@dataclass
class _Taken:
    """Takes an item as `Invariants` found it: whole, and of a known type."""

    item: Item | None = None

    def add(self, item: Item) -> None:
        self.item = item

    def results(self) -> dict[str, list[str]]:
        return {}


def broken_rules(world: World) -> dict[str, list[str]]:
    """What `manage.py audit` would report. Only items that changed since the last look are read anew, as reading them
    takes far longer than comparing."""
    invariants, taken = Invariants(), _Taken()
    reading = Invariants(of_behaviours=[taken])
    for place, raw in world.engine.items.items():
        kept = world.read.get(place)
        if kept is None or kept[0] is not raw:
            taken.item = None
            reading.add(as_read(raw))
            world.read[place] = kept = raw, taken.item
        if kept[1] is None:
            invariants.add(as_read(raw))
            continue
        for one in invariants.of_behaviours:
            one.add(kept[1])
    if len(world.read) > 2 * len(world.engine.items):
        world.read = {
            place: kept for place, kept in world.read.items() if place in world.engine.items
        }
    return {rule: breaks for rule, breaks in invariants.results().items() if breaks}


# What the table knows better


def raw_of(world: World, key: Any) -> dict[str, Any] | None:
    raw = world.engine.items.get((key.pk, key.sk))
    if raw is None or float(raw.get("ttl", {"N": "inf"})["N"]) <= clock.now:
        return None
    return raw


def catch_up(world: World) -> None:
    """Asks the table what two deeds at once left open, and who is gone meanwhile."""
    model = world.model
    for person in model.people.values():
        if person.state == "erased":
            continue
        raw = raw_of(world, keys.user_info(person.user_id))
        if raw is None:
            model.erase(person.user_id)
            person.erased_at = clock.now
            continue
        info = row(UserInfo, raw)
        person.state = "closing" if info.closing else "here"
        person.suspended = (info.suspended_until or "") > utc_now_iso()
    for one, other in sorted(model.unsure_pairs):
        settle_pair(world, one, other)
        settle_pair(world, other, one)
    model.unsure_pairs.clear()
    model.mutes = {
        (one, other)
        for one, other in model.mutes
        if is_in_force(raw_of(world, keys.relation(one, RelationType.MUTE, other)))
    }
    for who, post_id in sorted(model.unsure_likes):
        settle_like(world, who, post_id)
    model.unsure_likes.clear()
    for post_id, post in model.posts.items():
        if post.is_gone:
            continue
        raw = raw_of(world, keys.post(post.author, post_id))
        if raw is None:
            if (post.ends and post.ends <= clock.now + 600) or post_id in model.unsure_posts:
                model.delete(post_id)
            continue
        stored = row(Post, raw)
        post.is_withheld = bool(stored.withheld)
        if post_id in model.unsure_posts:
            post.audience, post.circle = stored.audience or "", stored.circle or ""
            post.text = stored.content
            post.was_moved = True
    model.unsure_posts.clear()


def settle_pair(world: World, one: str, other: str) -> None:
    model = world.model
    if "erased" in (model.people[one].state, model.people[other].state):
        return
    pair = one, other

    def there(kind: RelationType, who: str = one, whom: str = other) -> bool:
        return is_in_force(raw_of(world, keys.relation(who, kind, whom)))

    if raw_of(world, keys.following(one, other)):
        model.follows.setdefault(pair, model.numbers)
    else:
        model.follows.pop(pair, None)
    sets = (
        (model.asks, RelationType.FOLLOW_REQUEST),
        (model.friends, RelationType.FRIEND),
        (model.friend_asks, RelationType.FRIEND_REQUEST),
        (model.mutes, RelationType.MUTE),
    )
    for pairs, kind in sets:
        (pairs.add if there(kind) else pairs.discard)(pair)
    raw = raw_of(world, keys.relation(one, RelationType.BLOCK, other))
    (model.blocks.add if is_in_force(raw) else model.blocks.discard)(pair)
    raw = raw_of(world, keys.relation(one, RelationType.FRIEND, other))
    if raw and is_in_force(raw):
        model.circled[pair] = frozenset(raw.get("tags", {}).get("SS", ()))


def settle_like(world: World, who: str, post_id: str) -> None:
    model = world.model
    raw = raw_of(world, keys.like_trace(who, post_id))
    if model.posts[post_id].is_gone or raw is None:
        model.likes[post_id].discard(who)
        model.reposts[post_id].discard(who)
        return
    (model.likes[post_id].discard if "not_liked" in raw else model.likes[post_id].add)(who)
    (model.reposts[post_id].add if "repost_id" in raw else model.reposts[post_id].discard)(who)


# The table beside the model


def compare_posts(world: World) -> None:
    model = world.model
    there = {
        raw["post_id"]["S"]: raw
        for raw in world.engine.items.values()
        if raw["type"]["S"] == "Post" and not is_expired(raw)
    }
    for post_id, post in model.posts.items():
        if model.people[post.author].state == "erased":
            continue
        raw = there.pop(post_id, None)
        if post.is_gone and raw:
            raise Violation(f"{post_id} is there again, or still")
        if not post.is_gone and raw is None:
            raise Violation(f"{post_id} of {post.author} is lost")
        if raw is None:
            continue
        stored = row(Post, raw)
        if not post.root and (stored.audience or "") != post.audience:
            raise Violation(f"{post_id} is for {stored.audience!r}, not {post.audience!r}")
        count = row(LikeCount, raw_of(world, keys.like_count(post_id)) or {})
        if int(count.likes) != len(model.likes.get(post_id, ())):
            raise Violation(
                f"{post_id} counts {count.likes} likes, not {len(model.likes.get(post_id, ()))}"
            )
        if int(count.reposts) != len(model.reposts.get(post_id, ())):
            raise Violation(f"{post_id} counts {count.reposts} reposts")
    for post_id, raw in there.items():
        author = model.people.get(raw["author_id"]["S"])
        if author and author.state == "erased":
            raise Violation(f"{post_id} outlived its author")


def nothing_of_deleted_posts(world: World) -> None:
    """Likes and votes go with their post, also those that crossed its deletion."""
    items, posts = world.engine.items, world.model.posts
    for place, raw in items.items():
        if raw["type"]["S"] in OF_POSTS and (post := posts.get(raw["post_id"]["S"])):
            key = keys.post(post.author, post.post_id)
            if post.is_gone and (key.pk, key.sk) not in items:
                raise Violation(f"{raw['type']['S']} {place} outlived its post")


OF_POSTS = {"Like", "Vote"}


def compare_pairs(world: World) -> None:
    model = world.model
    here = {one.user_id for one in model.people.values() if one.state != "erased"}
    stored = {
        (raw["user_id"]["S"], raw["followed_id"]["S"])
        for raw in world.engine.items.values()
        if raw["type"]["S"] == "Following"
    }
    differing = {pair for pair in stored ^ set(model.follows) if set(pair) <= here}
    if differing:
        raise Violation(f"follows differ: {sorted(differing)[:3]}, stored {differing & stored}")
    for person in model.people.values():
        if person.state != "here":
            continue
        card = get_user_info(person.user_id)
        following = sum(one == person.user_id for one, _ in model.follows)
        if card.following != following:
            raise Violation(f"{person.handle} follows {following}, and {card.following} say")


# What people see


def look_as(world: World, person: Person) -> None:
    model, was_away = world.model, clock.now - person.here_at > AWAY
    viewer = known(person)
    if was_away:  # the site fans nothing out to them, and fills their home as they come
        return
    ask_to_merge(viewer, get_news(viewer))
    shown = []
    cursor = None
    while True:
        page = get_timeline(viewer, cursor=cursor)
        shown += page.items
        cursor = page.next_cursor
        if not cursor:
            break
    ids_shown = [card.post_id for card in shown]
    oldest = ids.first_id_at(utc_now() - timedelta(days=settings.TIMELINE_DAYS - 1))
    own = [card.post_id for card in shown if not card.reposters]
    if own != sorted(set(own), reverse=True):
        raise Violation(f"home of {person.handle}: not newest first, or twice: {own[:10]}")
    for post_id in ids_shown:
        if not model.may_be_home(person.user_id, post_id):
            raise Violation(
                f"home of {person.handle} ({person.user_id}) shows {post_id}: {model.posts.get(post_id)}, "
                f"reposted by {model.reposts.get(post_id)}; {why(model, person, post_id)}"
            )
    if missing := model.must_be_home(person.user_id, newer_than=oldest) - set(ids_shown):
        first = model.posts[min(missing)]
        raise Violation(f"home of {person.handle} ({person.user_id}) misses {first}")
    some = list(model.posts.values())[-120:]
    some = world.chance.sample(some, min(40, len(some)))
    cards = get_posts([Pointer(one.post_id, one.author) for one in some], viewer=viewer, quiet=None)
    seen = {card.post_id for card in cards}
    for post in some:
        may = model.may_see(person.user_id, post.post_id)
        if may is not None and may != (post.post_id in seen):
            raise Violation(f"{person.user_id} sees {post}: {not may}")


def why(model: Model, person: Person, post_id: str) -> str:
    if post_id not in model.posts:
        return "nobody published it"
    author = model.people[model.posts[post_id].author]
    blocked = model.hidden(person.user_id, author.user_id)
    followed = sorted(other for one, other in model.follows if one == person.user_id)
    return f"its author is {author.state}, suspended {author.suspended}, blocked {blocked}; follows {followed}"


def look_at_messages(world: World, person: Person) -> None:
    """People read what they wrote until it is seven days old, and nobody reads what was deleted."""
    model = world.model
    chats = [one for one in sorted(model.messages) if person.user_id in one and keys.is_pair(one)]
    viewer = known(person)
    for chat_id in world.chance.sample(chats, min(3, len(chats))):
        other = model.people[keys.other_of_pair(chat_id, person.user_id)]
        is_between = model.hidden(person.user_id, other.user_id)  # then neither reads the other
        shown = {one.message_id: one for one in get_chat(viewer, chat_id, consistent=True).messages}
        for message in model.messages[chat_id][-20:]:
            card, age = shown.get(message.message_id), clock.now - message.sent_at
            is_left = age < LIVES - A_MOMENT and (person.user_id, chat_id) not in model.cleared
            if card and not card.is_deleted and message.is_deleted:
                raise Violation(f"{person.handle} reads the deleted {message}")
            if card and age > LIVES + A_MOMENT:
                raise Violation(f"{person.handle} reads {message}, which is over")
            if card and not message.is_deleted and card.text != message.text:
                raise Violation(f"{person.handle} reads {card.text!r} for {message}")
            own = message.by == person.user_id and other.is_here and not is_between
            if own and is_left and not message.is_deleted and card is None:
                raise Violation(f"{person.handle} does not find their own {message}")


LIVES, A_MOMENT = 7 * 86_400.0, 600.0


SEARCHED_AFTER = 3 * 86_400.0  # seconds after which the search has ended an erasure
# What is kept of people who are gone, for a term and with a reason (docs/erasure.md).
KEPT_FOR_A_TERM = ("case#", "audit#", "handle#", "closed#", "change#")


def nothing_of_the_erased(world: World) -> None:
    """No item holds a word that only an erased person ever wrote, once the search of the erasure is over."""
    gone = {
        word: person.user_id
        for person in world.model.people.values()
        if person.state == "erased" and clock.now - person.erased_at > SEARCHED_AFTER
        for word in person.words
    }
    if not gone:
        return
    for place, raw in world.engine.items.items():
        if place[0].startswith(KEPT_FOR_A_TERM) or is_expired(raw):
            continue
        said = orjson.dumps(raw).decode()
        if found := [word for word in WORD.findall(said) if word in gone]:
            raise Violation(f"{raw['type']['S']} {place} still says {found[0]} of {gone[found[0]]}")


WORD = re.compile(r"[a-z0-9]{6,}(?:@example\.org)?")
