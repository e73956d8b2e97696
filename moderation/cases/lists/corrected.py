"""A moderator who acts on a case and keeps it open says how grave it is, by the rule they name."""

from pynamodb.expressions.update import Action

from moderation.cases.cases import put_in_queue
from moderation.models import Case
from socialsite.site.default_rules import SERIOUS
from socialsite.site.site_rules import rule_of


def corrected(case: Case, rule_id: str) -> list[Action]:
    """Returns the change of an open case's severity to that of the rule that a moderator names, whatever its reports
    said; none without a rule. While an appeal waits, the case is at least serious."""
    if not rule_id:
        return []
    return as_grave_as(case, rule_of(rule_id).severity)


def as_grave_as(case: Case, severity: int) -> list[Action]:
    """Returns the change of an open case's severity and place; none if it is so already."""
    if case.appealed:
        severity = min(severity, SERIOUS)
    if severity == int(case.severity):
        return []
    place = put_in_queue(case, str(case.escalated_to), severity, int(case.reports), case.opened_at)
    return [Case.severity.set(severity), *place]
