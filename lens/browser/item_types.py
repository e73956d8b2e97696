"""The table by types of items: families, indexes, examples."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import SealedAttribute
from accounts.people.reads import find_user_by_handle
from lens.chart import PLACE, Shape, shapes
from lens.patterns import Function, functions_of
from moderation.models import Queue
from relations.models import RelationType
from socialsite.clock import utc_now
from socialsite.streams.leaving import LEAVING, Leaving
from socialsite.table import (
    INDEXES,
    Item,
    Key,
    NotFound,
    RawItem,
    access_pattern,
    escalated_index_name,
    item_models,
    keys,
    query,
    type_index_name,
)
from socialsite.table.ids import is_id

# Keys are read here alone, and only to lead on: pages of the site know ids from attributes.
PERSON, POST, PHOTO = "u", "p", "ph"
ID = re.compile(r"(?:(?<![^#])(u|p|ph)#)?([0-9A-HJKMNP-TV-Z]{26})(?![0-9A-Za-z])")
# Attributes that hold the id of a person.
PEOPLE = {
    *("user_id", "author_id", "other_id", "person_id", "follower_id", "followed_id"),
    *("subscriber_id", "root_author_id", "reply_to_author_id", "repost_of_author_id"),
    *("owner_id", "quote_of_author_id", "moderator_id", "reporter_id", "writer_id", "creator_id"),
}
# Sets and lists of people, and of the owner's posts and photos.
SETS_OF_PEOPLE = {"actors", "pulled", "hidden", "without_reposts", "suspects", "members", "left"}
SETS_OF_OWN_POSTS = {"pins"}
SETS_OF_OWN_PHOTOS = {"held"}
# Attributes that hold the id of a post, with the one that holds its author's, best first.
POSTS = (
    ("post_id", "author_id"),
    ("post_id", "user_id"),
    ("root_id", "root_author_id"),
    ("reply_to", "reply_to_author_id"),
    ("quote_of", "quote_of_author_id"),
    ("repost_of", "repost_of_author_id"),
    ("repost_id", "user_id"),
)
OWNERS = ("user_id", "author_id", "person_id")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a key or value, with where it leads and whose id it is, if it is one."""

    text: str
    address: str = ""
    person_id: str = ""


def address_of(partition: str, sort: str = "", *, index: str = "", after: str = "") -> str:
    """Returns the address of a partition, of one item, or of a partition of an index, from a sort key on."""
    asked = {"pk": partition, "sk": sort, "index": index, "after": after}
    return f"/dev/table?{urlencode({name: value for name, value in asked.items() if value})}"


def address_of_key(key: Key) -> str:
    return address_of(key.pk, key.sk)


class Links:
    """The links of one item."""

    def __init__(self, raw: RawItem) -> None:
        self._raw = raw
        self._owner = next(filter(None, map(self._id, OWNERS)), "")
        self._authors: dict[str, str] = {}
        for post, author in POSTS:
            if (post_id := self._id(post)) and (author_id := self._id(author)):
                self._authors.setdefault(post_id, author_id)

    def of_key(self, written: str) -> list[Part]:
        """Returns a key in parts: each id in it is one."""
        parts, end = [], 0
        for match in ID.finditer(written):
            if match.start() > end:
                parts.append(Part(written[end : match.start()]))
            parts.append(self._part(match[0], match[1] or "", match[2]))
            end = match.end()
        return [*parts, Part(written[end:])] if written[end:] else parts

    def of_value(self, name: str, value: str) -> Part | None:
        """Returns the value of an attribute, or one of a set, as a part, None if it leads nowhere."""
        if not is_id(value):
            return None
        if name in PEOPLE or name in SETS_OF_PEOPLE:
            return self._part(value, PERSON, value)
        if name in SETS_OF_OWN_POSTS and self._owner:
            return Part(value, address_of_key(keys.post(self._owner, value)))
        if name == "photo_id" or name in SETS_OF_OWN_PHOTOS:
            return self._part(value, PHOTO, value)
        if value in self._authors or name in {post for post, _ in POSTS}:
            return self._part(value, POST, value)
        return None

    def _part(self, text: str, kind: str, found: str) -> Part:
        if kind == PERSON:
            return Part(text, address_of(keys.user(found)), found)
        if kind == PHOTO and self._owner:
            return Part(text, address_of_key(keys.photo(self._owner, found)))
        if author_id := self._authors.get(found):
            return Part(text, address_of_key(keys.post(author_id, found)))
        if kind == POST:
            return Part(text, address_of(keys.like_count(found).pk))
        return Part(text)

    def _id(self, name: str) -> str:
        found = str(self._raw.get(name, {}).get("S", ""))
        return found if is_id(found) else ""


