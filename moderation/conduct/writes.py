"""Taking posts into a case: the case keeps each as it is, as it keeps what is reported, and a decision can be about all
of them. Nothing is done to a post, and nobody is told, before someone decides."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from accounts.people.viewer import Viewer
from feed.posts.models import Audience, Post
from moderation.cases.changes import change_case
from moderation.cases.evidence import not_kept, post_evidence
from moderation.cases.reads import (
    CaseId,
    CaseMoved,
    OwnCase,
    is_kept_only,
    must_outrank,
    read_case,
    read_case_and_role,
)
from moderation.conduct.reads import Chosen, SeenPost, read_chosen
from moderation.log.writes import record_made
from moderation.models import Case
from socialsite.clock import utc_now_iso
from socialsite.table import (
    Change,
    NotFound,
    Put,
    RawItem,
    WriteAction,
    access_pattern,
    row,
    write_optimistically,
)

MOST_AT_ONCE = 20
MOST_OF_A_TRANSACTION = 90  # of 100 actions, beside the case and the log


@access_pattern
def take_in(*, by: Viewer, case_id: CaseId, posts: Sequence[SeenPost]) -> Chosen:
    """Keeps at most 20 posts of the person in the case. Returns those that the case holds now, and which of the others
    were edited or deleted since the moderator saw them. Safe to repeat: a post that the case holds in this version
    costs no more than its read. A kill in between leaves some in the case, as the log says, and the rest out of it.

    As `read_case_and_role`, what `read_chosen` reads and one consistent BatchGetItem of what the case holds, then one
    TransactWriteItems of the evidence, the case and the audit log: 6 write units, and 2 for each post and each photo.
    Posts with very many photos take a second one. In all 8 write units and 7 read units for one post. Raises
    `NotFound`, `CaseMoved` if someone else reviews the case, `OwnCase`, `Outranked`.
    """
    case, role = read_case_and_role(case_id)
    if case.person_id == by.user_id:
        raise OwnCase
    if is_kept_only(case):
        raise NotFound("the account was erased")
    must_outrank(by, role)
    chosen = read_chosen(case.person_id, posts[:MOST_AT_ONCE])
    write_optimistically(lambda: _keep(by, case_id, chosen), moved=CaseMoved)
    return chosen


def _keep(by: Viewer, case_id: CaseId, chosen: Chosen) -> None:
    now = utc_now_iso()
    for rows in _portions(not_kept(chosen.posts), now):
        record_made(
            partial(_actions, by, case_id, rows),
            by=by.user_id,
            action="take in",
            case=str(case_id),
            person_id=case_id.subject_id,
            detail={"posts": [post_id for post_id, _writes in rows]},
        )


Portion = list[tuple[str, list[WriteAction]]]


def _portions(rows: Sequence[RawItem], now: str) -> Iterator[Portion]:
    """Yields what keeps each post, as much as goes into one transaction."""
    portion: Portion = []
    for raw in rows:
        writes = post_evidence(raw, audience=Audience.EVERYONE, version=0, now=now, is_added=True)
        if sum(len(one) for _, one in portion) + len(writes) > MOST_OF_A_TRANSACTION:
            yield portion
            portion = []
        portion.append((row(Post, raw).post_id, writes))
    if portion:
        yield portion


def _actions(by: Viewer, case_id: CaseId, portion: Portion) -> list[WriteAction]:
    case = read_case(case_id)
    if is_kept_only(case):
        raise NotFound("the account was erased meanwhile")
    moved: Change = change_case(case, [], by=by.user_id)
    # An erasure lets all items of the case end. What came later would stay for ever.
    stays = replace(moved, condition=moved.condition & Case.ttl.does_not_exist())
    writes = [one for _post_id, of_post in portion for one in of_post]
    sweeps = [one for one in writes if isinstance(one, Put)]  # the same for every post
    return [*(one for one in writes if one not in sweeps), *sweeps[:1], stays]
