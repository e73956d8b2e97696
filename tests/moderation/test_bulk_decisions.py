"""One decision about many cases: each decided as if alone, begun anywhere, and gone on with."""

import re
import time

import pytest
from django.test import Client

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, grant_role, save_role
from accounts.profile.writes import save_preferences
from feed.posts.models import Withheld
from moderation.bulk_decisions.reads import (
    MOST_TARGETS,
    TooManyTargets,
    WaveDecision,
    WaveMoved,
    Why,
    list_waves,
    read_wave,
)
from moderation.bulk_decisions.writes import make_wave, start_wave, undo_wave
from moderation.cases.reads import CaseId, is_open, read_case
from moderation.cases.writes import assign_case
from moderation.items.models import Wave, WaveTarget
from moderation.models import ActionKind, CaseKind, WaveState
from moderation.suspicions.reads import Target
from socialsite.streams.worker import Worker
from socialsite.table import as_model, change, ids, keys, query
from socialsite.web.preferences import Preferences
from tests.conftest import person, post
from tests.moderation.cases import (
    QUEUE,
    about,
    about_post,
    actions_of,
    broken,
    decide,
    held_post,
    info,
    logged,
    report_by_each,
    reported_people,
    rows,
    strikes,
    version_of,
    waiting_sign_up,
    withheld,
)
from tests.moderation.staff import appealed_by, new_case
from tests.moderation.test_bulk_decision_pages import (
    NO_WAVE,
    WAVES,
    begin,
    boxes,
    page_text,
    said,
    start,
)
from tests.privacy.lives import erase, search
from tests.web.html import Html

SUSPEND = WaveDecision(ActionKind.SUSPEND, rule_id="spam")
DISMISS = WaveDecision(ActionKind.DISMISS)


def seen(*people: Viewer) -> list[Target]:
    return [Target(about(one), version_of(about(one))) for one in people]


def carried_out(worker: Worker, by: Viewer, targets: list[Target], decision: WaveDecision) -> Wave:
    wave_id = make_wave(by=by, targets=targets, decision=decision)
    start_wave(by=by, wave_id=wave_id, decision=decision)
    worker.drain()
    return read_wave(wave_id)


def taken_back(worker: Worker, by: Viewer, wave: Wave) -> Wave:
    undo_wave(by=by, wave_id=wave.wave_id)
    worker.drain()
    return read_wave(wave.wave_id)


def left_out(wave: Wave) -> dict[str, str]:
    rows = query(keys.wave_targets(wave.wave_id), consistent=True)
    targets = (as_model(WaveTarget, raw) for raw in rows)
    return {one.subject_id: one.why_not for one in targets if one.why_not}


def test_a_draft_does_nothing(worker, mod, alice):
    people = reported_people(2, by=alice)
    make_wave(by=mod, targets=seen(*people), decision=SUSPEND)
    worker.drain()
    assert not any(info(one).suspended_until for one in people)
    assert not logged()


def test_each_case_of_a_wave_is_decided_and_logged_by_itself(worker, mod, alice):
    people = reported_people(23, by=alice)
    wave = carried_out(worker, mod, seen(*people), SUSPEND)
    assert (wave.state, wave.done, wave.skipped) == (WaveState.DONE, 23, 0)
    assert all(info(one).suspended_until for one in people)
    assert [[one.kind, one.rule_id] for one in strikes(people[7])] == [["suspend", "spam"]]
    assert not is_open(read_case(about(people[7])))
    entries = [entry for entry in logged() if entry.action == "suspend"]
    assert {entry.person_id for entry in entries} == {one.user_id for one in people}
    assert {entry.detail["wave"] for entry in entries} == {wave.wave_id}
    assert not broken(before_the_worker=False)


def test_one_undo_takes_back_every_action_and_the_cases_wait_again(worker, mod, admin, alice):
    people = reported_people(12, by=alice)
    wave = taken_back(worker, admin, carried_out(worker, mod, seen(*people), SUSPEND))
    assert (wave.state, wave.undone) == (WaveState.UNDONE, 12)
    assert not any(info(one).suspended_until for one in people)
    assert all(is_open(read_case(about(one))) for one in people)
    assert [e.moderator_id for e in logged() if e.action == "undo suspend"] == [admin.user_id] * 12
    assert not broken(before_the_worker=False)


