"""What was added to a case while a moderator was deciding it."""

from urllib.parse import urlencode

from moderation.cases.open_dialogs import state_of
from moderation.cases.pages.cards import ReportCard
from moderation.cases.pages.case_page import CasePage
from moderation.cases.pages.evidence_cards import EvidenceCard
from socialsite.site.site_rules import rule_of
from socialsite.site.site_setup import Rule

MOST_SHOWN = 10
News = list[tuple[Rule, ReportCard, list[EvidenceCard]]]


def latest_reports(page: CasePage, since: int) -> News:
    """Returns the reports since the version that the moderator saw, newest first, each with its rule and its posts.
    Each report raises the version by one."""
    added = min(page.file.case.version - since, MOST_SHOWN)
    newest = sorted(page.file.reports, key=lambda report: report.iso, reverse=True)
    cards = {card.post_id: card for card in page.file.evidence}
    return [
        (rule_of(report.rule_id), report, [cards[one] for one in report.posts if one in cards])
        for report in newest[: max(added, 0)]
    ]


def news_url(page: CasePage, *, action: str, version: str) -> str:
    """Returns the address that tells the dialog what changed since, empty for as long as nothing does."""
    case = page.file.case
    told = state_of(case.version, is_taken=page.is_taken)
    return f"{case.url}/news?{urlencode({'action': action, 'version': version, 'told': told})}"
