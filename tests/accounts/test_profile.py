"""Editing one's profile and handle, in place or on a page, and whom a bio mentions."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import regex
from django.test import Client

from accounts.checks import PeopleInvariants
from accounts.models import HandleClaim, SignIn, UserInfo, UserSettings
from accounts.people.reads import (
    MOST_MENTIONS,
    HandleTaken,
    find_mentioned,
    find_user_by_handle,
    get_own_handles,
    get_user_info,
    is_handle_free,
)
from accounts.profile import writes
from accounts.profile.writes import ChangedTooOften, change_handle, edit_profile
from feed.posts.models import Post
from socialsite.table import Item, NotFound, change, get, keys
from socialsite.table.reading import scan
from tests.accounts.pictures import encode, halves
from tests.accounts.scenes import bury, in_browser, let_expire, rename
from tests.conftest import HTMX, PASSWORD, person, post
from tests.web.html import Html, shown_name

FORM = {"name": "Alice Ärcher 陈", "bio": "Line one\nline two", "location": "Zürich"}


def edit(browser: Client, **changes: str):
    return browser.post("/settings/profile", FORM | changes)


def test_the_form_shows_what_is_there(alice, log_in):
    browser = log_in(alice)
    edit(browser)
    page = Html(browser.get("/settings/profile"))
    assert {name: page.value(name) for name in FORM} == FORM


def test_saving_changes_the_profile(alice, log_in):
    browser = log_in(alice)
    response = edit(browser)
    assert (response.status_code, response["Location"]) == (302, "/@alice")
    card = get_user_info(alice.user_id)
    assert (card.name, card.bio, card.location) == tuple(FORM.values())
    page = browser.get("/@alice")
    assert shown_name(page) == FORM["name"]
    assert "Profile saved." in Html(page).one(id="toasts").text


def test_saving_over_htmx_does_the_same(alice, log_in):
    browser = log_in(alice)
    assert browser.post("/settings/profile", FORM, headers=HTMX).status_code == 200
    assert get_user_info(alice.user_id).name == FORM["name"]


def test_saving_twice_changes_nothing_more(alice, log_in):
    browser = log_in(alice)
    edit(browser)
    once = get_user_info(alice.user_id)
    assert edit(browser).status_code == 302
    assert get_user_info(alice.user_id) == once


def test_what_is_emptied_is_gone(alice, log_in):
    browser = log_in(alice)
    edit(browser)
    edit(browser, bio="", location="")
    card = get_user_info(alice.user_id)
    assert (card.name, card.bio, card.location) == (FORM["name"], "", "")


def test_one_edits_nobody_but_oneself(alice, bob, log_in):
    edit(log_in(alice), user_id=bob.user_id, handle="bob")
    assert get_user_info(bob.user_id).name == "Bob Brandt"
    assert get_user_info(alice.user_id).handle == "alice"


def test_fields_that_the_form_does_not_have_change_nothing(alice, log_in):
    edit(log_in(alice), role="admin", imageUrl="avatars/x.webp", followers="99")
    card = get_user_info(alice.user_id)
    assert (card.role, card.avatar_url, card.followers) == ("", "", 0)


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("name", ""),
        ("name", "n" * 51),
        ("name", "\x07\u202e"),
        ("bio", "b" * 501),
        ("bio", "a" + "\u0300" * 9),
        ("location", "l" * 61),
        ("location", "two\nlines"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field_and_all_of_it_stays(alice, log_in, field, typed):
    browser = log_in(alice)
    response = edit(browser, **{field: typed})
    page = Html(response)
    assert response.status_code == 422
    assert page.error(field)
    for name, value in (FORM | {field: typed}).items():
        assert page.value(name) == value
        assert bool(page.error(name)) is (name == field)
    assert get_user_info(alice.user_id).name == "Alice Archer"


def test_length_is_counted_as_people_count(alice, log_in):
    flag = "🇪🇺"
    browser = log_in(alice)
    assert edit(browser, name="é" * 50).status_code == 302
    assert edit(browser, bio=flag * 100).status_code == 302
    response = edit(browser, name="e\u0301" * 51)
    assert "up to 50 characters (this has 51)" in Html(response).error("name")


@pytest.mark.parametrize("word", ["नमस्ते", "สวัสดีครับ", "வணக்கம்", "🇪🇺"])
def test_text_within_the_limit_is_accepted_in_every_script(alice, log_in, word):
    text = (word + " ") * 500
    while count(text) > 490:
        text = text[: -len(word) - 1]
    assert edit(log_in(alice), bio=text.strip()).status_code == 302


def test_no_refusal_speaks_of_a_length_within_the_limit(alice, log_in):
    families = "👩‍👩‍👧‍👧" * 480
    message = Html(edit(log_in(alice), bio=families)).error("bio")
    assert "this has 480" not in message


def count(text: str) -> int:
    return len(regex.findall(r"\X", text))


def test_the_settings_page_is_never_kept_by_a_cache(alice, log_in):
    browser = log_in(alice)
    for response in (browser.get("/settings/profile"), edit(browser, name="")):
        assert response["Cache-Control"] == "no-store"


INLINE_FORM = {"name": "Alice Neu", "bio": "Walks far", "location": "Leipzig"}


# One's profile is edited in place of its header; without htmx it stays a page of its own.


@pytest.fixture
def browser(alice, log_in) -> Client:
    return log_in(alice)


def send(browser: Client, **changes: str):
    return browser.post("/settings/profile", INLINE_FORM | changes, headers=HTMX)


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
        assert fragment.one("h2", class_="profile-name").text == INLINE_FORM["name"]
        assert fragment.one(id="profile-heading")["hx-swap-oob"] == "true"
        assert "saved" in json.dumps(json.loads(response["HX-Trigger"])["toast"])
    card = get_user_info(alice.user_id)
    assert (card.name, card.bio, card.location) == tuple(INLINE_FORM.values())


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


# Whom a post or a bio mentions is looked up when it is written: only people who are there are linked.


def test_people_are_found_by_handle_in_one_call(alice, bob, measure):
    with measure() as meter:
        found = find_mentioned("@Alice, @bob, @nobody_here and @alice")
    assert found == {"alice": alice.user_id, "bob": bob.user_id}
    assert [call.operation for call in meter.calls] == ["BatchGetItem"]


def test_a_text_without_mentions_costs_nothing(table, measure):
    with measure() as meter:
        assert find_mentioned("me@bob.example, https://a.example/@bob") is None
    assert not meter.calls


def test_at_most_ten_are_looked_up(table):
    people = [person(f"person_{number}") for number in range(MOST_MENTIONS + 1)]
    text = " ".join(f"@{one.handle}" for one in people)
    assert list(find_mentioned(text) or ()) == [one.handle for one in people[:MOST_MENTIONS]]


def test_a_post_links_who_is_there_and_nobody_else(alice, bob):
    post_id = post(alice, "Hello @bob and @nobody_here")
    stored = get(Post, keys.post(alice.user_id, post_id))
    assert stored.mentions.as_dict() == {"bob": bob.user_id}
    for path in ("/@alice", f"/@alice/posts/{post_id}"):
        page = Client().get(path).content.decode()
        assert f'<a href="/@bob?id={bob.user_id}">@bob</a>' in page
        assert "@nobody_here" in page
        assert 'href="/@nobody_here' not in page


def test_somebody_who_signs_up_later_is_not_linked_by_old_posts(alice):
    post_id = post(alice, "Hello @dora")
    person("dora")
    assert 'href="/@dora' not in Client().get(f"/@alice/posts/{post_id}").content.decode()


def test_a_post_of_before_links_every_handle(alice):
    post_id = post(alice, "Hello @dora")
    change(Post, keys.post(alice.user_id, post_id), [Post.mentions.remove()])
    assert 'href="/@dora"' in Client().get(f"/@alice/posts/{post_id}").content.decode()


@pytest.mark.parametrize(
    ("bio", "linked"), [("With @bob", True), ("With @nobody_here", False), ("", False)]
)
def test_a_bio_links_who_is_there(alice, bob, bio, linked):
    edit_profile(by=alice, bio="Of @carol and @bob")
    edit_profile(by=alice, bio=bio)
    page = Client().get("/@alice").content.decode()
    assert (f'<a href="/@bob?id={bob.user_id}">@bob</a>' in page) is linked
    assert 'href="/@nobody_here' not in page
    stored = get(UserInfo, keys.user_info(alice.user_id)).mentions
    assert (stored is None) is ("@" not in bio)


# Changing your handle: with a proof of who you are, rarely, and the old one stays yours for 90 days.

PAGE = "/settings/handle"
NEW = {"handle": "alicia"}


@pytest.fixture
def hers(alice, log_in) -> Client:
    """Alice's, in which she has just confirmed who she is."""
    signed_in = log_in(alice)
    signed_in.post("/confirm", {"password": PASSWORD})
    return signed_in


