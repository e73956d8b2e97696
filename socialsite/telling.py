"""Telling somebody something: the bell, letters, and whatever comes next, through one face, `tell`.

What people are told of is a `Kind`, declared once, in the module `notices` of the room or behaviour that causes it:

    LIKE = kind("like", "l", switch=OptOut.LIKES, icon="heart", sentence=…)

and told with `tell(author_id, LIKE, Cause(…))`: behind the stream by `enter(ledger)`, in a transaction by `actions()`.
Whoever tells knows no channel. A channel is a plan that a module named `delivery` registers:

    @channel(carries=lambda kind: bool(kind.code))
    class Notifications: …

So a further one, such as push for letters of security, is one such class, and each kind that it carries goes there too.
What repeats the bell outside of the site (push, a digest) hears of each new line instead, by `@on(Notification,
"INSERT")` in its `stream` module: then mutes, blocks, opt-outs and grouping hold there as well.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum, auto
from typing import Any, Protocol, TypeVar

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from socialsite.discovery import discover
from socialsite.keys.key import Key
from socialsite.streams.ledger import Ledger, Plan
from socialsite.table import RawItem, WriteAction


class OptOut(TextChoices):
    """Something that a person switched off (`UserSettings.opted_out`), in the order of the settings. The last two are
    about the people it comes from."""

    LIKES = "likes", pgettext_lazy("notifications", "Likes")
    REPOSTS = "reposts", pgettext_lazy("notifications", "Reposts")
    REPLIES = "replies", pgettext_lazy("notifications", "Replies and quotes")
    MENTIONS = "mentions", pgettext_lazy("notifications", "Mentions")
    FOLLOWS = "follows", _("New followers")
    REQUESTS = "requests", _("Requests, and answers to yours")
    POSTS = "posts", _("Posts from favourite people")  # where they asked to be notified
    POLLS = "polls", _("Results of polls")
    CASES = "cases", _("Cases that wait for you")  # of members of staff
    STRANGERS = "strangers", _("Only from people I follow")
    NEWCOMERS = "newcomers", _("Not from new accounts")


class Actors(StrEnum):
    """Who stands in a line of the inbox."""

    PEOPLE = auto()
    POSTS = auto()  # of one author, in the place of people
    NOBODY = auto()  # it is from moderators, who are not named, or from the site itself


@dataclass(frozen=True, slots=True)
class Line:
    """What a sentence of the inbox may say. `names` are the people as links, `count` how many they are."""

    names: SafeString
    count: int
    posts: int = 1
    post: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """Something that people are told of.

    `name` is its word, in letters and exports. `code` is the letter that begins the names of its groups in the inbox:
    a format, which is never changed once data exists. A kind without one has no line there. `switch` is what a person
    switches off to hear no more of it. Without one it is always told.
    """

    name: str
    code: str = ""
    switch: OptOut | None = None
    by_letter: bool = False
    actors: Actors = Actors.PEOPLE
    icon: str = ""
    sentence: Callable[[Line], SafeString] = lambda line: line.names
    shows_whole_post: bool = (
        False  # which someone else wrote, so that only those are told who may see it
    )
    is_in_conversation: bool = False  # of which people hear no more once they have left it
    is_request: bool = False  # which the badge of requests counts
    was_asked_for: bool = False  # by the person who is told
    # The item that shows that somebody still means it, by the person told, the actor and the post. None where nothing
    # can be taken back.
    still: Callable[[str, str, str], Key | None] = lambda user_id, actor, post_id: None
    # Where the cause is there, whether it holds for the person told. None for what holds as long as it is there.
    holds: Callable[[str, RawItem], bool] | None = None
    # The words and address of the button beside the line. In the address stands what the line is about as {about}.
    answer: str | Promise = ""
    answer_url: str = ""

    @property
    def is_about_people(self) -> bool:
        return self.actors == Actors.PEOPLE and not self.is_in_conversation

    def is_wanted(self, opted_out: Collection[str]) -> bool:
        """Whether a person who switched off these wants to be told of it."""
        return self.switch is None or self.switch not in opted_out


_kinds: dict[str, Kind] = {}


def kind(name: str, code: str = "", **how: Any) -> Kind:
    """Declares a kind. Raises `ValueError` for a name or code that another one has."""
    new = Kind(name, code, **how)
    if any(name == one.name or (code and code == one.code) for one in _kinds.values()):
        raise ValueError(f"{name} or its code {code} is another kind's")
    _kinds[code or name] = new
    return new


def kind_of(code: str) -> Kind:
    """Returns the kind of a line or group of the inbox."""
    discover("notices")
    return _kinds[code]


def kinds() -> list[Kind]:
    """Returns what the inbox knows."""
    discover("notices")
    return [one for one in _kinds.values() if one.code]


def with_names(text: str | Promise) -> Callable[[Line], SafeString]:
    """A sentence that is the same for one and for many."""
    return lambda line: format_html(str(text), names=line.names)


def plain(text: str | Promise) -> Callable[[Line], SafeString]:
    """A sentence that names nobody."""
    return lambda line: escape(str(text))


@dataclass(frozen=True, slots=True)
class Cause:
    """Why somebody is told, in the words of the behaviour.

    For a line of the inbox: who did it, the `item` that is there as long as it holds, what its group is `about`, and
    the pointer of the `post` to show. For a letter: the `facts` that only this moment knows, and what it is `about`, if
    that is one letter however often it is posted.
    """

    actor: str = ""
    item: Key | None = None
    about: str = ""
    post: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)


NO_CAUSE = Cause()


class Channel(Plan, Protocol):
    """A way to people: a plan, which its transaction or the ledger writes down."""

    def add(self, user_id: str, kind: Kind, cause: Cause) -> None: ...


_channels: list[tuple[Callable[[Kind], bool], Callable[[], Channel]]] = []


C = TypeVar("C", bound=Channel)


def channel(*, carries: Callable[[Kind], bool]) -> Callable[[type[C]], type[C]]:
    """Registers a channel, and which kinds it carries."""

    def register(cls: type[C]) -> type[C]:
        _channels.append((carries, cls))
        return cls

    return register


class Telling:
    """What some people are told, by all channels."""

    def __init__(self) -> None:
        self._by_channel: dict[Callable[[], Channel], Channel] = {}

    def add(self, user_id: str, kind: Kind, cause: Cause = NO_CAUSE) -> "Telling":
        discover("delivery")
        for carries, make in _channels:
            if carries(kind):
                if make not in self._by_channel:
                    self._by_channel[make] = make()
                self._by_channel[make].add(user_id, kind, cause)
        return self

    def actions(self) -> list[WriteAction]:
        """Returns what is written in the transaction of the caller. Reads what the channels have to know."""
        return [action for one in self._by_channel.values() for action in one.actions()]

    def enter(self, ledger: Ledger) -> None:
        """Has the ledger write it with the records that are its cause, so that nobody is told twice."""
        for one in self._by_channel.values():
            ledger.enter(one)


def tell(user_id: str, kind: Kind, cause: Cause = NO_CAUSE) -> Telling:
    """Tells one person, once the caller has called `enter` or written the `actions`."""
    return Telling().add(user_id, kind, cause)
