"""Appealing: a conversation on the case, told to who may answer, and left to another moderator."""

import pytest
from django.test import Client

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, save_role
from moderation.cases.effects import undo_action
from moderation.cases.lists import get_case, get_next_case
from moderation.cases.reads import CaseMoved, OwnCase, read_case
from moderation.cases.writes import (
    TELL_OF_APPEAL,
    AlreadyAnswered,
    Claimed,
    OwnDecision,
    answer_appeal,
    appeal,
    assign_case,
    claim_case,
)
from moderation.models import ActionKind, Appeal, Queue
from moderation.reports.reads import get_strike, list_own_reports
from moderation.staff.stream import tell_of_appeal
from moderation.staff.waiting import list_waiting
from moderation.staff.waiting_too_long import TELL, tell_staff
from moderation.staff.writes import choose_languages
from notifications.writes import choose_notifications
from socialsite.due.work import AlreadyDone
from socialsite.models import Role
from socialsite.table import Create, NotFound, keys, transact
from socialsite.telling import OptOut
from tests.conftest import HTMX, person, post
from tests.looks import broken_invariants
from tests.moderation.cases import (
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
    part,
    post_count,
    report,
    report_by_each,
    strikes,
    version_of,
    waiting_sign_up,
    withheld,
)
from tests.moderation.staff import after, hears, let_pass, planned
from tests.notifications.told import badge
from tests.web.html import Html

K = ActionKind
APPEALS, REPORTS = keys.queue(Queue.APPEALS), keys.queue(Queue.REPORTS)


@pytest.fixture
def suspended(alice, bob, mod) -> str:
    """Bob, reported and suspended: the action's id."""
    report(alice, bob, rule_id="spam")
    return decide(mod, about(bob), K.SUSPEND)


def say(person: Viewer, action_id: str, text: str = "It was not me") -> None:
    appeal(person_id=person.user_id, action_id=action_id, text=text)


def answer(by: Viewer, person: Viewer, action_id: str, grant: bool | None, text: str = "") -> None:
    case_id = about(person)
    version = int(read_case(case_id).version)
    answer_appeal(
        by=by, case_id=case_id, action_id=action_id, text=text, version=version, grant=grant
    )


def appeal_of(person: Viewer) -> list[str | None]:
    return [strike.appeal for strike in strikes(person)]


def test_an_appeal_opens_the_case_again_in_its_own_queue(bob, mod, suspended):
    say(bob, suspended)
    case = read_case(about(bob))
    assert index(mod) == {APPEALS: [about(bob)]}
    assert (case.appealed, case.round, case.reports) == (suspended, 2, 0)
    assert appeal_of(bob) == [Appeal.OPEN]
    assert info(bob).suspended_until  # until it is granted
    assert broken() == {}


def test_both_sides_talk_until_it_is_answered(bob, mod, suspended):
    say(bob, suspended, "It was not me")
    answer(mod, bob, suspended, None, "Who was it?")
    say(bob, suspended, "My brother")
    assert index(mod) == {APPEALS: [about(bob)]}
    answer(mod, bob, suspended, False, "That is no excuse")
    said = [(m.is_staff, m.text) for m in get_strike(bob.user_id, suspended).messages]
    assert said == [
        (False, "It was not me"),
        (True, "Who was it?"),
        (False, "My brother"),
        (True, "That is no excuse"),
    ]
    assert [m.text for m in get_case(about(bob)).messages] == [text for _, text in said]
    assert [entry.action for entry in logged()[1:]] == ["answer appeal", "refuse appeal"]
    assert broken() == {}


def test_who_is_appealing_does_not_learn_who_answered(bob, mod, suspended):
    say(bob, suspended)
    answer(mod, bob, suspended, None, "Who was it?")
    assert [m.writer for m in get_strike(bob.user_id, suspended).messages] == [None, None]


def test_granting_undoes_the_action_and_closes_the_case(bob, mod, suspended):
    say(bob, suspended)
    answer(mod, bob, suspended, True, "Sorry")
    assert info(bob).suspended_until is None
    (strike,) = strikes(bob)
    assert (strike.appeal, bool(strike.undone_at)) == (Appeal.GRANTED, True)
    assert index(mod) == {}
    assert logged()[-1].action == "grant appeal"
    assert broken() == {}


