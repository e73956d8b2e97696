"""One's profile is edited in place of its header; without htmx it stays a page of its own."""

import json

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from tests.accounts.pictures import encode, halves
from tests.conftest import HTMX
from tests.web.html import Html

FORM = {"name": "Alice Neu", "bio": "Walks far", "location": "Leipzig"}


@pytest.fixture
def browser(alice, log_in) -> Client:
    return log_in(alice)


def send(browser: Client, **changes: str):
    return browser.post("/settings/profile", FORM | changes, headers=HTMX)


def test_the_button_asks_for_the_form_in_place_of_the_header(browser):
    page = Html(browser.get("/@alice"))
    button = page.one("a", id="edit-profile")
    assert button["href"] == button["hx-get"] == "/settings/profile"
    assert button["hx-target"] == f"#{page.one('header', class_='profile')['id']}"
    assert not button.attributes.get("autofocus")


def test_on_the_profile_of_another_there_is_no_such_button(browser, bob):
    assert not Html(browser.get("/@bob")).all(id="edit-profile")


def test_the_form_comes_as_a_fragment_that_sends_itself_with_its_picture(browser):
    fragment = Html(browser.get("/settings/profile", headers=HTMX))
    form = fragment.one("form")
    assert form["id"] == "profile"
    assert form["hx-post"] == form["action"] == "/settings/profile"
    assert form["hx-encoding"] == form["enctype"] == "multipart/form-data"
    assert fragment.value("name") == "Alice Archer"
    assert not fragment.all("html")


def test_cancelling_brings_the_header_back(browser):
    cancel = Html(browser.get("/settings/profile", headers=HTMX)).one("a", class_="button")
    fragment = Html(browser.get(cancel["hx-get"], headers=HTMX))
    assert fragment.one("header")["id"] == "profile"
    assert "autofocus" in fragment.one("a", id="edit-profile").attributes
    assert cancel["href"] == "/@alice"


def test_saving_brings_the_new_header_the_heading_and_a_toast(browser, alice):
    for _ in range(2):
        response = send(browser)
        fragment = Html(response)
        assert response.status_code == 200
        assert fragment.one("h2", class_="profile-name").text == FORM["name"]
        assert fragment.one(id="profile-heading")["hx-swap-oob"] == "true"
        assert "saved" in json.dumps(json.loads(response["HX-Trigger"])["toast"])
    card = get_user_info(alice.user_id)
    assert (card.name, card.bio, card.location) == tuple(FORM.values())


def test_a_picture_is_saved_in_place_too(browser, upload, media):
    content = encode(halves((40, 40)), "PNG")
    upload(browser, content)
    header = Html(browser.get("/settings/profile/header", headers=HTMX))
    assert header.one("img", class_="avatar")["src"].endswith(".webp")


def test_what_is_refused_comes_back_with_what_was_typed_and_the_summary_first(browser, alice):
    response = send(browser, name="", bio="Half a thought")
    fragment = Html(response)
    assert response.status_code == 422
    assert fragment.error("name")
    assert fragment.value("bio") == "Half a thought"
    focused = [element for element in fragment.elements if "autofocus" in element.attributes]
    assert [element.attributes.get("role") for element in focused] == ["alert"]
    assert fragment.one("form")["hx-post"] == "/settings/profile"
    assert get_user_info(alice.user_id).name == "Alice Archer"


def test_without_htmx_the_form_is_a_page_and_the_header_the_profile(browser):
    page = Html(browser.get("/settings/profile"))
    assert page.all("html")
    assert not page.one("form", id="profile").attributes.get("hx-post")
    assert browser.get("/settings/profile/header")["Location"] == "/@alice"


def test_opening_and_saving_keep_to_their_calls(browser, measure):
    for path in ("/settings/profile", "/settings/profile/header"):
        with measure() as meter:
            browser.get(path, headers=HTMX)
        assert [call.operation for call in meter.calls] == ["BatchGetItem", "Query"]
    with measure() as meter:
        send(browser)
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "UpdateItem", "Query"]


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_was_just_saved_is_read_consistently(browser, measure):
    with measure() as meter:
        send(browser)
    assert [call.units for call in meter.calls if call.operation == "Query"] == [1]
