"""Reporting: all of a person is one case, each reporter counts once, with reasons in words of the site."""

import itertools
import re
from functools import partial

import pytest
from django.test import Client

from accounts.people.viewer import Viewer
from feed.publishing.writes import delete_post
from moderation.cases.erasure import forget_reporter
from moderation.cases.evidence import sayings_of
from moderation.cases.evidence_cards import MOST_REPORTERS
from moderation.cases.lists import get_case, list_cases
from moderation.cases.reads import read_case
from moderation.cases.writes import assign_case
from moderation.models import ActionKind, Case, CaseKind, CaseReport, Queue, ReportTrace
from moderation.reports import views
from moderation.reports.reads import list_own_reports
from moderation.reports.writes import MOST_POSTS, file_report, flag_post
from moderation.rules import writes
from relations.blocks.writes import block
from relations.follows.writes import follow
from relations.relation import CannotRelateToYourself
from socialsite.site_settings.models import SiteRule
from socialsite.site_settings.site_rules import forget_site_rules, read_site_rules, rule_of
from socialsite.site_settings.site_setup import MINOR, SERIOUS, URGENT
from socialsite.table import MOST_BYTES, NotFound, change, create, get, ids, item_size, keys
from socialsite.web.limits import REPORTS
from tests.accounts.conftest import DECADE
from tests.conftest import HTMX, person, post
from tests.faults.crash_points import LONG
from tests.moderation.cases import (
    QUEUE,
    about,
    broken,
    crowd_ids,
    decide,
    index,
    listed,
    page_of,
    part,
    report,
    report_by,
    report_by_each,
    reporters,
)
from tests.together import together
from tests.web.html import Html

AT_ONCE = [
    pytest.param(
        20,
        marks=pytest.mark.engines(
            "embedded", "dynamodb-local", reason="moto does not hold transactions apart"
        ),
    ),
    pytest.param(
        200,
        marks=pytest.mark.engines("embedded", reason="the others do not answer so many in time"),
    ),
]


def trace_of(by: Viewer, person: Viewer) -> ReportTrace:
    key = keys.report_trace(by.user_id, CaseKind.PERSON, person.user_id)
    return get(ReportTrace, key, consistent=True)


def test_reports_of_a_person_and_of_their_posts_are_one_case(alice, bob, carol):
    report(alice, bob, rule_id="spam")
    case = report(carol, bob, post(bob), rule_id="hate", severity=URGENT)
    assert index() == {keys.queue(Queue.REPORTS): [about(bob)]}
    assert (case.reports, case.rules, case.severity) == (2, {"spam", "hate"}, URGENT)
    assert case.person_id == bob.user_id


def test_the_same_report_again_changes_nothing(alice, bob):
    post_id = post(bob)
    before = report(alice, bob, post_id, comment="Look")
    after = report(alice, bob, post_id, comment="Look!")
    assert after.serialize() == before.serialize()
    report(alice, bob)
    profile = read_case(about(bob)).version
    assert report(alice, bob).version == profile


def test_another_post_joins_the_first_report_and_counts_no_second_time(alice, bob):
    first, second = post(bob), post(bob)
    report(alice, bob, first, comment="Look")
    case = report(alice, bob, second)
    assert case.reports == 1
    assert report_by(alice, bob).posts == {first, second}
    assert report_by(alice, bob).comment == "Look"


@pytest.mark.timeout(300)
def test_a_thousand_reports_by_one_person_are_one_that_names_a_few_posts(alice, bob, engine):
    turns = 1_000 if engine == "embedded" or LONG else 100
    posts = [post(bob, f"Number {number}") for number in range(MOST_POSTS + 5)]
    for post_id in itertools.islice(itertools.cycle(["", *posts]), turns):
        file_report(by=alice, person_id=bob.user_id, post_id=post_id)
    assert read_case(about(bob)).reports == 1
    assert report_by(alice, bob).posts == set(posts[:MOST_POSTS])
    assert len(get_case(about(bob)).evidence) == MOST_POSTS
    assert broken() == {}


def test_a_post_is_kept_as_it_was_when_its_author_deletes_it(alice, bob, carol):
    post_id = post(bob, "You are all fools")
    report(alice, bob, post_id)
    delete_post(by=bob, post_id=post_id)
    (kept,) = get_case(about(bob)).evidence
    assert "You are all fools" in kept.html
    assert kept.is_gone
    with pytest.raises(NotFound):
        report(carol, bob, post_id)