def test_granting_shows_a_post_that_was_refused(bob, mod):
    post_id = held_post(bob)
    refused = decide(mod, about_post(post_id), K.REFUSE)
    say(bob, refused)
    case_id = about_post(post_id)
    version = int(read_case(case_id).version)
    answer_appeal(by=mod, case_id=case_id, action_id=refused, text="", version=version, grant=True)
    assert (withheld(bob, post_id), post_count(bob)) == (None, 1)
    assert index(mod) == {}
    assert broken() == {}


def test_refusing_leaves_the_action_and_closes_the_case(bob, mod, suspended):
    say(bob, suspended)
    answer(mod, bob, suspended, False, "No")
    assert info(bob).suspended_until
    assert (appeal_of(bob), index(mod)) == ([Appeal.REFUSED], {})
    assert broken() == {}


def test_what_is_undone_after_a_refused_appeal_is_undone_for_its_reporters_too(
    alice, bob, mod, suspended
):
    """Seed 1.1 of the simulation: the round of the action said for ever that it stands."""
    say(bob, suspended)
    answer(mod, bob, suspended, False, "No")
    undo_action(by=mod, case_id=about(bob), action_id=suspended)
    assert info(bob).suspended_until is None
    assert index(mod) == {REPORTS: [about(bob)]}
    assert broken() == {}


@pytest.mark.parametrize("grant", [True, False])
def test_an_appeal_is_answered_once_and_that_is_the_end(bob, mod, suspended, grant):
    say(bob, suspended)
    answer(mod, bob, suspended, grant)
    for again in (True, False, None):
        with pytest.raises(AlreadyAnswered):
            answer(mod, bob, suspended, again)
    with pytest.raises(AlreadyAnswered):
        say(bob, suspended)
    assert broken() == {}


def test_what_nobody_appealed_against_is_not_answered(bob, mod, suspended):
    with pytest.raises(AlreadyAnswered):
        answer(mod, bob, suspended, True)


def test_what_was_undone_is_not_appealed_against(bob, mod, suspended):
    undo_action(by=mod, case_id=about(bob), action_id=suspended)
    with pytest.raises(AlreadyAnswered):
        say(bob, suspended)


def test_a_declined_sign_up_is_not_appealed_against(bob, mod):
    declined = decide(mod, waiting_sign_up(bob), K.DECLINE)
    with pytest.raises(AlreadyAnswered):
        say(bob, declined)
    assert broken() == {}


def test_nobody_appeals_for_another(alice, suspended):
    with pytest.raises(NotFound):
        say(alice, suspended)


def test_a_case_with_new_reports_goes_back_to_them(alice, bob, carol, mod, suspended):
    report(carol, bob)
    say(bob, suspended)
    assert index(mod) == {APPEALS: [about(bob)]}
    report(alice, bob)
    assert index(mod) == {APPEALS: [about(bob)]}
    answer(mod, bob, suspended, True)
    case = read_case(about(bob))
    assert index(mod) == {REPORTS: [about(bob)]}
    assert (case.reports, case.appealed, case.queue) == (2, None, Queue.REPORTS)
    assert broken() == {}


def appeals_waiting() -> int:
    return list_waiting().queues[Queue.APPEALS].to_answer


def test_of_two_appeals_each_is_answered(alice, bob, mod):
    post_id = post(bob)
    report(alice, bob, post_id)
    hidden = decide(mod, about(bob), K.HIDE, post_id, keep_open=True)
    warned = decide(mod, about(bob), K.WARN)
    say(bob, hidden)
    say(bob, warned)
    assert (read_case(about(bob)).appeals, appeals_waiting()) == (2, 2)
    answer(mod, bob, warned, False)
    assert index(mod) == {APPEALS: [about(bob)]}
    assert (read_case(about(bob)).appealed, appeals_waiting()) == (hidden, 1)
    assert broken() == {}
    answer(mod, bob, hidden, True)
    assert (withheld(bob, post_id), index(mod)) == (None, {})
    assert appeal_of(bob) == [Appeal.GRANTED, Appeal.REFUSED]
    assert broken() == {}


