"""Friends: asked, accepted, declined, withdrawn, ended, listed; and lists taken along."""

import csv
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.models import UserInfo
from accounts.people.reads import get_user_info
from accounts.profile.writes import edit_profile, save_privacy
from relations.blocks.writes import block, mute, unblock
from relations.export import ROWS_A_PAGE, FileKind, list_file_rows, write_file, write_row
from relations.follows.writes import follow, unfollow
from relations.friends import views, writes
from relations.friends.writes import file_friend, request_friend
from relations.models import Following, RelationType
from relations.relation import update_relation
from socialsite.table import ids, write_batch
from socialsite.web.limits import EXPORTS
from tests.conftest import HTMX, person
from tests.relations.scenes import ACCEPT, DECLINE, OFF, ON, befriend, relationship
from tests.web.html import Html

PRESS, BACK = "/@bob/friend", "/@alice/friend"


def test_asking_changes_nothing_but_that_one_asks(alice, bob, log_in):
    response = log_in(alice).post(PRESS, ON)
    assert (response.status_code, response["Location"]) == (302, "/@bob")
    assert relationship(alice, bob).asked_to_be_friends
    assert relationship(bob, alice).is_asked
    assert not relationship(alice, bob).is_friend


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_accepting_makes_both_friends(alice, bob, log_in, extra):
    request_friend(by=alice, user_id=bob.user_id)
    log_in(bob).post(BACK, ACCEPT, **extra)
    assert relationship(alice, bob).is_friend
    assert relationship(bob, alice).is_friend


def test_the_menu_offers_what_is_next(alice, bob, log_in):
    asking, asked = log_in(alice), log_in(bob)

    def entries(browser: Client, path: str) -> list[str]:
        presses = Html(browser.get(path)).all("button", formaction=f"{path}/friend")
        return [press.text for press in presses]

    assert entries(asking, "/@bob") == ["Add friend"]
    asking.post(PRESS, ON)
    assert entries(asking, "/@bob") == ["Withdraw friend request"]
    assert entries(asked, "/@alice") == [
        "Accept friend request",
        "Decline friend request",
        "Accept",
        "Decline",
    ]
    asked.post(BACK, ACCEPT)
    assert entries(asking, "/@bob") == entries(asked, "/@alice")[:1] == ["Remove friend"]


def test_over_htmx_the_header_comes_back_as_it_is_now(alice, bob, log_in):
    html = Html(log_in(alice).post(PRESS, ON, headers=HTMX))
    assert html.elements[0]["id"] == "profile"
    assert html.one("button", formaction=PRESS).text == "Withdraw friend request"
    assert "autofocus" in html.one("summary").attributes


@pytest.mark.parametrize("times", [1, 2])
def test_declining_ends_the_request(alice, bob, log_in, times):
    request_friend(by=alice, user_id=bob.user_id)
    for _ in range(times):
        assert log_in(bob).post(BACK, DECLINE).status_code == 302
    assert not relationship(alice, bob).asked_to_be_friends
    assert not relationship(alice, bob).is_friend


def test_withdrawing_ends_the_request(alice, bob, log_in):
    browser = log_in(alice)
    browser.post(PRESS, ON)
    for _ in range(2):
        assert browser.post(PRESS, OFF).status_code == 302
    assert not relationship(bob, alice).is_asked


def test_ending_ends_it_on_both_sides(alice, bob, log_in):
    befriend(alice, bob)
    for _ in range(2):
        assert log_in(alice).post(PRESS, OFF).status_code == 302
    assert not relationship(alice, bob).is_friend
    assert not relationship(bob, alice).is_friend


def test_asking_who_asks_makes_friends(alice, bob, log_in):
    request_friend(by=alice, user_id=bob.user_id)
    log_in(bob).post(BACK, ON)
    assert relationship(alice, bob).is_friend


