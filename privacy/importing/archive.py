"""Reads the posts of a Mastodon archive: its `outbox.json`, an ordered collection of what the account did. Nothing in
it is believed: every value may be of any type, and no address in it is ever asked."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import orjson
from django.utils.translation import gettext_lazy as _

from feed.posts.models import Audience
from feed.publishing.forms import POST_BYTES, WARNING_LIMIT
from privacy.importing.csv_files import Unreadable
from privacy.importing.lines import Line, line_of
from privacy.importing.outcomes import Outcome, Remark
from privacy.importing.plain_text import Named, TooMuch, plain_text
from socialsite.clock import utc_now
from socialsite.table import ids
from socialsite.texts import shortened, shortened_to_bytes
from socialsite.web.preferences import NAMES

MOST_BYTES = 20_000_000
MOST_BRACKETS = (
    1_500_000  # and commas: what is parsed takes thirty times its bytes, if it is many small things
)
MOST_COMMAS = 3_000_000
MOST_ACTIVITIES = 20_000
MOST_POSTS = 5_000
MOST_MARKS = 500_000  # angle brackets in all posts: a usual one has ten
FIRST_POST = datetime(1990, 1, 1, tzinfo=UTC)
PUBLIC = ("https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public")
LONGEST_NAME = 2_000  # characters of an id

TOO_LARGE = _("This file is too large. You can bring archives of up to 20 MB here.")
NO_ARCHIVE = _("This is no outbox.json of a Mastodon archive.")
TOO_MANY = _("This archive has too many entries. You can bring up to 20,000 at once.")
TOO_MANY_POSTS = _("This archive has too many posts. You can bring up to 5,000 at once.")
NO_POSTS = _("This archive has no entries.")


def read_archive(content: bytes, *, user_id: str) -> list[Line]:
    """Returns a line for each entry, the oldest first as the archive has them. Raises `Unreadable`.

    The bytes, and how many things they hold, are looked at before they are parsed. The parser itself refuses what is
    nested more than 1,024 deep.
    """
    if len(content) > MOST_BYTES:
        raise Unreadable(TOO_LARGE)
    brackets = content.count(b"{") + content.count(b"[")
    if brackets > MOST_BRACKETS or content.count(b",") > MOST_COMMAS:
        raise Unreadable(TOO_MANY)
    try:
        archive = orjson.loads(content.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise Unreadable(NO_ARCHIVE) from error
    entries = archive.get("orderedItems") if isinstance(archive, dict) else None
    if not isinstance(entries, list):
        raise Unreadable(NO_ARCHIVE)
    if len(entries) > MOST_ACTIVITIES:
        raise Unreadable(TOO_MANY)
    if (
        sum(_text(_of(_of(entry, "object"), "content")).count("<") for entry in entries)
        > MOST_MARKS
    ):
        raise Unreadable(TOO_MANY)
    lines = list(_read(entries, user_id))
    if not lines:
        raise Unreadable(NO_POSTS)
    if sum(1 for one in lines if one.task) > MOST_POSTS:
        raise Unreadable(TOO_MANY_POSTS)
    return lines


def _read(entries: Sequence[Any], user_id: str) -> Iterator[Line]:
    own = _own_answers(entries)
    seen: set[str] = set()
    for number, entry in enumerate(entries, 1):
        kind, thing = _of(entry, "type"), _of(entry, "object")
        if kind == "Announce":
            yield line_of(number, _text(thing), Outcome.BOOST)
        elif kind != "Create" or not isinstance(thing, dict):
            yield line_of(number, _text(kind), Outcome.OTHER)
        else:
            line = _read_post(number, thing, user_id, own)
            post_id = line.task.get("post_id", "")
            yield line.became(Outcome.TWICE) if post_id in seen else line
            seen |= {post_id} - {""}


def _own_answers(entries: Sequence[Any]) -> dict[str, str]:
    """Returns what each post of the archive answers, by its id."""
    posts = (_of(entry, "object") for entry in entries if _of(entry, "type") == "Create")
    return {
        name: _text(_of(one, "inReplyTo"))
        for one in posts
        if (name := _name_of(one)) and isinstance(one, dict)
    }


MOST_ABOVE = 200  # posts of an own thread that are looked through


def _answers_another(post: Mapping[str, Any], own: Mapping[str, str]) -> bool:
    """Whether a post stands in a thread that someone else began."""
    above = post.get("inReplyTo")
    if above is not None and not isinstance(above, str):
        return True
    for _step in range(MOST_ABOVE):
        if not above:
            return False
        if above not in own:
            return True
        above = own[above]
    return True


def _read_post(number: int, post: Mapping[str, Any], user_id: str, own: Mapping[str, str]) -> Line:
    published = _moment(post.get("published"))
    day = published.date().isoformat() if published else ""
    try:
        text = plain_text(_text(post.get("content")), _mentioned(post))
    except TooMuch:
        return line_of(number, day, Outcome.TOO_LONG)
    said = f"{day} {shortened(text[:400], 60)}".strip()
    kind, audience = post.get("type"), _audience(post)
    photos = bool(post.get("attachment"))
    if kind == "Question":
        return line_of(number, said, Outcome.POLL)
    if kind != "Note":
        return line_of(number, said, Outcome.OTHER)
    if audience is None:
        return line_of(number, day, Outcome.DIRECT)
    if _answers_another(post, own):
        return line_of(number, said, Outcome.ANSWER)
    if published is None:
        return line_of(number, said, Outcome.NO_DATE)
    if not text:
        return line_of(number, day, Outcome.ONLY_PHOTOS if photos else Outcome.EMPTY)
    if len(text.encode()) > POST_BYTES:
        return line_of(number, said, Outcome.TOO_LONG)
    unlisted = audience == Audience.FOLLOWERS and _is_public(post.get("cc"))
    found = line_of(
        number,
        said,
        post_id=_id_of(user_id, published, post, text),
        text=text,
        warning=_warning(_text(post.get("summary"))[:1_000]),
        audience=str(audience),
        lang=_language(post),
    )
    remarks = [(Remark.UNLISTED, unlisted), (Remark.PHOTOS, photos)]
    return replace(found, remarks=tuple(str(remark) for remark, holds in remarks if holds))


def _warning(summary: str) -> str:
    """Returns the content warning, shortened to what one can be here."""
    return shortened_to_bytes(shortened(" ".join(summary.split()), WARNING_LIMIT), 400)


def _id_of(user_id: str, published: datetime, post: Mapping[str, Any], text: str) -> str:
    """Returns the id that a post gets here: of its moment, and always the same."""
    name = _name_of(post) or text
    digest = hashlib.sha256(f"{user_id}\0{name}".encode()).digest()
    return ids.id_at(published, digest[:10])


def _audience(post: Mapping[str, Any]) -> Audience | None:
    """Returns whom a post is for here, None for people who were named: never more than it was for."""
    if _is_public(post.get("to")):
        return Audience.EVERYONE
    if _is_public(post.get("cc")):
        return Audience.FOLLOWERS
    for one in _many(post.get("to")):
        if isinstance(one, str) and one.endswith("/followers"):
            return Audience.FOLLOWERS
    return None


def _is_public(value: Any) -> bool:
    return any(one in PUBLIC for one in _many(value) if isinstance(one, str))


def _mentioned(post: Mapping[str, Any]) -> list[Named]:
    return [
        Named(one["href"], one["name"])
        for one in _many(post.get("tag"))[:100]
        if _of(one, "type") == "Mention"
        and isinstance(_of(one, "href"), str)
        and isinstance(_of(one, "name"), str)
        and len(one["name"]) <= LONGEST_NAME
    ]


def _language(post: Mapping[str, Any]) -> str:
    """Returns the language of a post, if it says one."""
    texts = post.get("contentMap")
    code = str(next(iter(texts))) if isinstance(texts, dict) and len(texts) == 1 else ""
    return code if code in dict(NAMES) else ""


def _moment(value: Any) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        moment = moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC) if moment else None
    except (ValueError, OverflowError):
        return None
    return moment if moment and FIRST_POST <= moment <= utc_now() else None


def _name_of(post: Any) -> str:
    name = _of(post, "id")
    return name if isinstance(name, str) and len(name) <= LONGEST_NAME else ""


def _of(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