DEMO_HANDLE = "alice"
# Their places mean something else than those of the others.
WITHOUT = {"Lease", "RecentChange", "EmailClaim"}


@dataclass(frozen=True, slots=True)
class Example:
    """A person, and what of theirs fills the places of a key."""

    handle: str = ""
    user_id: str = ""
    post_id: str = ""
    chat_id: str = ""

    @property
    def places(self) -> dict[str, str]:
        today = utc_now().date()
        known = {
            **dict.fromkeys(("<user>",), self.user_id),
            **dict.fromkeys(("<post>", "<root>"), self.post_id),
            "<chat>": self.chat_id,
            "<handle>": self.handle,
            "<first 1 or 2 letters>": self.handle[:2],
            "<month>": f"{today:%Y-%m}",
            "<day>": today.isoformat(),
            "<shard>": "0",
        }
        return {place: value for place, value in known.items() if value}

    def partition_of(self, shape: Shape) -> str:
        """Returns a partition of this shape, empty if nothing is known that would fill it."""
        if shape.item in WITHOUT or not shape.partitions:
            return ""
        places = self.places
        if any(place not in places for place in PLACE.findall(shape.partition)):
            return ""
        return PLACE.sub(lambda match: places[match[0]], shape.partition)


@access_pattern
def find_example(handle: str) -> Example:
    """Returns a person with their newest post and one of their conversations, of the demo if no `handle` is given; an
    empty one if nobody has it.

    GetItem of the claim, Queries of a post and of a conversation: 1.5 read units.
    """
    try:
        user_id = find_user_by_handle(handle or DEMO_HANDLE)
    except NotFound:
        return Example()
    newest = next(query(keys.posts(user_id), forward=False, limit=1), None) or {}
    entry = next(query(keys.chat_entries(user_id), limit=1), None) or {}
    post_id, chat_id = (
        str(raw.get(name, {}).get("S", ""))
        for raw, name in ((newest, "post_id"), (entry, "chat_id"))
    )
    return Example(handle or DEMO_HANDLE, user_id, post_id, chat_id)


@dataclass(frozen=True, slots=True)
class Family:
    """Item types that belong together: all of a room, unless their model names another (`Item.family`). `name` is for
    addresses."""

    name: str
    title: Promise
    about: Promise
    room: str = ""

    @property
    def items(self) -> list[str]:
        """Returns its item types, in the order of the chart."""
        return [name for name in shapes() if family_of(name) is self]


FAMILIES = (
    Family(
        "people",
        _("People"),
        _("A person with their counts and settings, and the ways to find them."),
    ),
    Family(
        "relations",
        _("Relations"),
        _("How people stand to each other: each edge is an item at both of its ends."),
        room="relations",
    ),
    Family(
        "posts",
        _("Posts"),
        _("What people say, in the partition of the person who says it."),
        room="feed",
    ),
    Family(
        "reactions",
        _("Likes, quotes and votes"),
        _("What others do with a post, in partitions of that post."),
    ),
    Family(
        "threads",
        _("Threads"),
        _("A whole conversation in one partition, in the order in which it is read."),
    ),
    Family(
        "timelines",
        _("Timelines and tags"),
        _("Lists of pointers, filled by the stream’s worker. Most of them end by TTL."),
    ),
    Family(
        "notifications",
        _("Notifications"),
        _("What people are told, grouped when it is written."),
        room="notifications",
    ),
    Family(
        "messages",
        _("Private messages"),
        _(
            "Conversations, each in a partition of its own: sealed with their author’s key, and gone in days by TTL."
        ),
    ),
    Family(
        "signing-in",
        _("Signing in"),
        _("How people come in. Secrets are hashed or sealed with a key for each person."),
        room="accounts",
    ),
    Family(
        "moderation",
        _("Moderation"),
        _("Reports, decisions and the log of what staff did."),
        room="moderation",
    ),
    Family(
        "site",
        _("The site"),
        _("How staff set the site up: one partition that each process keeps a copy of."),
    ),
    Family(
        "leaving",
        _("Taking data along, and leaving"),
        _("Copies that people ask for, and accounts that are erased."),
        room="privacy",
    ),
    Family(
        "machinery",
        _("Machinery"),
        _("What the worker and the clock remember, so that nothing is done twice or lost."),
        room="socialsite",
    ),
)


