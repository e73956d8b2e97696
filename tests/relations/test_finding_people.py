"""The directory, searching for people, and who is not to be found."""

from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import pytest
from django.test import Client

from accounts.models import UserInfo
from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from accounts.profile.writes import edit_profile, save_privacy
from relations.blocks.writes import block
from relations.directory import LONGEST, WORDS, search_people
from relations.follows import writes
from relations.follows.writes import follow, request_follow, withdraw_follow_request
from relations.models import DirectoryEntry
from relations.reads import list_relating
from socialsite.streams.change import dead_letter_of, type_of
from socialsite.streams.dispatch import redrive
from socialsite.streams.worker import Worker
from socialsite.table import BadCursor, change, create, ids, keys, row, write_batch
from socialsite.table.reading import scan
from socialsite.texts import fold
from tests.conftest import HTMX, person, post
from tests.relations.scenes import lock, relationship
from tests.streams.records import handle_all, unread
from tests.web.html import Html
from tests.web.naughty import SOME

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


def listed(who: Viewer) -> dict[str, set[str]]:
    """What someone is found by, with the partitions that say so."""
    found: dict[str, set[str]] = {}
    for raw in scan():
        entry = row(DirectoryEntry, raw)
        if entry.user_id == who.user_id and entry.folded:
            found.setdefault(entry.folded, set()).add(entry.pk)
    return found


def rename(who: Viewer, name: str) -> None:
    edit_profile(by=who, name=name, bio="", location="")


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Zoë MÜLLER", "zoe muller"),
        ("Łukasz Ørsted", "lukasz orsted"),
        ("straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("ｚｏｅ", "zoe"),
        ("Ёлка Йод", "елка иод"),
        ("Ελένη", "ελενη"),
        ("陈晓明", "陈晓明"),
        ("สมชาย ใจดี", "สมชาย ใจดี"),
        ("आदित्य", "आदित्य"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("  O'Brien-Smith  (Jo) ", "o brien smith jo"),
        ("@alice_b", "alice_b"),
        ("🌊 Mia 🎺", "mia"),
        ("🌊", ""),
        ("\x00\u200b", ""),
    ],
)
def test_names_are_folded_so_that_accents_case_and_width_do_not_matter(text, folded):
    assert fold(text) == folded
    assert fold(folded) == folded


def test_a_half_typed_korean_syllable_begins_the_whole_one():
    assert fold("한국").startswith(fold("하"))


def test_a_newcomer_is_listed_by_handle_and_by_each_word_of_the_name(table, drain_stream):
    dora = person("dora", "Dora Díaz")
    assert listed(dora) == {}
    drain_stream()
    assert set(listed(dora)) == {"dora", "dora diaz", "diaz"}


def test_an_entry_stands_where_one_letter_and_where_two_are_looked_for(carol, drain_stream):
    drain_stream()
    assert listed(carol)["carol 陈"] == {keys.directory("c"), keys.directory("ca")}
    assert listed(carol)["陈"] == {keys.directory("陈")}


def test_long_names_are_listed_by_their_first_words_and_cut(alice, drain_stream):
    rename(alice, "One Two Three Four Five Six")
    drain_stream()
    assert len(listed(alice)) == 1 + WORDS
    assert "five six" not in listed(alice)
    rename(alice, "W" * 50)
    drain_stream()
    assert set(listed(alice)) == {"alice", "w" * LONGEST}


def test_who_is_renamed_leaves_the_old_names(alice, drain_stream):
    drain_stream()
    rename(alice, "Alice Bäcker")
    drain_stream()
    assert set(listed(alice)) == {"alice", "alice backer", "backer"}


def test_names_that_change_back_and_forth_end_with_the_last(alice, drain_stream):
    drain_stream()
    for name in ("Ada", "Bea", "Ada", "Cleo", "Ada"):
        rename(alice, name)
    drain_stream()
    assert set(listed(alice)) == {"alice", "ada"}


def test_who_is_gone_is_listed_no_more(alice, bob, drain_stream):
    drain_stream()
    write_batch(deletes=[keys.user_info(alice.user_id)])
    drain_stream()
    assert listed(alice) == {}
    assert listed(bob)


