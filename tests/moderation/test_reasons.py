"""What breaks a rule, in words of its own: stored with the rule, named by reports, cases and their lists."""

import pytest

from moderation.models import ActionKind
from moderation.rules import writes
from socialsite.site_settings.models import SiteRule
from socialsite.site_settings.site_rules import forget_site_rules, read_site_rules, rule_of
from socialsite.table import create
from tests.moderation.cases import about, decide
from tests.moderation.queues import QUEUE, report
from tests.web.html import Html

RULES = "/moderation/rules"
TEA = {"title": "No tea", "text": "Coffee alone.", "severity": "1", "language": "en"}
DEFAULT = "Spam"


def stored(**words) -> None:
    """A rule as a table of an earlier version holds it."""
    create(SiteRule.new(rule_id="spam", severity=3, order=1, **words))
    forget_site_rules()


def test_a_rule_gets_a_reason_which_its_reports_and_cases_name(admin, mod, alice, bob, log_in):
    assert log_in(admin).post(RULES, TEA | {"reason": "Tea"}).status_code == 302
    [tea] = [rule for rule in read_site_rules().rules if rule.title == "No tea"]
    assert (tea.reason, tea.severity) == ("Tea", 1)
    assert "Reported as “Tea”" in Html(log_in(admin).get(RULES)).one(id=f"rule-{tea.rule_id}").text
    log_in(bob).post("/@alice/report", {"reason": tea.rule_id, "comment": "Green!"})
    browser = log_in(mod)
    row = Html(browser.get(QUEUE)).one("article", class_="case-row").text
    assert "Urgent" in row
    assert "Tea" in row
    assert "No tea" not in row
    assert "Tea" in Html(browser.get(about(alice).url)).one("details", class_="reason-group").text
    assert "Tea" in Html(log_in(bob).get("/settings/reports")).one(class_="own-report").text
    decide(mod, about(alice), ActionKind.WARN, rule_id=tea.rule_id)
    chips = [chip.text for chip in Html(browser.get("/moderation/log")).all(class_="chip")]
    assert "Tea" in chips
    # Whoever broke the rule reads the rule.
    assert "Rule: No tea" in Html(log_in(alice).get("/standing")).one("main").text


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"title": None, "text": None}, DEFAULT),
        ({"title": "No ads", "text": "Not here."}, "Breaks “No ads”"),
    ],
)
def test_a_rule_from_before_reasons_has_one_all_the_same(
    admin, alice, bob, mod, log_in, words, reason
):
    stored(**words)
    assert rule_of("spam").reason == reason
    report(alice, by=[bob])
    assert reason in Html(log_in(mod).get(QUEUE)).one("article", class_="case-row").text
    assert log_in(admin).get(f"{RULES}/spam").status_code == 200


def test_each_reader_has_built_in_reasons_in_their_language(admin, table):
    writes.save_rule(by=admin, language="en", severity=1, rule_id="spam", **words_of("spam"))
    assert rule_of("spam").own_reason == ""
    assert rule_of("spam").severity == 1


def test_a_built_in_rule_may_have_a_reason_of_its_own(admin, log_in):
    form = words_of("spam") | {"reason": "Ads", "severity": "3"}
    log_in(admin).post(f"{RULES}/spam", form)
    spam = rule_of("spam")
    assert (spam.own_title, spam.title, spam.reason) == ("", "No spam", "Ads")
    page = Html(log_in(admin).get(f"{RULES}/spam"))
    assert page.value("reason") == "Ads"


def test_without_a_reason_the_rule_itself_is_named(admin, log_in):
    log_in(admin).post(f"{RULES}/spam", TEA | {"reason": ""})
    assert rule_of("spam").reason == "Breaks “No tea”"
    page = Html(log_in(admin).get(f"{RULES}/spam"))
    assert page.value("reason") == ""


def test_a_reason_of_no_rule_is_something_else(table):
    assert rule_of("long-gone").reason == "Something else"


def test_what_cannot_be_a_reason_is_said_beside_it(admin, log_in):
    answer = log_in(admin).post(RULES, TEA | {"reason": "x" * 101})
    assert answer.status_code == 422
    assert Html(answer).error("reason")
    assert Html(answer).value("title") == "No tea"


def test_a_new_severity_is_that_of_new_reports_and_open_cases_keep_theirs(
    admin, alice, bob, carol, mod, log_in
):
    log_in(carol).post("/@alice/report", {"reason": "spam"})
    log_in(admin).post(f"{RULES}/spam", words_of("spam") | {"severity": "1"})
    log_in(carol).post("/@bob/report", {"reason": "spam"})
    rows = [row.text for row in Html(log_in(mod).get(QUEUE)).all("article", class_="case-row")]
    assert ["Urgent" in row for row in rows] == [True, False]
    assert "@bob" in rows[0]


def words_of(rule_id: str) -> dict[str, str]:
    rule = rule_of(rule_id)
    return {"title": rule.title, "text": rule.text, "reason": rule.reason}
