"""The case that opens after a decision, so that moderators go on without the list."""

from collections.abc import Collection

from accounts.cards import PersonCard
from accounts.permissions import list_staff
from accounts.viewer import Viewer
from moderation.cases.cases import CaseId, id_of, is_looked_at_by_another, is_open
from moderation.cases.lists.languages import is_for
from moderation.cases.open_appeals import others_answer
from moderation.models import Case, CaseAction, CaseKind
from socialsite.table import keys, reading
from socialsite.table.item import escalated_index_name
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import as_model, fetch, query_index
from socialsite.table.row import row


@access_pattern
def get_next_case(
    partition: str,
    *,
    by: Viewer,
    besides: CaseId,
    severity: int = 0,
    kinds: Collection[CaseKind] = frozenset(CaseKind),
    languages: Collection[str] = (),
) -> CaseId | None:
    """Returns the case to open next: the first open one of these kinds (of `severity`, in `languages`, if given) that
    nobody else reviews and that is not about the viewer. An appeal against their own decision is left to others, if
    anyone else may answer it. The index may lag, so the cases are read again themselves.

    Query `escalatedIndex` and one consistent BatchGetItem: 0.5 and at most 10 read units, 50 with `languages`. A
    BatchGetItem of the decisions that are appealed, 0.5 each. If any of them is the viewer's, `list_staff` once and
    what `others_answer` reads for each.
    """
    between = keys.queue_bounds(severity)
    most = 50 if languages else 10
    rows = query_index(escalated_index_name, partition, between=between, forward=True, limit=most)
    found = fetch([reading.key_of(raw) for raw in rows], consistent=True)
    cases = [as_model(Case, raw) for raw in found.values()]
    decisions = fetch(_decision(case) for case in cases if case.appealed)
    staff: list[PersonCard] | None = None
    for case in cases:
        is_free = is_open(case) and not is_looked_at_by_another(case, by.user_id)
        is_for_them = case.person_id != by.user_id and CaseKind(case.kind) in kinds
        is_for_them &= is_for(case, languages) and id_of(case) != besides
        if not is_free or not is_for_them:
            continue
        decision = row(CaseAction, decisions.get(_decision(case), {}))
        is_own = bool(case.appealed) and decision.moderator_id == by.user_id
        if is_own and staff is None:
            staff = list_staff()
        if not is_own or not others_answer(
            by, id_of(case), case.person_id, decision.kind, staff=staff
        ):
            return id_of(case)
    return None


def _decision(case: Case) -> Key:
    return keys.case_action(case.kind, case.subject_id, str(case.appealed))