def test_records_handled_twice_and_late_leave_what_the_info_says(alice, drain_stream):
    rename(alice, "Ada")
    rename(alice, "Bea")
    records = unread()
    drain_stream()
    for _ in range(2):
        handle_all(records)
        assert set(listed(alice)) == {"alice", "bea"}


@capacity
def test_listing_costs_one_read_and_one_transaction_and_the_rest_of_a_profile_nothing(
    table, measure
):
    worker = Worker()
    dora = person("dora", "One Two Three Four Five")
    with measure() as meter:
        worker.drain()
    calls = [(call.operation, call.units) for call in meter.calls]
    written = calls.index(("TransactWriteItems", 22))  # ten entries and the lease's check
    assert calls[written - 1] == ("BatchGetItem", 1)
    edit_profile(by=dora, bio="New words")
    with measure() as meter:
        worker.drain()
    assert not [call for call in meter.calls if call.operation.startswith("Batch")]


def test_a_parked_record_which_keeps_no_names_lists_the_present_one(alice):
    rename(alice, "Ada")
    for record in unread():
        if type_of(record) == UserInfo.__name__:
            letter = dead_letter_of(record, shard_id="one", error=ValueError())
            create(letter)
            assert redrive(letter)
    assert set(listed(alice)) == {"alice", "ada"}


def test_other_changes_of_the_info_write_no_entries(alice, drain_stream):
    drain_stream()
    write_batch(deletes=[keys.directory_entry("al", "alice", alice.user_id)])
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.location.set("Leipzig")])
    drain_stream()
    assert listed(alice)["alice"] == {keys.directory("a")}


# Searching for people: by the beginning of a handle or of a word of a name, each of them once.

MOST_PAGES = 20


@pytest.fixture
def listed_in_directory(alice, bob, carol, drain_stream) -> None:
    """Alice Archer, Bob Brandt and Carol 陈 are in the directory."""
    drain_stream()


def found(text: str) -> list[str]:
    """The handles of everyone whom all pages of a search show."""
    page, handles = search_people(text), []
    for _ in range(MOST_PAGES):
        handles += [one.handle for one in page.items]
        if not page.next_cursor:
            return handles
        page = search_people(text, cursor=page.next_cursor)
    raise AssertionError("too many pages")


def crowd_called(count: int, name: str) -> list[str]:
    handles = [f"{name.lower()}{number:02}" for number in range(count)]
    for handle in handles:
        person(handle, f"{name} {handle.upper()}")
    return handles


@pytest.mark.parametrize(
    ("text", "handles"),
    [
        ("a", ["alice"]),
        ("al", ["alice"]),
        ("ALICE", ["alice"]),
        ("@alice", ["alice"]),
        ("arch", ["alice"]),
        ("alice  arch", ["alice"]),
        ("älïçé", ["alice"]),
        ("archer alice", []),
        ("lice", []),
        ("陈", ["carol"]),
        ("b", ["bob"]),
        ("zz", []),
        ("", []),
        ("🌊", []),
        ("alice" * 20, []),
    ],
)
def test_the_beginning_of_a_handle_or_of_a_word_of_the_name_finds(
    listed_in_directory, text, handles
):
    assert found(text) == handles


def test_somebody_with_a_name_of_one_letter_is_found(table, drain_stream):
    person("somebody", "X")
    drain_stream()
    assert found("x") == ["somebody"]


def test_many_are_found_page_by_page_each_once(table, drain_stream):
    handles = crowd_called(30, "Anna")
    drain_stream()
    assert sorted(found("an")) == handles
    assert sorted(found("a")) == handles


def test_a_search_goes_on_over_links_and_back(table, drain_stream):
    crowd_called(30, "Anna")
    drain_stream()
    first = Html(Client().get("/search?tab=people&q=ann"))
    second = Html(Client().get(first.link("next")))
    assert second.value("q") == "ann"
    assert not set(first.handles()) & set(second.handles())
    assert Html(Client().get(second.link("prev"))).handles() == first.handles()


def test_more_people_come_as_a_fragment_over_htmx(table, drain_stream):
    crowd_called(30, "Anna")
    drain_stream()
    more = Html(Client().get("/search?tab=people&q=ann")).link("next")
    fragment = Html(Client().get(more, headers=HTMX))
    assert fragment.handles()
    assert not fragment.all("html")
    assert not fragment.all(id="found")


