"""Topics that many talk about now: tags by the number of people who use them, not by posts.

The worker notes who used a tag in an hour (`stream_handlers.py`), once however much they post, and the clock counts the
people of the last 6 hours into one list, which Explore shows (`feed/explore/reads.py`). At least 5 people make a topic,
and twice as many as used the tag in the same hours a week ago: so what is always there does not stand there for ever.
Left out of the count are people who want no topics, have been here for less than a week, or are limited or locked out
by moderators. Nothing is noted or counted unless staff want topics to be shown, and the tags that they refuse never
appear.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice

from accounts.people.cards import PersonCard
from feed.explore.models import Explored
from feed.explore.reads import EVERY, EVERYONE, TopicNow, forget_explored, quarter_of
from feed.home.reads import is_newcomer
from feed.posts.models import Post
from feed.posts.reads import listed_tags
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import plan
from socialsite.site_settings.site_rules import site_rules
from socialsite.table import (
    Item,
    access_pattern,
    as_model,
    fetch,
    ids,
    keys,
    query,
    row,
    write_batch,
)
from tags.models import TagEntry, TopicAuthor

COUNT_TOPICS = "count-topics"  # the kind of due work
HOURS = 6  # that count as now
LEAST = 5  # people
GROWN = 2  # times as many people as a week ago
WEEK = timedelta(days=7)
A_CALL = 100
MOST_COMPARED = 500  # posts of a tag in the same hours a week ago
MOST = 20  # topics
MOST_LOOKED_AT = 200  # tags
MOST_ASKED = 2_000  # people whose infos are read for a count
LASTS = timedelta(hours=1)  # should no clock count again
HOUR = timedelta(hours=1)


def hour_of(post: Post) -> str:
    return hour_at(ids.time_of(post.post_id))


def hour_at(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H")


def end_of_counting(post: Post) -> datetime:
    """Returns the moment from which a post counts for no topic any more."""
    return ids.time_of(post.post_id) + (HOURS + 1) * HOUR


def is_counted(post: Post) -> bool:
    """Whether the tags of a post can be topics now: staff want them, the post is new, not brought from elsewhere, and
    its author is not new."""
    is_new = end_of_counting(post) > utc_now() and not post.imported
    return is_new and site_rules().topics_shown and not is_newcomer(post.author_id)


def tags_used(author_id: str, hour: str) -> set[str]:
    """Returns the tags of the posts that someone has of an hour: a consistent Query, 1 read unit per 4 KB."""
    begin = datetime.fromisoformat(f"{hour}:00+00:00")
    low, high = (keys.post(author_id, ids.first_id_at(moment)) for moment in (begin, begin + HOUR))
    posts = query(low.pk, between=(low.sk, high.sk), consistent=True)
    of_posts = (as_model(Post, raw) for raw in posts if raw["type"]["S"] == Post.__name__)
    return {tag for post in of_posts if not post.imported for tag in listed_tags(post)}


def use_of_topic(post: Post, tag: str) -> TopicAuthor:
    """Returns that the author of a post used a tag in its hour."""
    end = end_of_counting(post)
    return TopicAuthor.new(hour=hour_of(post), tag=tag, author_id=post.author_id, ttl=end)


def planned_count(moment: datetime) -> Item:
    """Returns the work to count at the end of the quarter of an hour, the same for all who plan it."""
    return plan(COUNT_TOPICS, moment=quarter_of(moment) + EVERY, subject=EVERYONE).item


@access_pattern
def count_topics(due: Due | None = None) -> int:
    """Makes the list of topics anew, and plans the next count while anyone uses tags. Returns how many topics there
    are. Safe to run twice: the list has a fixed key.

    Four Queries for each of 7 hours, 0.5 read units for some 25 people and tags each; BatchGetItems of the infos of at
    most 2,000 people, 0.5 read units each; a Query of what a tag had a week ago, as far as half as many people as now,
    at most 13 read units, of the largest until 40 have grown, at most of 200: in all 1,570 read units where 10,000
    people use tags, 3,650 where none of 200 has grown. One BatchWriteItem, 2 write units. Where staff want no topics
    any more, it does nothing.
    """
    if not site_rules().topics_shown:
        return 0
    now = utc_now()
    people = _people_by_tag(now)
    topics = _topics(people, now)
    made = Explored.new(
        key=keys.explored_topics(),
        lines=[list(one) for one in topics],
        made_at=now,
        ttl=now + LASTS,
    )
    planned = datetime.fromisoformat(due.moment) if due else now
    write_batch(puts=[made, *([planned_count(max(now, planned))] if people else [])])
    forget_explored()
    return len(topics)


def _people_by_tag(now: datetime) -> dict[str, set[str]]:
    """Returns who used each tag in the last 6 hours and in this one, each person once."""
    people: dict[str, set[str]] = defaultdict(set)
    for hour in _hours(now):
        for shard in range(keys.TOPIC_SHARDS):
            for raw in query(keys.topic_authors(hour, shard)):
                use = row(TopicAuthor, raw)
                people[use.tag].add(use.author_id)
    return people


def _hours(now: datetime) -> Iterator[str]:
    return (hour_at(now - number * HOUR) for number in range(HOURS + 1))


def _topics(people: dict[str, set[str]], now: datetime) -> list[TopicNow]:
    refused = site_rules().refused_topics
    wanted = {
        tag: those for tag, those in people.items() if len(those) >= LEAST and tag not in refused
    }
    largest = heapq.nlargest(MOST_LOOKED_AT, wanted, key=lambda tag: (len(wanted[tag]), tag))
    before = ((tag, _people_before(tag, now, enough=len(wanted[tag]))) for tag in largest)
    grown = dict(
        islice((one for one in before if _has_grown(len(wanted[one[0]]), one[1])), 2 * MOST)
    )
    counting = _who_counts({one for tag in grown for one in wanted[tag]})
    counted = [TopicNow(tag, len(wanted[tag] & counting)) for tag in grown]
    counted.sort(key=lambda topic: (-topic.people, topic.tag))
    many = (topic for topic in counted if topic.people >= LEAST)
    return list(islice((one for one in many if _has_grown(one.people, grown[one.tag])), MOST))


def _has_grown(people: int, before: int) -> bool:
    return GROWN * before <= people


def _people_before(tag: str, now: datetime, *, enough: int) -> int:
    """Returns how many people used a tag a week ago, whatever became of them, or so many that this number has not
    grown. Of a tag with very many posts then, the first of them decide."""
    then = now - WEEK
    since = datetime.fromisoformat(f"{hour_at(then - HOURS * HOUR)}:00+00:00")
    between = keys.pointers_between(ids.first_id_at(since), ids.first_id_at(then))
    posts = query(keys.tagged_posts(tag), between=between, limit=A_CALL)
    authors: set[str] = set()
    for raw in islice(posts, MOST_COMPARED):
        authors.add(row(TagEntry, raw).author_id)
        if not _has_grown(enough, len(authors)):
            break
    return len(authors)


def _who_counts(people: Iterable[str]) -> set[str]:
    """Returns those of the people who have been here longest, so many as are asked about, who are not limited or locked
    out and want topics. Nobody counts who was not asked about."""
    asked = sorted(people)[:MOST_ASKED]
    infos = fetch(map(keys.user_info, asked))
    found = {one: infos.get(keys.user_info(one)) for one in asked}
    cards = {one: PersonCard.from_raw(raw) for one, raw in found.items() if raw}
    return {one for one in cards if _counts(cards[one])}


def _counts(person: PersonCard) -> bool:
    return not (person.no_topics or person.is_limited or person.is_locked_out)
