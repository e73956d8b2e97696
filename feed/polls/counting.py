"""What a vote adds to the counts of its post, in `LikeCount`."""

from collections import Counter

from pynamodb.attributes import NumberAttribute

from feed.models import LikeCount, Vote
from feed.models.polls import MOST_OPTIONS
from socialsite.table import keys
from socialsite.table.item import Item
from socialsite.table.reading import query
from socialsite.table.row import row

VOTERS = "voters"
COUNTERS = tuple(f"votes{place}" for place in range(MOST_OPTIONS))
NAMES = (VOTERS, *COUNTERS)


def counter(name: str) -> NumberAttribute:
    attribute = LikeCount.get_attributes()[name]
    assert isinstance(attribute, NumberAttribute)
    return attribute


def counted(choices: str) -> Counter[str]:
    """Returns what a vote for these choices adds, by the name of the counter."""
    return Counter([VOTERS, *(COUNTERS[int(place)] for place in choices)] if choices else [])


def difference(old: Item | None, new: Item | None) -> dict[str, int]:
    """Returns by how much a change of a vote changes each counter."""
    was, is_now = (counted(one.choices if isinstance(one, Vote) else "") for one in (old, new))
    return {name: is_now[name] - was[name] for name in NAMES if is_now[name] != was[name]}


def count_votes(post_id: str) -> Counter[str]:
    """Returns what the counters should say: a consistent Query of each of the 16 shards, 1 read unit for 4 KB."""
    total = Counter[str]()
    for shard in range(keys.VOTE_SHARDS):
        for raw in query(keys.votes(post_id, shard), consistent=True):
            total += counted(row(Vote, raw).choices)
    return total
