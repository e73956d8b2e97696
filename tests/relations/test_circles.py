"""Circles: names of one's own on friends, with a private note beside them."""

import threading

import pytest

from accounts.people.viewer import Viewer
from feed.cards.reads import get_post
from feed.posts.models import Audience
from feed.profiles.reads import list_posts
from feed.publishing.writes import publish_post
from relations import forms
from relations.friends import writes
from relations.friends.writes import (
    create_circle,
    delete_circle,
    end_friendship,
    file_friend,
    rename_circle,
)
from relations.reads import list_circles
from socialsite.table import NotFound, ids
from tests.conftest import HTMX
from tests.relations.scenes import befriend, relationship
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


# Creating, renaming and deleting circles, on their page and in its dialogs.

RENAME, DELETE = "/circles/rename?circle={}", "/circles/delete?circle={}"
LONG = "x" * 31


@pytest.fixture
def family(alice, bob, carol) -> str:
    """Alice's circle, in which Bob is."""
    befriend(alice, bob)
    befriend(alice, carol)
    circle_id = create_circle(by=alice, name="Family")
    file_friend(by=alice, user_id=bob.user_id, circles=[circle_id], note="")
    return circle_id


def circle_names(viewer: Viewer) -> list[str]:
    return [circle.name for circle in returning(viewer).circles]


def say(author: Viewer, circle_id: str) -> str:
    return publish_post(
        by=author, content="Hello", nonce=ids.new_id(), audience=Audience.CIRCLE, circle=circle_id
    )


def sees(viewer: Viewer, author: Viewer, post_id: str) -> bool:
    try:
        return bool(get_post(post_id, author.user_id, viewer=viewer))
    except NotFound:
        return False


# Creating


def test_a_circle_is_created_empty_and_listed(alice, log_in):
    browser = log_in(alice)
    response = browser.post("/circles", {"name": "Choir"})
    assert (response.status_code, response["Location"]) == (302, "/circles")
    assert circle_names(alice) == ["Choir"]
    assert "Choir 0 friends" in Html(browser.get("/circles")).one("ul", class_="circles").text


def test_over_htmx_the_list_comes_back_with_an_empty_form(alice, log_in):
    response = log_in(alice).post("/circles", {"name": "Choir"}, headers=HTMX)
    assert response.status_code == 200
    assert b"<html" not in response.content
    html = Html(response)
    assert "Choir" in html.one("ul", class_="circles").text
    assert html.value("name") == ""
    assert "Circle created." in response["HX-Trigger"]


def test_creating_it_again_finds_the_first(alice, log_in):
    browser = log_in(alice)
    for name in ("Choir", "Choir", "choir"):
        assert browser.post("/circles", {"name": name}).status_code == 302
    assert circle_names(alice) == ["Choir"]


@pytest.mark.parametrize("name", ["", "  ", LONG, "a\x00b"])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "fragment"])
def test_a_bad_name_is_refused_beside_its_field_and_kept(alice, log_in, name, headers):
    response = log_in(alice).post("/circles", {"name": name}, headers=headers)
    assert response.status_code == 422
    html = Html(response)
    assert html.error("name")
    assert html.value("name") == name or "\x00" in name
    assert circle_names(alice) == []