def test_deciding_about_the_reports_leaves_the_appeal_waiting(bob, carol, mod, suspended):
    report(carol, bob)
    say(bob, suspended)
    decide(mod, about(bob), K.WARN)
    assert index(mod) == {APPEALS: [about(bob)]}
    assert list_own_reports(carol)[0].outcome == K.WARN
    assert (read_case(about(bob)).reports, appeal_of(bob)[0]) == (0, Appeal.OPEN)
    answer(mod, bob, suspended, True)
    assert index(mod) == {}
    assert list_own_reports(carol)[0].outcome == K.WARN
    assert broken() == {}


def test_nobody_answers_what_they_have_not_seen(bob, mod, suspended):
    say(bob, suspended)
    seen = int(read_case(about(bob)).version)
    say(bob, suspended, "Please")
    with pytest.raises(CaseMoved):
        answer_appeal(
            by=mod, case_id=about(bob), action_id=suspended, text="", version=seen, grant=False
        )
    assert appeal_of(bob) == [Appeal.OPEN]


def test_nobody_answers_while_another_looks_at_it(bob, mod, suspended):
    mei = person("mei", "Mei", role="moderator")
    say(bob, suspended)
    claim_case(by=mei, case_id=about(bob))
    for grant in (True, False, None):
        with pytest.raises(CaseMoved):
            answer(person(f"other_{grant}", role="moderator"), bob, suspended, grant)
    answer(mei, bob, suspended, True)


def test_nobody_answers_their_own_appeal(alice, mod, admin):
    report(alice, mod)
    warned = decide(admin, about(mod), K.WARN)
    say(mod, warned)
    with pytest.raises(OwnCase):
        answer(mod, mod, warned, True)


# Answering an appeal on the page of its case.


@pytest.fixture
def appealed(mod, bob, carol) -> str:
    """Bob was frozen, and appeals; the action's id."""
    report_by_each(bob, by=[carol])
    action_id = decide(mod, about(bob), ActionKind.FREEZE, text="Cool down")
    appeal(person_id=bob.user_id, action_id=action_id, text="It was a joke")
    return action_id


def answer_on_page(moderator: Client, reported, kind: str, words: str = "", version: int = 0):
    version = version or version_of(about(reported))
    form = {"answer": kind, "words": words, "version": version}
    return moderator.post(f"{about(reported).url}/appeal?queue=appeals", form)


def test_an_appeal_shows_what_was_done_and_what_was_said(moderator, bob, appealed):
    said = part(page_of(moderator, bob), "case-appeal-title")
    for words in ("Appeal against: Frozen", "Cool down", "It was a joke"):
        assert words in said


def test_granting_undoes_it_and_leads_to_the_next(moderator, bob, appealed):
    assert answer_on_page(moderator, bob, "grant")["Location"] == f"{QUEUE}?queue=appeals"
    assert info(bob).frozen_until is None
    assert "Appeal granted" in page_of(moderator, bob).one("p", class_="case-closed").text


def test_refusing_needs_words_and_closes_the_case(moderator, bob, appealed):
    refused = answer_on_page(moderator, bob, "refuse")
    assert refused.status_code == 422
    assert Html(refused).all("p", class_="field-error")
    assert answer_on_page(moderator, bob, "refuse", "No, it was not").status_code == 302
    assert info(bob).frozen_until
    assert "No, it was not" in part(page_of(moderator, bob), "case-history")


def test_asking_back_keeps_it_open(moderator, bob, appealed):
    location = answer_on_page(moderator, bob, "ask", "What was funny?")["Location"]
    assert location == f"{about(bob).url}?queue=appeals"
    assert "What was funny?" in part(page_of(moderator, bob), "case-appeal-title")


