"""The reports of a case, grouped by the rule that they name."""

from collections.abc import Iterable
from dataclasses import dataclass

from moderation.cases.pages.cards import ReportCard
from socialsite.site.site_rules import rule_of
from socialsite.site.site_setup import Rule


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule, with the reports that name it, each as often as its reporter wrote something about it."""

    rule: Rule
    reports: list[ReportCard]

    @property
    def people(self) -> int:
        """Returns how many people name it. Nothing tells deleted accounts apart, but their moments."""
        return len({one.reporter.user_id if one.reporter else one.iso for one in self.reports})

    @property
    def said(self) -> list[ReportCard]:
        return [report for report in self.reports if report.comment]

    @property
    def silent(self) -> list[ReportCard]:
        """The reporters who named the rule without a comment."""
        return [report for report in self.reports if not report.comment]


def grouped(reports: Iterable[ReportCard]) -> list[Reason]:
    """Returns the reports of this round by rule, the gravest first, then the one that most name. Who named several
    rules stands under each."""
    by_rule: dict[str, list[ReportCard]] = {}
    for report in reports:
        for said in (*report.before, report) if report.is_of_this_round else ():
            by_rule.setdefault(rule_of(said.rule_id).rule_id, []).append(said)
    reasons = [Reason(rule_of(rule_id), reports) for rule_id, reports in by_rule.items()]
    return sorted(reasons, key=lambda reason: (reason.rule.severity, -len(reason.reports)))