def test_a_cursor_fits_its_own_search_only(table, drain_stream):
    crowd_called(30, "Anna")
    drain_stream()
    cursor = search_people("an").next_cursor
    with pytest.raises(BadCursor):
        search_people("ann", cursor=cursor)
    assert Client().get(f"/search?tab=people&q=ann&page={cursor}").status_code == 400


def test_who_was_renamed_is_not_found_by_the_old_name_before_the_worker_has_run(
    listed_in_directory, alice
):
    edit_profile(by=alice, name="Ada", bio="", location="")
    assert found("arch") == []
    assert found("alice") == ["alice"]


def test_who_is_gone_is_not_found_before_the_worker_has_run(listed_in_directory, alice):
    write_batch(deletes=[keys.user_info(alice.user_id)])
    assert found("alice") == []


def test_a_member_sees_whom_they_follow_and_themselves_without_a_button(
    listed_in_directory, alice, bob, log_in
):
    follow(by=alice, user_id=bob.user_id)
    page = Html(log_in(alice).get("/search?q=bob"))
    assert page.one("button", id=f"follow-{bob.user_id}")["aria-pressed"] == "true"
    page = Html(log_in(alice).get("/search?q=alice"))
    assert page.handles() == ["alice"]
    assert not page.all("button", class_="follow")


def test_a_visitor_searches_too(listed_in_directory, bob):
    page = Html(Client().get("/search?q=bob"))
    assert page.handles() == ["bob"]
    assert not page.all("button", class_="follow")


def test_typing_gets_what_was_found_alone(listed_in_directory, alice, log_in):
    response = log_in(alice).get("/search?q=bo", headers=HTMX)
    fragment = Html(response)
    assert fragment.handles() == ["bob"]
    assert fragment.one(id="found-says").text == "1 result"
    assert not fragment.all("html")
    assert "HX-Request" in response["Vary"]


def test_nobody_found_is_said_with_what_was_typed(listed_in_directory):
    page = Client().get("/search", {"q": "<b>nobody"})
    assert "We couldn’t find “<b>nobody”." in Html(page).one(class_="empty").text
    assert Html(page).value("q") == "<b>nobody"


def test_no_more_than_two_hundred_characters_are_looked_for(listed_in_directory):
    assert Html(Client().get("/search", {"q": "a" * 210})).value("q") == "a" * 200


def test_a_search_takes_any_text(listed_in_directory):
    for text in SOME:
        assert Client().get(f"/search?q={quote(text[:3_000], safe='')}").status_code == 200, text


def test_a_form_cannot_be_sent_to_the_search(table):
    assert Client().post("/search", {"q": "a"}).status_code == 405


def test_the_right_column_searches_by_a_form_and_a_page_of_search_has_one_form(alice, log_in):
    browser = log_in(alice)
    form = Html(browser.get("/")).one("form", role="search")
    assert (form["action"], form["method"]) == ("/search", "get")
    for path in ("/search?q=b", "/explore"):
        assert len(Html(browser.get(path)).all("form", role="search")) == 1


@capacity
@pytest.mark.parametrize("people", [12, 60])
def test_a_search_costs_the_same_however_many_there_are(
    table, drain_stream, alice, log_in, measure, people
):
    crowd_called(people, "Anna")
    drain_stream()
    browser = log_in(alice)
    with measure() as meter:
        browser.get("/search?tab=people&q=ann")
    assert sorted(call.operation for call in meter.calls) == [*["BatchGetItem"] * 2, "Query"]
    assert sum(call.units for call in meter.calls) <= 2 + 0.5 + 30


BESIDE = "/search?place=side-&q="


def test_the_right_column_shows_the_first_five_and_the_way_to_the_others(table, drain_stream):
    handles = crowd_called(6, "Anna")
    drain_stream()
    fragment = Html(Client().get(f"{BESIDE}anna", headers=HTMX))
    links = [link["href"] for link in fragment.all("a", class_="side-hit")]
    assert links == [f"/@{handle}" for handle in handles[:5]]
    assert fragment.all("a", href="/search?q=anna")
    assert not fragment.all("html")


def test_the_right_column_finds_as_the_page_does(listed_in_directory, alice, log_in):
    for browser in (Client(), log_in(alice)):
        fragment = Html(browser.get(f"{BESIDE}bo", headers=HTMX))
        assert [link["href"] for link in fragment.all("a")] == ["/@bob"]
        answer = browser.get(f"{BESIDE}zzz", headers=HTMX).content.decode()
        assert "We couldn’t find “zzz”." in answer