def test_two_who_report_the_same_post_keep_it_once(alice, bob, carol):
    post_id = post(bob)
    for one in (alice, carol):
        report(one, bob, post_id)
    assert [kept.post_id for kept in get_case(about(bob)).evidence] == [post_id]


def test_the_reporter_has_a_trace_of_their_own(alice, bob):
    report(alice, bob)
    trace = trace_of(alice, bob)
    assert (trace.user_id, trace.person_id, trace.round) == (alice.user_id, bob.user_id, 1)
    assert broken() == {}


def test_reporting_a_closed_case_opens_another_round(alice, bob, carol, mod):
    report(alice, bob, rule_id="spam", comment="Ads", severity=URGENT)
    report(carol, bob)
    decide(mod, about(bob), ActionKind.DISMISS)
    assert index(mod) == {}
    case = report(alice, bob)
    assert (case.round, case.reports, case.rules, case.severity) == (2, 1, None, 3)
    assert index(mod) == {keys.queue(Queue.REPORTS): [about(bob)]}
    assert trace_of(alice, bob).round == 2
    assert trace_of(carol, bob).round == 1
    again = report_by(alice, bob)
    assert (again.round, again.rule_id, again.comment) == (2, None, None)
    assert broken() == {}


def test_many_reporters_never_make_a_case_graver_than_its_rule(bob, carol):
    report(carol, bob)
    for by in crowd_ids(101):
        file_report(by=by, person_id=bob.user_id)
    [row] = list_cases(keys.queue(Queue.REPORTS), severity=MINOR).items
    assert (row.case_id, row.urgency, row.reports) == (about(bob), MINOR, 102)
    assert listed(keys.queue(Queue.REPORTS), severity=SERIOUS) == []
    assert broken() == {}


def test_within_a_severity_what_most_people_report_comes_first(alice, bob, carol, mod):
    report(mod, alice)
    report(mod, carol, severity=SERIOUS)
    for by in crowd_ids(5):
        file_report(by=by, person_id=bob.user_id)
    queue = keys.queue(Queue.REPORTS)
    assert listed(queue) == [about(carol), about(bob), about(alice)]
    for by in crowd_ids(10):
        file_report(by=by, person_id=alice.user_id)
    assert listed(queue) == [about(carol), about(alice), about(bob)]
    assert broken() == {}


def test_a_case_goes_up_with_its_second_fifth_tenth_twenty_fifth_and_hundredth_reporter(bob):
    places, moved = set(), []
    for number, by in enumerate(crowd_ids(101), start=1):
        file_report(by=by, person_id=bob.user_id)
        place = read_case(about(bob)).escalated_at
        moved += [number] if place not in places else []
        places.add(place)
    assert moved == [1, 2, 5, 10, 25, 100]


@pytest.mark.parametrize("severity", [URGENT, SERIOUS])
def test_a_crowd_leaves_what_a_rule_calls_serious_or_urgent(bob, severity):
    for by in crowd_ids(21):
        file_report(by=by, person_id=bob.user_id, severity=severity)
    case = read_case(about(bob))
    assert (case.reports, case.escalated_at[0]) == (21, str(severity))
    assert broken() == {}


def test_a_case_keeps_the_place_that_an_earlier_version_gave_it(bob, carol, mod):
    for by in crowd_ids(5):
        file_report(by=by, person_id=bob.user_id, severity=SERIOUS)
    case = read_case(about(bob))
    place = keys.earlier_queue_place(URGENT, case.opened_at, case.kind, case.subject_id)
    change(Case, about(bob).key, [Case.escalated_at.set(place)])
    report(carol, bob)
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    [row] = list_cases(keys.desk(mod.user_id), severity=URGENT).items
    assert (row.case_id, row.urgency, row.reports) == (about(bob), SERIOUS, 6)
    assert broken() == {}


def test_the_queue_has_the_urgent_first_and_then_the_oldest(alice, bob, carol, mod):
    report(mod, alice)
    report(mod, bob)
    report(mod, carol, severity=URGENT)
    queue = keys.queue(Queue.REPORTS)
    assert listed(queue) == [about(carol), about(alice), about(bob)]
    assert listed(queue, size=1) == listed(queue)
    report(alice, bob, severity=SERIOUS)
    assert listed(queue) == [about(carol), about(bob), about(alice)]


