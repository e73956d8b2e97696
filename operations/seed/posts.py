"""Posts of the demo: planned, composed, and as they are written to the table."""

import hashlib
import random
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import datetime

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from accounts.people.cards import Kind, files_of
from feed.polls.models import PollWish
from feed.posts.models import Answer, Poll, Post, Quoted
from feed.publishing.photos import copy_of, describe_as_fits
from feed.seed import mentioned_people, shown_photo
from feed.timelines.models import MediaEntry
from operations.demo.content import (
    NO_MARKS,
    DemoPerson,
    DemoReport,
    DemoThread,
    Marks,
    Talk,
    threads,
)
from operations.demo.people import DemoPhoto, DemoPoll, DemoPost, PostWriter, composed
from photos.models import Photo
from socialsite.pictures.decoding import make_pictures
from socialsite.table import Item, ids, keys


@dataclass
class Written:
    """A post of the demo, with its author and moment, and the post that it answers or quotes."""

    author: int
    text: str
    moment: datetime
    post_id: str = ""
    marks: Marks = NO_MARKS
    lang: str = ""
    answered: "Written | None" = None
    quoted: "Written | None" = None
    composed: DemoPost | None = None

    @property
    def photos(self) -> Sequence[DemoPhoto]:
        return self.composed.photos if self.composed else ()

    @property
    def root(self) -> "Written":
        return self.answered.root if self.answered else self

    @property
    def path(self) -> str:
        """Its path in the thread, empty for the first post."""
        if self.answered is None:
            return ""
        goes_on = self.author == self.root.author and keys.is_of_story(self.answered.path)
        if goes_on:
            return keys.path_of_part(self.post_id)
        return keys.path_of_answer(self.answered.path, self.post_id)

    def post(self, user_ids: Sequence[str], ids_of: Mapping[str, str]) -> Post:
        """Returns the post as it was published, by the ids of the people, in the order of their numbers and by
        handle."""
        text = self.marks.before or self.text
        return Post.new(
            post_id=self.post_id,
            author_id=user_ids[self.author],
            content=text,
            mentions=mentioned_people(text, ids_of),
            warning=self.marks.warning,
            lang=self.lang,
            answer=self._answer(user_ids),
            quoted=self._quote(user_ids),
            poll=self._poll(),
        )

    def _answer(self, user_ids: Sequence[str]) -> Answer | None:
        if self.answered is None:
            return None
        return Answer(
            self.root.post_id,
            user_ids[self.root.author],
            self.answered.post_id,
            user_ids[self.answered.author],
            self.path,
        )

    def _quote(self, user_ids: Sequence[str]) -> Quoted | None:
        return Quoted(self.quoted.post_id, user_ids[self.quoted.author]) if self.quoted else None

    def _poll(self) -> Poll | None:
        poll = self.composed.poll if self.composed else None
        return PollWish(**asdict(poll)).begun_at(self.moment) if poll else None


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


FROM_NEWEST, EVERY = 2, 3  # posts
VOTING_SHARE = 0.7


@dataclass(frozen=True)
class DemoVote:
    """The number of a person, and the places of their choices as a `Vote` stores them."""

    person: int
    choices: str


def place_composed(hot: int, count: int, handles: Collection[str]) -> dict[int, DemoPost]:
    """Returns these posts by their number: among the newest of `count`, all after the one that everyone likes."""
    posts = [post for post in composed() if post.by in handles]
    places = [count - FROM_NEWEST - EVERY * place for place in range(len(posts))]
    if not places or places[-1] <= hot:
        return {}
    return dict(zip(places, posts, strict=True))


def votes_in(
    posts: Sequence[Written], likes: Iterable[tuple[int, int]], people: int
) -> dict[int, list[DemoVote]]:
    """Returns the votes in each poll, by the number of its post. People vote who do not like it, as a like has the same
    trace. The first person, who shows how voting goes, has not voted yet."""
    liked = set(likes)
    return {
        number: _choose(
            post.composed.poll,
            number,
            [one for one in range(1, people) if one != post.author and (one, number) not in liked],
        )
        for number, post in enumerate(posts)
        if post.composed and post.composed.poll
    }


def _choose(poll: DemoPoll, number: int, voters: Iterable[int]) -> list[DemoVote]:
    rng = random.Random(number)
    places = range(len(poll.options))
    weights = [1 / (place + 1) for place in rng.sample(places, len(places))]
    votes = []
    for person in voters:
        if rng.random() < VOTING_SHARE:
            chosen = set(rng.choices(places, weights, k=2 if poll.several else 1))
            votes.append(DemoVote(person, "".join(map(str, sorted(chosen)))))
    return votes


AT_ONCE = 2  # as many as a machine decodes at a time


def photo_items(post: Post, pictures: Sequence[DemoPhoto]) -> Iterator[Item]:
    """Puts pictures into a post, with their files, and returns what belongs to them."""
    if not pictures:
        return

    def show(number: int) -> Photo:
        return shown_photo(
            user_id=post.author_id,
            photo_id=_photo_id(post.post_id, number),
            post_id=post.post_id,
            file=pictures[number].path,
            alt=pictures[number].alt,
        )

    with ThreadPoolExecutor(AT_ONCE) as pool:
        photos = list(pool.map(show, range(len(pictures))))
    post.photos = [copy_of(photo, photo.public_secret or "") for photo in photos]
    describe_as_fits(post, [photo.alt or "" for photo in photos])
    yield from photos
    yield MediaEntry.new(post_id=post.post_id, author_id=post.author_id)


def save_header(user_id: str, picture: DemoPhoto) -> str:
    """Writes the files of a header picture, and returns their name. It is the same each time."""
    name = f"headers/{user_id}"
    with picture.path.open("rb") as upload:
        made = make_pictures(upload, Kind.HEADER).files
    for file, path in files_of(name).items():
        default_storage.delete(path)  # the rest of an interrupted load
        default_storage.save(path, ContentFile(made[file]))
    return name


def _photo_id(post_id: str, number: int) -> str:
    """Returns the same id each time, so that an interrupted load can be repeated."""
    noise = hashlib.sha256(f"{post_id}{number}".encode()).digest()[:10]
    return ids.id_at(ids.time_of(post_id), noise)