@pytest.mark.parametrize("text", ["", "%20%20"])
def test_an_empty_field_of_the_right_column_asks_nothing(listed_in_directory, measure, text):
    with measure() as meter:
        answer = Client().get(f"{BESIDE}{text}", headers=HTMX)
    assert (answer.status_code, answer.content.strip()) == (200, b"")
    assert meter.calls == []


def test_without_htmx_the_place_changes_nothing(listed_in_directory):
    assert Html(Client().get(f"{BESIDE}bo")).handles() == ["bob"]


def test_strange_letters_beside_find_nobody_or_somebody_but_never_break(table):
    for text in SOME:
        address = f"{BESIDE}{quote(text[:3_000], safe='')}"
        assert Client().get(address, headers=HTMX).status_code == 200, text


@capacity
def test_a_search_beside_costs_less_than_the_page(table, drain_stream, alice, log_in, measure):
    crowd_called(30, "Anna")
    drain_stream()
    browser = log_in(alice)
    with measure() as meter:
        browser.get(f"{BESIDE}ann", headers=HTMX)
    query, _, batch = meter.calls
    assert query.units == 0.5
    assert batch.units <= 18


# Settings of privacy: the locked account and its requests that wait, the archive, not being suggested, and search
# engines.

PAGE = "/settings/privacy"


@pytest.fixture
def asked(alice, bob, carol):
    """Bob and Carol ask to follow Alice, whose account is locked."""
    lock(alice)
    for viewer in (bob, carol):
        request_follow(by=viewer, user_id=alice.user_id)


def test_locking_and_unlocking(alice, log_in):
    browser = log_in(alice)
    assert browser.post(PAGE, {"locked": "on"})["Location"] == PAGE
    assert get_user_info(alice.user_id).is_locked
    assert "checked" in Html(browser.get(PAGE)).one("input", name="locked").attributes
    for _ in range(2):
        assert browser.post(PAGE, {}).status_code == 302
    assert not get_user_info(alice.user_id).is_locked


def test_not_being_suggested_is_kept(alice, log_in):
    browser = log_in(alice)
    browser.post(PAGE, {"not_suggested": "on"})
    assert get_user_info(alice.user_id).not_suggested
    assert "checked" in Html(browser.get(PAGE)).one("input", name="not_suggested").attributes
    browser.post(PAGE, {})
    assert not get_user_info(alice.user_id).not_suggested


def test_search_engines_are_let_in_until_one_says_otherwise(alice, log_in):
    browser = log_in(alice)
    assert "checked" in Html(browser.get(PAGE)).one("input", name="indexed").attributes
    browser.post(PAGE, {})
    assert get_user_info(alice.user_id).not_indexed
    assert "checked" not in Html(browser.get(PAGE)).one("input", name="indexed").attributes
    browser.post(PAGE, {"indexed": "on"})
    assert not get_user_info(alice.user_id).not_indexed


def test_the_archive_is_locked_up_to_a_day(alice, bob, log_in):
    browser = log_in(alice)
    browser.post(PAGE, {"archived_before": "2026-03-01"})
    edge = get_user_info(alice.user_id).archived_before
    assert edge == ids.first_id_at(datetime(2026, 3, 1, tzinfo=UTC))
    assert Html(browser.get(PAGE)).value("archived_before") == "2026-03-01"
    browser.post(PAGE, {"archived_before": ""})
    assert get_user_info(alice.user_id).archived_before == ""


def test_what_is_older_is_for_followers_and_what_is_newer_for_everyone(alice, bob, log_in):
    post_id = post(alice, "Words of today")
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    save_privacy(
        by=alice, locked=False, archived_before=tomorrow, not_suggested=False, not_indexed=False
    )
    assert log_in(bob).get(f"/@alice/posts/{post_id}").status_code == 404
    log_in(alice).post(PAGE, {"archived_before": f"{datetime.now(UTC):%Y-%m-%d}"})
    assert log_in(bob).get(f"/@alice/posts/{post_id}").status_code == 200


