"""Reads what was written for the demo by hand: `data/*.toml`, each file once.

A language's file has its finished posts, the grammar of composed ones and the parts of names; `people.toml`,
`threads.toml`, `reports.toml` and `palettes.toml` are what they are called.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

DATA = Path(__file__).parent / "data"
# In this order, because the random draws depend on it.
CODES = (
    *("en", "de", "zh", "fr", "es", "pt", "ja", "ko"),
    *("ar", "he", "hi", "ru", "uk", "el", "tr", "vi"),
)

Texts = tuple[str, ...]
T = TypeVar("T")


@dataclass(frozen=True)
class Names:
    """The parts from which people of one language are put together, and their share among all people.

    A name in another script carries its Latin form for the handle: `はるか=haruka`.
    """

    weight: int
    given: Texts
    family: Texts
    places: Texts
    likes: Texts
    family_first: bool = False


@dataclass(frozen=True)
class Language:
    """The posts and people of one language.

    `words` maps a slot to its choices; a choice may hold further `{slots}`. The slots `post` (a whole post), `emoji`
    and `tag` (what may follow it) are always there.
    """

    code: str
    posts: Texts
    words: dict[str, Texts]
    names: Names


@dataclass(frozen=True)
class DemoPerson:
    """Someone invented. `language` is a code that posts can be written in, `posts` are what only they would write.
    `header` names the picture of `data/photos/` at the top of their profile, if they have one. `gender` is how they
    want to be spoken of, for the people written by hand."""

    handle: str
    name: str
    bio: str
    location: str
    language: str
    posts: Texts = ()
    header: str = ""
    gender: str = ""

    @property
    def lang(self) -> str:
        """The language as posts name it (`socialsite/web/preferences.py`)."""
        return "zh-Hans" if self.language == "zh" else self.language


@dataclass(frozen=True)
class FirstPeople:
    """The people written by hand, and what the handles and names of all others may end in."""

    people: tuple[DemoPerson, ...]
    handle_words: Texts
    symbols: Texts


@dataclass(frozen=True)
class Marks:
    """What is special about a post: its content warning, what it said before its author edited it, whether it is at the
    top of its author's page, and whether the author of the thread hid it behind the other replies."""

    warning: str = ""
    before: str = ""
    pinned: bool = False
    hidden: bool = False


NO_MARKS = Marks()


@dataclass(frozen=True)
class DemoThread:
    """Posts of one author; each one answers the post before it. The first can be `pinned`."""

    handle: str
    posts: Texts
    pinned: bool = False


@dataclass(frozen=True)
class DemoAnswer:
    """An answer in a talk. `to` is the number of what it answers: 0 is the first post, 1 the first answer. With
    `quotes` it does not answer but quote it."""

    by: str
    to: int
    text: str
    quotes: bool = False
    marks: Marks = NO_MARKS


@dataclass(frozen=True)
class Talk:
    """A post and what several people answer to it and to each other. With `to_hot` they answer the post that everyone
    likes."""

    answers: tuple[DemoAnswer, ...]
    by: str = ""
    text: str = ""
    to_hot: bool = False
    marks: Marks = NO_MARKS


@dataclass(frozen=True)
class Threads:
    """The stories told in several posts, the talks, and the one post that everyone likes."""

    hot: DemoThread
    threads: tuple[DemoThread, ...]
    talks: tuple[Talk, ...]


@dataclass(frozen=True)
class DemoReport:
    """A post that broke a rule, how many people reported it, and what some of them wrote."""

    text: str
    rule: str
    reporters: int
    comments: Texts = ()


@dataclass(frozen=True)
class Palette:
    """A ground from `above` to `below`, four colours to draw with, and a dark one for lines."""

    above: str
    below: str
    colours: Texts
    dark: str


@dataclass(frozen=True)
class Colours:
    """What avatars are drawn with."""

    skins: Texts
    hairs: Texts
    palettes: tuple[Palette, ...]


@cache
def languages() -> dict[str, Language]:
    """All languages that posts can be written in."""
    return {code: _language(code) for code in CODES}


@cache
def first_people() -> FirstPeople:
    read = read_tables("people")
    return FirstPeople(_all(DemoPerson, read.pop("people")), **read)


@cache
def threads() -> Threads:
    read = read_tables("threads")
    talks = [talk | {"answers": _all(DemoAnswer, talk["answers"])} for talk in read["talks"]]
    stories = _all(DemoThread, read["threads"])
    return Threads(DemoThread(**read["hot"]), stories, _all(Talk, talks))


@cache
def reports() -> tuple[DemoReport, ...]:
    return _all(DemoReport, read_tables("reports")["reports"])


@cache
def colours() -> Colours:
    read = read_tables("palettes")
    return Colours(palettes=_all(Palette, read.pop("palettes")), **read)


def _language(code: str) -> Language:
    read = read_tables(f"languages/{code}")
    return Language(code, read["posts"], read["words"], Names(**read["names"]))


def _all(kind: type[T], tables: Iterable[dict[str, Any]]) -> tuple[T, ...]:
    return tuple(kind(**_with_marks(table)) for table in tables)


def _with_marks(table: dict[str, Any]) -> dict[str, Any]:
    return table | {"marks": Marks(**table["marks"])} if "marks" in table else table


def read_tables(name: str) -> dict[str, Any]:
    """Returns a file's tables. Arrays become tuples, because the content is shared and must not change."""
    text = (DATA / f"{name}.toml").read_text(encoding="utf-8")
    read: dict[str, Any] = _frozen(tomllib.loads(text))
    return read


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _frozen(one) for name, one in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
