"""Writes demo data: the whole graph with its counts and timelines, as services and stream worker would have left it.

Items are written in batches and past the stream worker, as ten transactions for each post would take minutes. What is
written follows from the seed alone, but for the moments, which lie before now.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from accounts.directory import directory_entries
from accounts.emails import email_hmac, encrypt_email
from accounts.hashers import hash_password
from accounts.models import (
    Credentials,
    EmailClaim,
    Follower,
    Following,
    HandleClaim,
    UserCount,
    UserInfo,
)
from feed.local_timeline import DAYS as PUBLIC_DAYS
from feed.local_timeline import day_of, shard_of
from feed.models import Like, LikeCount, LikeTrace, Post, PublicEntry, TimelineEntry
from feed.services.publish_post import timeline_end
from socialsite.demo.avatars import draw_avatar
from socialsite.demo.content import DemoPerson, first_people, threads
from socialsite.demo.graph import follow_graph, like_graph
from socialsite.demo.moments import post_times
from socialsite.demo.people import more_people
from socialsite.demo.posts import PostWriter
from socialsite.demo_sign_ins import PASSWORD
from socialsite.models import Staff
from socialsite.seeding_mentions import mentioned_people
from socialsite.seeding_moderation import choose_reported, report_items
from socialsite.seeding_relations import choose_friends, relation_items, settings_item
from socialsite.table import ids
from socialsite.table.item import Item

ALWAYS_PICTURED = 4  # those whose sign-ins are printed
PICTURE_SHARE = 0.8
MODERATOR = "mod"
OLDEST_ACCOUNT_DAYS = 400


@dataclass(frozen=True)
class Sizes:
    people: int = 60
    posts: int = 600
    follows: int = 14  # whom a person follows, on average
    days: int = 20  # over which the posts are spread
    pictures: int = 400  # drawn at most; others have their initial


@dataclass
class Written:
    """A post of the demo: who wrote what when."""

    author: int
    text: str
    moment: datetime
    post_id: str = ""


@dataclass
class DemoData:
    """The plan of the demo data; `items` makes it the items of the table."""

    sizes: Sizes
    seed: int = 1
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        known = first_people().people[: self.sizes.people]
        others = more_people(self.rng, self.sizes.people - len(known))
        self.people = [*known, *others]
        self.user_ids = [self._joined(number) for number in range(len(self.people))]
        self.follows = list(follow_graph(self.rng, len(self.people), self.sizes.follows))
        self.followers: dict[int, list[int]] = defaultdict(list)
        for follower, followed in self.follows:
            self.followers[followed].append(follower)
        self.friends = choose_friends(self.seed, self.follows)
        self.handles = {person.handle: number for number, person in enumerate(self.people)}
        self.posts, hot = self._write_posts()
        likes = like_graph(self.rng, len(self.posts), len(self.people), hot=hot)
        self.likes = [like for like in likes if like[0] != self.posts[like[1]].author]

    def count(self) -> int:
        """About how many items there will be."""
        now_recent = sum(1 + len(self.followers[post.author]) for post in self.posts)
        return (
            14 * len(self.people)
            + 2 * len(self.follows)
            + 2 * len(self.friends)
            + 3 * len(self.posts)
            + now_recent
            + 2 * len(self.likes)
        )

    def items(self) -> Iterator[Item]:
        yield from self._people_items()
        yield from self._follow_items()
        yield from relation_items(self.user_ids, self.friends, self.follows, self.now)
        yield from self._post_items()
        yield from self._like_items()
        yield from self._report_items()

    def _people_items(self) -> Iterator[Item]:
        hashed = hash_password(PASSWORD)
        posts = Counter(post.author for post in self.posts)
        following = Counter(follower for follower, _ in self.follows)
        friends = Counter(number for pair in self.friends for number in pair)
        for number, (person, user_id) in enumerate(zip(self.people, self.user_ids, strict=True)):
            email = f"{person.handle}@example.org"
            yield self._info(number, person, user_id)
            if person.handle == MODERATOR:
                yield Staff.new(user_id=user_id)
            count = UserCount.new(user_id=user_id)
            count.followers = len(self.followers[number])
            count.following = following[number]
            count.posts = posts[number]
            count.friends = friends[number]
            yield count
            yield settings_item(user_id, number, self.now)
            sealed = encrypt_email(email, user_id=user_id)
            yield Credentials.new(user_id=user_id, password=hashed, email=sealed)
            yield HandleClaim.new(handle=person.handle, user_id=user_id)
            yield EmailClaim.new(email_hmac=email_hmac(email), user_id=user_id)
            yield from directory_entries(user_id=user_id, handle=person.handle, name=person.name)

    def _info(self, number: int, person: DemoPerson, user_id: str) -> UserInfo:
        role = "admin" if person.handle == MODERATOR else None
        info = UserInfo.new(user_id=user_id, handle=person.handle, name=person.name, role=role)
        info.bio = person.bio or None
        info.location = person.location or None
        pictured = number < ALWAYS_PICTURED or self.rng.random() < PICTURE_SHARE
        if pictured and number < self.sizes.pictures:
            picture, name = draw_avatar(self.rng), f"avatars/{self._id(self.now)}.webp"
            default_storage.delete(name)  # what an interrupted load left of it
            info.avatar = default_storage.save(name, ContentFile(picture))
        return info

    def _follow_items(self) -> Iterator[Item]:
        for follower, followed in self.follows:
            one, other = self.user_ids[follower], self.user_ids[followed]
            yield Following.new(user_id=one, followed_id=other)
            yield Follower.new(user_id=other, follower_id=one)

    def _post_items(self) -> Iterator[Item]:
        likes = Counter(post for _, post in self.likes)
        for number, post in enumerate(self.posts):
            author_id = self.user_ids[post.author]
            item = Post.new(post_id=post.post_id, author_id=author_id, content=post.text)
            item.mentions = mentioned_people(post.text, self.handles, self.user_ids)
            yield item
            count = LikeCount.new(post_id=post.post_id)
            count.likes = likes[number]
            yield count
            yield from self._pointers(post, author_id)

    def _pointers(self, post: Written, author_id: str) -> Iterator[Item]:
        where = {"post_id": post.post_id, "author_id": author_id}
        end = timeline_end(post.moment)
        if end > self.now:
            for reader in (post.author, *self.followers[post.author]):
                yield TimelineEntry.new(user_id=self.user_ids[reader], ttl=end, **where)
        public_end = post.moment + timedelta(days=PUBLIC_DAYS + 1)
        if public_end > self.now:
            day, shard = day_of(post.post_id), shard_of(post.post_id)
            yield PublicEntry.new(day=day, shard=shard, ttl=public_end, **where)

    def _like_items(self) -> Iterator[Item]:
        for person, number in self.likes:
            post = self.posts[number]
            like = {
                "post_id": post.post_id,
                "author_id": self.user_ids[post.author],
                "user_id": self.user_ids[person],
            }
            yield Like.new(**like, shards=None)
            yield LikeTrace.new(**like)

    def _report_items(self) -> Iterator[Item]:
        for number, report in self.reported.items():
            post = self.posts[number]
            others = [user for user in range(len(self.people)) if user != post.author]
            self.rng.shuffle(others)
            yield from report_items(
                report,
                author_id=self.user_ids[post.author],
                post_id=post.post_id,
                reporters=[self.user_ids[user] for user in others],
            )

    def _write_posts(self) -> tuple[list[Written], int]:
        moments = post_times(self.rng, self.sizes.posts, self.now, self.sizes.days)
        texts = self._texts(len(moments))
        hot = max(0, len(moments) - len(moments) // 20 - 1)  # of yesterday or so
        self.reported = choose_reported(hot, len(self.people))
        hot_post = threads().hot
        culprits = iter(range(len(self.people) - 1, 0, -1))
        posts = []
        for number, moment in enumerate(moments):
            author, text = next(texts)
            if number == hot:
                author, text = self.handles[hot_post.handle], hot_post.posts[0]
            elif number in self.reported:
                author, text = next(culprits), self.reported[number].text
            posts.append(Written(author, text, moment, self._id(moment)))
        return posts, hot

    def _texts(self, count: int) -> Iterator[tuple[int, str]]:
        writer = PostWriter(self.rng)
        untold = [thread for thread in threads().threads if thread.handle in self.handles]
        every = max(1, count // (len(untold) + 1))
        weights = [1 / (rank + 3) ** 0.7 for rank in range(len(self.people))]
        authors = range(len(self.people))
        while True:
            for _ in range(every):
                author = self.rng.choices(authors, weights)[0]
                person = self.people[author]
                yield author, writer.write_post(person.language, person.handle)
            if untold:
                thread = untold.pop()
                yield from ((self.handles[thread.handle], text) for text in thread.posts)

    def _joined(self, number: int) -> str:
        days = OLDEST_ACCOUNT_DAYS * (1 - number / len(self.people)) + self.sizes.days
        return self._id(self.now - timedelta(days=days))

    def _id(self, moment: datetime) -> str:
        return ids.id_at(moment, self.rng.randbytes(10))


def in_chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    chunk: list[Item] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
