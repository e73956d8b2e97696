"""A case: its context, history, claims, languages, and one that changed while a moderator looked."""

import pytest
from django.test import Client

from accounts.permissions import Permission, save_role, set_role
from feed.posts.models import Post
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post
from moderation.cases import lists
from moderation.cases.lists import (
    MOST_LOOKED_AT,
    fitting,
    get_case,
    get_next_case,
    list_cases_in,
)
from moderation.cases.reads import languages_read_by, read_case
from moderation.cases.writes import assign_case, claim_case, leave_case
from moderation.models import ActionKind, Case, CaseReport, Queue
from moderation.reports.writes import file_report, flag_post
from moderation.staff.writes import choose_languages
from socialsite.site_settings.site_setup import MINOR, URGENT
from socialsite.table import NotFound, change, get, ids, keys, write_batch
from tests.accounts.scenes import proved_long_ago, with_second_factor
from tests.conftest import HTMX, person, post
from tests.feed.scenes import answer
from tests.moderation.cases import (
    QUEUE,
    about,
    actions_of,
    decide,
    info,
    logged,
    page_of,
    part,
    report_by_each,
    rows,
    steps,
    version_of,
)
from tests.moderation.test_costs import BATCH, GET, QUERY, cost
from tests.web.html import Html

TEXTS = ["First", "Second", "Third", "Fourth", "Fifth"]


@pytest.fixture
def talk(alice, bob, carol) -> list[str]:
    """A post, four replies below each other, and Bob's answer to the last, which Carol reported."""
    written = [post(alice, TEXTS[0])]
    for number, text in enumerate(TEXTS[1:]):
        by, to = (carol, alice) if number % 2 else (alice, carol)
        written.append(answer(by, to if number else alice, written[-1], text))
    written.append(answer(bob, carol, written[-1], "Rude"))
    report_by_each(bob, by=[carol], post_id=written[-1])
    return written


def looks() -> list[dict]:
    return [entry.detail for entry in logged() if entry.action == "view private post"]


def order(said: str, *texts: str) -> bool:
    return sorted(texts, key=said.index) == list(texts)


def test_it_shows_what_the_reply_answers(moderator, mod, alice, bob, carol, talk):
    report_by_each(carol, by=[bob], post_id=talk[2])
    decide(mod, about(carol), ActionKind.HIDE, talk[2])
    said = part(page_of(moderator, bob), "case-evidence")
    gap = "Some posts between are not shown here."
    assert order(said, "Rude", "First", gap, "Hidden", "Third", "Fourth", "Fifth")
    assert "Second" not in said
    assert not looks()


def test_it_stays_when_the_reply_and_the_first_post_are_deleted(moderator, alice, bob, talk):
    delete_post(by=bob, post_id=talk[-1])
    delete_post(by=alice, post_id=talk[0])
    said = part(page_of(moderator, bob), "case-evidence")
    assert order(said, "Rude", "The first post of this conversation was deleted.", "Fourth")
    assert "First" not in said.replace("The first", "")


def test_a_thread_that_is_for_some_by_now_is_covered_until_the_moderator_asks(
    moderator, alice, bob, talk
):
    change_audience(by=alice, post_id=talk[0], audience="friends")
    said = part(page_of(moderator, bob), "case-evidence")
    assert "Rude" in said  # as it was when it was reported
    assert not any(text in said for text in TEXTS)
    shown = moderator.post(f"{about(bob).url}/reveal").content.decode()
    assert all(text in shown for text in ("First", "Third", "Fourth", "Fifth"))
    assert looks() == [{"posts": sorted([talk[0], *talk[2:5]])}]
    assert "Fifth" not in part(page_of(moderator, bob), "case-evidence")


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_it_is_two_batches_more_however_many_replies(bob, carol, talk, measure):
    for _ in range(14):
        report_by_each(bob, by=[carol], post_id=answer(bob, carol, talk[-2], "Rude again"))
    with measure() as meter:
        case = get_case(about(bob))
    assert sum(bool(one.context) for one in case.evidence) == 10
    operations, units, _ = cost(meter)
    assert operations == [GET, QUERY, QUERY, QUERY, BATCH, BATCH, BATCH]
    assert units <= 45


# Notes on a case, what was done about it, and undoing that, on its page.


