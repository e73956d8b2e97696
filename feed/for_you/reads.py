"""Posts for someone: what people one and two steps away like, with how many of them.

Everyone who may see a post also sees by whom it is liked, but nobody sees all that someone likes. So a post is here
for two people at least, and tells their number. People who want no topics (`relations/topics.py`) get none and count
for none. Nothing is kept: the page asks some of those near, and some of those beyond, whom the worker found when it
looked for people whom the person may know.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import islice

from django.utils.translation import ngettext

from accounts.people.viewer import Viewer
from feed.cards.post_card import PostCard
from feed.cards.reads import get_posts
from feed.posts.models import LikeTrace
from feed.posts.reads import Pointer, pointer_of
from relations.models import RelationType
from relations.topics import BY_FRIEND, BY_NEAR, BY_OTHER, counts
from relations.two_levels import each_at_once, people_near, sample
from socialsite.clock import utc_now
from socialsite.table import access_pattern, fetch, ids, keys, query, row

NEAR_READ = 100  # friends, and people followed, to sample from
ASKED_NEAR, ASKED_BEYOND = 12, 12
LIKES_EACH = 20  # the newest posts among them
LEAST = 2  # people who like a post
MOST_POSTS = 15
OLDEST = timedelta(days=30)

FRIEND, NEAR, OTHER = BY_FRIEND, BY_NEAR, BY_OTHER


@dataclass(frozen=True, slots=True)
class PostForYou:
    """A post, and how many like it: friends, and all together. `score` says how near they are."""

    card: PostCard
    friends: int
    people: int
    score: int

    @property
    def reason(self) -> str:
        n = self.friends
        if n >= LEAST:
            text = ngettext("%(n)s friend likes this", "%(n)s friends like this", n)
        else:
            n = self.people
            text = ngettext(
                "%(n)s person you or your friends know likes this",
                "%(n)s people you or your friends know like this",
                n,
            )
        return text % {"n": n}


@access_pattern
def list_posts_for(viewer: Viewer, *, beyond: Iterable[str]) -> list[PostForYou]:
    """Returns at most 15 posts of the last 30 days that at least 2 people near the viewer like and the viewer does not,
    best first; nothing for people who want no topics. Replies are left out, as a like does not know whom they answer.
    `beyond` are ids of people two steps away, the best first.

    Two Queries of friends and follows, at most 100 each; a BatchGetItem of the infos and blocks
    of at most 24 people, then a Query of the newest likes of each, 8 in flight at once, and one BatchGetItem of the
    posts, or two: at most 26 Queries and 3 BatchGetItems, 120 read units.
    """
    if viewer.card is None or viewer.card.no_topics:
        return []
    weights = _people(viewer, beyond)
    liked = each_at_once(partial(_likes_of, since=_oldest()), list(weights))
    points, people, friends = Counter[str](), Counter[str](), Counter[str]()
    where: dict[str, Pointer] = {}
    for weight, pointers in zip(weights.values(), liked, strict=True):
        where |= {one.post_id: one for one in pointers if one.author_id != viewer.user_id}
        for one in pointers:
            points[one.post_id] += weight
            people[one.post_id] += 1
            friends[one.post_id] += weight == FRIEND
    wanted = [one for one in where if people[one] >= LEAST]
    wanted.sort(key=lambda one: (points[one], one), reverse=True)
    best = [where[one] for one in wanted[:MOST_POSTS]]
    cards = get_posts(best, viewer=viewer, mutes_of={one.author_id for one in best})
    return [
        PostForYou(card, friends[card.post_id], people[card.post_id], points[card.post_id])
        for card in cards
        if not (card.liked or card.author.is_limited or card.is_reply)
    ]


def _people(viewer: Viewer, beyond: Iterable[str]) -> dict[str, int]:
    """Returns the people who are asked, each with the points that their like gives."""
    near = people_near(viewer.user_id, most_followed=NEAR_READ, most_friends=NEAR_READ)
    weights = {one.user_id: FRIEND if one.is_friend else NEAR for one in sample(near, ASKED_NEAR)}
    known = {viewer.user_id, *(one.user_id for one in near)}
    others = islice((one for one in beyond if one not in known), ASKED_BEYOND)
    weights |= dict.fromkeys(others, OTHER)
    blocks = {one: keys.relation(viewer.user_id, RelationType.BLOCK, one) for one in weights}
    items = fetch([*map(keys.user_info, weights), *blocks.values()])
    return {one: weights[one] for one, block in blocks.items() if counts(one, items, block)}


def _oldest() -> str:
    return ids.first_id_at(utc_now() - OLDEST)


def _likes_of(user_id: str, *, since: str) -> list[Pointer]:
    """Returns the newest posts that someone likes."""
    traces = query(
        keys.traces(user_id), between=keys.like_trace_bounds(), forward=False, limit=LIKES_EACH
    )
    liked = (raw for raw in islice(traces, LIKES_EACH) if not row(LikeTrace, raw).not_liked)
    return [one for one in map(pointer_of, liked) if one.post_id >= since]