def family_of(item: str) -> Family | None:
    """Returns the family of an item type, None for a type that this code does not know."""
    if not (model := item_models().get(item)):
        return None
    room = "" if model.family else model.__module__.partition(".")[0]
    return next(one for one in FAMILIES if (model.family or room) in (one.name, one.room))


@dataclass(frozen=True, slots=True)
class Index:
    """`examples` are live partitions of it, each with its address."""

    name: str
    about: str
    partition_key: str
    sort_key: str
    examples: list[tuple[str, str]]


def indexes(example: Example) -> list[Index]:
    """Returns both indexes, with partitions of the person of an example."""
    partitions = {type_index_name: [], escalated_index_name: [keys.queue(one) for one in Queue]}
    if example.user_id:
        partitions[type_index_name] = [
            keys.relation_target(one, example.user_id) for one in RelationType
        ]
    classes = {type_index_name: Item.type_index, escalated_index_name: Item.escalated_index}
    return [
        Index(
            name=name,
            about=" ".join((inspect.getdoc(type(classes[name])) or "").split()),
            partition_key=partition_key,
            sort_key=sort_key,
            examples=[(one, address_of(one, index=name)) for one in partitions[name]],
        )
        for name, (partition_key, sort_key) in INDEXES.items()
    ]


OF_EVERY_ITEM = set(Item.get_attributes())


@dataclass(frozen=True, slots=True)
class Attribute:
    name: str
    kind: str  # as DynamoDB names it
    is_optional: bool
    is_sealed: bool


@dataclass(frozen=True)
class ItemType:
    """`about` is the first sentence of its model's docstring, `more` the rest of its first paragraph."""

    shape: Shape
    about: str
    more: str
    file: str
    line: int
    attributes: tuple[Attribute, ...]

    @property
    def name(self) -> str:
        return self.shape.item

    @property
    def family(self) -> Family | None:
        return family_of(self.name)

    @property
    def functions(self) -> dict[str, list[Function]]:
        return functions_of(self.name)

    @property
    def leaving(self) -> Leaving | None:
        """Returns how items of the type expire, None if they never do."""
        return LEAVING.get(self.name)

    @property
    def readers(self) -> int:
        return len(self.functions.get("read", ()))

    @property
    def writers(self) -> int:
        """Returns how many functions write or delete it."""
        verbs = ("write", "delete")
        return len({one for verb in verbs for one in self.functions.get(verb, ())})


@cache
def item_types() -> dict[str, ItemType]:
    """Returns all item types of the code by name."""
    return {name: _item_type(model) for name, model in item_models().items()}


def _item_type(model: type[Item]) -> ItemType:
    text = " ".join((inspect.getdoc(model) or "").partition("\n\n")[0].replace("`", "").split())
    first, dot, rest = text.partition(". ")
    module = inspect.getmodule(model)
    return ItemType(
        shape=shapes().get(model.__name__, Shape(model.__name__, (), ())),
        about=first + dot.strip(),
        more=rest,
        file=(module.__name__ if module else "").replace(".", "/") + ".py",
        line=inspect.getsourcelines(model)[1],
        attributes=tuple(_attributes(model)),
    )


def _attributes(model: type[Item]) -> Iterator[Attribute]:
    for name, attribute in model.get_attributes().items():
        if name in OF_EVERY_ITEM:
            continue
        is_sealed = isinstance(attribute, SealedAttribute)
        yield Attribute(
            attribute.attr_name, str(attribute.attr_type), bool(attribute.null), is_sealed
        )
