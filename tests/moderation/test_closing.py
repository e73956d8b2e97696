"""Closing a case, what ends on time, and what people are told of decisions."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.people.cards import moment_text
from accounts.people.reads import get_user_info
from accounts.people.restrictions import UNTIL, Frozen, Restriction, must_be_there
from accounts.people.viewer import Viewer
from feed.publishing.writes import delete_post
from moderation.audit_log.words import PUBLIC
from moderation.cases.effects import RESTRICTIONS, undo_action
from moderation.cases.reads import CaseMoved, read_case
from moderation.cases.writes import answer_appeal, appeal
from moderation.models import ActionKind, CaseKind, CaseOutcome, Strike
from moderation.reports.reads import list_own_reports, list_strikes
from notifications.writes import choose_notifications
from relations.lists.writes import create_list, offer_pack
from socialsite.site_settings.site_setup import Rule, SiteRules
from socialsite.table import Delete, NotFound, change, fetch, get, ids, keys, transact
from socialsite.telling import OptOut
from tests.conftest import HTMX, person, post
from tests.kept import keep_site_rules
from tests.looks import broken_invariants
from tests.moderation.cases import (
    AN_HOUR_AGO,
    POSSIBLE,
    QUEUE,
    about,
    about_post,
    broken,
    decide,
    held_post,
    index,
    info,
    logged,
    page_of,
    report,
    restrict,
    steps,
    strikes,
    waiting_sign_up,
)
from tests.notifications.told import badge, told, waiting
from tests.streams.crowd import returning
from tests.web.html import Html

K = ActionKind


def undo(mod, bob, action_id: str) -> None:
    undo_action(by=mod, case_id=about(bob), action_id=action_id)


def listed_as(moderator: Client) -> str:
    page = Html(moderator.get(f"{QUEUE}?queue=closed"))
    return page.one("p", class_="case-state").text


def told_reporter(reporter) -> str:
    return list_own_reports(reporter)[0].outcome_text


def test_reports_are_dismissed_until_something_was_done_and_closed_from_then_on(
    alice, bob, mod, moderator
):
    report(alice, bob, rule_id="spam")
    assert {"dismiss", "close"} & set(steps(page_of(moderator, bob))) == {"dismiss"}
    action_id = decide(mod, about(bob), K.WARN, keep_open=True)
    assert {"dismiss", "close"} & set(steps(page_of(moderator, bob))) == {"close"}
    undo(mod, bob, action_id)
    assert {"dismiss", "close"} & set(steps(page_of(moderator, bob))) == {"dismiss"}


def test_reports_about_which_something_was_done_are_not_dismissed(alice, bob, mod):
    report(alice, bob)
    decide(mod, about(bob), K.WARN, keep_open=True)
    with pytest.raises(CaseMoved):
        decide(mod, about(bob), K.DISMISS)
    assert [entry.action for entry in logged()] == ["warn"]


@pytest.mark.parametrize("kind", [K.DISMISS, K.CLOSE])
def test_a_closed_case_is_not_closed_again(kind, alice, bob, mod):
    report(alice, bob)
    decide(mod, about(bob), K.WARN)
    with pytest.raises(CaseMoved):
        decide(mod, about(bob), kind)


def test_closing_tells_the_person_nothing_and_the_public_nothing(alice, bob, mod, moderator):
    report(alice, bob)
    decide(mod, about(bob), K.WARN, keep_open=True)
    decide(mod, about(bob), K.CLOSE)
    assert [strike.kind for strike in strikes(bob)] == [K.WARN]
    assert "close" not in PUBLIC
    log = Html(moderator.get("/moderation/log")).one("main").text
    assert "Mod Miller closed the case about @bob" in log
    assert listed_as(moderator) == "Warned · closed by Mod Miller, now"
    said = page_of(moderator, bob).one("p", class_="case-closed").text
    assert said == "Warned · closed by Mod Miller, now"
    assert index(mod) == {}
    assert broken() == {}


def test_closing_without_an_action_is_told_as_neither(alice, bob, mod):
    report(alice, bob)
    decide(mod, about(bob), K.CLOSE)
    assert told_reporter(alice) == "We looked into it, and there is no more to do"


def test_what_is_undone_after_the_end_is_said_to_reporters_and_in_the_list(
    alice, bob, mod, moderator
):
    report(alice, bob)
    action_id = decide(mod, about(bob), K.WARN, keep_open=True)
    decide(mod, about(bob), K.CLOSE)
    undo(mod, bob, action_id)
    assert told_reporter(alice) == "We took action, and took it back later"
    assert listed_as(moderator) == "Warned, undone · closed by Mod Miller, now"
    assert "Warned, undone" in page_of(moderator, bob).one("p", class_="case-closed").text
    assert index(mod) == {}
    assert broken() == {}


def test_what_still_stands_takes_the_place_of_what_was_undone(alice, bob, mod, moderator):
    report(alice, bob)
    decide(mod, about(bob), K.WARN, keep_open=True)
    limited = decide(mod, about(bob), K.LIMIT, keep_open=True)
    undo(mod, bob, limited)
    assert read_case(about(bob)).acted == K.WARN
    limited = decide(mod, about(bob), K.LIMIT, keep_open=True)
    decide(mod, about(bob), K.CLOSE)
    undo(mod, bob, limited)
    assert told_reporter(alice) == "We took action"
    assert listed_as(moderator) == "Warned · closed by Mod Miller, now"
    assert broken() == {}


def test_an_action_of_an_earlier_round_is_undone_in_its_own_outcome(alice, bob, carol, mod):
    report(alice, bob)
    first = decide(mod, about(bob), K.WARN)
    report(carol, bob)
    decide(mod, about(bob), K.LIMIT)
    undo(mod, bob, first)
    assert told_reporter(alice) == "We took action, and took it back later"
    assert told_reporter(carol) == "We took action"
    assert broken() == {}


def test_an_appeal_that_is_granted_undoes_the_outcome(alice, bob, mod):
    report(alice, bob)
    action_id = decide(mod, about(bob), K.WARN)
    appeal(person_id=bob.user_id, action_id=action_id, text="But")
    version = int(read_case(about(bob)).version)
    answer_appeal(
        by=mod, case_id=about(bob), action_id=action_id, text="", version=version, grant=True
    )
    assert told_reporter(alice) == "We took action, and took it back later"
    assert broken() == {}


def test_an_appeal_granted_before_the_end_leaves_nothing_that_was_done(alice, bob, mod, moderator):
    report(alice, bob)
    action_id = decide(mod, about(bob), K.WARN, keep_open=True)
    appeal(person_id=bob.user_id, action_id=action_id, text="But")
    undo(mod, bob, action_id)
    assert read_case(about(bob)).acted is None
    assert "dismiss" in steps(page_of(moderator, bob))
    assert broken() == {}


def test_undoing_the_close_opens_the_case_with_what_was_done(alice, bob, mod, moderator):
    report(alice, bob)
    decide(mod, about(bob), K.WARN, keep_open=True)
    closed = decide(mod, about(bob), K.CLOSE)
    undo(mod, bob, closed)
    assert told_reporter(alice) == "We’re looking into it"
    assert "close" in steps(page_of(moderator, bob))
    assert index(mod) == {keys.queue("reports"): [about(bob)]}
    assert broken() == {}


def test_of_reports_that_ended_under_an_appeal_the_outcome_stays_true(alice, bob, carol, mod):
    report(alice, bob)
    warned = decide(mod, about(bob), K.WARN, keep_open=True)
    appeal(person_id=bob.user_id, action_id=warned, text="But")
    decide(mod, about(bob), K.CLOSE)
    assert told_reporter(alice) == "We took action"
    undo(mod, bob, warned)
    outcome = keys.case_outcome("person", bob.user_id, 1)
    assert get(CaseOutcome, outcome, consistent=True).undone_at
    assert broken() == {}


def test_dismissed_reports_that_are_taken_up_again_are_in_the_public_log(alice, bob, mod):
    report(alice, bob)
    undo(mod, bob, decide(mod, about(bob), K.DISMISS))
    assert {entry.action for entry in logged()} <= PUBLIC.keys()


# What was decided for a time ends on time: nobody does anything for it, and nothing has to be deleted.

FOR_A_TIME = [ActionKind.LIMIT, ActionKind.FREEZE, ActionKind.SUSPEND]
MINUTE = timedelta(minutes=1)


def moment(from_now: timedelta) -> str:
    return (datetime.now(UTC) + from_now).isoformat()


def holds(kind: ActionKind, bob: Viewer) -> bool:
    """Whether the restriction acts: on the card that every page has, and on what is written."""
    card = get_user_info(bob.user_id)
    as_now = Viewer(bob.user_id, "", card)
    match kind:
        case ActionKind.LIMIT:
            return card.is_limited
        case ActionKind.FREEZE:
            assert card.is_frozen == is_refused(as_now)
            return card.is_frozen
    try:
        transact(must_be_there(bob.user_id))
    except NotFound:
        assert card.is_locked_out
        assert is_refused(as_now)
        return True
    assert not card.is_locked_out
    assert not is_refused(as_now)
    return False


def is_refused(author: Viewer) -> bool:
    try:
        post(author)
    except Frozen:
        return True
    return False


@pytest.mark.parametrize("kind", FOR_A_TIME)
def test_it_holds_until_its_end_and_not_a_moment_longer(alice, bob, mod, kind):
    report(alice, bob)
    decide(mod, about(bob), kind, until=moment(MINUTE), keep_open=True)
    assert holds(kind, bob)
    decide(mod, about(bob), kind, until=moment(timedelta(microseconds=-1)), keep_open=True)
    assert not holds(kind, bob)
    decide(mod, about(bob), kind)
    assert holds(kind, bob)


@pytest.mark.parametrize("kind", FOR_A_TIME)
def test_what_ended_leaves_everything_where_it_is(alice, bob, mod, kind):
    """No time to live, which deletes late: the moment itself is compared, at every read."""
    report(alice, bob)
    ended = moment(-MINUTE)
    decide(mod, about(bob), kind, until=ended)
    raw = fetch([keys.user_info(bob.user_id)])[keys.user_info(bob.user_id)]
    assert raw[UNTIL[RESTRICTIONS[kind]].attr_name] == {"S": ended}
    assert "ttl" not in raw
    (strike,) = list_strikes(bob.user_id)
    assert (strike.is_over, strike.is_undone) == (True, False)


def test_what_ended_may_be_undone_all_the_same(alice, bob, mod):
    report(alice, bob)
    action_id = decide(mod, about(bob), ActionKind.FREEZE, until=moment(-MINUTE))
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert info(bob).frozen_until is None


# What moderators did about oneself: on the page that says how the account stands, and on a page of each.

TOMORROW = (datetime.now(UTC) + timedelta(days=1)).isoformat()


def strike(mod, person, reporter, kind, *posts, rule="spam", **rest) -> str:
    """Someone reports, the moderator decides; returns the id of the action."""
    report(reporter, person, *posts[:1], rule_id=rule)
    return decide(mod, about(person), kind, *posts, rule_id=rule, **rest)


def listed(browser: Client) -> list[str]:
    return [row.text for row in Html(browser.get("/standing")).all("li", class_="strike")]


def shown(browser: Client, action_id: str) -> Html:
    return Html(browser.get(f"/standing/{action_id}"))


def test_who_did_nothing_wrong_has_no_list(bob, log_in):
    page = Html(log_in(bob).get("/standing"))
    assert "Your account is in good standing" in page.one("main").text
    assert not page.all("h2", id="strikes")


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (ActionKind.WARN, "You received a warning"),
        (ActionKind.SENSITIVE, "2 of your posts were marked as sensitive"),
        (ActionKind.HIDE, "2 of your posts were hidden"),
        (ActionKind.RESET, "Parts of your profile were removed"),
        (ActionKind.NO_MESSAGES, "You can’t write messages for now"),
        (ActionKind.LIMIT, "Your account was limited"),
        (ActionKind.FREEZE, "Your account was frozen"),
        (ActionKind.SUSPEND, "Your account was suspended"),
    ],
)
def test_each_kind_is_said_in_words_with_the_rule_and_the_moderators_text(
    alice, bob, mod, log_in, kind, says
):
    posts = [post(bob), post(bob)] if "posts" in says else []
    action_id = strike(mod, bob, alice, kind, *posts, text="Please <stop>")
    browser = log_in(bob)
    for text in (*listed(browser), shown(browser, action_id).one("section", id="strike").text):
        assert text.startswith(f"{says} now · Rule: No spam")
        assert "Please <stop>" in text


def test_one_post_is_one_post(alice, bob, mod, log_in):
    strike(mod, bob, alice, ActionKind.HIDE, post(bob))
    assert listed(log_in(bob))[0].startswith("One of your posts was hidden")


def test_a_case_that_is_dismissed_is_not_told(alice, bob, mod, log_in):
    strike(mod, bob, alice, ActionKind.DISMISS)
    assert listed(log_in(bob)) == []


def test_the_newest_is_first(alice, bob, mod, log_in):
    strike(mod, bob, alice, ActionKind.WARN)
    strike(mod, bob, alice, ActionKind.LIMIT)
    assert [row[:12] for row in listed(log_in(bob))] == ["Your account", "You received"]


def test_it_says_until_when_it_holds(alice, bob, mod, log_in):
    action_id = strike(mod, bob, alice, ActionKind.LIMIT, until=TOMORROW)
    assert f"Until {moment_text(TOMORROW)}" in listed(log_in(bob))[0]
    ended = [Strike.until.set(AN_HOUR_AGO)]
    change(Strike, keys.strike(bob.user_id, action_id), ended)
    assert f"Ended on {moment_text(AN_HOUR_AGO)}" in listed(log_in(bob))[0]
    strike(mod, bob, alice, ActionKind.FREEZE)
    assert "Until a moderator lifts it" in listed(log_in(bob))[0]


def test_what_was_taken_back_is_struck_through(alice, bob, mod, log_in):
    action_id = strike(mod, bob, alice, ActionKind.LIMIT, text="A rest")
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    browser = log_in(bob)
    for page in (Html(browser.get("/standing")), shown(browser, action_id)):
        assert page.one("s").text == "Your account was limited"
        assert "Reversed" in page.one("ul", class_="chips").text
        assert not page.all("form", class_="appeal")
    assert "in good standing" in Html(browser.get("/standing")).one("main").text


def test_a_rule_that_is_gone_and_no_rule_at_all_are_not_named(alice, bob, carol, mod, log_in):
    strike(mod, bob, alice, ActionKind.WARN, rule="")
    assert "Rule:" not in listed(log_in(bob))[0]
    strike(mod, carol, alice, ActionKind.WARN)
    keep_site_rules(SiteRules(rules=(Rule("tea", 3, 0, "No tea"),)))
    assert "Rule:" not in listed(log_in(carol))[0]


def test_ones_posts_stand_there_with_a_way_to_them(alice, bob, mod, log_in):
    first, second = post(bob, "Buy my tea"), post(bob, "And my coffee")
    action_id = strike(mod, bob, alice, ActionKind.HIDE, first, second)
    delete_post(by=bob, post_id=second)
    browser = log_in(bob)
    page = shown(browser, action_id)
    posts = [row.text for row in page.all("li", class_="told")]
    assert posts == ["Buy my tea Your post, now", "A post that no longer exists."]
    link = page.one("a", href=f"/@bob/posts/{first}")
    assert browser.get(link["href"]).status_code == 200


def test_a_held_post_that_was_not_let_through(bob, mod, log_in):
    post_id = held_post(bob, "Hold this")
    action_id = decide(mod, about_post(post_id), ActionKind.REFUSE)
    assert listed(log_in(bob))[0].startswith("One of your posts wasn’t published")
    assert "Hold this" in shown(log_in(bob), action_id).one("section", id="strike").text


def test_who_is_suspended_reads_all_of_it(alice, bob, mod, log_in):
    browser, post_id = log_in(bob), post(bob, "Buy my tea")
    hidden = strike(mod, bob, alice, ActionKind.HIDE, post_id)
    strike(mod, bob, alice, ActionKind.SUSPEND, text="Enough of it")
    suspended, _ = listed(browser)
    assert suspended.startswith("Your account was suspended")
    assert "Enough of it" in suspended
    page = shown(browser, hidden)
    assert "Buy my tea" in page.one("li", class_="told").text
    assert not page.all("a", href=f"/@bob/posts/{post_id}")  # they see no page of it


def test_who_was_declined_reads_it(bob, mod, log_in):
    browser, case_id = log_in(bob), waiting_sign_up(bob)
    decide(mod, case_id, ActionKind.DECLINE, text="We are full")
    (row,) = listed(browser)
    assert row.startswith("Your sign-up was declined")
    assert "We are full" in row


def test_nobody_else_sees_it(alice, bob, carol, mod, log_in):
    action_id = strike(mod, bob, alice, ActionKind.WARN)
    for other in (alice, carol, mod):
        assert listed(log_in(other)) == []
        for extra in ({}, {"headers": HTMX}):
            assert log_in(other).get(f"/standing/{action_id}", **extra).status_code == 404
    assert log_in(bob).get(f"/standing/{ids.new_id()}").status_code == 404
    assert Client().get(f"/standing/{action_id}")["Location"].startswith("/login?next=%2Fstanding")


def test_who_of_the_moderators_it_was_is_never_shown(alice, bob, mod, log_in):
    action_id = strike(mod, bob, alice, ActionKind.FREEZE, text="A rest")
    appeal(person_id=bob.user_id, action_id=action_id, text="Why?")
    answer_appeal(
        by=mod,
        case_id=about(bob),
        action_id=action_id,
        text="Read the rules",
        version=int(read_case(about(bob)).version),
        grant=None,
    )
    for path in ("/standing", f"/standing/{action_id}"):
        page = log_in(bob).get(path).content.decode()
        for secret in (mod.name, mod.handle, mod.user_id, alice.name, alice.user_id):
            assert secret not in page
    assert "A moderator · now Read the rules" in shown(log_in(bob), action_id).one("main").text


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_the_list_costs_one_call_and_a_page_three(alice, bob, mod, log_in, measure):
    action_id = strike(mod, bob, alice, ActionKind.HIDE, post(bob))
    browser = log_in(bob)
    with measure() as meter:
        browser.get("/standing")
    assert [(call.operation, call.units) for call in meter.calls][1:] == [("Query", 0.5)]
    with measure() as meter:
        browser.get(f"/standing/{action_id}")
    calls = [(call.operation, call.units) for call in meter.calls][1:]
    assert calls == [("BatchGetItem", 1), ("Query", 1), ("BatchGetItem", 0.5)]


# People are told that moderators decided about them: without a name, whatever they switched off, and once.

SAYS = "The moderators made a decision about your account or your posts."


@pytest.fixture
def warning(alice, bob, mod, drain_stream) -> str:
    """A warning of Bob, whom Alice reported; the id of the action."""
    report(alice, bob)
    action_id = decide(mod, about(bob), ActionKind.WARN)
    drain_stream()
    return action_id


def test_a_decision_is_told_with_the_way_to_its_reason(bob, mod, warning, log_in):
    browser = log_in(bob)
    assert told(returning(bob)) == [SAYS]
    assert badge(browser) == "1 1 new"
    page = Html(browser.get("/notifications"))
    assert page.one("a", class_="note-answer")["href"] == "/standing"
    assert "@mod" not in page.one("main").text
    assert not broken_invariants()


def test_it_is_among_all_notifications_alone(bob, warning):
    assert told(returning(bob), "mentions") == told(returning(bob), "follows") == []


def test_it_cannot_be_switched_off(alice, bob, mod, drain_stream):
    choose_notifications(by=bob, opted_out=list(OptOut))
    report(alice, bob)
    decide(mod, about(bob), ActionKind.WARN)
    drain_stream()
    assert told(returning(bob)) == [SAYS]


def test_nobody_else_is_told_of_it(alice, mod, warning):
    assert told(returning(alice)) == told(returning(mod)) == []


def test_undoing_it_tells_nothing_anew(bob, mod, warning, drain_stream):
    undo_action(by=mod, case_id=about(bob), action_id=warning)
    drain_stream()
    assert told(returning(bob)) == [SAYS]
    assert len(waiting(bob).unseen) == 1
    assert not broken_invariants()


# What one reported and what became of it, without which action it was.

PAGE = "/settings/reports"
LOOKING, NOTHING, NO_MORE, ACTED = (
    "We’re looking into it",
    "We found that no rule was broken",
    "We looked into it, and there is no more to do",
    "We took action",
)
ON_POSTS = {ActionKind.SENSITIVE, ActionKind.HIDE}


def rows(browser: Client) -> list[str]:
    return [row.text for row in Html(browser.get(PAGE)).all("li", class_="own-report")]


def outcomes(browser: Client) -> list[str]:
    return [row.text for row in Html(browser.get(PAGE)).all("p", class_="outcome")]


def test_who_reported_nothing_reads_where_one_would(alice, log_in):
    html = Html(log_in(alice).get(PAGE))
    assert "You haven’t reported anything." in html.one(class_="empty").text
    assert html.one("a", href=PAGE)["aria-current"] == "page"


def test_it_says_whom_with_which_rule_when_and_how_many_posts(alice, bob, carol, log_in):
    report(alice, carol, rule_id="harassment", comment="She shouts at me")
    for post_id in (post(bob), post(bob)):
        report(alice, bob, post_id, rule_id="spam")
    about_bob, about_carol = rows(log_in(alice))  # the newest first
    assert "Bob Brandt @bob 2 posts · Spam · " in about_bob
    assert "Carol 陈 @carol Harassment or hate · " in about_carol
    assert "She shouts at me" in about_carol
    assert Html(log_in(alice).get(PAGE)).one("a", href="/@bob").text == "Bob Brandt @bob"


def test_what_names_no_rule_is_something_else(alice, bob, log_in):
    report(alice, bob, comment="Odd")
    assert "@bob Something else · " in rows(log_in(alice))[0]


@pytest.mark.parametrize("kind", POSSIBLE[CaseKind.PERSON])
def test_what_became_of_it_is_said_but_not_which_action_it_was(alice, bob, mod, log_in, kind):
    post_id = post(bob)
    list_id = create_list(by=bob, name="Work")
    offer_pack(by=bob, list_id=list_id, title="Who bakes", about="")
    report(alice, bob, post_id)
    browser = log_in(alice)
    assert outcomes(browser) == [LOOKING]
    posts = (post_id,) if kind in ON_POSTS else ()
    packs = (list_id,) if kind == ActionKind.WITHDRAW else ()
    decide(mod, about(bob), kind, *posts, packs=packs, text="Our words")
    said = {ActionKind.DISMISS: NOTHING, ActionKind.CLOSE: NO_MORE}.get(kind, ACTED)
    assert outcomes(browser) == [said]
    page = Html(browser.get(PAGE)).one("main").text
    assert "Our words" not in page
    assert kind not in page.lower().split()
    assert mod.name not in page


def test_each_reporter_is_told(alice, bob, carol, mod, log_in):
    report(alice, bob)
    report(carol, bob)
    decide(mod, about(bob), ActionKind.WARN)
    assert outcomes(log_in(alice)) == outcomes(log_in(carol)) == [ACTED]


def test_who_reports_again_afterwards_is_told_that_we_look_again(alice, bob, carol, mod, log_in):
    report(alice, bob)
    report(carol, bob)
    decide(mod, about(bob), ActionKind.DISMISS)
    report(alice, bob)
    assert outcomes(log_in(alice)) == [LOOKING]
    assert outcomes(log_in(carol)) == [NOTHING]


def test_an_action_that_is_undone_is_looked_at_again(alice, bob, mod, log_in):
    report(alice, bob)
    action_id = decide(mod, about(bob), ActionKind.LIMIT)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert outcomes(log_in(alice)) == [LOOKING]


def test_ones_own_alone(alice, bob, carol, log_in):
    report(carol, bob)
    report(bob, carol)
    assert rows(log_in(alice)) == []
    assert "carol" in rows(log_in(bob))[0]


def test_somebody_who_is_gone_or_suspended(alice, bob, carol, log_in):
    report(alice, bob)
    report(alice, carol)
    restrict(carol, Restriction.SUSPENDED)
    transact(Delete(keys.user_info(bob.user_id)))
    page = Html(log_in(alice).get(PAGE))
    assert [row.text for row in page.all("p", class_="own-report-whom")] == [
        "@carol",
        "Someone who is no longer here",
    ]
    assert not page.all("a", href="/@carol")


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_it_costs_a_unit_and_a_half_for_each_report(alice, log_in, measure):
    browser = log_in(alice)
    for number in range(34):
        report(alice, person(f"other{number}"))
    with measure() as meter:
        browser.get(PAGE)
    calls = [(call.operation, call.units) for call in meter.calls]
    assert calls[1:] == [("Query", 1.5), ("BatchGetItem", 50), ("BatchGetItem", 1)]