def test_an_answer_to_a_case_that_moved_is_kept_and_not_sent(moderator, bob, appealed, mod):
    version = version_of(about(bob))
    appeal(person_id=bob.user_id, action_id=appealed, text="And one thing more")
    moved = answer_on_page(moderator, bob, "refuse", "Typed before", version)
    assert moved.status_code == 409
    html = Html(moved)
    assert "And one thing more" in html.one(id="appeal").text
    assert html.value("words") == "Typed before"
    assert answer_on_page(moderator, bob, "refuse", "Typed before").status_code == 302


def test_an_appeal_answered_twice_is_answered_once(moderator, bob, appealed):
    version = version_of(about(bob))
    assert answer_on_page(moderator, bob, "grant", version=version).status_code == 302
    assert answer_on_page(moderator, bob, "grant", version=version).status_code == 409
    assert [entry.action for entry in logged()].count("grant appeal") == 1


APPEALS_QUEUE = keys.queue(Queue.APPEALS)


@pytest.fixture
def suspended_for_spam(alice, bob, mod) -> str:
    report(alice, bob, rule_id="spam")
    return decide(mod, about(bob), ActionKind.SUSPEND)


# Where an appeal waits: in its queue for everyone, unless someone takes it.


def test_an_appeal_leaves_the_desk_for_the_queue_where_everyone_finds_it(
    bob, carol, mod, suspended_for_spam
):
    report(carol, bob)
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    claim_case(by=mod, case_id=about(bob))
    say(bob, suspended_for_spam)
    assert index(mod) == {APPEALS_QUEUE: [about(bob)]}
    assert read_case(about(bob)).claimed_by is None
    assert broken() == {}


def test_more_words_to_an_open_appeal_leave_it_on_its_desk(bob, mod, suspended_for_spam):
    say(bob, suspended_for_spam)
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    say(bob, suspended_for_spam, "Please")
    assert index(mod) == {keys.desk(mod.user_id): [about(bob)]}
    assert read_case(about(bob)).appeals == 1


def test_a_case_on_a_desk_stays_there_when_its_appeal_is_answered(
    bob, carol, mod, suspended_for_spam
):
    report(carol, bob)
    say(bob, suspended_for_spam)
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    version = int(read_case(about(bob)).version)
    answer_appeal(
        by=mod,
        case_id=about(bob),
        action_id=suspended_for_spam,
        text="",
        version=version,
        grant=False,
    )
    assert index(mod) == {keys.desk(mod.user_id): [about(bob)]}
    assert broken() == {}


# An appeal is told to all who may answer it, but not to the moderator who decided, and to nobody else.

ONE = ["1 appeal is waiting for an answer"]
P = Permission


@pytest.fixture
def decided(mod, bob, carol) -> str:
    report_by_each(bob, by=[carol])
    return decide(mod, about(bob), ActionKind.WARN)


@pytest.fixture
def work(drain_stream):
    def done() -> None:
        drain_stream()
        let_pass(after(seconds=5))
        drain_stream()

    return done


def test_all_who_may_answer_hear_of_it_but_the_moderator_who_decided(
    mod, mei, admin, bob, carol, decided, work, log_in
):
    save_role(by=admin, name="door", title="Door", permissions={P.SIGN_UPS, P.LOG})
    door = person("dora", role="door")
    appeal(person_id=bob.user_id, action_id=decided, text="It was not me")
    work()
    assert hears(mei) == hears(admin) == ONE
    assert hears(mod) == hears(door) == hears(carol) == []
    assert bob.user_id not in str(hears(mei))
    browser = log_in(mei)
    assert badge(browser) == "1 1 new"
    link = Html(browser.get("/notifications")).one("a", class_="note-answer")
    assert link["href"] == "/moderation/queue?queue=appeals"
    assert "@bob" in browser.get(link["href"]).content.decode()
    assert not broken_invariants()


def test_more_words_are_told_to_nobody_and_two_appeals_are_one_line(
    mod, mei, bob, carol, decided, work
):
    for text in ("It was not me", "Really"):
        appeal(person_id=bob.user_id, action_id=decided, text=text)
        work()
    assert hears(mei) == ONE
    report_by_each(carol, by=[bob])
    other = decide(mod, about(carol), ActionKind.WARN)
    appeal(person_id=carol.user_id, action_id=other, text="Nor me")
    work()
    assert hears(mei) == ["2 appeals are waiting for an answer"]


