"""What the demo has beside posts: reposts, tags, a list of people, notifications, reports, sign-ins."""

import json
import random
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from accounts.models import UserInfo, UserSettings
from feed.likes.models import Like
from feed.notices import LIKE, MENTION, QUOTE, REPLY, REPOST
from feed.posts.models import Post, Repost, Reposter
from feed.posts.reads import Pointer, entry_of, listed_tags, pointer_of_post
from feed.timelines.big_authors import KEPT, Noted, is_for_followers
from feed.timelines.models import RecentPosts
from finding.writes import word_items
from moderation.reports.writes import report_items
from notifications.seed import Event, notification_items
from operations.demo.content import DemoReport, reports
from operations.demo.people import KNOWN_PEOPLE
from operations.seed.posts import Written
from relations.models import (
    FollowedTag,
    Follower,
    Following,
    Listing,
    PersonList,
    Relation,
    RelationType,
    TagFollower,
)
from relations.notices import FOLLOW, REQUESTS
from socialsite.private_files import write_private
from socialsite.table import Item, ids
from tags.models import tag_items

LikeNumbers = tuple[int, int]  # the numbers of a person and of a post

ONE_IN = 17  # likes
WELL_LIKED, ONE_IN_OF_THESE = 15, 5  # posts that go round
AFTER = timedelta(minutes=95)


def choose_reposts(
    likes: Sequence[LikeNumbers], posts: Sequence[Written], now: datetime
) -> Iterator[tuple[LikeNumbers, datetime]]:
    """Yields some of the likes of posts that answer none, more of those that many people like, with the moment of the
    repost."""
    counts = Counter(number for _, number in likes)
    for person, number in likes:
        post = posts[number]
        one_in = ONE_IN if counts[number] < WELL_LIKED else ONE_IN_OF_THESE
        if post.answered is None and (7 * person + number) % one_in == 0:
            yield (person, number), min(now, post.moment + AFTER)


FOLLOWED = 3  # the tags that most posts have; those whom the reader follows follow the next ones
BROUGHT = 20  # posts of each
NEAR = 8  # people whom the reader follows


def with_words(items: Iterable[Item]) -> Iterator[Item]:
    """Returns the items, with what stands under words of the posts among them."""
    for item in items:
        yield item
        if isinstance(item, Post):
            yield from word_items(item)


def with_tags(items: Iterable[Item], reader_id: str) -> Iterator[Item]:
    """Returns the items, with what stands under tags of the posts among them, followed by the tags that a person and
    some whom they follow follow, and the newest posts with each by people whom these do not follow. The posts come in
    the order of time."""
    counts = Counter[str]()
    newest: dict[str, deque[Pointer]] = defaultdict(partial(deque, maxlen=BROUGHT))
    people: dict[str, list[str]] = defaultdict(list)
    for item in items:
        yield item
        if isinstance(item, Following):
            people[item.user_id].append(item.followed_id)
        if isinstance(item, Post):
            tags = listed_tags(item)
            yield from tag_items(item, tags)
            for tag in sorted(tags):
                counts[tag] += 1
                newest[tag].append(pointer_of_post(item)._replace(tag=tag))
    common = [tag for tag, _ in counts.most_common(2 * FOLLOWED)]
    follow = [(reader_id, tag) for tag in common[:FOLLOWED]]
    follow += [(one, tag) for one in people[reader_id][:NEAR] for tag in common[FOLLOWED:]]
    for user_id, tag in follow:
        yield FollowedTag.new(user_id=user_id, tag=tag)
        yield TagFollower.new(user_id=user_id, tag=tag)
        known = {user_id, *people[user_id]}
        strangers = (one for one in newest[tag] if one.author_id not in known)
        yield from (entry_of(one, user_id, ends=None) for one in strangers)


LISTED = 6  # people of the first person's list, which is a starter pack too
LIST = "Bakers"


