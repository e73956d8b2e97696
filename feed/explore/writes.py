"""Ranks the public posts of the last 24 hours, by a rule that Explore says to everyone: likes, reposts counted twice,
and replies of others, and the older a post is the less they count. Nothing counts that someone looked at.

One post of an author stands in a list. Left out are posts with a warning, and authors who have been here for less than
a week, who do not want to be suggested, who confirm their followers, or whom moderators limit.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR
from feed.explore.models import Explored
from feed.explore.reads import (
    EVERY,
    EVERYONE,
    RANK,
    TODAY,
    Liked,
    forget_explored,
    may_be_found,
    quarter_of,
)
from feed.home.reads import is_newcomer
from feed.posts.models import LikeCount, Post, Reply
from feed.posts.reads import Pointer, can_view, is_for_some
from feed.timelines.local import SHARDS, day_of, latest, newest_of_shards
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import plan
from socialsite.table import RawItem, access_pattern, fetch, ids, keys, query, row, write_batch

LOOKED_AT = 1000  # the newest posts
KEPT = 30  # of a language: what an item of 4 KB holds, also of quotes
LOOKED_INTO = 120  # of the best posts, for replies of their own authors
REPLIES_READ = 100
LASTS = timedelta(hours=1)  # should no clock make the list anew

REPOST, SLOWLY, AGES = 2, 2, 1.5  # the figures of the rule, as `templates/feed/explore/` says it


def score_of(*, likes: int, reposts: int, replies: int, hours: float) -> float:
    """Returns the score of a post so many hours old, by the likes, reposts, and replies of others that it has."""
    return round((likes + REPOST * reposts + replies) / (hours + SLOWLY) ** AGES, 4)


class _Candidate(NamedTuple):
    score: float
    raw: RawItem
    counts: RawItem  # of its likes, reposts and replies

    @property
    def post(self) -> Post:
        return row(Post, self.raw)


@access_pattern
def rank_liked_today(due: Due | None = None) -> int:
    """Makes the list of each language anew from the newest 1,000 public posts of the last 24 hours, and plans the next
    time while there are such posts. Returns how many it lists. Safe to run twice: lists have fixed keys.

    Four Queries for each of two days, BatchGetItems of the counts, 0.5 read units a post, and of the posts that anyone
    likes with their authors, at most 1.5; at most 120 Queries of replies. In all 2,100 read units on a busy day. One
    BatchWriteItem, at most 4 write units a language, and 1 to plan.
    """
    now = utc_now()
    pointers = _newest(now)
    best = _of_each_language(_ranked(pointers, now))
    made = {
        language: Explored.new(
            key=keys.explored_posts(language),
            lines=[list(one) for one in best.get(language, ())],
            made_at=now,
            ttl=now + LASTS,
        )
        for language in ("", *best)
    }
    # The next time depends on the moment that was planned too, so that clocks which stand apart agree on it.
    planned = datetime.fromisoformat(due.moment) if due else now
    following = plan(RANK, moment=quarter_of(max(now, planned)) + EVERY, subject=EVERYONE)
    write_batch(puts=[*made.values(), *([following.item] if pointers else [])])
    forget_explored()
    return sum(map(len, best.values()))


def _newest(now: datetime) -> list[Pointer]:
    before, oldest = latest(), ids.first_id_at(now - TODAY)
    days = dict.fromkeys((day_of(before), day_of(oldest)))
    found = (
        one
        for day in days
        for one in newest_of_shards(day, before, LOOKED_AT // SHARDS)
        if one.post_id >= oldest and not is_newcomer(one.author_id)
    )
    return heapq.nlargest(LOOKED_AT, found)


def _ranked(pointers: Sequence[Pointer], now: datetime) -> list[_Candidate]:
    """Returns the posts that may stand on Explore and that anyone likes, best first."""
    counts = fetch(keys.like_count(one.post_id) for one in pointers)
    liked = [one for one in pointers if _score(counts.get(keys.like_count(one.post_id)), now)]
    found = fetch(
        key
        for one in liked
        for key in (keys.post(one.author_id, one.post_id), keys.user_info(one.author_id))
    )
    candidates = []
    for one in liked:
        raw = found.get(keys.post(one.author_id, one.post_id))
        info = found.get(keys.user_info(one.author_id))
        count = counts[keys.like_count(one.post_id)]
        if raw and info and _may_be_listed(raw, PersonCard.from_raw(info)):
            candidates.append(_Candidate(_score(count, now), raw, count))
    candidates.sort(key=lambda one: (one.score, one.post.post_id), reverse=True)
    looked_into = [_without_own_replies(one, now) for one in candidates[:LOOKED_INTO]]
    ranked = [one for one in looked_into if one.score] + candidates[LOOKED_INTO:]
    return sorted(ranked, key=lambda one: (one.score, one.post.post_id), reverse=True)


def _may_be_listed(raw: RawItem, author: PersonCard) -> bool:
    post = row(Post, raw)
    if post.warning or post.sensitive or not may_be_found(author):
        return False
    return can_view(VISITOR, raw, author) and not is_for_some(raw, author)


def _score(raw: RawItem | None, now: datetime, *, own_replies: int = 0) -> float:
    if raw is None:
        return 0
    count = row(LikeCount, raw)
    return score_of(
        likes=int(count.likes),
        reposts=int(count.reposts or 0),
        replies=max(0, int(count.replies or 0) - own_replies),
        hours=max(0.0, (now - ids.time_of(count.post_id)).total_seconds() / 3600),
    )


def _without_own_replies(one: _Candidate, now: datetime) -> _Candidate:
    if not row(LikeCount, one.counts).replies:
        return one
    post = one.post
    places = query(keys.thread(post.post_id), between=keys.branch_bounds(""), limit=REPLIES_READ)
    own = sum(
        reply.author_id == post.author_id and reply.reply_to == post.post_id
        for reply in (row(Reply, raw) for raw in islice(places, REPLIES_READ))
    )
    return one._replace(score=_score(one.counts, now, own_replies=own))


def _of_each_language(ranked: Iterable[_Candidate]) -> dict[str, list[Liked]]:
    """Returns the best posts of each language, one of an author."""
    best: dict[str, dict[str, Liked]] = defaultdict(dict)
    for one in ranked:
        post = one.post
        of_language = best[post.lang or ""]
        if len(of_language) < KEPT:
            liked = Liked(
                one.score,
                post.post_id,
                post.author_id,
                post.quote_of or "",
                post.quote_of_author_id or "",
            )
            of_language.setdefault(post.author_id, liked)
    return {language: list(posts.values()) for language, posts in best.items()}