def test_a_case_that_changed_since_it_was_chosen_is_left_out(worker, mod, admin, alice, bob):
    people = reported_people(3, by=alice)
    targets = seen(*people)
    report_by_each(people[0], by=[bob])
    decide(admin, about(people[1]), ActionKind.WARN)
    wave = carried_out(worker, mod, targets, DISMISS)
    assert (wave.done, wave.skipped) == (1, 2)
    assert left_out(wave) == {people[0].user_id: Why.MOVED, people[1].user_id: Why.MOVED}
    assert is_open(read_case(about(people[0])))


def test_staff_and_the_moderator_are_left_out(worker, mod, admin, alice, bob):
    report_by_each(mod, by=[alice])
    report_by_each(admin, by=[alice])
    report_by_each(bob, by=[alice])
    wave = carried_out(worker, mod, seen(mod, admin, bob), DISMISS)
    assert left_out(wave) == {mod.user_id: Why.OWN, admin.user_id: Why.STAFF}
    assert wave.done == 1


def test_who_has_no_case_is_reported_first_and_the_case_is_closed(worker, mod, alice):
    wave = carried_out(worker, mod, [Target(about(alice), 0)], SUSPEND)
    assert wave.done == 1
    case = read_case(about(alice))
    assert info(alice).suspended_until
    assert not is_open(case)
    assert [action.kind for action in actions_of(about(alice))] == ["suspend"]


def test_reports_that_nobody_saw_still_wait(worker, mod, alice, bob):
    report_by_each(alice, by=[bob])
    carried_out(worker, mod, [Target(about(alice), 0)], SUSPEND)
    assert info(alice).suspended_until
    assert is_open(read_case(about(alice)))


def test_chosen_posts_are_hidden_and_come_back(worker, mod, alice):
    first, second, other = post(alice), post(alice), post(alice)
    hide = WaveDecision(ActionKind.HIDE, rule_id="spam")
    wave = carried_out(worker, mod, [Target(about(alice), 0, (first, second))], hide)
    states = [withheld(alice, one) for one in (first, second, other)]
    assert states == [Withheld.HIDDEN, Withheld.HIDDEN, None]
    taken_back(worker, mod, wave)
    assert [withheld(alice, one) for one in (first, second)] == [None, None]


def test_of_a_report_the_reported_posts_are_hidden(worker, mod, alice, bob):
    reported, other = report_by_each(alice, by=[bob], text="Buy this"), post(alice)
    carried_out(worker, mod, seen(alice), WaveDecision(ActionKind.HIDE, rule_id="spam"))
    assert withheld(alice, reported) == Withheld.HIDDEN
    assert withheld(alice, other) is None


def test_a_report_without_posts_has_none_to_hide(worker, mod, alice, bob):
    report_by_each(alice, by=[bob])
    wave = carried_out(worker, mod, seen(alice), WaveDecision(ActionKind.HIDE, rule_id="spam"))
    assert left_out(wave) == {alice.user_id: Why.NOTHING}


def test_held_posts_are_published_and_sign_ups_approved(worker, mod, alice, bob):
    post_id = held_post(alice)
    held = Target(about_post(post_id), version_of(about_post(post_id)))
    carried_out(worker, mod, [held], WaveDecision(ActionKind.RELEASE))
    assert withheld(alice, post_id) is None
    asks = waiting_sign_up(bob)
    carried_out(worker, mod, [Target(asks, version_of(asks))], WaveDecision(ActionKind.APPROVE))
    assert not info(bob).waiting


def test_each_person_is_told_in_their_own_language(worker, mod, alice):
    german = person("dora")
    save_preferences(by=german, preferences=Preferences(language="de"))
    for one in (alice, german):
        report_by_each(one, by=[mod])
    carried_out(worker, mod, seen(alice, german), WaveDecision(ActionKind.WARN, rule_id="spam"))
    [english], [own] = strikes(alice), strikes(german)
    assert english.text != own.text


def test_what_the_moderator_may_no_longer_do_is_not_done(worker, mod, admin, alice):
    people = reported_people(2, by=alice)
    wave_id = make_wave(by=mod, targets=seen(*people), decision=SUSPEND)
    start_wave(by=mod, wave_id=wave_id, decision=SUSPEND)
    grant_role(by=admin, user_id=mod.user_id, role="")
    worker.drain()
    assert set(left_out(read_wave(wave_id)).values()) == {Why.NOT_PERMITTED}
    assert not any(info(one).suspended_until for one in people)


