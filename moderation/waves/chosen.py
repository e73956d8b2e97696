"""What pages send to begin a wave: `targets=<kind>.<subject>.<version>`, and `post=<author>.<post>`."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.core.exceptions import BadRequest

from accounts.viewer import Viewer
from moderation.cases.cases import CaseId
from moderation.cases.seen_cases import seen_case
from moderation.cases.services.decide import MOST_POSTS
from moderation.models import WITHOUT_EFFECT, ActionKind, Case, CaseKind
from moderation.waves.waves import Target, WaveDecision, actions_for
from socialsite.table import ids
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.row import row

POST = re.compile(rf"({ids.PATTERN})\.({ids.PATTERN})")


class SeveralKinds(BadRequest):
    """The cases are of several kinds, and no action fits all of them."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The cases of a wave. `posts_left` is how many posts do not fit, because an action takes 20 of each person."""

    targets: tuple[Target, ...]
    posts_left: int

    @property
    def kind(self) -> CaseKind:
        return self.targets[0].case_id.kind

    @property
    def names_posts(self) -> bool:
        return any(target.posts for target in self.targets)


def chosen_from(targets: Iterable[str], posts: Iterable[str]) -> Chosen:
    """Reads what a page sent: cases of one kind, and posts, which belong to their author. Raises `SeveralKinds`, and
    `BadRequest` for what no page sends."""
    seen = {one.case_id: one.version for one in map(seen_case, targets)}
    of_author: dict[CaseId, list[str]] = {}
    for value in dict.fromkeys(posts):
        if not (found := POST.fullmatch(value)):
            raise BadRequest("no such post")
        of_author.setdefault(CaseId(CaseKind.PERSON, found[1]), []).append(found[2])
    chosen = {**dict.fromkeys(of_author, 0), **seen}
    if len({case_id.kind for case_id in chosen}) > 1:
        raise SeveralKinds
    return Chosen(
        tuple(
            Target(case_id, version, tuple(of_author.get(case_id, ())[:MOST_POSTS]))
            for case_id, version in chosen.items()
        ),
        sum(max(len(of_one) - MOST_POSTS, 0) for of_one in of_author.values()),
    )


@access_pattern
def as_previewed(targets: Sequence[Target]) -> list[Target]:
    """Returns the targets, those of people who were not chosen by a case with the version that their case has now: the
    preview shows it, so the wave answers its reports too. One consistent BatchGetItem, 1 read unit each."""
    wanted = [target.case_id.key for target in targets if not target.version]
    found = fetch(wanted, consistent=True) if wanted else {}
    return [
        replace(target, seen_version=int(row(Case, found[target.case_id.key]).version))
        if target.case_id.key in found
        else target
        for target in targets
    ]


def first_decision(chosen: Chosen, viewer: Viewer, asked: str) -> WaveDecision:
    """Returns the decision that a draft begins with: the action that was asked for, or the mildest that does something.
    Raises `NotFound` for cases that the viewer may not open, `BadRequest` for an action that is not offered."""
    offered = actions_for(chosen.kind, viewer)
    if not offered:
        raise NotFound("not permitted")
    mildest = next(kind for kind in offered if kind not in WITHOUT_EFFECT)
    kind = asked or str(ActionKind.HIDE if chosen.names_posts else mildest)
    if kind not in offered:
        raise BadRequest("no such action")
    return WaveDecision(ActionKind(kind))
