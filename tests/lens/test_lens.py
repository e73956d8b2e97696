"""The lens shows developers and staff what a page asked of the table, and nobody else."""

import pytest
from django.test import Client

from feed.likes.writes import like_post
from lens.sight import kept_of
from tests.conftest import HTMX, post
from tests.web.html import Html

OUTSIDE = "203.0.113.7"


def drawer(page: Html) -> str:
    return " ".join(page.one("details", id="lens").text.split())


@pytest.mark.usefixtures("developing")
def test_the_figures_of_the_drawer_are_those_of_the_meter(alice, bob, log_in, requests_of):
    for number in range(3):
        post(alice, f"Number {number}")
    browser = log_in(alice)
    with requests_of() as requests:
        page = Html(browser.get("/@alice"))
    said = drawer(page)
    made = [one for one in requests.made if one.operation != "Scan"]  # which counts the table
    assert f"{len(made)} calls" in said
    assert f"{sum(one.units for one in made):g} R" in said
    for one in made:
        assert one.operation in said


@pytest.mark.usefixtures("developing")
def test_each_call_names_its_pattern_keys_and_items(alice, bob, log_in):
    post(alice, "Hello")
    page = Html(log_in(bob).get("/@alice"))
    said = drawer(page)
    assert "list_posts" in said
    assert "Pattern 4 of 7" in said
    assert f"PK = u#{alice.user_id}#post" in said
    assert "1 Post" in said
    assert "feed/profiles/reads.py" in said


@pytest.mark.usefixtures("developing")
def test_a_write_is_kept_with_its_actions_and_conditions(alice, bob, log_in):
    post_id = post(bob, "Hello")
    browser = log_in(alice)
    browser.post(f"/@bob/posts/{post_id}/like", {"on": "1"}, headers=HTMX)
    sight = kept_of(alice.user_id)[0]
    assert (sight.method, sight.writes > 0) == ("POST", True)
    (write,) = [one for one in sight.calls if one.call.operation == "TransactWriteItems"]
    assert {action.type for action in write.actions} >= {"Like", "LikeTrace"}
    page = Html(browser.get(f"/dev/lens/{sight.request_id}"))
    assert "TransactWriteItems" in page.one(id="main").text
    assert "attribute_not_exists" in page.one(id="main").text


@pytest.mark.usefixtures("developing")
def test_the_list_has_only_requests_of_the_same_person(alice, bob, log_in):
    log_in(alice).get("/@alice")
    other = log_in(bob)
    other.get("/@bob")
    page = Html(other.get("/dev/lens"))
    assert "/@bob" in page.one(id="main").text
    assert "/@alice" not in page.one(id="main").text
    mine = kept_of(alice.user_id)[0]
    assert other.get(f"/dev/lens/{mine.request_id}").status_code == 404


def test_nobody_else_gets_it_in_production(alice, log_in):
    browser = log_in(alice)
    browser.cookies["__Host-lens"] = "1"
    answer = browser.get("/")
    assert b"lens" not in answer.content
    assert not [name for name in answer.headers if "lens" in name.lower()]
    for address in ("/dev/lens", "/dev/table", "/dev/patterns"):
        assert browser.get(address).status_code == 404
        assert Client().get(address).status_code == 404


@pytest.mark.usefixtures("developing")
def test_a_browser_elsewhere_gets_nothing_of_a_site_in_debug_mode(alice, log_in):
    browser = log_in(alice)
    assert b'id="lens"' not in browser.get("/", REMOTE_ADDR=OUTSIDE).content
    for address in ("/dev/lens", "/dev/table", "/dev/patterns"):
        assert browser.get(address, REMOTE_ADDR=OUTSIDE).status_code == 404


@pytest.mark.usefixtures("developing")
def test_fragments_stay_as_they_are(alice, bob, log_in):
    post_id = post(bob, "Hello")
    like_post(by=alice, post_id=post_id, author_id=bob.user_id)
    browser = log_in(alice)
    answer = browser.get("/@bob", headers=HTMX | {"HX-Target": "feed"})
    assert b'id="lens"' not in answer.content
