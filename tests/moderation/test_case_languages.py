"""The languages of reports and of moderators, by which a queue is read."""

import pytest

from accounts.permissions import set_role
from feed.posts.models import Post
from moderation.cases import lists
from moderation.cases.lists import MOST_LOOKED_AT, get_next_case, list_cases_in
from moderation.cases.reads import languages_read_by, read_case
from moderation.cases.writes import assign_case
from moderation.models import ActionKind, Case, CaseReport, Queue
from moderation.reports.writes import file_report, flag_post
from moderation.staff.writes import choose_languages
from socialsite.site_settings.site_setup import MINOR, URGENT
from socialsite.table import NotFound, change, get, ids, keys, write_batch
from tests.conftest import person, post
from tests.moderation.cases import about, decide
from tests.web.html import Html

REPORTS = keys.queue(Queue.REPORTS)
PAGE, MINE = "/moderation/languages", "/moderation/queue?queue=reports&language=mine"


def report(by, reported, language: str = "", **rest) -> Case:
    file_report(by=by, person_id=reported.user_id, language=language, **rest)
    return read_case(about(reported))


def shown(browser, address: str = MINE) -> set[str]:
    """The people whose cases a page lists."""
    people = Html(browser.get(address)).all("a", class_="case-person")
    return {one.text.rpartition(" ")[2] for one in people}


def test_a_report_is_in_the_language_that_its_reporter_reads(alice, bob, log_in):
    form = {"reason": "spam", "comment": ""}
    log_in(bob).post("/@alice/report", form, headers={"accept-language": "de"})
    kept = get(CaseReport, keys.case_report("person", alice.user_id, bob.user_id))
    assert (kept.language, read_case(about(alice)).languages) == ("de", {"de"})


@pytest.mark.parametrize(
    ("lang", "languages"), [("zh-Hans", {"de", "zh-hans"}), ("ar", {"de"}), ("", {"de"})]
)
def test_the_language_that_a_post_names_counts_too_if_the_site_has_it(alice, bob, lang, languages):
    post_id = post(alice)
    if lang:
        change(Post, keys.post(alice.user_id, post_id), [Post.lang.set(lang)])
    assert report(bob, alice, "de", post_id=post_id).languages == languages


def test_each_report_adds_its_language_and_a_new_round_begins_anew(alice, bob, mod):
    report(bob, alice, "de")
    assert report(person("carol"), alice, "zh-hans").languages == {"de", "zh-hans"}
    decide(mod, about(alice), ActionKind.DISMISS)
    assert report(bob, alice, "en").languages == {"en"}


def test_what_the_site_reports_itself_is_in_the_language_of_the_post_alone(alice):
    post_id = post(alice)
    flag_post(post_id=post_id, author_id=alice.user_id, rule_id="spam", severity=MINOR)
    assert read_case(about(alice)).languages is None


def test_moderators_choose_their_languages_and_read_the_queue_in_these(mod, alice, bob, log_in):
    report(mod, alice, "de")
    report(mod, bob, "zh-hans")
    browser = log_in(mod)
    for _ in range(2):
        answer = browser.post(PAGE, {"languages": ["de", "en"]})
        assert answer["Location"] == "/moderation/queue?language=mine"
    assert set(languages_read_by(mod.user_id)) == {"de", "en"}
    checked = [one["value"] for one in Html(browser.get(PAGE)).all("input", checked="")]
    assert shown(browser) == {"@alice"}
    assert shown(browser, "/moderation/queue") == {"@alice", "@bob"}
    assert set(checked) >= {"de", "en"}


def test_urgent_cases_and_those_of_no_known_language_are_for_everyone(mod, alice, bob, log_in):
    report(mod, alice, "zh-hans", severity=URGENT)
    report(mod, bob)
    choose_languages(by=mod, languages=["de"])
    assert shown(log_in(mod)) == {"@alice", "@bob"}


def test_without_chosen_languages_all_cases_show(mod, alice, log_in):
    report(mod, alice, "zh-hans")
    choose_languages(by=mod, languages=["de"])
    assert shown(log_in(mod)) == set()
    choose_languages(by=mod, languages=[])
    assert shown(log_in(mod)) == {"@alice"}


def test_the_next_case_is_in_the_same_languages(mod, alice, bob):
    report(mod, alice, "zh-hans")
    report(alice, bob, "de")
    asked = {"by": person("carol"), "besides": about(mod)}
    assert get_next_case(REPORTS, **asked) == about(alice)
    assert get_next_case(REPORTS, languages=("de",), **asked) == about(bob)


