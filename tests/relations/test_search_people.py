"""Searching for people: by the beginning of a handle or of a word of a name, each of them once."""

from urllib.parse import quote

import pytest
from django.test import Client

from accounts.profile.writes import edit_profile
from relations.directory import search_people
from relations.follows.writes import follow
from socialsite.table import BadCursor, keys, write_batch
from tests.conftest import HTMX, person
from tests.web.html import Html
from tests.web.naughty import SOME

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")
MOST_PAGES = 20


@pytest.fixture
def listed(alice, bob, carol, drain_stream) -> None:
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
def test_the_beginning_of_a_handle_or_of_a_word_of_the_name_finds(listed, text, handles):
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
    first = Html(Client().get("/search?q=ann"))
    second = Html(Client().get(first.link("next")))
    assert second.value("q") == "ann"
    assert not set(first.handles()) & set(second.handles())
    assert Html(Client().get(second.link("prev"))).handles() == first.handles()


def test_more_people_come_as_a_fragment_over_htmx(table, drain_stream):
    crowd_called(30, "Anna")
    drain_stream()
    more = Html(Client().get("/search?q=ann")).link("next")
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
    assert Client().get(f"/search?q=ann&page={cursor}").status_code == 400


def test_who_was_renamed_is_not_found_by_the_old_name_before_the_worker_has_run(listed, alice):
    edit_profile(by=alice, name="Ada", bio="", location="")
    assert found("arch") == []
    assert found("alice") == ["alice"]


def test_who_is_gone_is_not_found_before_the_worker_has_run(listed, alice):
    write_batch(deletes=[keys.user_info(alice.user_id)])
    assert found("alice") == []


def test_a_member_sees_whom_they_follow_and_themselves_without_a_button(listed, alice, bob, log_in):
    follow(by=alice, user_id=bob.user_id)
    page = Html(log_in(alice).get("/search?q=bob"))
    assert page.one("button", id=f"follow-{bob.user_id}")["aria-pressed"] == "true"
    page = Html(log_in(alice).get("/search?q=alice"))
    assert page.handles() == ["alice"]
    assert not page.all("button", class_="follow")


def test_a_visitor_searches_too(listed, bob):
    page = Html(Client().get("/search?q=bob"))
    assert page.handles() == ["bob"]
    assert not page.all("button", class_="follow")


def test_typing_gets_what_was_found_alone(listed, alice, log_in):
    response = log_in(alice).get("/search?q=bo", headers=HTMX)
    fragment = Html(response)
    assert fragment.handles() == ["bob"]
    assert fragment.one(id="found-says").text == "1 person found"
    assert not fragment.all("html")
    assert "HX-Request" in response["Vary"]


def test_nobody_found_is_said_with_what_was_typed(listed):
    page = Client().get("/search", {"q": "<b>nobody"})
    assert "We couldn’t find “<b>nobody”." in Html(page).one(class_="empty").text
    assert Html(page).value("q") == "<b>nobody"


def test_no_more_than_sixty_characters_are_looked_for(listed):
    assert Html(Client().get("/search", {"q": "a" * 70})).value("q") == "a" * 60


def test_a_search_takes_any_text(listed):
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
        browser.get("/search?q=ann")
    operations = ["Query", "BatchGetItem", "BatchGetItem", "Query"]  # the last one of tags
    assert [call.operation for call in meter.calls] == operations
    query, _, batch, tags = meter.calls
    assert query.units == tags.units == 0.5
    assert batch.units <= 30


BESIDE = "/search?place=side-&q="


def test_the_right_column_shows_the_first_five_and_the_way_to_the_others(table, drain_stream):
    handles = crowd_called(6, "Anna")
    drain_stream()
    fragment = Html(Client().get(f"{BESIDE}anna", headers=HTMX))
    links = [link["href"] for link in fragment.all("a", class_="side-hit")]
    assert links == [f"/@{handle}" for handle in handles[:5]]
    assert fragment.all("a", href="/search?q=anna")
    assert not fragment.all("html")


def test_the_right_column_finds_as_the_page_does(listed, alice, log_in):
    for browser in (Client(), log_in(alice)):
        fragment = Html(browser.get(f"{BESIDE}bo", headers=HTMX))
        assert [link["href"] for link in fragment.all("a")] == ["/@bob"]
        answer = browser.get(f"{BESIDE}zzz", headers=HTMX).content.decode()
        assert "We couldn’t find “zzz”." in answer


@pytest.mark.parametrize("text", ["", "%20%20"])
def test_an_empty_field_of_the_right_column_asks_nothing(listed, measure, text):
    with measure() as meter:
        answer = Client().get(f"{BESIDE}{text}", headers=HTMX)
    assert (answer.status_code, answer.content.strip()) == (200, b"")
    assert meter.calls == []


def test_without_htmx_the_place_changes_nothing(listed):
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
