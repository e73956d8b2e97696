"""Plans the demo's posts in the order in which they are published: single ones, stories in several posts, and talks."""

import random
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from operations.demo.composed import DemoPost
from operations.demo.content import (
    NO_MARKS,
    DemoPerson,
    DemoReport,
    DemoThread,
    Marks,
    Talk,
    threads,
)
from operations.demo.posts import PostWriter


@dataclass(frozen=True)
class Planned:
    """A post, with the numbers of its author and of the post that it answers or quotes, None if there is none."""

    author: int
    text: str
    marks: Marks = NO_MARKS
    answers: int | None = None
    quotes: int | None = None
    composed: DemoPost | None = None


@dataclass(frozen=True)
class Part:
    """A post of a story or talk. `to` is the number, within it, of what it answers; the first post answers none."""

    author: int
    text: str
    told: list[int]  # the numbers of the parts that are planned already
    marks: Marks = NO_MARKS
    to: int | None = None
    quotes: bool = False


def plan_posts(
    rng: random.Random,
    people: Sequence[DemoPerson],
    count: int,
    hot: int,
    reported: Mapping[int, DemoReport],
    composed: Mapping[int, DemoPost],
) -> list[Planned]:
    """Returns `count` posts: the one that everyone likes with the number `hot`, those reported and those with photos or
    polls with theirs."""
    handles = {person.handle: number for number, person in enumerate(people)}
    culprits = iter(range(len(people) - 1, 0, -1))
    parts = _parts(rng, people, handles, count)
    waiting = deque[Part]()
    planned: list[Planned] = []
    for number in range(count):
        if number == hot:
            post = threads().hot
            first, *answers = _of_talk(_about_hot(handles, post), handles)
            waiting.extendleft(reversed(answers))
        elif number in reported:
            planned.append(Planned(next(culprits), reported[number].text))
            continue
        elif number in composed:
            one = composed[number]
            planned.append(Planned(handles[one.by], one.text, composed=one))
            continue
        else:
            first = waiting.popleft() if waiting else next(parts)
        to = None if first.to is None else first.told[first.to]
        first.told.append(number)
        answered, quoted = (None, to) if first.quotes else (to, None)
        planned.append(Planned(first.author, first.text, first.marks, answered, quoted))
    return planned


def _parts(
    rng: random.Random, people: Sequence[DemoPerson], handles: Mapping[str, int], count: int
) -> Iterator[Part]:
    writer = PostWriter(rng)
    stories = [_of_story(one, handles) for one in threads().threads if one.handle in handles]
    talks = [_of_talk(talk, handles) for talk in threads().talks if _has_all(talk, handles)]
    untold = [*stories, *talks]
    singles = count - sum(map(len, untold))
    every = max(1, singles // (len(untold) + 1))  # between two of them
    weights = [1 / (rank + 3) ** 0.7 for rank in range(len(people))]
    while True:
        for _ in range(every):
            author = rng.choices(range(len(people)), weights)[0]
            person = people[author]
            yield Part(author, writer.write_post(person.language, person.handle), [])
        if untold:
            yield from untold.pop()


def _of_story(story: DemoThread, handles: Mapping[str, int]) -> list[Part]:
    told: list[int] = []
    author = handles[story.handle]
    first, *rest = story.posts
    parts = [Part(author, text, told, to=number) for number, text in enumerate(rest)]
    return [Part(author, first, told, Marks(pinned=story.pinned)), *parts]


def _of_talk(talk: Talk, handles: Mapping[str, int]) -> list[Part]:
    told: list[int] = []
    answers = [
        Part(handles[one.by], one.text, told, one.marks, one.to, one.quotes) for one in talk.answers
    ]
    return [Part(handles[talk.by], talk.text, told, talk.marks), *answers]


def _about_hot(handles: Mapping[str, int], post: DemoThread) -> Talk:
    """Returns the post that everyone likes, with its answers if all those people are there."""
    for talk in threads().talks:
        if talk.to_hot and all(one.by in handles for one in talk.answers):
            return Talk(talk.answers, post.handle, post.posts[0], marks=Marks(pinned=True))
    return Talk((), post.handle, post.posts[0])


def _has_all(talk: Talk, handles: Mapping[str, int]) -> bool:
    """Whether everyone who takes part in a talk is among the people. The talk about the hot post is told with it."""
    return not talk.to_hot and {talk.by, *(one.by for one in talk.answers)} <= handles.keys()