def test_each_row_says_the_languages_of_its_case(mod, alice, bob, carol, log_in):
    report(mod, alice, "de")
    report(carol, alice, "zh-hans")
    report(mod, bob)
    first, second = Html(log_in(mod).get("/moderation/queue")).all("article", class_="case-row")
    assert "Languages: Deutsch 简体中文" in first.text
    assert "Languages" not in second.text


def test_the_tab_of_assigned_cases_is_read_in_ones_languages(mod, alice, bob, carol, log_in):
    for reported, language in ((alice, "de"), (bob, "zh-hans"), (carol, "")):
        report(mod, reported, language)
        assign_case(by=mod, case_id=about(reported), moderator_id=mod.user_id)
    choose_languages(by=mod, languages=["de"])
    tab = "/moderation/queue?queue=desks"
    assert shown(log_in(mod), f"{tab}&language=mine") == {"@alice", "@carol"}
    assert len(shown(log_in(mod), tab)) == 3


def test_a_page_of_desks_ends_where_a_full_one_was_not_read_further(mod, monkeypatch):
    monkeypatch.setattr(lists, "LOOKED_AT", 4)
    mei = person("mei", "Mei", role="moderator")
    open_cases(6, "de", keys.desk(mod.user_id))
    open_cases(7, "en", keys.desk(mei.user_id))
    found, cursor = [], None
    for _ in range(9):
        page = lists.list_desks(languages=("en",), cursor=cursor)
        found += [row.case_id for row in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert cursor is None
    assert (len(found), len(set(found))) == (7, 7)


def test_an_appeal_is_in_the_language_that_the_person_reads(mod, alice, bob, log_in):
    for reported, language in ((alice, "de"), (bob, "zh-hans")):
        report(mod, reported, "en")
        action_id = decide(mod, about(reported), ActionKind.WARN)
        browser = log_in(reported)
        form = {"text": "Please"}
        browser.post(f"/standing/{action_id}", form, headers={"accept-language": language})
        assert read_case(about(reported)).languages == {language}
    choose_languages(by=mod, languages=["de"])
    tab = "/moderation/queue?queue=appeals"
    assert shown(log_in(mod), f"{tab}&language=mine") == {"@alice"}
    assert shown(log_in(mod), tab) == {"@alice", "@bob"}


def open_cases(number: int, language: str, place: str = REPORTS) -> None:
    cases = []
    for n in range(number):
        subject, opened = ids.new_id(), f"2026-11-01T00:{n // 60:02}:{n % 60:02}+00:00"
        case = Case(*keys.case("person", subject), kind="person", subject_id=subject)
        case.person_id, case.queue, case.severity = subject, "reports", MINOR
        case.opened_at, case.languages = opened, {language}
        case.escalated_to = place
        case.escalated_at = f"{MINOR}#{opened}#person#{subject}"
        cases.append(case)
    write_batch(puts=cases)


def test_a_page_is_filled_from_as_many_cases_as_it_takes_and_goes_on_where_it_ended(table):
    open_cases(30, "de")
    open_cases(30, "en")
    found, cursor = [], None
    for _ in range(5):
        page = list_cases_in(REPORTS, languages=("en",), cursor=cursor, size=7)
        found += [row.case_id for row in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert (len(found), len(set(found))) == (30, 30)


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_no_more_than_two_hundred_cases_are_looked_at_for_a_page(table, measure):
    open_cases(MOST_LOOKED_AT + 10, "de")
    with measure() as meter:
        page = list_cases_in(REPORTS, languages=("en",))
    assert page.items == []
    assert page.next_cursor
    assert len(meter.calls) == 4
    assert list_cases_in(REPORTS, languages=("en",), cursor=page.next_cursor).next_cursor is None


def test_the_languages_stay_when_the_role_changes_and_go_with_it(mod):
    choose_languages(by=mod, languages=["de"])
    set_role(user_id=mod.user_id, role="admin")
    assert languages_read_by(mod.user_id) == ("de",)
    set_role(user_id=mod.user_id, role="")
    assert languages_read_by(mod.user_id) == ()
    with pytest.raises(NotFound):
        choose_languages(by=mod, languages=["de"])


def test_the_page_refuses_what_is_no_language_of_the_site(mod, alice, log_in):
    answer = log_in(mod).post(PAGE, {"languages": ["fr"]})
    assert answer.status_code == 422
    assert Html(answer).error("languages")
    assert log_in(alice).get(PAGE).status_code == 404
    assert log_in(mod).get("/moderation/queue?language=fr").status_code == 400