def test_a_request_to_somebody_else_cannot_be_accepted(alice, bob, carol, log_in):
    request_friend(by=alice, user_id=bob.user_id)
    assert log_in(carol).post(BACK, ACCEPT).status_code == 409
    assert not relationship(alice, carol).is_friend


def test_nobody_asks_across_a_block(alice, bob, log_in):
    block(by=alice, user_id=bob.user_id)
    assert log_in(alice).post(PRESS, ON).status_code == 403


def test_too_many_friends_are_said(alice, bob, log_in, monkeypatch):
    def refuse(**_):
        raise writes.TooManyFriends

    monkeypatch.setattr(writes, "accept_friend", refuse)
    response = log_in(bob).post(BACK, ACCEPT, headers=HTMX)
    assert response.status_code == 409
    assert "1,000 friends" in response["HX-Trigger"]


def test_requests_are_limited(alice, bob, log_in, monkeypatch):
    few = views.REQUESTS.__class__("requests", 1, 10**9)
    monkeypatch.setattr(views, "REQUESTS", few)
    assert log_in(alice).post(PRESS, ON).status_code == 302
    assert log_in(alice).post(PRESS, ON).status_code == 429


def test_requests_stand_on_their_page_in_both_directions(alice, bob, carol, log_in):
    request_friend(by=alice, user_id=bob.user_id)
    request_friend(by=bob, user_id=carol.user_id)
    html = Html(log_in(bob).get("/requests"))
    assert html.handles() == ["alice", "carol"]
    assert [button["value"] for button in html.all("button", form="act", class_="button")] == [
        "accept",
        "decline",
        "0",
    ]


def test_a_row_is_answered_over_htmx(alice, bob, log_in):
    request_friend(by=alice, user_id=bob.user_id)
    response = log_in(bob).post(BACK, ACCEPT | {"place": "friend"}, headers=HTMX)
    html = Html(response)
    assert html.elements[0]["id"] == f"friend-{alice.user_id}"
    assert "now friends" in html.one("p", class_="answer").text


@pytest.fixture
def circle_of_three(alice, bob, carol):
    """Alice's friends: Bob of Berlin and Carol of Córdoba."""
    edit_profile(by=bob, bio="", location="Berlin", gender="he/him")
    edit_profile(by=carol, bio="", location="Córdoba", gender="she/her")
    befriend(alice, bob)
    befriend(alice, carol)
    file_friend(by=alice, user_id=bob.user_id, circles=["Family"], note="likes tea")
    file_friend(by=alice, user_id=carol.user_id, circles=["Family", "Work"], note="")


@pytest.mark.usefixtures("circle_of_three")
@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", ["bob", "carol"]),
        ("circle=Work", ["carol"]),
        ("circle=Family", ["bob", "carol"]),
        ("circle=Nobody", []),
        ("location=cordoba", ["carol"]),
        ("gender=He/Him", ["bob"]),
        ("gender=she", ["carol"]),
        ("pronoun=she", ["carol"]),
        ("pronoun=he", ["bob"]),
        ("pronoun=they", []),
        ("pronoun=nonsense", ["bob", "carol"]),
        ("pronoun=he&gender=she", []),
        ("q=TEA", ["bob"]),
        ("circle=Family&location=berlin&q=tea", ["bob"]),
        ("q=" + "x" * 5000, []),
    ],
)
def test_the_list_is_narrowed_down(alice, log_in, asked, found):
    assert Html(log_in(alice).get(f"/friends?{asked}")).handles() == found


@pytest.mark.usefixtures("circle_of_three")
def test_the_list_shows_circles_and_notes_to_their_owner_alone(alice, bob, log_in):
    assert "likes tea" in log_in(alice).get("/friends").content.decode()
    assert "likes tea" in log_in(alice).get("/@bob").content.decode()
    for path in ("/friends", "/@alice", "/@bob"):
        text = log_in(bob).get(path).content.decode()
        assert "likes tea" not in text
        assert "Family" not in text


