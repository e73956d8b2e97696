"""What an open dialog asks every few seconds: whether its case is still as it was. Everything that a case holds is read
by `access_patterns.py`, once that has changed."""

from accounts.viewer import Viewer
from moderation.cases.cases import CaseId, is_looked_at_by_another, read_case
from socialsite.table.meter import access_pattern


@access_pattern
def get_dialog_state(case_id: CaseId, *, by: Viewer) -> str:
    """Returns the case's version, and whether someone else reviews it, in one word that dialogs keep. Raises
    `NotFound`. One consistent GetItem, 1 read unit."""
    case = read_case(case_id)
    return state_of(int(case.version), is_taken=is_looked_at_by_another(case, by.user_id))


def state_of(version: int, *, is_taken: bool) -> str:
    return f"{version}-taken" if is_taken else str(version)
