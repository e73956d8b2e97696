"""Asking for a copy of one's data, seeing it made, and downloading it: with a proof each time, and nobody else."""

from datetime import timedelta

import pytest

from accounts.models import SignIn
from accounts.people.restrictions import Restriction
from accounts.profile.writes import pause_account
from accounts.sessions import hash_secret
from privacy.erasure.writes import close_account
from privacy.export.writes import AlreadyExported, delete_exports, get_export
from privacy.models import Export
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.models import JobKind
from socialsite.table import change, keys, query
from tests.conftest import HTMX, PASSWORD, post
from tests.moderation.restricting import restrict
from tests.privacy.exporting import FILE, OPEN, PAGE, Unpacked, ask, download, make, prove, state_of
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
        ask(alice)


def test_a_day_later_there_may_be_another(alice, log_in, drain_stream):
    ask(alice)
    make(drain_stream)
    change(Export, keys.export(alice.user_id), [Export.ttl.set(utc_now() - timedelta(seconds=1))])
    assert Html(log_in(alice).get(PAGE)).one("form", action=PAGE)
    ask(alice)
    make(drain_stream)
    assert state_of(alice).is_ready


def test_a_broken_download_goes_on_where_it_broke_off(alice, log_in, drain_stream):
    ask(alice)
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
    ask(alice)
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
    ask(alice)
    make(drain_stream)
    browser, other = log_in(alice), log_in(alice)
    prove(browser)
    browser.post(OPEN)
    assert other.get(FILE)["Location"] == PAGE


def test_after_a_change_of_password_nobody_else_downloads(alice, log_in, drain_stream):
    ask(alice)
    make(drain_stream)
    thief, browser = log_in(alice), log_in(alice)
    prove(thief)
    thief.post(OPEN)
    form = {"password": PASSWORD, "new_password": "another long one here"}
    assert browser.post("/settings/password", form).status_code == 302
    assert thief.get(FILE)["Location"].startswith("/login")


def test_the_export_of_someone_else_is_out_of_reach(alice, bob, log_in, drain_stream):
    ask(alice)
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
    ask(alice)
    make(drain_stream)
    close_account(by=alice, at_once=True)
    do_due()
    assert list(exports_folder.iterdir()) == []
    assert get_export(alice.user_id) is None


def test_deleting_all_exports_leaves_nothing(alice, log_in, drain_stream, exports_folder):
    ask(alice)
    make(drain_stream)
    browser = log_in(alice)
    prove(browser)
    browser.post(OPEN)
    for _ in range(2):
        delete_exports(alice.user_id)
    assert browser.get(FILE)["Location"] == PAGE
    assert list(exports_folder.iterdir()) == []
