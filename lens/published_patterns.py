"""The seven access patterns of the published model, run on live data with what they ask and what they cost."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.people.reads import find_user_by_handle, get_user_info, read_actor
from feed.home.reads import get_timeline
from feed.likes.reads import get_like_count, list_likers
from feed.profiles.reads import list_posts
from lens.browser.stored_items import StoredItem, find_handles
from lens.calls import SeenCall, items_in
from lens.patterns import NUMBERS, Pattern, as_cli, as_pynamodb, pattern_of
from relations.reads import list_followers, list_following
from socialsite.table import Call, NotFound, RawItem, measure

# What the published model calls each, and asks with it.
QUESTIONS: dict[str, tuple[str, Promise]] = {
    "get_user_info": ("getUserInfoByUserID", _("Who is this person?")),
    "list_followers": ("getFollowerListByUserID", _("Who follows this person?")),
    "list_following": ("getFollowingListByUserID", _("Whom does this person follow?")),
    "list_posts": ("getPostListByUserID", _("What did this person post?")),
    "list_likers": ("getUserLikesByPostID", _("Who likes this post?")),
    "get_like_count": ("getLikeCountByPostID", _("How many likes does this post have?")),
    "get_timeline": ("getTimelineByUserID", _("What is new on this person’s home page?")),
}


@dataclass(frozen=True)
class Ran:
    """A pattern that was run. `request` and `items` are those of its own call, `more` the calls that brought what its
    pages show beside them. `handles` are those of the people whom the items name."""

    name: str
    calls: tuple[Call, ...]
    handles: Mapping[str, str]

    @property
    def published(self) -> str:
        return QUESTIONS[self.name][0]

    @property
    def question(self) -> Promise:
        return QUESTIONS[self.name][1]

    @property
    def own_call(self) -> SeenCall:
        return SeenCall(1, self.calls[0])

    @property
    def other_calls(self) -> list[SeenCall]:
        return [SeenCall(number, call) for number, call in enumerate(self.calls[1:], 2)]

    @property
    def stored(self) -> list[StoredItem]:
        return [StoredItem(raw, handles=self.handles) for raw in self.items]

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
        return items_in(self.calls[0].answer or {})

    @property
    def more(self) -> list[dict[str, Any]]:
        return [{"operation": call.operation, **_request(call)} for call in self.calls[1:]]

    @property
    def request_json(self) -> str:
        return _pretty(_request(self.calls[0]))

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
    viewer = read_actor(find_user_by_handle(handle))
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
    items = items_in(meter.calls[0].answer or {})
    handles = find_handles(person for raw in items for person in StoredItem(raw).people)
    return Ran(name, tuple(meter.calls), handles)


def _request(call: Call) -> dict[str, Any]:
    asked: dict[str, Any] = orjson.loads(call.asked)
    return asked


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=_as_length)


def _as_length(value: Any) -> str:
    """Returns a binary value, which JSON does not have, by its length: nobody reads what is sealed."""
    return f"{len(value)} bytes"