def test_a_wave_starts_once_by_its_maker_and_is_undone_once(worker, mod, admin, alice):
    people = reported_people(1, by=alice)
    wave_id = make_wave(by=mod, targets=seen(*people), decision=DISMISS)
    with pytest.raises(WaveMoved):
        start_wave(by=admin, wave_id=wave_id, decision=DISMISS)
    with pytest.raises(WaveMoved):
        undo_wave(by=mod, wave_id=wave_id)
    start_wave(by=mod, wave_id=wave_id, decision=DISMISS)
    with pytest.raises(WaveMoved):
        start_wave(by=mod, wave_id=wave_id, decision=DISMISS)
    worker.drain()
    undo_wave(by=mod, wave_id=wave_id)
    with pytest.raises(WaveMoved):
        undo_wave(by=mod, wave_id=wave_id)


def test_a_wave_has_at_most_500_cases(mod, table):
    too_many = [Target(about(Viewer(ids.new_id())), 0) for _ in range(MOST_TARGETS + 1)]
    with pytest.raises(TooManyTargets):
        make_wave(by=mod, targets=too_many, decision=SUSPEND)


def test_forty_accounts_are_ended_in_less_than_a_minute(worker, mod, alice):
    people = reported_people(40, by=alice)
    targets = seen(*people)
    worker.drain()
    begun = time.monotonic()
    wave = carried_out(worker, mod, targets, SUSPEND)
    took = time.monotonic() - begun
    print(f"a wave of 40 accounts: {took:.2f} s")
    assert wave.done == 40
    assert took < 60


def test_what_was_acted_on_before_is_not_dismissed_as_if_no_rule_was_broken(
    worker, mod, alice, bob
):
    report_by_each(bob, by=[alice])
    decide(mod, about(bob), ActionKind.WARN, keep_open=True)
    wave = carried_out(worker, mod, seen(bob), DISMISS)
    assert left_out(wave) == {bob.user_id: Why.UNFIT}
    carried_out(worker, mod, seen(bob), WaveDecision(ActionKind.CLOSE))
    assert not is_open(read_case(about(bob)))


def test_a_wave_whose_counts_are_wrong_is_found(worker, mod, alice, bob):
    report_by_each(bob, by=[alice])
    wave = carried_out(worker, mod, seen(bob), DISMISS)
    change(Wave, wave.key, [Wave.skipped.set(1)])
    place = f"{wave.pk} / {wave.sk}"
    assert broken() == {"a wave has dealt with each of its cases once": [place]}


# Waves go on, or can be gone on with, when someone is erased or loses their role meanwhile.


def test_who_was_erased_since_a_draft_was_made_is_left_out(worker, mod, alice):
    """Their case is not among the wave's any more once the search was there."""
    people = reported_people(3, by=alice)
    worker.drain()
    wave_id = make_wave(by=mod, targets=seen(*people), decision=SUSPEND)
    search(erase(people[1], worker), worker)
    start_wave(by=mod, wave_id=wave_id, decision=SUSPEND)
    worker.drain()
    wave = read_wave(wave_id)
    assert (wave.state, wave.done, wave.skipped) == (WaveState.DONE, 2, 1)
    assert not broken(before_the_worker=False)


def test_a_wave_goes_on_without_the_name_of_a_moderator_who_was_erased(worker, mod, admin, alice):
    people = reported_people(3, by=alice)
    worker.drain()
    wave = carried_out(worker, mod, seen(*people), SUSPEND)
    grant_role(by=admin, user_id=mod.user_id, role="")
    search(erase(mod, worker), worker)
    wave = read_wave(wave.wave_id)
    assert mod.user_id not in str(wave.attribute_values)
    assert taken_back(worker, admin, wave).undone == 3
    assert not broken(before_the_worker=False)


def half_undone(worker: Worker, by: Viewer, wave: Wave) -> None:
    undo_wave(by=by, wave_id=wave.wave_id)
    while not read_wave(wave.wave_id).undone:
        worker.step()


def test_what_is_left_of_an_undo_when_its_moderator_loses_the_role_another_one_can_undo(
    worker, mod, admin, alice
):
    people = reported_people(23, by=alice)
    wave = carried_out(worker, mod, seen(*people), SUSPEND)
    half_undone(worker, mod, wave)
    grant_role(by=admin, user_id=mod.user_id, role="")
    worker.drain()
    wave = read_wave(wave.wave_id)
    assert (wave.state, wave.undone) == (WaveState.DONE, 10)
    assert sum(bool(info(one).suspended_until) for one in people) == 13
    assert not broken(before_the_worker=False)
    wave = taken_back(worker, admin, wave)
    assert (wave.state, wave.undone) == (WaveState.UNDONE, 23)
    assert not any(info(one).suspended_until for one in people)
    assert not broken(before_the_worker=False)


