"""What is to be done about each partition that takes more than it can, and each item that too many transactions meet.

A test holds the replay to this list: whatever it finds stands here, and what stands here is found.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cure:
    """For partitions that are called so (a pattern): what they are called in words, why they are so hot, and what to
    do."""

    partition: str
    name: str
    why: str
    cure: str


CURES = (
    Cure(
        r"u#star#recent",
        "u#<star>#recent",
        "each page and each question of an open Home reads the list of what the best known person posted last, "
        "and half of all people follow them",
        "a copy in each process for one second, as [adr/0036](adr/0036-no-copy-of-stars.md) says where; it is "
        "not built, as nobody has half of ten million people as followers yet. Open pages that "
        "[are told](deploy.md#news-for-open-pages) ask less often, which takes half of it away",
    ),
    Cure(
        r"u#(star|its author, the (post|poll))",
        "u#<author>",
        "the bell of one person, and of replies the check that the author lets the writer answer: each commit of a "
        "shard that brings likes or replies writes the bell once more",
        "at most four commits a second come from each shard, and those that meet try again, so notifications come "
        "later and nothing is lost. If that is too late: notices of one post by one worker, as the likes of one "
        "partition are",
    ),
    Cure(
        r"u#its author, the post#post",
        "u#<author>#post",
        "each reply asks in its transaction that the post above it still has the audience that its writer saw; "
        "two that meet are one too many, and the later one tries again",
        "beyond 50 replies a second to one post some writers read that they should try again. What ends that is the "
        "check by the worker, behind the stream, as with likes; it costs that a reply may be seen for a moment that "
        "should not be, and is not built",
    ),
    Cure(
        r"p#(their post|the post|the poll)#likecount",
        "p#<post>#likecount",
        "likes and votes lie in 16 partitions, each of which is counted four times a second by its own worker into "
        "the one count; of replies the count stands beside",
        "commits that meet try again and then count more at once, so the number comes some seconds later. If that "
        "is too late: partial counts, one for each of the 16, which pages add up",
    ),
)


def cure_of(partition: str) -> Cure | None:
    """Returns what to do about a partition, None if nobody has said."""
    return next((one for one in CURES if re.fullmatch(one.partition, partition)), None)
