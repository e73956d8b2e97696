"""The reports of a case, grouped by the rule that they name."""

from collections.abc import Iterable
from dataclasses import dataclass

from moderation.cases.pages.cards import ReportCard
from socialsite.site.site_rules import rule_of
from socialsite.site.site_setup import Rule


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule, with the reports that name it."""

    rule: Rule
    reports: list[ReportCard]

    @property
    def said(self) -> list[ReportCard]:
        return [report for report in self.reports if report.comment]

    @property
    def silent(self) -> list[ReportCard]:
        """The reporters who named the rule without a comment."""
        return [report for report in self.reports if not report.comment]


def grouped(reports: Iterable[ReportCard]) -> list[Reason]:
    """Returns the reports of this round by rule, the gravest first, then the one that most name."""
    by_rule: dict[str, list[ReportCard]] = {}
    for report in reports:
        if report.is_of_this_round:
            by_rule.setdefault(rule_of(report.rule_id).rule_id, []).append(report)
    reasons = [Reason(rule_of(rule_id), reports) for rule_id, reports in by_rule.items()]
    return sorted(reasons, key=lambda reason: (reason.rule.severity, -len(reason.reports)))
