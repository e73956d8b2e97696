"""Where ids in keys and attributes lead: people to their partition, posts and photos to their items."""

import re
from dataclasses import dataclass
from urllib.parse import urlencode

from socialsite.table import keys
from socialsite.table.ids import is_id
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem

# Keys are read here alone, and only to lead on: pages of the site know ids from attributes.
PERSON, POST, PHOTO = "u", "p", "ph"
ID = re.compile(r"(?:(?<![^#])(u|p|ph)#)?([0-9A-HJKMNP-TV-Z]{26})(?![0-9A-Za-z])")
# Attributes that hold the id of a person.
PEOPLE = {
    *("user_id", "author_id", "other_id", "person_id", "follower_id", "followed_id"),
    *("subscriber_id", "root_author_id", "reply_to_author_id", "repost_of_author_id"),
    *("quote_of_author_id", "moderator_id", "reporter_id", "writer_id", "creator_id"),
}
# Sets and lists of people, and of the owner's posts and photos.
SETS_OF_PEOPLE = {"actors", "pulled", "hidden", "without_reposts", "suspects"}
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