def test_a_note_is_for_other_moderators(moderator, bob, carol):
    report_by_each(bob, by=[carol])
    answer = moderator.post(f"{about(bob).url}/note", {"text": "Wrote to him"})
    assert answer["Location"].startswith(about(bob).url)
    notes = part(page_of(moderator, bob), "case-notes")
    assert "Wrote to him" in notes
    assert "Mod Miller" in notes


def test_a_note_sent_twice_is_there_once(moderator, bob, carol):
    report_by_each(bob, by=[carol])
    for _ in range(2):
        part_of_page = moderator.post(f"{about(bob).url}/note", {"text": "Once"}, headers=HTMX)
    assert Html(part_of_page).one(id="notes").text.count("Once") == 1
    assert [entry.action for entry in logged()] == ["note"]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_an_empty_or_long_note_is_refused_and_kept(moderator, bob, carol, headers):
    report_by_each(bob, by=[carol])
    answer = moderator.post(f"{about(bob).url}/note", {"text": "x" * 501}, headers=headers)
    assert answer.status_code == 422
    assert "x" * 501 in answer.content.decode()
    assert moderator.post(f"{about(bob).url}/note", {"text": " "}).status_code == 422


def test_what_was_done_is_listed_and_undone(moderator, mod, bob, carol):
    report_by_each(bob, by=[carol])
    action_id = decide(mod, about(bob), ActionKind.FREEZE, text="Cool down", keep_open=True)
    done = part(page_of(moderator, bob), "case-actions")
    for words in ("Frozen", "Mod Miller", "Cool down", "Undo"):
        assert words in done
    answer = moderator.post(f"{about(bob).url}/undo", {"action_id": action_id})
    assert answer.status_code == 302
    assert info(bob).frozen_until is None
    assert "undone by Mod Miller" in part(page_of(moderator, bob), "case-actions")
    assert moderator.post(f"{about(bob).url}/undo", {"action_id": action_id}).status_code == 302
    assert len([entry for entry in logged() if entry.action == "undo freeze"]) == 1


def test_what_was_never_done_is_not_undone(moderator, bob, carol):
    report_by_each(bob, by=[carol])
    answer = moderator.post(f"{about(bob).url}/undo", {"action_id": bob.user_id})
    assert answer.status_code == 404


def test_a_closed_case_says_how_and_opens_again_by_undoing(moderator, mod, bob, carol):
    report_by_each(bob, by=[carol])
    action_id = decide(mod, about(bob), ActionKind.DISMISS)
    html = page_of(moderator, bob)
    assert html.one("p", class_="case-closed").text == "Dismissed by Mod Miller, now"
    assert "dismiss" not in steps(html)
    moderator.post(f"{about(bob).url}/undo", {"action_id": action_id})
    assert rows(moderator.get(QUEUE)) == ["bob"]


# The page of a case says which moderator looks at it, and on whose desk it lies.


def test_looking_at_a_case_is_a_press_and_opening_it_is_none(moderator, mod, bob, carol):
    report_by_each(bob, by=[carol])
    assert "is reviewing" not in page_of(moderator, bob).one(id="looking").text
    assert "Review this case" in page_of(moderator, bob).one(id="looking").text
    answer = moderator.post(f"{about(bob).url}/claim?queue=reports", {"on": "1"})
    assert answer["Location"] == f"{about(bob).url}?queue=reports"
    assert "You are reviewing this" in page_of(moderator, bob).one(id="looking").text
    moderator.post(f"{about(bob).url}/claim", {"on": "0"})
    assert "Review this case" in page_of(moderator, bob).one(id="looking").text


def test_htmx_gets_who_looks(moderator, bob, carol):
    report_by_each(bob, by=[carol])
    looks = moderator.post(f"{about(bob).url}/claim", {"on": "1"}, headers=HTMX)
    assert Html(looks).one(id="looking").text.startswith("You are reviewing this")
    left = moderator.post(f"{about(bob).url}/claim", {"on": "0"}, headers=HTMX)
    assert "hx-trigger" not in Html(left).one(id="looking").attributes  # or it would look again


def test_what_another_looks_at_is_theirs_to_decide(moderator, admin, bob, carol):
    report_by_each(bob, by=[carol])
    claim_case(by=admin, case_id=about(bob))
    html = page_of(moderator, bob)
    assert "Addy Admin is reviewing this" in html.one(id="looking").text
    assert not steps(html)
    refused = moderator.post(f"{about(bob).url}/claim", {"on": "1"})
    assert refused.status_code == 409
    assert "Addy Admin is reviewing this case." in Html(refused).one("p", role="alert").text
    answer = moderator.post(f"{about(bob).url}/claim", {"on": "1"}, headers=HTMX)
    assert (answer.status_code, answer["HX-Retarget"]) == (409, "#looking")
    assert "only they can decide it" in Html(answer).one(id="ladder").text


