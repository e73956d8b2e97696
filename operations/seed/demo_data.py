"""Writes demo data: the whole graph with its counts and timelines, as services and stream worker would have written it.

Items are written in batches and without the stream worker, because ten transactions for each post would take minutes.
The seed alone decides the content, except for the moments, which are before now.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from accounts.credentials.passwords import hash_password
from accounts.encryption.person_keys import new_person_key
from accounts.models import UserCount, UserInfo
from accounts.seed import demo_level, person_items
from chats.groups.seed import IN_GROUP, demo_group
from chats.seed import ALICE, BOB, choose_askers, demo_chats, with_badges
from feed.seed import (
    edit,
    folder_names,
    like_items,
    post_items,
    repost_items,
    saved_items,
    vote_items,
    votes_counted,
)
from moderation.people.reads import entries_of
from operations.demo.avatars import draw_avatar
from operations.demo.content import DemoPerson, first_people
from operations.demo.people import DemoPhoto, follow_graph, like_graph, more_people, post_times
from operations.seed.beside_posts import (
    PASSWORD,
    choose_reported,
    choose_reposts,
    reported_items,
    with_list,
    with_notifications,
    with_tags,
    with_words,
)
from operations.seed.posts import (
    Written,
    photo_items,
    place_composed,
    plan_posts,
    save_header,
    votes_in,
)
from relations.directory import directory_entries
from relations.seed import (
    choose_friends,
    follow_items,
    muted_words_item,
    relation_items,
    settings_item,
)
from site_votes.seed import demo_votes
from socialsite.clock import utc_now
from socialsite.table import Item, ids

ALWAYS_PICTURED = 4  # the people whose sign-ins are printed
PICTURE_SHARE = 0.8
MODERATOR = "mod"
OLDEST_ACCOUNT_DAYS = 400
SAVED, SAVED_FROM = 9, 120  # posts of the first person's shelf, of more than so many characters


@dataclass(frozen=True)
class Sizes:
    people: int = 60
    posts: int = 600
    follows: int = 14  # whom a person follows, on average
    days: int = 20  # over which the posts are spread
    pictures: int = 400  # at most so many are drawn; others show their initial


@dataclass
class DemoData:
    """The plan of the demo data. `items` turns it into the items of the table."""

    sizes: Sizes
    seed: int = 1
    now: datetime = field(default_factory=utc_now)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        known = first_people().people[: self.sizes.people]
        others = more_people(self.rng, self.sizes.people - len(known))
        self.people = [*known, *others]
        self.user_ids = [self._joined(number) for number in range(len(self.people))]
        self.follows = list(follow_graph(self.rng, len(self.people), self.sizes.follows))
        self.askers = choose_askers(len(self.people), self.follows)
        writers = {ALICE, BOB, *IN_GROUP, *self.askers.values()} & {*range(len(self.people))}
        self.keys = {number: new_person_key(self.user_ids[number]) for number in writers}
        self.followers: dict[int, list[int]] = defaultdict(list)
        for follower, followed in self.follows:
            self.followers[followed].append(follower)
        self.friends = choose_friends(self.seed, self.follows)
        self.handles = {person.handle: number for number, person in enumerate(self.people)}
        self.posts, hot = self._write_posts()
        likes = like_graph(self.rng, len(self.posts), len(self.people), hot=hot)
        self.likes = [like for like in likes if like[0] != self.posts[like[1]].author]
        self.reposts = {
            like: self._id(moment)
            for like, moment in choose_reposts(self.likes, self.posts, self.now)
            if like[1] not in self.reported
        }
        self.votes = votes_in(self.posts, self.likes, len(self.people))

    def count(self) -> int:
        """Returns about how many items there will be."""
        now_recent = sum(1 + len(self.followers[post.author]) for post in self.posts)
        return (
            16 * len(self.people)
            + 2 * len(self.follows)
            + 2 * len(self.friends)
            + 4 * len(self.posts)
            + now_recent
            + 2 * len(self.likes)
            + sum(2 + len(self.followers[person]) for person, _ in self.reposts)
        )

    def items(self) -> Iterator[Item]:
        told = with_badges(with_notifications(self._items(), self.now))
        listed = with_list(with_tags(told, self.user_ids[0]), self.user_ids, self.now)
        return with_words(listed)

    def _items(self) -> Iterator[Item]:
        yield from self._people_items()
        yield from self._follow_items()
        profiles = [
            (person.location, person.gender, demo_level(number)[1])
            for number, person in enumerate(self.people)
        ]
        known = self.user_ids, self.friends, self.follows, self.now
        yield from relation_items(*known, key=self.keys[ALICE][0], profiles=profiles)
        yield from self._post_items()
        yield from self._like_items()
        yield from self._saved_items()
        yield from reported_items(self.rng, self.reported, self.posts, self.user_ids)
        yield from demo_votes(self.seed, self.user_ids, self.now)
        opened = {number: key for number, (key, _) in self.keys.items()}
        yield from demo_chats(self.seed, self.user_ids, self.askers, self.now, opened)
        yield from demo_group(self.seed, self.user_ids, self.now, opened)

    def _people_items(self) -> Iterator[Item]:
        hashed = hash_password(PASSWORD)
        posts = Counter(post.author for post in self.posts)
        following = Counter(follower for follower, _ in self.follows)
        friends = Counter(number for pair in self.friends for number in pair)
        pins: dict[int, set[str]] = defaultdict(set)
        for post in self.posts:
            if post.marks.pinned:
                pins[post.author].add(post.post_id)
        for number, (person, user_id) in enumerate(zip(self.people, self.user_ids, strict=True)):
            count = UserCount.new(user_id=user_id)
            count.followers, count.following = len(self.followers[number]), following[number]
            count.posts = posts[number]
            count.pins = pins[number] or None
            count.friends = friends[number]
            info = self._info(number, person, user_id)
            own_settings = settings_item(user_id, number, self.now)
            if number == 0:
                own_settings.folders = folder_names(self.now)
            if number == BOB:
                yield muted_words_item(own_settings, self.now)
            new_key = self.keys.get(number) or new_person_key(user_id)
            yield from person_items(info, count, own_settings, password=hashed, new_key=new_key)
            yield from directory_entries(user_id=user_id, handle=person.handle, name=person.name)
            yield from entries_of(info)

    def _info(self, number: int, person: DemoPerson, user_id: str) -> UserInfo:
        role = "admin" if person.handle == MODERATOR else None
        info = UserInfo.new(user_id=user_id, handle=person.handle, name=person.name, role=role)
        info.bio = person.bio or None
        info.level, shown = demo_level(number)
        info.shows_level = "yes" if shown else None
        info.location, info.gender = person.location or None, person.gender or None
        pictured = number < ALWAYS_PICTURED or self.rng.random() < PICTURE_SHARE
        if pictured and number < self.sizes.pictures:
            picture, name = draw_avatar(self.rng), f"avatars/{self._id(self.now)}.webp"
            default_storage.delete(name)  # the rest of an interrupted load
            info.avatar = default_storage.save(name, ContentFile(picture))
        if person.header and number < self.sizes.pictures:
            info.header = save_header(user_id, DemoPhoto(person.header))
        return info

    def _follow_items(self) -> Iterator[Item]:
        for follower, followed in self.follows:
            yield from follow_items(self.user_ids[follower], self.user_ids[followed])

    def _post_items(self) -> Iterator[Item]:
        likes = Counter(post for _, post in self.likes)
        reposts = Counter(post for _, post in self.reposts)
        quotes = Counter(one.quoted.post_id for one in self.posts if one.quoted)
        replies = Counter(one.answered.post_id for one in self.posts if one.answered)
        ids_of = dict(zip(self.handles, self.user_ids, strict=True))
        for number, written in enumerate(self.posts):
            post = written.post(self.user_ids, ids_of)
            if written.marks.before:
                yield edit(post, written.text)
            yield from photo_items(post, written.photos)
            yield from post_items(
                post,
                is_hidden=written.marks.hidden,
                likes=likes[number],
                replies=replies[written.post_id],
                reposts=reposts[number],
                quotes=quotes[written.post_id],
                votes=votes_counted(one.choices for one in self.votes.get(number, ())),
                readers=[self.user_ids[reader] for reader in self._readers(written)],
                now=self.now,
            )
            for vote in self.votes.get(number, ()):
                voter = self.user_ids[vote.person]
                yield from vote_items(post=post, user_id=voter, choices=vote.choices)

    def _readers(self, written: Written) -> list[int]:
        """Returns the people in whose timelines a post is: a reply to somebody else only for those who follow both."""
        readers = self.followers[written.author]
        answered = written.answered
        if answered and answered.author != written.author:
            both = {answered.author, *self.followers[answered.author]}
            readers = [one for one in readers if one in both]
        return [written.author, *readers]

    def _like_items(self) -> Iterator[Item]:
        for person, number in self.likes:
            post = self.posts[number]
            where = {
                "post_id": post.post_id,
                "author_id": self.user_ids[post.author],
                "user_id": self.user_ids[person],
                "repost_id": self.reposts.get((person, number), ""),
            }
            yield from like_items(**where)
            if where["repost_id"]:
                readers = [self.user_ids[one] for one in self.followers[person]]
                yield from repost_items(**where, readers=readers, now=self.now)

    def _saved_items(self) -> Iterator[Item]:
        others = [
            post
            for number, post in enumerate(self.posts)
            if post.author != 0 and number not in self.reported and len(post.text) > SAVED_FROM
        ]
        posts = [
            (post.post_id, self.user_ids[post.author]) for post in others[-1 : -SAVED - 1 : -1]
        ]
        return saved_items(self.user_ids[0], posts, self.now)

    def _write_posts(self) -> tuple[list[Written], int]:
        moments = post_times(self.rng, self.sizes.posts, self.now, self.sizes.days)
        hot = max(0, len(moments) - len(moments) // 20 - 1)  # of yesterday or so
        self.reported = choose_reported(hot, len(self.people))
        composed = place_composed(hot, len(moments), self.handles)
        set_places = hot, self.reported, composed
        planned = plan_posts(self.rng, self.people, len(moments), *set_places)
        posts: list[Written] = []
        for one, moment in zip(planned, moments, strict=True):
            answered = None if one.answers is None else posts[one.answers]
            quoted = None if one.quotes is None else posts[one.quotes]
            lang = "" if len(posts) in self.reported else self.people[one.author].lang
            what = one.marks, lang, answered, quoted, one.composed
            posts.append(Written(one.author, one.text, moment, self._id(moment), *what))
        return posts, hot

    def _joined(self, number: int) -> str:
        days = OLDEST_ACCOUNT_DAYS * (1 - number / len(self.people)) + self.sizes.days
        return self._id(self.now - timedelta(days=days))

    def _id(self, moment: datetime) -> str:
        return ids.id_at(moment, self.rng.randbytes(10))
