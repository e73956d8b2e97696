"""What one person reported about another, as the case holds it."""

from accounts.people.viewer import Viewer
from moderation.models import CaseKind, CaseReport
from socialsite.table import get, keys


def report_by(reporter: Viewer, person: Viewer) -> CaseReport:
    key = keys.case_report(CaseKind.PERSON, person.user_id, reporter.user_id)
    return get(CaseReport, key, consistent=True)
