"""Exports and old posts, on their pages."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import SignIn
from accounts.people.restrictions import Restriction
from accounts.profile.writes import pause_account
from accounts.sessions import hash_secret
from privacy.erasure.writes import close_account
from privacy.export.writes import AlreadyExported, delete_exports, get_export
from privacy.models import Export
from privacy.old_posts import views
from privacy.old_posts.reads import get_old_posts
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.models import JobKind
from socialsite.table import change, keys, query
from tests.accounts.test_proof import make_old
from tests.conftest import HTMX, PASSWORD, post
from tests.feed.scenes import answer
from tests.looks import due_items
from tests.moderation.cases import restrict
from tests.privacy.lives import (
    FILE,
    OPEN,
    PAGE,
    Unpacked,
    a_day_of_work,
    ask_for_export_of,
    download,
    make,
    old_post,
    old_repost,
    own,
    prove,
    state_of,
    wish,
)
from tests.streams.crowd import jobs
from tests.web.html import Html

LONG_AGO = (utc_now() - timedelta(minutes=11)).isoformat()


def forget_proof(viewer) -> None:
    for raw in query(keys.sign_ins(viewer.user_id), consistent=True):
        key = keys.sign_in(viewer.user_id, raw["secret_hash"]["S"])
        change(SignIn, key, [SignIn.proved_at.set(LONG_AGO)])


def test_from_asking_to_the_file(alice, log_in, drain_stream):
    post(alice, "Mine")
    browser = log_in(alice)
    assert PAGE in browser.get("/settings/data").content.decode()
    sent = browser.post(PAGE)
    assert sent["Location"] == "/confirm?next=%2Fsettings%2Fexport&again=1"
    assert not jobs(JobKind.EXPORT)
    prove(browser)
    assert browser.post(PAGE)["Location"] == PAGE
    waiting = Html(browser.get(PAGE, headers=HTMX)).one("div", id="export")
    assert waiting["hx-trigger"] == "every 3s"
    assert Html(browser.get(PAGE)).one("progress")["value"] == "0"
    make(drain_stream)
    page = Html(browser.get(PAGE))
    assert "hx-trigger" not in page.one("div", id="export").attributes
    assert page.one("form", action=OPEN)
    opened = browser.post(OPEN)
    assert (opened.status_code, opened["Location"]) == (302, FILE)
    answer = browser.get(FILE)
    assert answer["Content-Type"] == "application/zip"
    assert answer["Cache-Control"] == "private, no-store"
    assert answer["Content-Disposition"].startswith('attachment; filename="socialsite-2')
    unpacked = Unpacked(answer.getvalue())
    assert [one["text"] for one in unpacked.items("posts")] == ["Mine"]
    assert unpacked.manifest["site"] == "http://testserver"


def test_asking_twice_makes_one_and_says_so(alice, log_in, drain_stream):
    browser = log_in(alice)
    prove(browser)
    for _ in range(2):
        assert browser.post(PAGE)["Location"] == PAGE
    assert "You already asked for a copy." in browser.get(PAGE).content.decode()
    assert len(jobs(JobKind.EXPORT)) == 1
    make(drain_stream)
    with pytest.raises(AlreadyExported):
        ask_for_export_of(alice)


def test_a_day_later_there_may_be_another(alice, log_in, drain_stream):
    ask_for_export_of(alice)
    make(drain_stream)
    change(Export, keys.export(alice.user_id), [Export.ttl.set(utc_now() - timedelta(seconds=1))])
    assert Html(log_in(alice).get(PAGE)).one("form", action=PAGE)
    ask_for_export_of(alice)
    make(drain_stream)
    assert state_of(alice).is_ready


def test_a_broken_download_goes_on_where_it_broke_off(alice, log_in, drain_stream):
    ask_for_export_of(alice)
    make(drain_stream)
    browser = log_in(alice)
    prove(browser)
    browser.post(OPEN)
    whole = browser.get(FILE)
    content = whole.getvalue()
    size = len(content)
    rest = browser.get(FILE, headers={"Range": "bytes=100-", "If-Range": whole["ETag"]})
    assert (rest.status_code, rest["Content-Range"]) == (206, f"bytes 100-{size - 1}/{size}")
    assert content[:100] + rest.getvalue() == content
    assert download(browser, Range="bytes=5-9") == content[5:10]
    other = {"Range": "bytes=100-", "If-Range": '"another file"'}
    assert browser.get(FILE, headers=other).status_code == 200
    assert browser.get(FILE, headers={"Range": f"bytes={size}-"}).status_code == 416
    assert browser.get(FILE, headers={"Range": "lines=1-2"}).getvalue() == content


def test_a_download_takes_a_fresh_proof_and_is_open_for_ten_minutes(alice, log_in, drain_stream):
    ask_for_export_of(alice)
    make(drain_stream)
    browser = log_in(alice)
    assert browser.get(FILE)["Location"] == PAGE
    assert browser.post(OPEN)["Location"].startswith("/confirm")
    prove(browser)
    forget_proof(alice)
    assert browser.post(OPEN)["Location"].startswith("/confirm")
    prove(browser)
    assert browser.post(OPEN)["Location"] == FILE
    assert browser.get(FILE).status_code == 200
    change(Export, keys.export(alice.user_id), [Export.granted_until.set(LONG_AGO)])
    browser.post(OPEN)  # with the same proof
    assert browser.get(FILE)["Location"] == PAGE


def test_another_browser_of_the_same_person_takes_its_own_proof(alice, log_in, drain_stream):
    ask_for_export_of(alice)
    make(drain_stream)
    browser, other = log_in(alice), log_in(alice)
    prove(browser)
    browser.post(OPEN)
    assert other.get(FILE)["Location"] == PAGE


def test_after_a_change_of_password_nobody_else_downloads(alice, log_in, drain_stream):
    ask_for_export_of(alice)
    make(drain_stream)
    thief, browser = log_in(alice), log_in(alice)
    prove(thief)
    thief.post(OPEN)
    form = {"password": PASSWORD, "new_password": "another long one here"}
    assert browser.post("/settings/password", form).status_code == 302
    assert thief.get(FILE)["Location"].startswith("/login")


def test_the_export_of_someone_else_is_out_of_reach(alice, bob, log_in, drain_stream):
    ask_for_export_of(alice)
    make(drain_stream)
    browser = log_in(bob)
    prove(browser)
    assert browser.post(OPEN).status_code == 404
    assert browser.get(FILE)["Location"] == PAGE
    assert Html(browser.get(PAGE)).one("form", action=PAGE)
    # Not even with a grant that names the same secret.
    secret_hash = hash_secret(browser.session["secret"])
    grant = [Export.granted_to.set(secret_hash), Export.granted_until.set("9999")]
    change(Export, keys.export(alice.user_id), grant)
    assert browser.get(FILE)["Location"] == PAGE


def test_looking_asks_for_nothing(alice, log_in):
    browser = log_in(alice)
    prove(browser)
    assert browser.get(PAGE).status_code == 200
    assert not jobs(JobKind.EXPORT)


@pytest.mark.parametrize("state", ["suspended", "paused"])
def test_people_who_are_locked_out_take_their_data_along(alice, log_in, drain_stream, state):
    browser = log_in(alice)
    if state == "suspended":
        restrict(alice, Restriction.SUSPENDED)
    else:
        pause_account(by=alice)
    assert PAGE in browser.get("/standing").content.decode()
    prove(browser)
    assert browser.post(PAGE)["Location"] == PAGE
    make(drain_stream)
    assert browser.post(OPEN)["Location"] == FILE
    assert Unpacked(download(browser)).items("profile")[0]["handle"] == "alice"


def test_an_export_goes_with_the_account(alice, drain_stream, exports_folder):
    ask_for_export_of(alice)
    make(drain_stream)
    close_account(by=alice, at_once=True)
    do_due()
    assert list(exports_folder.iterdir()) == []
    assert get_export(alice.user_id) is None


def test_deleting_all_exports_leaves_nothing(alice, log_in, drain_stream, exports_folder):
    ask_for_export_of(alice)
    make(drain_stream)
    browser = log_in(alice)
    prove(browser)
    browser.post(OPEN)
    for _ in range(2):
        delete_exports(alice.user_id)
    assert browser.get(FILE)["Location"] == PAGE
    assert list(exports_folder.iterdir()) == []


# The pages about old posts: what would go, a fresh proof before anything goes, and how far the worker has got.

OLD_POSTS_PAGE = "/settings/old-posts"
WISH, KEEP, DELETE, STOP = (f"{OLD_POSTS_PAGE}/{one}" for one in ("wish", "keep", "delete", "stop"))
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
    assert Html(browser.get("/settings/privacy")).all("a", href=OLD_POSTS_PAGE)
    page = browser.get(OLD_POSTS_PAGE)
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
    assert due_items() == []
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
    assert due_items() == []
    hidden = [(one["name"], one["value"]) for one in Html(page).all("input", type="hidden")]
    sent = {name: [v for n, v in hidden if n == name] for name, _ in hidden}
    assert {name: sent[name] for name in WISHED} == WISHED | {"days": ["30"]}

    answered = browser.post(WISH, sent)
    assert (answered.status_code, answered["Location"]) == (302, OLD_POSTS_PAGE)
    assert browser.post(WISH, sent).status_code == 302
    assert len(due_items()) == 1
    page = browser.get(OLD_POSTS_PAGE)
    assert "On: your posts go once they’re older than 1 month." in text(page)
    assert Html(page).one("div", id="old-posts")["hx-trigger"] == "every 3s"
    a_day_of_work(drain_stream)
    assert len(own(alice)) == 1
    part = browser.get(OLD_POSTS_PAGE, headers=HTMX)
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
        assert browser.post(KEEP)["Location"] == OLD_POSTS_PAGE
    assert due_items() == []
    assert "On: your posts" not in text(browser.get(OLD_POSTS_PAGE))


def test_all_posts_are_deleted_with_progress(alice, bob, proven, drain_stream):
    post(alice), post(alice), answer(alice, bob, post(bob))
    browser = proven(alice)
    html = Html(browser.get(DELETE))
    assert html.one("ul", class_="counts").text == "2 posts 1 reply"
    assert "checked" not in html.one("input", name="sure").attributes
    assert browser.post(DELETE, ALL)["Location"] == OLD_POSTS_PAGE
    page = browser.get(OLD_POSTS_PAGE)
    assert "We’re deleting your posts. 0 are gone." in text(page)
    assert not Html(page).all("a", href=DELETE)
    assert browser.post(DELETE, ALL).status_code == 409
    assert browser.post(WISH, WISHED).status_code == 409
    drain_stream()
    assert "Deleted: 3." in text(browser.get(OLD_POSTS_PAGE))
    assert own(alice) == []
    assert "You haven’t posted anything yet." in text(browser.get(DELETE))


def test_deleting_can_be_stopped(alice, log_in, drain_stream):
    kept = post(alice)
    wish(alice, 7)
    do_due()
    browser = log_in(alice)
    assert Html(browser.get(OLD_POSTS_PAGE)).all("button", formaction=STOP)
    assert browser.get(STOP).status_code == 405
    for _ in range(2):
        assert browser.post(STOP)["Location"] == OLD_POSTS_PAGE
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
    assert due_items() == []


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
    assert len(due_items()) == 1


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
        (OLD_POSTS_PAGE, [*viewer, "BatchGetItem"]),
        (DELETE, [*viewer, "Query", "BatchGetItem"]),
        (f"{WISH}?days=30&kinds=posts&kept=saved", [*viewer, "Query", "BatchGetItem"]),
    ):
        with measure() as meter:
            assert browser.get(address).status_code == 200
        assert [call.operation for call in meter.calls] == calls
    assert sum(call.units for call in meter.calls[1:]) <= 2 + 0.5 + 30 * 0.5