def test_nobody_reports_themselves_or_who_is_not_there(alice):
    with pytest.raises(CannotRelateToYourself):
        report(alice, alice)
    with pytest.raises(NotFound):
        file_report(by=alice, person_id=ids.new_id())
    assert broken() == {}


def test_the_site_reports_each_post_once_and_for_ever(bob, mod):
    """However many there were before, and whatever moderators decided about them."""
    flag = partial(flag_post, author_id=bob.user_id, rule_id="spam", severity=SERIOUS)
    posts = [post(bob, f"Number {number}") for number in range(MOST_POSTS + 1)]
    for post_id in posts[:-1]:
        flag(post_id=post_id)
        decide(mod, about(bob), ActionKind.DISMISS)
    for post_id in posts[:-1]:
        flag(post_id=post_id)
    assert index(mod) == {}
    flag(post_id=posts[-1])
    assert read_case(about(bob)).reports == 1
    assert broken() == {}


@pytest.mark.parametrize("number", AT_ONCE)
def test_everybody_who_reports_at_once_counts(bob, number):
    post_id = post(bob)
    filed = together(
        *(
            partial(file_report, by=by, person_id=bob.user_id, post_id=post_id)
            for by in crowd_ids(number)
        )
    )
    assert [result for result in filed if result is not None] == []
    assert read_case(about(bob)).reports == number
    assert broken() == {}


# Who reports very much is asked to wait, and counts once in a case.

SPAM = {"reason": "spam"}
VERY_MANY = 1_000 if LONG else 40


def test_twenty_an_hour_are_much(alice, bob, carol, log_in, limit):
    assert (REPORTS.hits, REPORTS.seconds) == (20, 3600)
    limit(views, "REPORTS", 3)
    browser = log_in(alice)
    for path in ("/@bob/report", "/@carol/report", f"/@bob/posts/{post(bob)}/report"):
        assert browser.post(path, SPAM).status_code == 302
    response = browser.post("/@carol/report", SPAM)
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= DECADE
    assert browser.post("/@carol/report", SPAM, headers=HTMX).status_code == 429
    assert log_in(carol).post("/@bob/report", SPAM).status_code == 302


def test_looking_at_the_form_and_what_is_refused_count_nothing(alice, bob, log_in, limit):
    limit(views, "REPORTS", 1)
    browser = log_in(alice)
    for _ in range(3):
        assert browser.get("/@bob/report").status_code == 200
        assert browser.post("/@bob/report", {}).status_code == 422
        assert browser.post("/@alice/report", SPAM).status_code == 400
        assert browser.post("/@nobody_here/report", SPAM).status_code == 404
    assert browser.post("/@bob/report", SPAM).status_code == 302


@pytest.mark.engines("embedded", reason="very many requests, of which no engine changes any")
def test_very_many_reports_by_one_person_are_limited_and_one_in_the_case(
    alice, bob, carol, log_in, limit
):
    limit(views, "REPORTS", REPORTS.hits)
    browser, posts = log_in(alice), [post(bob) for _ in range(REPORTS.hits + 5)]
    answers = [
        browser.post(f"/@bob/posts/{posts[number % len(posts)]}/report", SPAM).status_code
        for number in range(VERY_MANY)
    ]
    assert answers == [302] * REPORTS.hits + [429] * (VERY_MANY - REPORTS.hits)
    log_in(carol).post("/@bob/report", SPAM)
    assert read_case(about(bob)).reports == 2
    assert len(report_by(alice, bob).posts) == MOST_POSTS


def test_the_page_says_when_to_come_back(alice, bob, log_in, limit):
    limit(views, "REPORTS", 1)
    browser = log_in(alice)
    browser.post("/@bob/report", SPAM)
    response = browser.post("/@bob/report", SPAM)
    assert response.status_code == 429
    assert "That was a lot at once" in Html(response).one("main").text


# Who reports the same person again adds to their report: what they said first stays.

FIRST = "He sells photos of a child"
THEN = "And adverts"


def said(by, person) -> list[tuple[str | None, str | None]]:
    return [(one.rule_id, one.comment) for one in sayings_of(report_by(by, person))]


@pytest.fixture
def twice(alice, bob) -> None:
    """Alice reports two posts of Bob, the first one for something grave."""
    report(alice, bob, post(bob), rule_id="violence", severity=URGENT, comment=FIRST)
    report(alice, bob, post(bob), rule_id="spam", comment=THEN)