def test_where_nobody_else_may_answer_the_moderator_who_decided_hears_of_it(
    mod, bob, decided, work
):
    appeal(person_id=bob.user_id, action_id=decided, text="It was not me")
    work()
    assert hears(mod) == ONE


def test_of_a_suspension_only_those_hear_who_may_suspend(mod, mei, admin, bob, carol, work):
    save_role(by=admin, name="helper", title="Helper", permissions={P.CASES})
    helper = person("hanna", role="helper")
    report_by_each(bob, by=[carol])
    action_id = decide(mod, about(bob), ActionKind.SUSPEND)
    appeal(person_id=bob.user_id, action_id=action_id, text="It was not me")
    work()
    assert hears(mei) == ONE
    assert hears(helper) == []


def test_an_appeal_that_was_answered_meanwhile_is_told_to_nobody(mod, mei, bob, decided, work):
    appeal(person_id=bob.user_id, action_id=decided, text="It was not me")
    undo_action(by=mod, case_id=about(bob), action_id=decided)
    work()
    assert hears(mei) == []


def test_those_hear_who_read_the_language_and_everyone_if_nobody_does(
    mod, mei, admin, bob, carol, decided, work
):
    choose_languages(by=mei, languages=["de"])
    choose_languages(by=admin, languages=["en"])
    appeal(person_id=bob.user_id, action_id=decided, text="Nicht ich", language="de")
    report_by_each(carol, by=[bob])
    other = decide(mod, about(carol), ActionKind.WARN)
    appeal(person_id=carol.user_id, action_id=other, text="不是我", language="zh-hans")
    work()
    assert hears(mei) == ["2 appeals are waiting for an answer"]
    assert hears(admin) == ONE


def test_staff_switch_it_off(mei, bob, decided, work):
    choose_notifications(by=mei, opted_out=[OptOut.CASES])
    appeal(person_id=bob.user_id, action_id=decided, text="It was not me")
    work()
    assert hears(mei) == []
    assert planned(TELL) == []


def test_it_is_told_once_however_often_the_clock_tries(mod, mei, bob, decided):
    appeal(person_id=bob.user_id, action_id=decided, text="It was not me")
    [due] = planned(TELL_OF_APPEAL)
    for _ in range(2):
        tell_of_appeal(due)
    [telling] = planned(TELL)
    tell_staff(telling)
    with pytest.raises(AlreadyDone):
        tell_staff(telling)
    assert hears(mei) == ONE


@pytest.fixture
def suspended_and_appealing(alice, bob, mod) -> str:
    """Bob was suspended by Mod, and appeals."""
    report(alice, bob, rule_id="spam")
    action_id = decide(mod, about(bob), ActionKind.SUSPEND)
    appeal(person_id=bob.user_id, action_id=action_id, text="It was not me")
    return action_id


def answer_as(by, bob, action_id: str, grant: bool | None) -> None:
    version = int(read_case(about(bob)).version)
    answer_appeal(
        by=by, case_id=about(bob), action_id=action_id, text="Hm", version=version, grant=grant
    )


# The moderator who decided leaves an appeal to another one, as long as there is one who may answer it.


def state(bob) -> str | None:
    return strikes(bob)[0].appeal


@pytest.mark.parametrize("grant", [True, False, None])
def test_another_answers(bob, mod, suspended_and_appealing, grant):
    mei = person("mei", "Mei", role="moderator")
    with pytest.raises(OwnDecision):
        answer_as(mod, bob, suspended_and_appealing, grant)
    assert state(bob) == Appeal.OPEN
    answer_as(mei, bob, suspended_and_appealing, grant)
    assert broken() == {}


def test_the_only_one_who_may_answer_does(bob, mod, suspended_and_appealing):
    answer_as(mod, bob, suspended_and_appealing, False)
    assert state(bob) == Appeal.REFUSED


def test_a_colleague_who_may_not_suspend_does_not_answer_for_a_suspension(
    bob, mod, suspended_and_appealing
):
    transact(Create(Role.new(name="helper", title="Helper", permissions={"cases"})))
    person("hanna", role="helper")
    answer_as(mod, bob, suspended_and_appealing, False)
    assert state(bob) == Appeal.REFUSED


