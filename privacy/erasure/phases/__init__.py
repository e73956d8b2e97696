"""The phases of an erasure, in order. Each deals with the next items that it finds, until it finds none, so running one
again changes nothing.

What is counted for others ends first, by the services that count it. The person's own partitions go last, and are
looked through once more before the profile goes (`privacy/erasure/ending.py`).
"""

from collections.abc import Callable

from privacy.erasure.leaver import Handled, Leaver
from privacy.erasure.phases.likes import erase_followed_tags, erase_likes
from privacy.erasure.phases.machinery import (
    erase_the_rest,
    erase_work,
)
from privacy.erasure.phases.moderation import erase_reports, let_evidence_end
from privacy.erasure.phases.posts import erase_posts
from privacy.erasure.phases.relations import (
    erase_followers,
    erase_followings,
    erase_own_relations,
    erase_relations_of_others,
)

PHASES: dict[str, Callable[[Leaver], Handled]] = {
    "followers": erase_followers,
    "follows": erase_followings,
    "relations": erase_own_relations,
    "relations of others": erase_relations_of_others,
    "posts": erase_posts,
    "likes": erase_likes,
    "tags": erase_followed_tags,
    "reports": erase_reports,
    "evidence": let_evidence_end,
    "work": erase_work,
    "the rest": erase_the_rest,
}