@pytest.mark.usefixtures("circle_of_three")
def test_what_was_asked_stays_in_the_form(alice, log_in):
    html = Html(log_in(alice).get("/friends?circle=Work&location=C%C3%B3r&pronoun=she"))
    assert html.value("location") == "Cór"
    chosen = [one.text for one in html.all("option") if "selected" in one.attributes]
    assert chosen == ["Work", "she/her"]


def test_many_friends_are_paged_within_what_was_asked(alice, log_in):
    friends = [person(f"friend{number:02}") for number in range(22)]
    for friend in friends:
        befriend(alice, friend)
        file_friend(by=alice, user_id=friend.user_id, circles=["All"], note="")
    browser = log_in(alice)
    first = Html(browser.get("/friends?circle=All"))
    following = first.link("next")
    assert "circle=All" in following
    rest = Html(browser.get(following, headers=HTMX))
    assert first.handles() + rest.handles() == [friend.handle for friend in friends]


def test_pronouns_are_shown_on_the_profile(alice, log_in):
    browser = log_in(alice)
    form = {"name": "Alice", "gender": "she/her"}
    assert browser.post("/settings/profile", form).status_code == 302
    assert get_user_info(alice.user_id).gender == "she/her"
    assert Html(browser.get("/settings/profile")).value("gender") == "she/her"
    assert "she/her" in Html(Client().get("/@alice")).one("p", class_="meta").text
    refused = browser.post("/settings/profile", form | {"gender": "x" * 31})
    assert refused.status_code == 422
    assert Html(refused).error("gender")


def test_the_usual_pronouns_are_offered_beside_the_free_text(alice, log_in):
    html = Html(log_in(alice).get("/settings/profile"))
    offered = html.one("datalist", id=html.one("input", name="gender")["list"])
    assert offered
    assert [one["value"] for one in html.all("option")] == ["she/her", "he/him", "they/them"]


def test_a_locked_account_shows_that_it_is(alice, bob, log_in):
    save_privacy(by=bob, locked=True, archived_before=None, not_suggested=False, not_indexed=False)
    assert "Locked account" in log_in(alice).get("/@bob").content.decode()
    assert "Locked account" not in log_in(bob).get("/@alice").content.decode()


# Taking one's follows, blocks, mutes and circles along: files in Mastodon's formats, sent page by page.

FILES = [kind.value for kind in FileKind]


def lines(response) -> list[str]:
    assert response.status_code == 200
    return response.getvalue().decode().splitlines()


def download(browser: Client, kind: str) -> list[str]:
    return lines(browser.get(f"/settings/data/{kind}.csv"))


def followed(viewer, size: int) -> None:
    """Edges and infos of many whom someone follows, put straight into the table."""
    found = [
        UserInfo.new(user_id=ids.new_id(), handle=f"fan_{number:04}", name="Fan")
        for number in range(size)
    ]
    edges = [Following.new(user_id=viewer.user_id, followed_id=one.user_id) for one in found]
    write_batch(puts=[*found, *edges])


def test_follows_have_mastodons_columns_and_this_sites_address(alice, bob, carol, log_in):
    follow(by=alice, user_id=bob.user_id)
    follow(by=alice, user_id=carol.user_id)
    unfollow(by=alice, user_id=carol.user_id)
    assert download(log_in(alice), "following_accounts") == [
        "Account address,Show boosts,Notify on new posts,Languages",
        "bob@testserver,true,false,",
    ]


def test_blocks_are_addresses_alone_without_a_header(alice, bob, carol, log_in):
    block(by=alice, user_id=bob.user_id)
    block(by=alice, user_id=carol.user_id)
    unblock(by=alice, user_id=carol.user_id)
    assert download(log_in(alice), "blocked_accounts") == ["bob@testserver"]


