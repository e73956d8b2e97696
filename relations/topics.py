"""Topics for someone: the tags that people one and two steps away follow, the second use of the two-level look-up.

Everyone sees whom one follows, but not which tags (`own_choices/`). So a topic tells numbers alone, from three people
on, and never one that says it of all; people who want no topics get none, and count for none. The worker looks when it
looks for people (`suggested.py`), and keeps both in one item.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import ngettext

from accounts.models import UserInfo
from accounts.people.restrictions import may_be_offered
from relations.models import FollowedTag, RelationType
from relations.relation import blocks_either_way
from relations.two_levels import TwoLevels, each_at_once
from socialsite.table import Key, RawItem, access_pattern, fetch, keys, query, row
from socialsite.texts import tag_url

BEYOND = 25  # people of the second level whose tags are looked up, the best ones
LEAST = 3  # people who follow a topic: of fewer, a number would name one
MOST_TOPICS = 6
LOOKED_AT = 12  # of the tags found, as posts under some may be gone

# The points of a topic.
BY_FRIEND = 3
BY_NEAR = 2
BY_OTHER = 1


@dataclass(frozen=True, slots=True)
class Topic:
    """A tag, and how many people follow it: friends, others whom the person follows, and people two steps away."""

    tag: str
    friends: int
    near: int
    beyond: int

    @property
    def score(self) -> int:
        return BY_FRIEND * self.friends + BY_NEAR * self.near + BY_OTHER * self.beyond

    @property
    def people(self) -> int:
        return self.friends + self.near + self.beyond

    @property
    def reason(self) -> str:
        """Returns a number of at least three: of friends, or of all together."""
        n = self.friends
        if n >= LEAST:
            text = ngettext("%(n)s friend follows it", "%(n)s friends follow it", n)
        else:
            n = self.people
            text = ngettext(
                "%(n)s person you or your friends know follows it",
                "%(n)s people you or your friends know follow it",
                n,
            )
        return text % {"n": n}

    @property
    def tag_url(self) -> str:
        return tag_url(self.tag)


@access_pattern
def find_topics(user_id: str, levels: TwoLevels) -> list[Topic]:
    """Returns at most 6 tags that at least 3 people of both levels follow, not all, and not the person, best first;
    nothing for people who want none.

    One BatchGetItem of the infos of at most 51 people and the blocks of 50, then a Query of the tags of each, 8 in
    flight at once, and of the person's own, and one BatchGetItem of 12 tags: at most 51 Queries and 3 BatchGetItems,
    110 read units where nobody follows more than 25 tags.
    """
    friends = {one.user_id for one in levels.asked if one.is_friend}
    near = [one.user_id for one in levels.asked]
    beyond = [one.user_id for one in levels.recommended[:BEYOND]]
    blocks = {one: keys.relation(user_id, RelationType.BLOCK, one) for one in (*near, *beyond)}
    infos = [keys.user_info(one) for one in (user_id, *blocks)]
    found = fetch([*infos, *blocks.values()])
    own = found.get(keys.user_info(user_id))
    counted = [one for one, block in blocks.items() if counts(one, found, block)]
    if own is None or row(UserInfo, own).no_topics or len(counted) < LEAST:
        return []
    mine, *theirs = each_at_once(_tags_of, [user_id, *counted])
    following: dict[str, Counter[str]] = {}
    for one, tags in zip(counted, theirs, strict=True):
        kind = "friends" if one in friends else "near" if one in near else "beyond"
        for tag in tags:
            following.setdefault(tag, Counter())[kind] += 1
    all_friends = len(friends.intersection(counted))
    topics = [
        _topic(tag, kinds, all_friends)
        for tag, kinds in following.items()
        if tag not in mine and LEAST <= kinds.total() < len(counted)
    ]
    best = sorted(topics, key=lambda one: (-one.score, one.tag))[:LOOKED_AT]
    used = fetch(keys.tag_use(one.tag) for one in best)
    return [one for one in best if keys.tag_use(one.tag) in used][:MOST_TOPICS]


def _topic(tag: str, kinds: Counter[str], all_friends: int) -> Topic:
    friends, near = kinds["friends"], kinds["near"]
    if friends == all_friends:  # the number would say it of each of them
        friends, near = 0, near + friends
    return Topic(tag, friends, near, kinds["beyond"])


def counts(user_id: str, found: dict[Key, RawItem], block: Key) -> bool:
    """Whether someone counts for the person whose `block` it is, from the items that were found."""
    info = found.get(keys.user_info(user_id))
    if info is None or row(UserInfo, info).no_topics or not may_be_offered(info):
        return False
    return not blocks_either_way(found.get(block))


def _tags_of(user_id: str) -> list[str]:
    return [row(FollowedTag, raw).tag for raw in query(keys.followed_tags(user_id))]


def keys_of_topics(user_id: str, topics: Sequence[Topic]) -> list[Key]:
    """Returns what decides whether topics are still shown: whether the person follows the tag by now."""
    return [keys.followed_tag(user_id, one.tag) for one in topics]


def not_followed(user_id: str, topics: Sequence[Topic], items: dict[Key, RawItem]) -> list[Topic]:
    """Returns those of the topics that the person does not follow, from the items of `keys_of_topics`."""
    return [one for one in topics if keys.followed_tag(user_id, one.tag) not in items]