def test_a_case_is_put_on_ones_own_desk_and_back(moderator, mod, bob, carol):
    report_by_each(bob, by=[carol])
    moderator.post(f"{about(bob).url}/assign", {"moderator": mod.user_id})
    assert rows(moderator.get(f"{QUEUE}?queue=mine")) == ["bob"]
    moderator.post(f"{about(bob).url}/assign", {"moderator": ""})
    assert rows(moderator.get(QUEUE)) == ["bob"]


def test_it_is_passed_on_to_who_may_decide_it_alone(moderator, mod, admin, bob, carol):
    report_by_each(bob, by=[carol])
    report_by_each(admin, by=[carol])
    save_role(by=admin, name="reader", title="Reader", permissions={Permission.LOG})
    person("reader", role="reader")
    offered = Html(moderator.get(f"{about(bob).url}/assign")).all("button", name="moderator")
    assert {button["value"] for button in offered} == {mod.user_id, admin.user_id}
    about_admin = Html(moderator.get(f"{about(admin).url}/assign")).all("button", name="moderator")
    assert [button["value"] for button in about_admin] == [mod.user_id]
    assert (
        moderator.post(f"{about(bob).url}/assign", {"moderator": carol.user_id}).status_code == 400
    )
    moderator.post(f"{about(bob).url}/assign", {"moderator": admin.user_id})
    assert "Assigned to Addy Admin" in moderator.get(about(bob).url).content.decode().replace(
        "<bdi>", ""
    )


def test_what_another_looks_at_cannot_be_passed_on(moderator, mod, admin, bob, carol):
    report_by_each(bob, by=[carol])
    claim_case(by=admin, case_id=about(bob))
    answer = moderator.post(f"{about(bob).url}/assign", {"moderator": mod.user_id})
    assert answer.status_code == 409


# The languages of reports and of moderators, by which a queue is read.

REPORTS = keys.queue(Queue.REPORTS)
PAGE, MINE = "/moderation/languages", "/moderation/queue?queue=reports&language=mine"


def report_in_language(by, reported, language: str = "", **rest) -> Case:
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
    assert report_in_language(bob, alice, "de", post_id=post_id).languages == languages


def test_each_report_adds_its_language_and_a_new_round_begins_anew(alice, bob, mod):
    report_in_language(bob, alice, "de")
    assert report_in_language(person("carol"), alice, "zh-hans").languages == {"de", "zh-hans"}
    decide(mod, about(alice), ActionKind.DISMISS)
    assert report_in_language(bob, alice, "en").languages == {"en"}


def test_what_the_site_reports_itself_is_in_the_language_of_the_post_alone(alice):
    post_id = post(alice)
    flag_post(post_id=post_id, author_id=alice.user_id, rule_id="spam", severity=MINOR)
    assert read_case(about(alice)).languages is None


def test_moderators_choose_their_languages_and_read_the_queue_in_these(mod, alice, bob, log_in):
    report_in_language(mod, alice, "de")
    report_in_language(mod, bob, "zh-hans")
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
    report_in_language(mod, alice, "zh-hans", severity=URGENT)
    report_in_language(mod, bob)
    choose_languages(by=mod, languages=["de"])
    assert shown(log_in(mod)) == {"@alice", "@bob"}


def test_without_chosen_languages_all_cases_show(mod, alice, log_in):
    report_in_language(mod, alice, "zh-hans")
    choose_languages(by=mod, languages=["de"])
    assert shown(log_in(mod)) == set()
    choose_languages(by=mod, languages=[])
    assert shown(log_in(mod)) == {"@alice"}


def test_the_next_case_is_in_the_same_languages(mod, alice, bob):
    report_in_language(mod, alice, "zh-hans")
    report_in_language(alice, bob, "de")
    asked = {"by": person("carol"), "besides": about(mod)}
    assert get_next_case(REPORTS, **asked) == about(alice)
    assert get_next_case(REPORTS, languages=("de",), **asked) == about(bob)


