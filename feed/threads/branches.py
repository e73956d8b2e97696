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
    DISAPPEARED = "disappeared"  # by itself, as its author chose
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
    is_muted: bool = False  # the viewer mutes its author: the card is behind a line that opens
    is_set_aside: bool = False  # by the author of the thread, with what is below it


@dataclass(slots=True)
class Branch:
    """A chain of posts, each the only answer to the one before, and the branches that the last one forks into."""

    chain: list[Node]
    branches: list["Branch"] = field(default_factory=list)


def as_branches(nodes: Iterable[Node], focus_id: str) -> tuple[list[Branch], list[Branch]]:
    """Returns the nodes, which are in the order of their paths, as the branches below a post, and the branches that
    were set aside."""
    known: dict[str, list[Node]] = {}
    tops: list[Node] = []
    aside: list[Node] = []
    for node in nodes:
        known[node.post_id] = []
        if node.is_set_aside:
            node.names_answered = node.answers_id != focus_id
            aside.append(node)
        elif node.answers_id in known:
            known[node.answers_id].append(node)
        else:
            node.names_answered = node.answers_id != focus_id
            tops.append(node)
    shown, hidden = (
        [branch for node in some if (branch := _branch(node, known))] for some in (tops, aside)
    )
    return shown, hidden


def _branch(node: Node, answers: dict[str, list[Node]]) -> Branch | None:
    """Returns the branch from a node on; None if nothing of it can be shown."""
    below = [branch for one in answers[node.post_id] if (branch := _branch(one, answers))]
    if node.stub and not below:
        return None
    if len(below) == 1:
        return Branch([node, *below[0].chain], below[0].branches)
    return Branch([node], below)
