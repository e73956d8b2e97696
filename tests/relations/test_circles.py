"""Circles: names of one's own on friends, with a private note beside them."""

import pytest

from accounts.people.viewer import Viewer
from relations import forms
from relations.friends import writes
from relations.friends.writes import create_circle, delete_circle, end_friendship, file_friend
from relations.reads import list_circles
from tests.relations.relations import befriend, relationship
from tests.streams.crowd import returning
from tests.web.html import Html

PAGE = "/@bob/circles"


def names(viewer: Viewer, friend: Viewer) -> list[str]:
    """What the viewer calls the circles that a friend is in."""
    return [circle.name for circle in relationship(returning(viewer), friend).circles]


def sizes(viewer: Viewer) -> dict[str, int]:
    return {circle.name: size for circle, size in list_circles(returning(viewer)).items()}


def choir_of(viewer: Viewer) -> str:
    return next(one.circle_id for one in returning(viewer).circles if one.name == "Choir")


@pytest.fixture
def friends(alice, bob, carol):
    befriend(alice, bob)
    befriend(alice, carol)


@pytest.mark.usefixtures("friends")
def test_a_circle_is_made_by_its_first_member(alice, bob, log_in):
    browser = log_in(alice)
    response = browser.post(PAGE, {"new_circle": "Family", "note": "likes tea"})
    assert (response.status_code, response["Location"]) == (302, "/@bob")
    alice = returning(alice)
    assert (names(alice, bob), relationship(alice, bob).note) == (["Family"], "likes tea")
    assert (relationship(bob, alice).circles, relationship(bob, alice).note) == ((), "")


@pytest.mark.usefixtures("friends")
def test_a_circle_that_was_deleted_while_the_page_was_open_is_named_by_no_id(alice, log_in):
    family, work = (create_circle(by=alice, name=name) for name in ("Family", "Work"))
    delete_circle(by=alice, circle_id=work)
    answer = log_in(alice).post(PAGE, {"circles": [family, work], "note": "likes tea"})
    assert answer.status_code == 422
    error = Html(answer).one("p", id="id_circles_error").text
    assert error == "One of these circles no longer exists. Choose again."
    assert "likes tea" in Html(answer).one("textarea", name="note").text


@pytest.mark.usefixtures("friends")
def test_circles_that_there_are_can_be_ticked_and_left(alice, bob, carol, log_in):
    family, work = (create_circle(by=alice, name=name) for name in ("Family", "Work"))
    file_friend(by=alice, user_id=carol.user_id, circles=[family, work], note="")
    browser = log_in(alice)
    html = Html(browser.get(PAGE))
    assert [box["value"] for box in html.all("input", name="circles")] == [family, work]
    browser.post(PAGE, {"circles": [family, work], "new_circle": "Choir"})
    assert names(alice, bob) == ["Choir", "Family", "Work"]
    browser.post(PAGE, {"circles": [work]})
    assert names(alice, bob) == ["Work"]
    browser.post(PAGE, {})
    assert names(alice, bob) == []
    assert sizes(alice) == {"Choir": 0, "Family": 1, "Work": 1}


@pytest.mark.usefixtures("friends")
def test_the_page_lists_names_with_their_sizes(alice, bob, carol, log_in):
    family = create_circle(by=alice, name="Family")
    create_circle(by=alice, name="Choir")
    file_friend(by=alice, user_id=bob.user_id, circles=[family], note="")
    file_friend(by=alice, user_id=carol.user_id, circles=[family, "Work & fun"], note="")
    html = Html(log_in(alice).get("/circles"))
    links = {
        link["href"]: link.text
        for link in html.all("a")
        if link.attributes["href"].startswith("/friends?circle=")
    }
    assert links == {
        f"/friends?circle={choir_of(alice)}": "Choir 0 friends",
        f"/friends?circle={family}": "Family 2 friends",
        "/friends?circle=Work+%26+fun": "Work & fun 1 friend",
    }
    assert Html(log_in(bob).get("/circles")).all("ul", class_="circles") == []


@pytest.mark.usefixtures("friends")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("new_circle", "x" * 31),
        ("new_circle", "a\x00b"),
        ("note", "x" * 2001),
        ("circles", "Nowhere"),
    ],
)
def test_bad_input_is_refused_beside_its_field_and_kept(alice, bob, carol, log_in, field, value):
    file_friend(by=alice, user_id=carol.user_id, circles=["Family"], note="")
    response = log_in(alice).post(PAGE, {"note": "kept"} | {field: value})
    assert response.status_code == 422
    html = Html(response)
    assert html.error(field)
    assert field == "note" or html.value("note") == "kept"
    assert relationship(alice, bob).circles == ()


@pytest.mark.usefixtures("friends")
def test_more_than_fifty_circles_are_refused_in_words(alice, carol, log_in, monkeypatch):
    create_circle(by=alice, name="Family")
    monkeypatch.setattr(forms, "MOST_CIRCLES", 1)
    monkeypatch.setattr(writes, "MOST_CIRCLES", 1)
    browser = log_in(alice)
    assert "50 circles" in Html(browser.post("/circles", {"name": "Work"})).error("name")
    response = browser.post(PAGE, {"new_circle": "Work"})
    assert response.status_code == 422
    assert "50 circles" in Html(response).error("new_circle")
    assert browser.post(PAGE, {"new_circle": "family"}).status_code == 302
    assert sizes(alice) == {"Family": 1}


def test_only_friends_have_circles(alice, bob, log_in):
    for response in (log_in(alice).get(PAGE), log_in(alice).post(PAGE, {"new_circle": "X"})):
        assert response.status_code == 404
    assert log_in(alice).get("/@alice/circles").status_code == 400


@pytest.mark.usefixtures("friends")
def test_who_is_no_friend_any_more_has_neither_circle_nor_note(alice, bob, log_in):
    file_friend(by=alice, user_id=bob.user_id, circles=["Family"], note="likes tea")
    end_friendship(by=bob, user_id=alice.user_id)
    assert log_in(alice).get(PAGE).status_code == 404
    befriend(alice, bob)
    assert (relationship(alice, bob).circles, relationship(alice, bob).note) == ((), "")


@pytest.mark.usefixtures("friends")
def test_saving_leads_back_to_where_one_came_from(alice, log_in):
    address = f"{PAGE}?next=/friends%3Fcircle%3DFamily"
    assert log_in(alice).post(address, {})["Location"] == "/friends?circle=Family"
    assert log_in(alice).post(f"{PAGE}?next=//evil.example", {})["Location"] == "/"


@pytest.mark.engines("embedded", reason="the others report other capacity")
@pytest.mark.usefixtures("friends")
def test_filing_a_friend_is_one_update(alice, bob, measure):
    with measure() as meter:
        file_friend(by=alice, user_id=bob.user_id, circles=["Family"], note="")
    assert [(call.operation, call.units) for call in meter.calls] == [("UpdateItem", 3)]