# Where waves begin besides the reports: one's own desk, all desks, and appeals; and which rule a draft begins
# with.

TABS = ("mine", "desks", "appeals")


def as_seen(case_id: CaseId) -> str:
    return f"{case_id.kind}.{case_id.subject_id}.{version_of(case_id)}"


def chosen_rule(answer) -> str:
    """The rule that the select of a draft begins with, empty if it asks to choose."""
    rules = re.search(r'<select name="rule".*?</select>', answer.content.decode(), re.DOTALL)
    assert rules is not None
    chosen = re.search(r'<option value="([^"]*)" selected', rules[0])
    return chosen[1] if chosen else ""


# Desks


@pytest.mark.parametrize("tab", ["mine", "desks"])
def test_the_cases_on_desks_are_decided_in_a_wave(tab, moderator, mod, worker, alice):
    people = reported_people(3, by=alice)
    for one in people:
        assign_case(by=mod, case_id=about(one), moderator_id=mod.user_id)
    address = begin(moderator, "", boxes(moderator, tab), tab)
    assert Html(moderator.get(address)).one("input", name="kind", checked="")["value"] == "warn"
    start(moderator, address, "limit")
    worker.drain()
    assert all(info(one).limited_until for one in people)
    assert not any(is_open(read_case(about(one))) for one in people)


@pytest.mark.parametrize(
    ("kind", "first"),
    [(CaseKind.PERSON, "warn"), (CaseKind.POST, "release"), (CaseKind.SIGN_UP, "approve")],
)
def test_a_draft_begins_with_the_mildest_action_that_does_something(moderator, mod, kind, first):
    case_id = new_case(kind)
    assign_case(by=mod, case_id=case_id, moderator_id=mod.user_id)
    address = begin(moderator, "", [as_seen(case_id)], "mine")
    assert Html(moderator.get(address)).one("input", name="kind", checked="")["value"] == first


def test_cases_of_several_kinds_are_no_wave_and_that_is_said_on_their_page(moderator, mod):
    chosen = [as_seen(new_case(kind)) for kind in CaseKind]
    answer = moderator.post(f"{WAVES}?queue=mine", {"action": "", "targets": chosen})
    assert answer["Location"] == f"{QUEUE}?queue=mine"
    assert "No action fits all of these." in said(moderator, answer)


@pytest.mark.parametrize("tab", TABS)
def test_their_tabs_offer_to_act_on_what_is_selected(tab, moderator, admin, mod):
    case_id = new_case(CaseKind.PERSON)
    if tab == "appeals":
        appealed_by(case_id, admin)
    else:
        assign_case(by=mod, case_id=case_id, moderator_id=mod.user_id)
    button = Html(moderator.get(f"{QUEUE}?queue={tab}")).one("button", name="action")
    assert (button["value"], button["formaction"]) == ("", f"{WAVES}?queue={tab}")


# Appeals


def test_a_wave_about_people_who_appealed_leaves_their_appeals_open(moderator, admin, worker):
    case_id = new_case(CaseKind.PERSON)
    appealed_by(case_id, admin)
    address = begin(moderator, "", boxes(moderator, "appeals"), "appeals")
    assert "The appeal stays open" in page_text(moderator.get(address))
    start(moderator, address, "limit")
    worker.drain()
    assert ActionKind.LIMIT in [action.kind for action in actions_of(case_id)]
    assert read_case(case_id).appealed


def test_a_post_whose_author_appealed_is_left_out(moderator, admin, worker):
    appealed, waiting = (new_case(CaseKind.POST) for _ in range(2))
    appealed_by(appealed, admin)
    address = begin(moderator, "", [as_seen(appealed), as_seen(waiting)], "mine")
    assert "Left out: An appeal about it waits for its answer." in page_text(moderator.get(address))
    start(moderator, address, "release")
    worker.drain()
    assert read_case(appealed).appealed
    assert not is_open(read_case(waiting))


# The rule