def test_the_page_says_so_and_has_no_form(bob, mod, suspended_and_appealing, log_in):
    mei = person("mei", "Mei", role="moderator")
    address = about(bob).url
    assert "someone else answers" in Html(log_in(mod).get(address)).one("section", id="appeal").text
    assert not Html(log_in(mod).get(address)).all("button", name="answer")
    assert len(Html(log_in(mei).get(address)).all("button", name="answer")) == 3
    form = {"answer": "grant", "version": read_case(about(bob)).version, "words": "Hm"}
    assert log_in(mod).post(f"{address}/appeal", form).status_code == 403
    assert state(bob) == Appeal.OPEN


def test_they_may_still_take_their_decision_back(bob, mod, suspended_and_appealing, log_in):
    person("mei", "Mei", role="moderator")
    log_in(mod).post(f"{about(bob).url}/undo", {"action_id": suspended_and_appealing})
    assert state(bob) == Appeal.GRANTED
    assert broken() == {}


def test_the_next_case_is_none_that_others_have_to_answer(alice, bob, mod, suspended_and_appealing):
    def following(moderator):
        return get_next_case(keys.queue(Queue.APPEALS), by=moderator, besides=about(alice))

    assert following(mod) == about(bob)  # while nobody else may
    mei = person("mei", "Mei", role="moderator")
    assert following(mod) is None
    assert following(mei) == about(bob)


def test_the_next_case_asks_once_who_is_on_the_staff(
    alice, bob, carol, mod, suspended_and_appealing, requests_of
):
    person("mei", "Mei", role="moderator")
    report(alice, carol, rule_id="spam")
    action_id = decide(mod, about(carol), ActionKind.WARN)
    appeal(person_id=carol.user_id, action_id=action_id, text="Nor me")
    with requests_of() as requests:
        assert not get_next_case(keys.queue(Queue.APPEALS), by=mod, besides=about(alice))
    staff = [one for one in requests.made if keys.staff() in str(one.parameters)]
    assert len(staff) == 1


def test_opening_an_appeal_that_others_answer_claims_nothing(
    bob, mod, suspended_and_appealing, log_in
):
    mei = person("mei", "Mei", role="moderator")
    decider, colleague = log_in(mod), log_in(mei)
    looking = Html(decider.get(about(bob).url)).one(id="looking")
    assert "hx-post" not in looking.attributes
    assert "data-claim" not in looking.attributes
    assert not looking.text
    for headers in ({}, HTMX):  # a page that was open before, or another way
        answer = decider.post(f"{about(bob).url}/claim", {"on": "1"}, headers=headers)
        assert answer.status_code == (200 if headers else 302)
        assert "reviewing" not in answer.content.decode()
    assert read_case(about(bob)).claimed_by is None
    assert "hx-post" in Html(colleague.get(about(bob).url)).one(id="looking").attributes
    colleague.post(f"{about(bob).url}/claim", {"on": "1"})
    assert read_case(about(bob)).claimed_by == mei.user_id


def test_reports_beside_the_appeal_are_for_everyone(
    alice, bob, mod, suspended_and_appealing, log_in
):
    person("mei", "Mei", role="moderator")
    report(alice, bob, rule_id="spam")
    assert "hx-post" in Html(log_in(mod).get(about(bob).url)).one(id="looking").attributes
    claim_case(by=mod, case_id=about(bob))
    assert read_case(about(bob)).claimed_by == mod.user_id


def test_the_only_one_who_may_answer_reviews_it(bob, mod, suspended_and_appealing):
    claim_case(by=mod, case_id=about(bob))
    assert read_case(about(bob)).claimed_by == mod.user_id


def test_what_a_colleague_reviews_stays_theirs_under_an_appeal(
    bob, mod, admin, suspended_and_appealing
):
    mei = person("mei", "Mei", role="moderator")
    claim_case(by=mei, case_id=about(bob))
    with pytest.raises(Claimed):
        claim_case(by=admin, case_id=about(bob))