def test_each_row_says_the_languages_of_its_case(mod, alice, bob, carol, log_in):
    report_in_language(mod, alice, "de")
    report_in_language(carol, alice, "zh-hans")
    report_in_language(mod, bob)
    first, second = Html(log_in(mod).get("/moderation/queue")).all("article", class_="case-row")
    assert "Languages: Deutsch 简体中文" in first.text
    assert "Languages" not in second.text


def test_the_tab_of_assigned_cases_is_read_in_ones_languages(mod, alice, bob, carol, log_in):
    for reported, language in ((alice, "de"), (bob, "zh-hans"), (carol, "")):
        report_in_language(mod, reported, language)
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
        page = lists.list_desks(fits=fitting(("en",), ""), cursor=cursor)
        found += [row.case_id for row in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert cursor is None
    assert (len(found), len(set(found))) == (7, 7)


def test_an_appeal_is_in_the_language_that_the_person_reads(mod, alice, bob, log_in):
    for reported, language in ((alice, "de"), (bob, "zh-hans")):
        report_in_language(mod, reported, "en")
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
        page = list_cases_in(REPORTS, fits=fitting(("en",), ""), cursor=cursor, size=7)
        found += [row.case_id for row in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert (len(found), len(set(found))) == (30, 30)


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_no_more_than_two_hundred_cases_are_looked_at_for_a_page(table, measure):
    open_cases(MOST_LOOKED_AT + 10, "de")
    with measure() as meter:
        page = list_cases_in(REPORTS, fits=fitting(("en",), ""))
    assert page.items == []
    assert page.next_cursor
    assert len(meter.calls) == 4
    assert (
        list_cases_in(REPORTS, fits=fitting(("en",), ""), cursor=page.next_cursor).next_cursor
        is None
    )


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


# A case that changed while a moderator looked: nothing is done, they learn who it was, and keep what they typed.


@pytest.fixture
def seen(bob, carol) -> int:
    """The version of the case about Bob that everyone has seen."""
    report_by_each(bob, by=[carol], text="Buy this")
    return version_of(about(bob))


def send(moderator: Client, bob, seen: int, headers=None):
    form = {"action": "limit", "version": seen, "preset": "default", "end": "3", "words": "Typed"}
    form["rule"] = "spam"
    address = f"{about(bob).url}/decide?queue=reports"
    return moderator.post(address, form, headers=headers or {})


def why(answer) -> str:
    return Html(answer).one("p", class_="form-errors").text


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_another_closed_it(moderator, admin, bob, seen, headers):
    decide(admin, about(bob), ActionKind.WARN, text="Careful")
    answer = send(moderator, bob, seen, headers)
    assert answer.status_code == 409
    assert why(answer) == "Addy Admin has since closed this case: Warned."
    assert headers or Html(answer).value("words") == "Typed"
    assert "Actions on this case" in Html(answer).one(id="case").text
    assert len(actions_of(about(bob))) == 1


def test_another_looks_at_it(moderator, admin, bob, seen):
    claim_case(by=admin, case_id=about(bob))
    answer = send(moderator, bob, seen)
    assert answer.status_code == 409
    assert why(answer) == "Addy Admin is reviewing this case."
    assert not actions_of(about(bob))


def test_another_did_something_about_it(moderator, admin, bob, seen):
    decide(admin, about(bob), ActionKind.WARN, text="Careful", keep_open=True)
    answer = send(moderator, bob, seen)
    assert "Addy Admin" in why(answer)


def test_more_was_reported_and_the_case_is_shown_anew(moderator, bob, seen):
    report_by_each(bob, by=[person("zoe")], rule="violence", severity=1, comment="And this")
    answer = send(moderator, bob, seen)
    assert answer.status_code == 409
    assert "something was added" in why(answer)
    assert "And this" in Html(answer).one(id="case").text
    assert send(moderator, bob, int(Html(answer).value("version"))).status_code == 302


def test_an_open_dialog_gets_the_reason_alone_with_the_case_behind_it(moderator, bob, seen):
    report_by_each(bob, by=[person("zoe")], severity=1, comment="And this")
    answer = send(moderator, bob, seen, HTMX)
    assert answer["HX-Retarget"] == "#moved"
    assert int(Html(answer).value("version")) == seen + 1
    assert "And this" in Html(answer).one("section", class_="news").text
    assert Html(answer).one(id="case")["hx-swap-oob"] == "true"
    assert not Html(answer).all("textarea", name="words")  # what is typed there stays
    assert Html(answer).one("form", id="note-form").attributes.get("hx-preserve") is not None
    assert "hx-preserve" not in moderator.get(about(bob).url).content.decode()


def test_a_dialog_that_can_decide_no_more_loses_its_button(moderator, admin, bob, seen):
    decide(admin, about(bob), ActionKind.DISMISS)
    form = {"action": "dismiss", "version": seen}
    answer = moderator.post(f"{about(bob).url}/decide", form, headers=HTMX)
    assert "Confirm" not in Html(answer).one(id="decide-buttons").text


def news(moderator: Client, bob, seen: int, told: str = "", **more):
    asked = {"action": "warn", "version": seen, "told": told or seen, **more}
    return moderator.get(f"{about(bob).url}/news", asked, headers=HTMX)


def test_while_nothing_changes_a_dialog_hears_nothing(moderator, mod, bob, seen):
    claim_case(by=mod, case_id=about(bob))
    assert news(moderator, bob, seen).status_code == 204


def test_it_hears_once_that_more_was_added_and_still_decides_the_case_it_knows(
    moderator, bob, seen
):
    report_by_each(bob, by=[person("zoe")], comment="And this")
    heard = news(moderator, bob, seen)
    assert "something was added" in why(heard)
    assert int(Html(heard).value("version")) == seen
    assert "And this" not in heard.content.decode()
    assert news(moderator, bob, seen, told=seen + 1).status_code == 204
    assert send(moderator, bob, seen).status_code == 409


def test_after_a_look_it_decides_the_case_as_it_is_now(moderator, bob, seen):
    report_by_each(bob, by=[person("zoe")], comment="And this")
    looked = news(moderator, bob, seen, look="1")
    assert "And this" in Html(looked).one("section", class_="news").text
    assert "Carol" not in looked.content.decode()  # whose report was seen before
    assert send(moderator, bob, int(Html(looked).value("version"))).status_code == 302


def test_it_hears_who_reviews_the_case_now_and_when_they_left_it(moderator, admin, bob, seen):
    claim_case(by=admin, case_id=about(bob))
    heard = news(moderator, bob, seen)
    assert why(heard) == "Addy Admin is reviewing this case."
    leave_case(by=admin, case_id=about(bob))
    free = news(moderator, bob, seen, told=f"{seen}-taken")
    assert free.status_code == 200
    assert not Html(free).all("p", class_="form-errors")


def test_it_hears_who_closed_the_case(moderator, admin, bob, seen):
    decide(admin, about(bob), ActionKind.WARN, text="Careful")
    heard = why(news(moderator, bob, seen))
    assert heard.startswith("Addy Admin has since closed this case: Warned.")


def test_it_hears_everything_with_a_proof_that_is_old(mod, log_in, settings, bob, seen):
    settings.STAFF_SECOND_FACTOR = True
    with_second_factor(mod)
    moderator = log_in(mod)
    proved_long_ago(mod)
    report_by_each(bob, by=[person("zoe")], comment="And this")
    assert "something was added" in why(news(moderator, bob, seen))
    assert "And this" in Html(news(moderator, bob, seen, look="1")).one(class_="news").text


def test_asking_while_nothing_changes_costs_one_unit_for_the_case(moderator, bob, seen, measure):
    with measure() as meter:
        news(moderator, bob, seen)
    assert [call.units for call in meter.calls if call.access_pattern == "get_dialog_state"] == [1]


@pytest.mark.parametrize("wrong", [{"version": "x"}, {"version": "9" * 30}, {"told": "x"}])
def test_what_no_dialog_asks_is_no_fault(moderator, bob, seen, wrong):
    asked = {"action": "warn", "version": str(seen), "told": str(seen)} | wrong
    assert moderator.get(f"{about(bob).url}/news", asked, headers=HTMX).status_code < 500


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_one_learns_it_before_anything_is_typed(moderator, bob, seen, headers):
    report_by_each(bob, by=[person("zoe")], severity=1)
    address = f"{about(bob).url}/decide?action=warn&version={seen}"
    assert moderator.get(address, headers=headers).status_code == 409


def test_a_dismissal_that_came_too_late_cannot_be_confirmed_again(moderator, admin, bob, seen):
    decide(admin, about(bob), ActionKind.WARN, text="Careful")
    answer = moderator.get(f"{about(bob).url}/decide?action=dismiss&version={seen}")
    assert answer.status_code == 409
    assert "Confirm" not in answer.content.decode()
