"""The seven access patterns of the published model, run on live data with what they ask and what they cost."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson

from accounts.access_patterns import find_user_by_handle, get_user_info
from feed.access_patterns import get_like_count, get_timeline, list_likers, list_posts
from feed.composing.author import read_author
from lens.code import as_cli, as_pynamodb
from lens.patterns import NUMBERS, Pattern, pattern_of
from relations.access_patterns import list_followers, list_following
from socialsite.table.errors import NotFound
from socialsite.table.meter import Call, measure
from socialsite.table.reading import RawItem


@dataclass(frozen=True)
class Ran:
    """A pattern that was run. `request` and `items` are those of its own call, `more` the calls that brought what its
    pages show beside them."""

    name: str
    calls: tuple[Call, ...]

    @property
    def number(self) -> int:
        return NUMBERS[self.name]

    @property
    def pattern(self) -> Pattern:
        return pattern_of(self.name)

    @property
    def request(self) -> dict[str, Any]:
        return {"operation": self.calls[0].operation, **_request(self.calls[0])}

    @property
    def items(self) -> list[RawItem]:
        answer = self.calls[0].answer or {}
        return list(answer.get("Items") or filter(None, [answer.get("Item")]))

    @property
    def more(self) -> list[dict[str, Any]]:
        return [{"operation": call.operation, **_request(call)} for call in self.calls[1:]]

    @property
    def request_json(self) -> str:
        return _pretty(self.request)

    @property
    def items_json(self) -> str:
        return _pretty(self.items)

    @property
    def cli(self) -> str:
        return as_cli(self.calls[0].operation, _request(self.calls[0]))

    @property
    def pynamodb(self) -> str:
        return as_pynamodb(self.calls[0].operation, _request(self.calls[0]))

    @property
    def units(self) -> float:
        return sum(call.units for call in self.calls)

    @property
    def milliseconds(self) -> float:
        return sum(call.milliseconds for call in self.calls)


def run_seven(handle: str) -> list[Ran]:
    """Runs all seven for a person, with the eyes of that person, and for the one of their newest posts that has the
    most likes. Without a post, patterns 5 and 6 are left out. Raises `NotFound`."""
    viewer = read_author(find_user_by_handle(handle))
    if viewer is None:
        raise NotFound("no such person")
    user_id = viewer.user_id
    person = get_user_info(user_id)
    posts = list_posts(person, viewer=viewer).items
    post_id = max(posts, key=lambda post: post.like_count).post_id if posts else ""
    asked: list[tuple[str, Callable[[], object]]] = [
        ("get_user_info", lambda: get_user_info(user_id)),
        ("list_followers", lambda: list_followers(user_id, viewer=viewer)),
        ("list_following", lambda: list_following(user_id, viewer=viewer)),
        ("list_posts", lambda: list_posts(person, viewer=viewer)),
    ]
    if post_id:
        asked += [
            ("list_likers", lambda: list_likers(post_id, viewer=viewer)),
            ("get_like_count", lambda: get_like_count(post_id)),
        ]
    asked.append(("get_timeline", lambda: get_timeline(viewer)))
    return [_ran(name, ask) for name, ask in asked]


def _ran(name: str, ask: Callable[[], object]) -> Ran:
    with measure(keep=True) as meter:
        ask()
    return Ran(name, tuple(meter.calls))


def _request(call: Call) -> dict[str, Any]:
    asked: dict[str, Any] = orjson.loads(call.asked)
    return asked


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=_as_length)


def _as_length(value: Any) -> str:
    """Returns a binary value, which JSON does not have, by its length: nobody reads what is sealed."""
    return f"{len(value)} bytes"