def claim_of(handle: str) -> HandleClaim:
    return get(HandleClaim, keys.handle_claim(handle), consistent=True)


def broken() -> list[str]:
    invariants = PeopleInvariants()
    for raw in scan():
        invariants.add(Item.from_raw_data(raw))
    return [line for lines in invariants.results().values() for line in lines]


def test_it_changes_once_however_often_the_form_is_sent(alice, hers):
    for _ in range(2):
        response = hers.post(PAGE, NEW)
        assert (response.status_code, response["Location"]) == (302, PAGE)
    assert "You’re @alicia now." in hers.get(PAGE).content.decode()
    assert find_user_by_handle("alicia") == alice.user_id
    assert get_user_info(alice.user_id).handle == "alicia"
    assert [one.handle for one in get_own_handles(by=alice)[1]] == ["alice"]
    assert broken() == []


def test_the_old_handle_is_kept_for_90_days(alice):
    rename(alice, "alicia")
    former = claim_of("alice")
    assert former.user_id == alice.user_id
    kept = former.ttl - datetime.fromisoformat(former.former)
    assert kept == timedelta(days=90)
    for tries in (
        lambda: person("alice"),
        lambda: change_handle(by=person("bob"), handle="alice"),
    ):
        with pytest.raises(HandleTaken):
            tries()
    with pytest.raises(NotFound):
        find_user_by_handle("alice")