def with_list(items: Iterable[Item], user_ids: Sequence[str], now: datetime) -> Iterator[Item]:
    """Returns the items, followed by a list of the first person's, which stands beside their Home's tabs, and by the
    newest posts of those in it."""
    owner_id, members = user_ids[0], set(user_ids[1 : 1 + LISTED])
    list_id = ids.id_at(now, bytes([LISTED] * 10))
    noted: dict[str, list[Noted]] = {one: [] for one in members}
    for item in items:
        match item:
            case UserInfo() if item.user_id in members:
                item.listed = "yes"
            case UserSettings() if item.user_id == owner_id:
                item.home_lists = {list_id: LIST}
            case Post() | Repost() if item.author_id in members:
                if is_for_followers(item.serialize()):
                    made = int(ids.time_of(item.post_id).timestamp() * 1000)
                    noted[item.author_id].append(Noted(pointer_of_post(item), made, item.ttl))
        yield item
    if not members:
        return
    own = PersonList.new(user_id=owner_id, list_id=list_id, name=LIST)
    own.members = members
    own.pack_title, own.pack_about = "Who bakes here", "People who know where the good flour is."
    yield own
    for one, posts in noted.items():
        yield Listing.new(user_id=one, owner_id=owner_id, list_id=list_id)
        newest = sorted(posts)[-KEPT:]
        yield RecentPosts.new(
            user_id=one,
            posts={post.write() for post in newest},
            changed=max((post.at for post in newest), default=0),
            since=newest[0].at if len(newest) == KEPT else 0,
        )


LIKED_AFTER = timedelta(hours=3)
FOLLOWED_BEFORE = timedelta(hours=9)  # now
ASKED_BEFORE = timedelta(hours=2)


def with_notifications(items: Iterable[Item], now: datetime) -> Iterator[Item]:
    """Returns the items, followed by the notifications of what they say."""
    events: list[Event] = []
    for item in items:
        events += _events_of(item, now)
        yield item
    yield from notification_items(events, now)


def _events_of(item: Item, now: datetime) -> Sequence[Event]:
    match item:
        case Like() | Reposter():
            moment = min(now, ids.time_of(item.post_id) + LIKED_AFTER)
            pointer = Pointer(item.post_id, item.author_id)
            kind = LIKE if isinstance(item, Like) else REPOST
            return [Event(item.author_id, kind, item.user_id, moment, item.post_id, pointer)]
        case Post():
            return list(_events_of_post(item))
        case Follower():
            return [Event(item.user_id, FOLLOW, item.follower_id, now - FOLLOWED_BEFORE)]
        case Relation() if kind_asked := REQUESTS.get(RelationType(int(item.relation_type))):
            moment = now - ASKED_BEFORE
            return [Event(item.other_id, kind_asked, item.user_id, moment, item.user_id)]
    return ()


def _events_of_post(post: Post) -> Iterator[Event]:
    moment, pointer = ids.time_of(post.post_id), pointer_of_post(post)
    answered = {post.reply_to_author_id, post.root_author_id} - {None}
    mentioned: Mapping[str, str] = post.mentions.attribute_values if post.mentions else {}
    for user_id in sorted(answered):
        yield Event(user_id, REPLY, post.author_id, moment, post.post_id, pointer)
    if post.quote_of:
        yield Event(
            str(post.quote_of_author_id), QUOTE, post.author_id, moment, post.post_id, pointer
        )
    for user_id in sorted(set(mentioned.values()) - answered):
        yield Event(user_id, MENTION, post.author_id, moment, post.post_id, pointer)


EVERY = 3  # posts, one is reported


def choose_reported(newest: int, people: int) -> dict[int, DemoReport]:
    """Returns the reports by the number of their post: recent posts, and none if everyone is well known."""
    if newest <= EVERY * len(reports()) or people <= KNOWN_PEOPLE:
        return {}
    return {newest - EVERY * place: report for place, report in enumerate(reports(), start=1)}


def reported_items(
    rng: random.Random,
    reported: Mapping[int, DemoReport],
    posts: Sequence[Written],
    user_ids: Sequence[str],
) -> Iterator[Item]:
    """Yields the reports, each by other people than the author."""
    for number, report in reported.items():
        post = posts[number]
        others = [user for user in range(len(user_ids)) if user != post.author]
        rng.shuffle(others)
        yield from report_items(
            author_id=user_ids[post.author],
            post_id=post.post_id,
            text=report.text,
            rule_id=report.rule,
            comments=report.comments,
            reporters=[user_ids[user] for user in others[: report.reporters]],
        )


PASSWORD = "calm-quick-warm"  # noqa: S105 - of the demo people, and printed at every start
FILE = "demo.json"


def note_demo_sign_ins(data_dir: Path, handles: Sequence[str]) -> None:
    write_private(data_dir / FILE, json.dumps(list(handles)))


def demo_sign_ins(data_dir: Path) -> list[str]:
    """Lines to print: empty if there is no demo data."""
    file = data_dir / FILE
    if not file.exists():
        return []
    handles = ", ".join(json.loads(file.read_text()))
    return [f"Sign in as {handles} (password: {PASSWORD}), or sign up."]