@pytest.mark.usefixtures("twice")
def test_both_rules_and_comments_are_kept(alice, bob):
    assert said(alice, bob) == [("violence", FIRST), ("spam", THEN)]
    assert read_case(about(bob)).reports == 1
    assert broken() == {}


@pytest.mark.usefixtures("twice")
def test_moderators_read_each_under_its_rule_and_count_one_person(alice, bob, mod, log_in):
    reports = part(page_of(log_in(mod), bob), "case-reasons")
    assert "1 person reported this" in reports
    assert reports.index("Violence or threats") < reports.index(FIRST)
    assert reports.index(FIRST) < reports.index("Spam") < reports.index(THEN)
    assert "more" not in reports


@pytest.mark.usefixtures("twice")
def test_the_reporter_reads_both(alice, log_in):
    [own] = list_own_reports(viewer=alice)
    assert (own.comments_before, own.comment) == ((FIRST,), THEN)
    page = log_in(alice).get("/settings/reports").content.decode()
    assert page.index(FIRST) < page.index(THEN)


@pytest.mark.usefixtures("twice")
def test_an_erased_reporter_leaves_both_and_is_no_word_filter(alice, bob, mod, log_in):
    key = keys.report_trace(alice.user_id, "person", bob.user_id)
    forget_reporter(get(ReportTrace, key, consistent=True))
    reports = part(page_of(log_in(mod), bob), "case-reasons")
    assert FIRST in reports
    assert THEN in reports
    assert "Deleted account" in reports
    assert "A word filter" not in reports


@pytest.mark.usefixtures("twice")
def test_another_round_begins_without_what_was_said_in_the_last(alice, bob, mod):
    decide(mod, about(bob), ActionKind.DISMISS)
    report(alice, bob, comment="Again", rule_id="spam")
    assert said(alice, bob) == [("spam", "Again")]
    assert broken() == {}


def test_the_same_post_for_another_rule_says_more_and_for_the_same_rule_nothing(alice, bob):
    post_id = post(bob)
    report(alice, bob, post_id, rule_id="spam", comment="Ads")
    version = report(alice, bob, post_id, rule_id="spam", comment="Ads!").version
    assert report(alice, bob, post_id, rule_id="violence", comment=FIRST).version == version + 1
    assert said(alice, bob) == [("spam", "Ads"), ("violence", FIRST)]
    assert broken() == {}


def test_a_post_more_without_words_leaves_what_was_said(alice, bob):
    report(alice, bob, post(bob), rule_id="spam", comment="Ads")
    report(alice, bob, post(bob), rule_id="spam")
    report(alice, bob, post(bob))
    assert said(alice, bob) == [("spam", "Ads")]


@pytest.mark.parametrize("letter", ["a", "界", "😀"])
def test_a_report_stays_small_and_keeps_the_first_words_and_every_rule(alice, bob, letter):
    rules = ["violence", "spam", "harassment", "spam", "sexual"]
    for number in range(20):
        rule = rules[number % len(rules)]
        comment = f"{number:02}{letter * 498}"
        report(alice, bob, post(bob), rule_id=rule, comment=comment)
    found = report_by(alice, bob)
    assert item_size(found.serialize()) <= MOST_BYTES
    first, *_, last = said(alice, bob)
    assert first[1].startswith(f"00{letter * 100}")
    assert last == ("sexual", f"19{letter * 498}")
    assert {rule for rule, _ in said(alice, bob)} == {*rules}
    assert broken() == {}


def test_one_person_names_ten_rules_of_another_at_most(alice, bob):
    for number in range(12):
        report(alice, bob, post(bob), rule_id=f"rule{number}", comment="😀" * 500)
    assert len({rule for rule, _ in said(alice, bob)}) == 10
    assert len(report_by(alice, bob).posts) == 12
    assert item_size(report_by(alice, bob).serialize()) <= MOST_BYTES
    assert broken() == {}


def test_a_report_from_before_is_read_as_what_was_said_last(alice, bob, mod):
    file_report(by=alice, person_id=bob.user_id, rule_id="spam", comment="Ads")
    assert report_by(alice, bob).said_before is None
    [card] = get_case(about(bob)).reports
    assert (card.comment, card.before) == ("Ads", ())
    assert isinstance(report_by(alice, bob), CaseReport)


# Which people reported which post: beside each post of a case, for staff alone.


def said_beside_posts(browser, reported) -> list[str]:
    page = Html(browser.get(about(reported).url))
    return [p.text for p in page.all("p", class_="meta") if p.text.startswith("Reported by")]


