"""The pages about old posts: what would go, a fresh proof before anything goes, and how far the worker has got."""

from dataclasses import replace

import pytest
from django.test import Client

from privacy.old_posts import views
from privacy.old_posts.reads import get_old_posts
from socialsite.due.work import do_due
from socialsite.streams.models import JobKind
from tests.accounts.test_prove_identity import make_old
from tests.conftest import HTMX, PASSWORD, post
from tests.feed.answers import answer
from tests.privacy.old import a_day_of_work, old_post, old_repost, own, planned, wish
from tests.streams.crowd import jobs
from tests.web.html import Html

PAGE = "/settings/old-posts"
WISH, KEEP, DELETE, STOP = (f"{PAGE}/{one}" for one in ("wish", "keep", "delete", "stop"))
WISHED = {"days": "30", "kinds": ["posts", "replies", "reposts"], "kept": ["pinned"]}
ALL = {"kinds": ["posts", "replies", "reposts"], "sure": "on"}


@pytest.fixture
def proven(log_in):
    """Her browser, in which she has just confirmed who she is."""

    def sign_in(viewer) -> Client:
        browser = log_in(viewer)
        browser.post("/confirm", {"password": PASSWORD})
        return browser

    return sign_in


def text(answered) -> str:
    return Html(answered).one("main").text


def test_privacy_settings_lead_there_and_nothing_is_on_at_first(alice, log_in):
    browser = log_in(alice)
    assert Html(browser.get("/settings/privacy")).all("a", href=PAGE)
    page = browser.get(PAGE)
    html = Html(page)
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    assert [one["value"] for one in html.all("option")] == ["7", "30", "90", "365", "730"]
    assert "Turn off" not in text(page)
    assert "Last run" not in text(page)
    assert "hx-trigger" not in html.one("div", id="old-posts").attributes


@pytest.mark.parametrize(
    ("address", "sent"), [(WISH, WISHED), (DELETE, ALL)], ids=["wish", "delete"]
)
def test_nothing_goes_without_a_fresh_proof(alice, log_in, proven, address, sent):
    post(alice)
    browser = log_in(alice)
    opened = browser.get(address, sent)["Location"]
    assert opened.startswith("/confirm?next=%2Fsettings%2Fold-posts%2F")
    assert "again" not in opened
    assert browser.post(address, sent)["Location"].endswith("&again=1")
    browser = proven(alice)
    make_old(alice, browser, minutes=11)
    assert browser.post(address, sent)["Location"].startswith("/confirm")
    assert planned() == []
    assert not jobs(JobKind.DELETE_POSTS)


def test_the_wish_is_shown_before_it_is_turned_on(alice, bob, proven, drain_stream):
    theirs = post(bob)
    for _ in range(2):
        old_post(alice)
    old_repost(alice, bob, theirs)
    answer(alice, bob, theirs)
    browser = proven(alice)
    page = browser.get(WISH, WISHED)
    assert "older than 1 month" in text(page)
    assert Html(page).one("ul", class_="counts").text == "2 posts 1 repost"
    assert planned() == []
    hidden = [(one["name"], one["value"]) for one in Html(page).all("input", type="hidden")]
    sent = {name: [v for n, v in hidden if n == name] for name, _ in hidden}
    assert {name: sent[name] for name in WISHED} == WISHED | {"days": ["30"]}

    answered = browser.post(WISH, sent)
    assert (answered.status_code, answered["Location"]) == (302, PAGE)
    assert browser.post(WISH, sent).status_code == 302
    assert len(planned()) == 1
    page = browser.get(PAGE)
    assert "On: your posts go once they’re older than 1 month." in text(page)
    assert Html(page).one("div", id="old-posts")["hx-trigger"] == "every 3s"
    a_day_of_work(drain_stream)
    assert len(own(alice)) == 1
    part = browser.get(PAGE, headers=HTMX)
    assert Html(part).elements[0]["id"] == "old-posts"
    assert "Deleted: 3." in part.content.decode()
    assert "Next run: " in part.content.decode()
    assert "hx-trigger" not in Html(part).one("div", id="old-posts").attributes
    assert Html(part).one("option", value="30")["selected"] == ""
    ticked = [one["value"] for one in Html(part).all("input", checked="")]
    assert ticked == [*WISHED["kinds"], *WISHED["kept"]]