def test_who_blocks_one_is_not_in_ones_own_file(alice, bob, log_in):
    block(by=bob, user_id=alice.user_id)
    assert download(log_in(alice), "blocked_accounts") == []


def test_mutes_have_their_column_and_leave_out_those_that_ended(alice, bob, carol, log_in):
    mute(by=alice, user_id=bob.user_id)
    mute(by=alice, user_id=carol.user_id, until=datetime.now(UTC) - timedelta(seconds=1))
    assert download(log_in(alice), "muted_accounts") == [
        "Account address,Hide notifications",
        "bob@testserver,true",
    ]


def test_circles_are_a_row_for_each_name_and_friend(alice, bob, carol, log_in):
    for friend, tags in ((bob, {"Family", "Müsli, süß"}), (carol, set())):
        befriend(alice, friend)
        update_relation(
            by=alice, relation_type=RelationType.FRIEND, user_id=friend.user_id, tags=tags
        )
    assert download(log_in(alice), "lists") == [
        "Family,bob@testserver",
        '"Müsli, süß",bob@testserver',
    ]


def test_a_circle_that_looks_like_a_formula_is_none():
    # Handles are letters, digits and _, and so addresses never begin like a formula.
    names = ["=HYPERLINK(1)", "-", "+49", "@home", "'plain", "Family"]
    rows = csv.reader(write_row([name, "bob@here"]) for name in names)
    told = ["'=HYPERLINK(1)", "'-", "'+49", "'@home", "'plain", "Family"]
    assert [circle for circle, _ in rows] == told


@pytest.mark.parametrize("size", [ROWS_A_PAGE - 1, ROWS_A_PAGE, 2 * ROWS_A_PAGE + 1])
def test_a_long_list_is_whole_each_person_once(alice, size):
    followed(alice, size)
    text = "".join(write_file(alice, FileKind.FOLLOWS, host="here"))
    _header, *rows = csv.reader(text.splitlines())
    assert [row[0] for row in rows] == [f"fan_{number:04}@here" for number in range(size)]


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_page_is_read_when_it_is_asked_for(alice, measure):
    followed(alice, 2 * ROWS_A_PAGE)
    pieces = write_file(alice, FileKind.FOLLOWS, host="here")
    with measure() as meter:
        next(pieces)
    assert [call.operation for call in meter.calls] == ["Query", "BatchGetItem"]
    assert meter.read_units <= 53


def test_people_who_are_gone_are_left_out(alice):
    write_batch(puts=[Following.new(user_id=alice.user_id, followed_id=ids.new_id())])
    rows, after = list_file_rows(alice, FileKind.FOLLOWS, host="here")
    assert (rows, after) == ([], "")


def test_the_page_offers_every_file_and_takes_none(alice, log_in):
    page = Html(log_in(alice).get("/settings/data"))
    offered = [link["href"] for link in page.all("a", download="")]
    assert offered == [f"/settings/data/{kind}.csv" for kind in FILES]
    assert log_in(alice).post("/settings/data", {"kind": FILES[0]}).status_code == 405


@pytest.mark.parametrize("kind", FILES)
def test_a_file_is_a_download_that_nothing_keeps(alice, log_in, kind):
    response = log_in(alice).get(f"/settings/data/{kind}.csv")
    assert response.streaming
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="{kind}.csv"'
    assert response["Cache-Control"] == "no-store"


def test_there_is_no_other_file(alice, log_in):
    assert log_in(alice).get("/settings/data/passwords.csv").status_code == 404


def test_downloads_are_rate_limited(alice, log_in):
    browser = log_in(alice)
    for _ in range(EXPORTS.hits):
        assert browser.get("/settings/data/lists.csv").status_code == 200
    assert browser.get("/settings/data/lists.csv").status_code == 429


def test_the_file_of_one_person_names_nobody_of_anothers(alice, bob, carol, log_in):
    follow(by=bob, user_id=carol.user_id)
    assert len(download(log_in(alice), "following_accounts")) == 1
