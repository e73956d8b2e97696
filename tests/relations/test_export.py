"""Taking one's follows, blocks, mutes and circles along: files in Mastodon's formats, sent page by page."""

import csv
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.models import UserInfo
from relations.blocks.writes import block, mute, unblock
from relations.export import ROWS_A_PAGE, FileKind, list_file_rows, write_file, write_row
from relations.follows.writes import follow, unfollow
from relations.models import Following, RelationType
from relations.relation import update_relation
from socialsite.table import ids, write_batch
from socialsite.web.limits import EXPORTS
from tests.relations.relations import befriend
from tests.web.html import Html

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