def test_it_can_be_turned_off_without_a_proof(alice, log_in):
    wish(alice)
    browser = log_in(alice)
    assert browser.get(KEEP).status_code == 405
    for _ in range(2):
        assert browser.post(KEEP)["Location"] == PAGE
    assert planned() == []
    assert "On: your posts" not in text(browser.get(PAGE))


def test_all_posts_are_deleted_with_progress(alice, bob, proven, drain_stream):
    post(alice), post(alice), answer(alice, bob, post(bob))
    browser = proven(alice)
    html = Html(browser.get(DELETE))
    assert html.one("ul", class_="counts").text == "2 posts 1 reply"
    assert "checked" not in html.one("input", name="sure").attributes
    assert browser.post(DELETE, ALL)["Location"] == PAGE
    page = browser.get(PAGE)
    assert "We’re deleting your posts. 0 are gone." in text(page)
    assert not Html(page).all("a", href=DELETE)
    assert browser.post(DELETE, ALL).status_code == 409
    assert browser.post(WISH, WISHED).status_code == 409
    drain_stream()
    assert "Deleted: 3." in text(browser.get(PAGE))
    assert own(alice) == []
    assert "You haven’t posted anything yet." in text(browser.get(DELETE))


def test_deleting_can_be_stopped(alice, log_in, drain_stream):
    kept = post(alice)
    wish(alice, 7)
    do_due()
    browser = log_in(alice)
    assert Html(browser.get(PAGE)).all("button", formaction=STOP)
    assert browser.get(STOP).status_code == 405
    for _ in range(2):
        assert browser.post(STOP)["Location"] == PAGE
    assert not jobs(JobKind.DELETE_POSTS)
    drain_stream()
    assert own(alice) == [kept]
    assert get_old_posts(alice).days == 7


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"days": "31"}, "days"),
        ({"days": "x" * 99}, "days"),
        ({"days": ""}, "days"),
        ({"kinds": []}, "kinds"),
        ({"kinds": ["pinned"]}, "kinds"),
        ({"kept": ["posts"]}, "kept"),
    ],
)
def test_another_wish_is_refused_beside_its_field(alice, proven, sent, field):
    browser = proven(alice)
    for answered in (browser.get(WISH, WISHED | sent), browser.post(WISH, WISHED | sent)):
        assert answered.status_code == 422
        assert Html(answered).error(field)
    assert planned() == []


@pytest.mark.parametrize("sent", [{"sure": ""}, {"kinds": []}])
def test_deleting_all_asks_to_be_sure(alice, proven, sent):
    post(alice)
    answered = proven(alice).post(DELETE, ALL | sent)
    assert answered.status_code == 422
    assert Html(answered).error(*sent)
    assert not jobs(JobKind.DELETE_POSTS)


def test_nobody_turns_it_off_for_others(alice, bob, log_in):
    wish(alice)
    log_in(bob).post(KEEP)
    assert len(planned()) == 1


@pytest.mark.parametrize("address", [WISH, DELETE])
def test_asking_again_and_again_is_limited(alice, proven, monkeypatch, address):
    post(alice)
    monkeypatch.setattr(views, "POSTS", replace(views.POSTS, hits=1))
    browser, sent = proven(alice), WISHED | ALL
    assert browser.post(address, sent).status_code == 302
    assert browser.post(address, sent).status_code == 429


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_the_pages_cost(alice, proven, measure):
    for _ in range(30):
        old_post(alice)
    browser = proven(alice)
    viewer = ("BatchGetItem",)
    for address, calls in (
        (PAGE, [*viewer, "BatchGetItem"]),
        (DELETE, [*viewer, "Query", "BatchGetItem"]),
        (f"{WISH}?days=30&kinds=posts&kept=saved", [*viewer, "Query", "BatchGetItem"]),
    ):
        with measure() as meter:
            assert browser.get(address).status_code == 200
        assert [call.operation for call in meter.calls] == calls
    assert sum(call.units for call in meter.calls[1:]) <= 2 + 0.5 + 30 * 0.5