def test_after_that_it_is_free_though_not_yet_deleted(alice, bob):
    rename(alice, "alicia")
    let_expire("alice")
    assert is_handle_free("alice")
    rename(bob, "alice")
    assert find_user_by_handle("alice") == bob.user_id
    assert claim_of("alice").ttl is None
    rename(alice, "alina")
    let_expire("alicia")
    assert person("alicia").handle == "alicia"


def test_its_person_alone_takes_it_back_and_the_two_change_places(alice, hers):
    rename(alice, "alicia")
    page = Html(hers.get(PAGE))
    button = page.one("button", name="handle")
    assert (button["value"], button["formaction"]) == ("alice", PAGE)
    hers.post(PAGE, {"handle": button["value"]})
    assert find_user_by_handle("alice") == alice.user_id
    assert (claim_of("alice").former, claim_of("alice").ttl) == (None, None)
    assert claim_of("alicia").former
    assert [one.handle for one in get_own_handles(by=alice)[1]] == ["alicia"]
    assert broken() == []


def test_the_handle_of_an_erased_person_is_not_free(alice, hers):
    bury("dora")
    assert "taken" in Html(hers.post(PAGE, {"handle": "dora"})).error("handle")
    with pytest.raises(HandleTaken):
        change_handle(by=alice, handle="dora")
    with pytest.raises(HandleTaken):
        person("dora")
    assert Client().get("/@dora").status_code == 404
    assert broken() == []


@pytest.mark.parametrize("handle", ["bob", "ab", "a b c", "admin", "", "x" * 31, "ALICE-"])
def test_what_cannot_be_is_said_beside_the_field_and_stays_typed(alice, bob, hers, handle):
    response = hers.post(PAGE, {"handle": handle})
    assert response.status_code == 422
    assert Html(response).error("handle")
    assert Html(response).value("handle") == handle
    assert get_user_info(alice.user_id).handle == "alice"