def test_each_post_names_the_people_who_reported_it(alice, mod, log_in):
    bob, carol = person("bob", "Bob"), person("carol", "Carol")
    first = report_by_each(alice, by=[bob], text="Buy my tea!")
    report_by_each(alice, by=[bob, carol], text="More tea!")
    report_by_each(alice, by=[person("dave", "Dave")])
    beside = said_beside_posts(log_in(mod), alice)
    assert sorted(beside) == ["Reported by Bob", "Reported by Bob · Carol"]
    assert first in log_in(mod).get(about(alice).url).content.decode()


def test_of_very_many_reporters_some_are_named_and_the_rest_counted(alice, mod, log_in):
    post_id = post(alice, "Tea for all!")
    report_by_each(alice, by=reporters(MOST_REPORTERS + 2), post_id=post_id)
    (beside,) = said_beside_posts(log_in(mod), alice)
    assert beside.endswith("And 2 more.")
    assert beside.count("·") == MOST_REPORTERS - 1


def test_the_reported_person_never_reads_it(alice, bob, log_in):
    post_id = report_by_each(alice, by=[bob], text="Buy my tea!")
    for path in ("/standing", f"/@alice/posts/{post_id}"):
        assert "Reported by" not in log_in(alice).get(path).content.decode()


# What breaks a rule, in words of its own: stored with the rule, named by reports, cases and their lists.

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
    report_by_each(alice, by=[bob])
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


# Where the way to a report is: in the menu of a post that is not one's own, and in that of a person.

embedded_alone = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def entries(response) -> list[str]:
    """Where the menus of posts lead, besides saving, and muting their words."""
    html = Html(response)
    links = [link["href"] for link in html.all("a") if "hx-get" in link.attributes]
    return [
        link
        for link in links
        if "/posts/" in link and not re.search(r"/(reply|save.*|mute-words\?.*)$", link)
    ]


@embedded_alone
@pytest.mark.parametrize("page", ["/", "/local", "/@bob", "/@bob/posts/{post_id}"])
def test_the_post_of_somebody_else_can_be_reported(alice, bob, log_in, drain_stream, page):
    follow(by=alice, user_id=bob.user_id)
    post_id = post(bob)
    drain_stream()
    response = log_in(alice).get(page.format(post_id=post_id))
    assert entries(response) == [f"/@bob/posts/{post_id}/report"]


@embedded_alone
def test_ones_own_is_deleted_instead(alice, log_in):
    post_id = post(alice)
    entries_of_own = ("edit", "pin", "replies", "audience", "delete")
    own = [f"/@alice/posts/{post_id}/{what}" for what in entries_of_own]
    assert entries(log_in(alice).get("/@alice")) == own


@embedded_alone
def test_visitors_have_no_menu(bob):
    post(bob)
    assert entries(Client().get("/@bob")) == []
    assert not Html(Client().get("/@bob")).all("details", class_="menu")


@embedded_alone
def test_a_person_is_reported_from_their_page(alice, bob, log_in):
    menu = [link["href"] for link in Html(log_in(alice).get("/@bob")).all("a", class_="danger")]
    assert menu == ["/@bob/block", "/@bob/report"]
    assert "/@alice/report" not in log_in(alice).get("/@alice").content.decode()


@embedded_alone
def test_whom_one_blocks_too(alice, bob, log_in):
    block(by=alice, user_id=bob.user_id)
    browser = log_in(alice)
    (link,) = Html(browser.get("/@bob")).all("a", href="/@bob/report")
    assert link["hx-get"] == link["href"]
    assert browser.post("/@bob/report", {"reason": "spam"}).status_code == 302
    assert read_case(about(bob)).reports == 1


@embedded_alone
@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_report_costs_three_calls_to_ask_for_and_six_to_file(alice, bob, log_in, measure):
    browser, post_id = log_in(alice), post(bob)
    path = f"/@bob/posts/{post_id}/report"
    with measure() as meter:
        browser.get(path)
    asked = [call.operation for call in meter.calls]
    assert asked == ["BatchGetItem"] * 3  # the viewer, the post, what is between the two
    with measure() as meter:
        browser.post(path, {"reason": "spam"})
    filed = [call.operation for call in meter.calls][3:]
    assert filed == ["TransactWriteItems", "BatchGetItem", "TransactWriteItems"]
    assert [call.units for call in meter.calls][3:] == [2, 7, 9]