def test_the_rule_that_every_case_names_is_chosen_already(moderator, alice):
    reported_people(2, by=alice)
    answer = moderator.get(begin(moderator, "warn", boxes(moderator)))
    assert chosen_rule(answer) == "spam"
    assert "No spam" in Html(answer).one(id="told").text


def test_of_a_dismissal_that_becomes_a_warning_the_rule_is_chosen_too(moderator, alice):
    reported_people(2, by=alice)
    address = begin(moderator, "dismiss", boxes(moderator))
    typed = {"kind": "warn", "shown": "dismiss"}
    assert chosen_rule(moderator.post(address, typed)) == "spam"


def test_what_the_moderator_chose_stays(moderator, alice):
    reported_people(2, by=alice)
    address = begin(moderator, "warn", boxes(moderator))
    typed = {"kind": "suspend", "shown": "warn", "rule": "violence"}
    assert chosen_rule(moderator.post(address, typed)) == "violence"
    assert chosen_rule(moderator.post(address, {**typed, "rule": ""})) == ""


def test_if_the_cases_name_different_rules_or_none_the_moderator_chooses(
    moderator, alice, bob, carol
):
    report_by_each(bob, by=[alice])
    report_by_each(carol, by=[alice], rule="violence", severity=1)
    assert chosen_rule(moderator.get(begin(moderator, "warn", boxes(moderator)))) == ""
    posts = [f"{bob.user_id}.{post(bob, 'Buy')}", f"{alice.user_id}.{post(alice, 'Buy')}"]
    address = str(moderator.post(WAVES, {"post": posts})["Location"])
    assert chosen_rule(moderator.get(address)) == ""


def test_a_case_with_two_rules_names_none_for_all(moderator, alice, bob):
    report_by_each(bob, by=[alice])
    report_by_each(bob, by=[person("zoe")], rule="violence", severity=1)
    assert chosen_rule(moderator.get(begin(moderator, "warn", boxes(moderator)))) == ""


# What pages send to begin a wave: cases, people without one, and posts.


def test_posts_of_people_without_a_case_are_hidden_by_author(moderator, drain_stream, alice, bob):
    posts = [f"{one.user_id}.{post(one, 'Buy this')}" for one in (alice, alice, bob)]
    address = str(moderator.post(WAVES, {"post": posts})["Location"])
    assert "2 posts" in page_text(moderator.get(address))
    assert "0 of your posts" not in page_text(moderator.get(address))
    start(moderator, address, "hide")
    drain_stream()
    assert len(actions_of(about(alice))[0].posts) == 2
    assert len(actions_of(about(bob))[0].posts) == 1


def test_more_posts_than_an_action_takes_are_said(moderator, alice):
    posts = [f"{alice.user_id}.01M7YXYAVBYS6TB3H18E6Q4Q{number:02}" for number in range(22)]
    answer = moderator.post(WAVES, {"post": posts})
    assert "2 posts are left for later" in said(moderator, answer)


def test_every_hit_of_a_word_trial_can_be_acted_on(admin, log_in, drain_stream, alice, bob):
    for number in range(22):
        post(alice if number % 2 else bob, f"Buy spam {number}")
    browser = log_in(admin)
    trial = {"kind": "word", "pattern": "spam", "effect": "flag", "site_rule": "spam"}
    drain_stream()
    page = Html(browser.post("/moderation/words/try", trial))
    hits = [field["value"] for field in page.all("input", name="post")]
    assert len(hits) == 22
    address = str(browser.post(WAVES, {"post": hits})["Location"])
    start(browser, address, "hide")
    drain_stream()
    assert [len(actions_of(about(one))[0].posts) for one in (alice, bob)] == [11, 11]


def test_who_may_not_open_cases_is_offered_no_wave_for_hits(admin, log_in, drain_stream, alice):
    post(alice, "Buy spam")
    drain_stream()
    save_role(by=admin, name="filterer", title="Filterer", permissions={Permission.SITE})
    trial = {"kind": "word", "pattern": "spam", "effect": "flag", "site_rule": "spam"}
    browser = log_in(person("filtering", role="filterer"))
    page = Html(browser.post("/moderation/words/try", trial))
    assert page.all("article", class_="post")
    assert not page.all("input", name="post")