@pytest.mark.parametrize(
    "typed",
    ["yesterday", "2026-13-40", "1999-12-31", "0001-01-01", "9999-12-31", "x" * 9000, "\x00"],
)
def test_a_day_that_cannot_be_is_refused_beside_its_field_and_kept(alice, log_in, typed):
    response = log_in(alice).post(PAGE, {"archived_before": typed, "locked": "on"})
    html = Html(response)
    assert response.status_code == 422
    assert html.error("archived_before")
    assert "checked" in html.one("input", name="locked").attributes
    assert not get_user_info(alice.user_id).is_locked


def test_requests_that_wait_are_asked_about_only_where_there_are_some(alice, bob, log_in):
    assert not Html(log_in(alice).get(PAGE)).all("input", name="pending")
    lock(alice)
    assert not Html(log_in(alice).get(PAGE)).all("input", name="pending")
    request_follow(by=bob, user_id=alice.user_id)
    values = [box["value"] for box in Html(log_in(alice).get(PAGE)).all("input", name="pending")]
    assert values == ["keep", "accept", "decline"]


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    ("pending", "follow_now", "still_ask"),
    [("accept", True, False), ("decline", False, False), ("keep", False, True), ("", False, True)],
)
def test_unlocking_does_with_them_what_was_chosen(
    alice, bob, carol, log_in, pending, follow_now, still_ask
):
    response = log_in(alice).post(PAGE, {"pending": pending}, follow=True)
    assert response.status_code == 200
    for viewer in (bob, carol):
        assert relationship(viewer, alice).follows is follow_now
        assert relationship(viewer, alice).asked_to_follow is still_ask
    assert get_user_info(alice.user_id).followers == 2 * follow_now


@pytest.mark.usefixtures("asked")
def test_staying_locked_answers_nobody(alice, bob, log_in):
    log_in(alice).post(PAGE, {"locked": "on", "pending": "accept"})
    assert relationship(bob, alice).asked_to_follow


@pytest.mark.usefixtures("asked")
def test_a_choice_that_there_is_not_is_refused(alice, bob, log_in):
    response = log_in(alice).post(PAGE, {"pending": "all of them"})
    assert response.status_code == 422
    assert Html(response).error("pending")
    assert get_user_info(alice.user_id).is_locked


@pytest.mark.usefixtures("asked")
def test_accepting_all_passes_over_who_is_blocked_meanwhile(alice, bob, carol):
    block(by=alice, user_id=bob.user_id)
    assert writes.answer_waiting_requests(by=alice, accept=True) == (1, False)
    assert relationship(carol, alice).follows
    assert not relationship(bob, alice).follows


@pytest.mark.usefixtures("asked")
def test_accepting_all_passes_over_who_withdraws_meanwhile(alice, bob, carol, monkeypatch):
    def list_then_withdraw(*asked, **options):
        page = list_relating(*asked, **options)
        withdraw_follow_request(by=bob, user_id=alice.user_id)
        return page

    monkeypatch.setattr(writes, "list_relating", list_then_withdraw)
    assert writes.answer_waiting_requests(by=alice, accept=True) == (1, False)
    assert relationship(carol, alice).follows
    assert not relationship(bob, alice).follows


@pytest.mark.usefixtures("asked")
def test_only_so_many_are_answered_at_once_and_the_rest_is_said(alice, log_in, monkeypatch):
    monkeypatch.setattr("relations.reads.PAGE_SIZE", 1)
    monkeypatch.setattr(writes, "MOST_AT_ONCE", 1)
    response = log_in(alice).post(PAGE, {"pending": "accept"}, follow=True)
    text = response.content.decode()
    assert "You have 1 new follower." in text
    assert "More are still waiting" in text
    assert writes.answer_waiting_requests(by=alice, accept=False) == (1, False)


@pytest.mark.engines("embedded", reason="the others report other capacity")
@pytest.mark.usefixtures("asked")
def test_what_saving_and_answering_cost(alice, measure):
    with measure() as meter:
        save_privacy(
            by=alice, locked=True, archived_before=None, not_suggested=True, not_indexed=False
        )
    assert [(call.operation, call.units) for call in meter.calls] == [("UpdateItem", 1)]
    with measure() as meter:
        writes.answer_waiting_requests(by=alice, accept=True)
    operations = [call.operation for call in meter.calls]
    assert operations == ["Query", "BatchGetItem", "TransactWriteItems", "TransactWriteItems"]
    assert [call.units for call in meter.calls] == [0.5, 3, 13, 13]