def test_without_a_fresh_proof_it_asks_for_one_and_brings_the_handle_back(alice, log_in):
    browser = log_in(alice)
    sent = browser.post(PAGE, NEW)
    assert sent["Location"].startswith("/confirm?next=%2Fsettings%2Fhandle%3Fhandle%3Dalicia")
    assert get_user_info(alice.user_id).handle == "alice"
    back = browser.post(sent["Location"], {"password": PASSWORD})["Location"]
    assert Html(browser.get(back)).value("handle") == "alicia"
    key = keys.sign_in(alice.user_id, in_browser(alice, browser).secret_hash)
    old = datetime.now(UTC) - timedelta(minutes=11)
    change(SignIn, key, [SignIn.proved_at.set(old.isoformat())])
    assert browser.post(PAGE, NEW)["Location"].startswith("/confirm")


def test_the_fourth_change_in_30_days_waits(alice, hers):
    rename(alice, "alice_2", "alice_3", "alice")
    response = hers.post(PAGE, NEW)
    assert response.status_code == 422
    assert "You can do it again from" in Html(response).error("handle")
    with pytest.raises(ChangedTooOften):
        change_handle(by=alice, handle="alice_2")  # nor is a former one taken back
    assert is_handle_free("alicia")


def test_the_list_of_former_handles_forgets_what_is_free_again(alice):
    rename(alice, "alicia")
    long_ago = datetime.now(UTC) - timedelta(days=91)
    listed = UserSettings.former_handles.set({"alice": long_ago.isoformat()})
    change(UserSettings, keys.user_settings(alice.user_id), [listed])
    assert get_own_handles(by=alice) == ("alicia", [])
    rename(alice, "alina")
    stored = get(UserSettings, keys.user_settings(alice.user_id)).former_handles
    assert list(stored) == ["alicia"]


def test_of_two_who_want_a_handle_at_once_one_gets_it(alice, bob):
    def take(viewer) -> str:
        try:
            change_handle(by=viewer, handle="dora")
        except HandleTaken:
            return "taken"
        return viewer.user_id

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(take, (alice, bob)))
    assert sorted(answers)[1] == "taken"
    assert find_user_by_handle("dora") in answers
    assert broken() == []


def test_of_two_changes_by_one_person_at_once_none_is_lost(alice):
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda handle: change_handle(by=alice, handle=handle), ("dora", "erna")))
    present, former = get_own_handles(by=alice)
    assert {present, *(one.handle for one in former)} == {"alice", "dora", "erna"}
    assert broken() == []


@pytest.mark.parametrize(
    ("handle", "wrong"),
    [
        ("alice", [HandleClaim.ttl.remove()]),
        ("alice", [HandleClaim.former.remove(), HandleClaim.ttl.remove()]),
        ("alicia", [HandleClaim.former.set("2026-01-01")]),
        ("alice", [HandleClaim.user_id.set("B")]),
    ],
)
def test_the_audit_finds_claims_that_do_not_fit(alice, handle, wrong):
    rename(alice, "alicia")
    assert broken() == []
    change(HandleClaim, keys.handle_claim(handle), wrong)
    assert broken()


def test_it_costs_one_read_and_one_transaction(alice, measure):
    with measure() as meter:
        writes.change_handle(by=alice, handle="alicia")
    reading, writing = meter.calls
    assert (reading.operation, writing.operation) == ("BatchGetItem", "TransactWriteItems")
    assert (reading.units, writing.units) == (3, 12)


def test_the_present_handle_and_the_email_sign_in_and_a_former_handle_does_not(alice):
    rename(alice, "alicia")
    for account, status in (("alice", 422), ("alicia", 302), ("alice@example.org", 302)):
        form = {"account": account, "password": PASSWORD}
        assert Client().post("/login", form).status_code == status, account


def test_looking_changes_nothing(alice, hers):
    page = hers.get(PAGE, NEW)
    assert "no-cache" in page["Cache-Control"]
    assert Html(page).one("form", action=PAGE)["method"] == "post"
    assert Html(hers.get("/settings/profile")).one("a", href=PAGE)
    assert get_user_info(alice.user_id).handle == "alice"