def test_people_are_selected_with_and_without_a_case(moderator, drain_stream, admin, alice, bob):
    report_by_each(bob, by=[alice])
    drain_stream()
    page = Html(moderator.get("/moderation/people?list=new"))
    boxes = {box["value"] for box in page.all("input", name="targets")}
    assert boxes == {f"person.{alice.user_id}.0", f"person.{bob.user_id}.0"}
    page = Html(moderator.get("/moderation/people?list=reported"))
    [box] = page.all("input", name="targets")
    assert box["value"] == f"person.{bob.user_id}.{version_of(about(bob))}"
    address = str(moderator.post(WAVES, {"action": "limit", "targets": boxes})["Location"])
    start(moderator, address, "limit")
    drain_stream()
    assert all(info(one).limited_until for one in (alice, bob))


def test_nothing_selected_is_said_so(moderator):
    answer = moderator.post(f"{WAVES}?queue=held", {"action": "release"})
    assert answer["Location"] == f"{QUEUE}?queue=held"
    assert "Choose a case first." in said(moderator, answer)


def test_at_most_500_are_taken(moderator):
    targets = [f"person.01M7YXYAVBYS6TB3H18E6Q{number:04}.1" for number in range(1000, 1501)]
    answer = moderator.post(WAVES, {"action": "warn", "targets": targets})
    assert "Choose at most 500 cases." in said(moderator, answer)
    assert not list_waves().items


@pytest.mark.parametrize(
    "form",
    [
        {"action": "warn", "targets": ["nonsense"]},
        {"action": "warn", "post": ["nonsense"]},
        {"action": "sing", "targets": [f"person.{NO_WAVE}.1"]},
        {"action": "approve", "targets": [f"person.{NO_WAVE}.1"]},
    ],
)
def test_what_the_pages_do_not_send_makes_no_sense(moderator, form):
    assert moderator.post(WAVES, form).status_code == 400


def test_a_wave_that_never_was_is_not_there(moderator):
    assert moderator.get(f"{WAVES}/{NO_WAVE}").status_code == 404
    assert moderator.post(f"{WAVES}/{NO_WAVE}/start").status_code == 404


# Several cases are taken at once, and what was closed meanwhile is left as it is. Deciding several is a wave:
# test_bulk_decisions.py, test_bulk_decision_pages.py.

SELECTED = f"{QUEUE}/selected"


def boxes_of_queue(moderator: Client, tab: str = "reports") -> list[str]:
    """What the checkboxes of the queue send."""
    page = Html(moderator.get(f"{QUEUE}?queue={tab}"))
    return [box["value"] for box in page.all("input", name="targets")]


def test_those_selected_are_put_on_ones_desk(moderator, alice, bob):
    people = reported_people(2, by=alice)
    held_post(bob)
    moderator.post(SELECTED, {"act": "take", "targets": boxes_of_queue(moderator)})
    moderator.post(
        f"{SELECTED}?queue=held", {"act": "take", "targets": boxes_of_queue(moderator, "held")}
    )
    assert set(rows(moderator.get(f"{QUEUE}?queue=mine"))) == {"bob", *(p.handle for p in people)}


def test_a_closed_case_is_not_taken(moderator, mod, alice):
    [reported] = reported_people(1, by=alice)
    chosen = boxes_of_queue(moderator)
    decide(mod, about(reported), ActionKind.DISMISS)
    answer = moderator.post(SELECTED, {"act": "take", "targets": chosen})
    assert said(moderator, answer).startswith(
        "0 cases assigned to you, 1 skipped because of changes."
    )


def test_nothing_selected_to_take_is_said_so(moderator):
    answer = moderator.post(SELECTED, {"act": "take"})
    assert "Choose a case first." in said(moderator, answer)


@pytest.mark.parametrize(
    "form",
    [
        {"act": "take", "targets": ["nonsense"]},
        {"act": "take", "targets": ["person.x.1"]},
        {"act": "sing", "targets": ["person.01M7YXYAVBYS6TB3H18E6Q4Q9C.1"]},
        {"act": "take", "targets": ["person.01M7YXYAVBYS6TB3H18E6Q4Q9C.1"] * 51},
    ],
)
def test_what_the_page_does_not_send_makes_no_sense(moderator, form):
    assert moderator.post(SELECTED, form).status_code == 400


def test_fifty_at_once_are_taken(moderator):
    cases = [f"person.01M7YXYAVBYS6TB3H18E6Q4Q{number:02}.1" for number in range(50)]
    answer = moderator.post(SELECTED, {"act": "take", "targets": cases, "csrfmiddlewaretoken": "x"})
    assert "50 skipped because of changes" in said(moderator, answer)
