"""First steps after signing up: a picture and some words, three people, and on to the timeline. None is a must."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.people.reads import get_user_info
from accounts.profile.writes import edit_profile
from relations.follows.writes import follow
from tests.accounts.pictures import encode, halves
from tests.conftest import HTMX, PASSWORD, post
from tests.web.html import Html

DORA = {"handle": "dora", "name": "Dora", "email": "dora@example.org", "password": PASSWORD}


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def picture(content: bytes = b"") -> SimpleUploadedFile:
    return SimpleUploadedFile("me.png", content or encode(halves((40, 40)), "PNG"))


def progress(browser: Client, path: str = "/welcome", **extra) -> str:
    return Html(browser.get(path, **extra)).one(id="welcome-progress").text


def test_signing_up_leads_to_the_first_steps_and_they_to_the_timeline(table):
    browser = Client()
    assert browser.post("/signup", DORA)["Location"] == "/welcome"
    page = Html(browser.get("/welcome"))
    assert "Good to have you, Dora" in page.one("main").text
    assert page.one("a", class_="button", href="/").text == "Go to your timeline"


def test_picture_and_words_are_saved_and_the_rest_of_the_profile_stays(alice, log_in):
    edit_profile(by=alice, name="Alice Archer", bio="", location="Leipzig")
    browser = log_in(alice)
    for _ in range(2):
        response = browser.post("/welcome", {"bio": "Walks far", "avatar": picture()})
        assert (response.status_code, response["Location"]) == (302, "/welcome")
    card = get_user_info(alice.user_id)
    assert (card.name, card.bio, card.location) == ("Alice Archer", "Walks far", "Leipzig")
    assert card.avatar_url
    page = Html(browser.get("/welcome"))
    assert page.value("bio") == "Walks far"
    assert "Profile saved." in page.one(id="toasts").text


def test_words_alone_leave_the_picture(alice, log_in):
    browser = log_in(alice)
    browser.post("/welcome", {"bio": "", "avatar": picture()})
    browser.post("/welcome", {"bio": "Walks far"})
    assert get_user_info(alice.user_id).avatar_url


@pytest.mark.parametrize(
    ("field", "sent"),
    [("bio", {"bio": "x" * 501}), ("avatar", {"bio": "Kept", "avatar": picture(b"no picture")})],
)
def test_what_cannot_be_is_said_beside_its_field_and_the_words_stay(alice, log_in, field, sent):
    response = log_in(alice).post("/welcome", sent)
    page = Html(response)
    assert response.status_code == 422
    assert page.error(field)
    assert page.value("bio") == sent["bio"]
    assert get_user_info(alice.user_id).bio == ""


def test_people_who_post_are_there_to_be_followed_and_one_comes_back(
    alice, bob, log_in, drain_stream
):
    post(bob)
    drain_stream()
    browser = log_in(alice)
    button = Html(browser.get("/welcome")).one("button", id=f"follow-{bob.user_id}")
    response = browser.post(button["formaction"], {"on": "1"})
    assert response["Location"] == "/welcome"


@pytest.mark.parametrize("target", ["//elsewhere.example", "https://elsewhere.example", "\\\\x"])
def test_following_never_leads_to_another_site(alice, bob, log_in, target):
    response = log_in(alice).post(f"/@bob/follow?next={target}", {"on": "1"})
    assert response["Location"] == "/"


def test_the_progress_counts_to_three(alice, bob, carol, mod, log_in):
    browser = log_in(alice)
    assert progress(browser) == "0 of 3"
    follow(by=alice, user_id=bob.user_id)
    assert progress(browser) == "1 of 3"
    assert progress(browser, "/welcome/progress", headers=HTMX) == "1 of 3"
    for other in (carol, mod):
        follow(by=alice, user_id=other.user_id)
    assert progress(browser).startswith("Done.")


def test_a_follow_tells_the_page_to_look_at_the_progress(alice, bob, log_in):
    step = Html(log_in(alice).get("/welcome")).one("div", hx_get="/welcome/progress")
    answer = log_in(alice).post("/@bob/follow", {"on": "1"}, headers=HTMX)
    assert step["hx-trigger"] == "followed from:body"
    assert "followed" in answer["HX-Trigger"]


def test_the_progress_alone_is_the_page(alice, log_in):
    assert log_in(alice).get("/welcome/progress")["Location"] == "/welcome"


def test_the_steps_keep_to_their_calls(alice, log_in, measure):
    browser = log_in(alice)
    for path, most in (("/welcome", 11), ("/welcome/progress", 2)):
        with measure() as meter:
            browser.get(path, headers=HTMX)
        assert len(meter.calls) <= most
        assert all(call.is_read for call in meter.calls)
