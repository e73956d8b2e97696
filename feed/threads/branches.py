"""The replies of a page as branches: nested only where a post has several answers.

Answers that follow each other without a fork are a chain, shown as a line of posts under each other. So a long talk
between two people runs down the page, not off its side.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from feed.cards import PostCard


class Stub(StrEnum):
    """Why a post is not shown where others answered it."""

    NONE = ""
    DELETED = "deleted"
    HIDDEN = "hidden"  # from this viewer: the reason is not told


@dataclass(slots=True)
class Node:
    """A reply on the page, or what stands in its place."""

    post_id: str
    answers_id: str
    card: PostCard | None = None
    stub: Stub = Stub.NONE
    names_answered: bool = False  # the post that it answers does not stand right above it
    more_url: str = ""  # where the rest of its branch is, if the page leaves some out


@dataclass(slots=True)
class Branch:
    """A chain of posts, each the only answer to the one before, and the branches that the last one forks into."""

    chain: list[Node]
    branches: list["Branch"] = field(default_factory=list)


def as_branches(nodes: Iterable[Node], focus_id: str) -> list[Branch]:
    """Returns the nodes, which are in the order of their paths, as the branches below a post."""
    known: dict[str, list[Node]] = {}
    tops: list[Node] = []
    for node in nodes:
        known[node.post_id] = []
        if node.answers_id in known:
            known[node.answers_id].append(node)
        else:
            node.names_answered = node.answers_id != focus_id
            tops.append(node)
    return [branch for node in tops if (branch := _branch(node, known))]


def _branch(node: Node, answers: dict[str, list[Node]]) -> Branch | None:
    """Returns the branch from a node on; None if nothing of it can be shown."""
    below = [branch for one in answers[node.post_id] if (branch := _branch(one, answers))]
    if node.stub and not below:
        return None
    if len(below) == 1:
        return Branch([node, *below[0].chain], below[0].branches)
    return Branch([node], below)