def test_two_windows_create_both(alice):
    barrier = threading.Barrier(2)

    def create(name: str) -> None:
        barrier.wait()
        create_circle(by=alice, name=name)

    threads = [threading.Thread(target=create, args=[name]) for name in ("One", "Two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert circle_names(alice) == ["One", "Two"]


# Renaming


def test_a_new_name_keeps_members_and_posts(alice, bob, log_in, family):
    post_id = say(alice, family)
    browser = log_in(alice)
    response = browser.post(RENAME.format(family), {"name": "Clan"})
    assert (response.status_code, response["Location"]) == (302, "/circles")
    assert [circle.name for circle in relationship(returning(alice), bob).circles] == ["Clan"]
    assert sees(bob, alice, post_id)
    card = get_post(post_id, alice.user_id, viewer=returning(alice))
    assert card.audience_text == "Circle Clan only"
    assert browser.post(RENAME.format(family), {"name": "Clan"}).status_code == 302
    assert circle_names(alice) == ["Clan"]


def test_the_page_and_the_dialog_ask_for_the_name(alice, log_in, family):
    for headers in ({}, HTMX):
        response = log_in(alice).get(RENAME.format(family), headers=headers)
        assert (b"<html" in response.content) == (not headers)
        assert Html(response).value("name") == "Family"
    assert circle_names(alice) == ["Family"]


@pytest.mark.parametrize("name", ["", LONG, "work"])
def test_a_name_that_is_bad_or_in_use_is_refused_and_kept(alice, log_in, family, name):
    create_circle(by=alice, name="Work")
    response = log_in(alice).post(RENAME.format(family), {"name": name})
    assert response.status_code == 422
    assert Html(response).one(id="rename_name_error").text
    assert Html(response).value("name") == name
    assert circle_names(alice) == ["Family", "Work"]


def test_only_the_case_of_a_name_may_change(alice, log_in, family):
    log_in(alice).post(RENAME.format(family), {"name": "FAMILY"})
    assert circle_names(alice) == ["FAMILY"]


# Deleting


def test_deleting_leaves_the_friends_and_keeps_its_posts_for_the_author(alice, bob, log_in, family):
    post_id = say(alice, family)
    assert sees(bob, alice, post_id)
    browser = log_in(alice)
    response = browser.post(DELETE.format(family))
    assert (response.status_code, response["Location"]) == (302, "/circles")
    assert circle_names(alice) == []
    assert relationship(returning(alice), bob).is_friend
    assert relationship(returning(alice), bob).circles == ()
    assert not sees(bob, alice, post_id)
    assert list_posts(bob.card, viewer=bob).items == []
    card = get_post(post_id, alice.user_id, viewer=returning(alice))
    assert card.audience_text == "For a circle you deleted"


def test_a_circle_of_the_same_name_does_not_open_old_posts(alice, bob, family):
    post_id = say(alice, family)
    delete_circle(by=alice, circle_id=family)
    again = create_circle(by=alice, name="Family")
    file_friend(by=alice, user_id=bob.user_id, circles=[again], note="")
    assert not sees(bob, alice, post_id)


def test_the_page_and_the_dialog_say_what_deleting_does(alice, log_in, family):
    for headers in ({}, HTMX):
        response = log_in(alice).get(DELETE.format(family), headers=headers)
        assert (b"<html" in response.content) == (not headers)
        text = Html(response).one("form", class_="confirm").text
        assert "1 friend leaves the circle and stays your friend." in text
        assert "only you can see them" in text
    assert circle_names(alice) == ["Family"]


def test_deleting_again_finds_nothing(alice, log_in, family):
    browser = log_in(alice)
    assert browser.post(DELETE.format(family)).status_code == 302
    assert browser.post(DELETE.format(family)).status_code == 404
    delete_circle(by=alice, circle_id=family)


def test_a_circle_larger_than_a_transaction_is_emptied(alice, bob, carol, family, monkeypatch):
    file_friend(by=alice, user_id=carol.user_id, circles=[family], note="")
    monkeypatch.setattr(writes, "TRANSACTION_LIMIT", 1)
    delete_circle(by=alice, circle_id=family)
    assert list_circles(returning(alice)) == {}
    assert relationship(alice, bob).circles == relationship(alice, carol).circles == ()


# Someone else's


@pytest.mark.parametrize("address", [RENAME, DELETE])
@pytest.mark.parametrize("wanted", ["", "01J00000000000000000000000", "theirs"])
def test_there_is_nothing_to_change_of_others(alice, bob, log_in, family, address, wanted):
    browser = log_in(bob)
    path = address.format(family if wanted == "theirs" else wanted)
    assert browser.get(path).status_code == 404
    assert browser.post(path, {"name": "Mine"}).status_code == 404
    with pytest.raises(NotFound):
        rename_circle(by=bob, circle_id=family, name="Mine")
    delete_circle(by=bob, circle_id=family)
    assert circle_names(alice) == ["Family"]
    assert [circle.name for circle in relationship(returning(alice), bob).circles] == ["Family"]


# From before circles had ids


def test_a_circle_that_is_its_own_id_can_be_renamed_and_deleted(alice, bob, carol, log_in, family):
    file_friend(by=alice, user_id=carol.user_id, circles=["Work & fun/2"], note="")
    post_id = say(alice, "Work & fun/2")
    path = "circle=Work+%26+fun%2F2"
    browser = log_in(alice)
    assert browser.post(f"/circles/rename?{path}", {"name": "Work"}).status_code == 302
    assert [circle.name for circle in relationship(returning(alice), carol).circles] == ["Work"]
    assert sees(carol, alice, post_id)
    assert browser.post(f"/circles/delete?{path}").status_code == 302
    assert not sees(carol, alice, post_id)


# Costs


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_changes_cost(alice, measure, family):
    def calls(change) -> list[tuple[str, float]]:
        with measure() as meter:
            change()
        return [(call.operation, call.units) for call in meter.calls]

    settings = [("GetItem", 1), ("UpdateItem", 1)]
    assert calls(lambda: create_circle(by=alice, name="Work")) == settings
    assert calls(lambda: rename_circle(by=alice, circle_id=family, name="Clan")) == settings
    emptied = [("Query", 0.5), ("TransactWriteItems", 4)]
    assert calls(lambda: delete_circle(by=alice, circle_id=family)) == [*emptied, *settings]
