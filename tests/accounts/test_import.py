"""What becomes of each row of a list that is brought in."""

import pytest

from accounts.access_patterns import get_user_info
from accounts.circles import MOST_CIRCLES
from accounts.csv_files import FileKind
from accounts.exports import write_file
from accounts.models import RelationType, UserCount
from accounts.relation_lists import get_bond, list_circles
from accounts.services.block import block
from accounts.services.follow import MOST_FOLLOWED, follow
from accounts.services.follow_requests import request_follow
from accounts.services.mute import mute
from accounts.services.relate import update_relation
from socialsite.table import keys
from socialsite.table.writing import change
from tests.accounts.relations import befriend, lock
from tests.streams.crowd import returning


def test_people_of_this_site_are_followed(alice, bob, carol, imported):
    assert imported(alice, "following_accounts", "bob\n@carol@testserver\n") == ["Followed"] * 2
    assert get_bond(alice, bob.user_id).follows
    assert get_bond(alice, carol.user_id).follows


def test_a_file_as_mastodon_writes_it_is_read(alice, bob, carol, imported):
    text = (
        "\ufeffAccount address,Show boosts,Notify on new posts,Languages\r\n"
        'bob@testserver,true,false,"en, de"\r\n\r\n'
        "someone@mastodon.example,false,false,\r\n"
    )
    assert imported(alice, "following_accounts", text) == [
        "Followed",
        "On another site, not on this one",
    ]


@pytest.mark.parametrize(
    ("row", "result"),
    [
        ("BOB@TestServer", "Followed"),
        ("acct:bob@testserver", "Followed"),
        ("nobody_here", "Nobody here has this handle"),
        ("a.b@testserver", "Nobody here has this handle"),
        ("bob@elsewhere.example", "On another site, not on this one"),
        ("alice", "That is you"),
        ("two words", "Not the address of an account"),
        ("https://testserver/@bob", "Not the address of an account"),
        ("a@b@c", "Not the address of an account"),
        ("=cmd|' /C calc'!A0", "Not the address of an account"),
        ("陈", "Not the address of an account"),
        ("x" * 900, "Not the address of an account"),
    ],
)
def test_each_row_says_what_became_of_it(alice, bob, imported, row, result):
    assert imported(alice, "following_accounts", row) == [result]


def test_whom_one_follows_or_asked_already_was_so_already(alice, bob, carol, imported):
    follow(by=alice, user_id=bob.user_id)
    lock(carol)
    request_follow(by=alice, user_id=carol.user_id)
    assert imported(alice, "following_accounts", "bob\ncarol") == ["Followed or asked already"] * 2


def test_an_account_that_is_locked_is_asked(alice, bob, imported):
    lock(bob)
    assert imported(alice, "following_accounts", "bob") == [
        "Asked, as they decide who follows them"
    ]
    assert get_bond(alice, bob.user_id).asked_to_follow
    assert not get_bond(alice, bob.user_id).follows


def test_blocks_stand_in_the_way_both_ways(alice, bob, carol, imported):
    block(by=bob, user_id=alice.user_id)
    block(by=alice, user_id=carol.user_id)
    assert imported(alice, "following_accounts", "bob\ncarol") == [
        "Nobody here has this handle",
        "You block them",
    ]


def test_nobody_follows_more_than_one_may(alice, bob, imported):
    full = [UserCount.following.set(MOST_FOLLOWED)]
    change(UserCount, keys.user_count(alice.user_id), full)
    assert imported(alice, "following_accounts", "bob") == ["You have as many as one may have"]


def test_a_row_that_stands_there_twice_is_done_once(alice, bob, imported):
    rows = imported(alice, "following_accounts", "bob\n@BOB@testserver\n")
    assert rows == ["Followed", "Stands above already"]


def test_people_are_blocked(alice, bob, imported):
    follow(by=bob, user_id=alice.user_id)
    assert imported(alice, "blocked_accounts", "bob@testserver\n") == ["Blocked"]
    assert get_bond(alice, bob.user_id).blocks
    assert not get_bond(alice, bob.user_id).is_followed
    assert imported(alice, "blocked_accounts", "Account address\nbob\nalice\nzed") == [
        "Blocked already",
        "That is you",
        "Nobody here has this handle",
    ]


def test_who_blocks_one_can_be_blocked_back(alice, bob, imported):
    block(by=bob, user_id=alice.user_id)
    assert imported(alice, "blocked_accounts", "bob") == ["Blocked"]


def test_people_are_muted_and_an_end_that_one_set_stays(alice, bob, carol, imported):
    mute(by=alice, user_id=carol.user_id)
    text = "Account address,Hide notifications\nbob,true\ncarol,false\n"
    assert imported(alice, "muted_accounts", text) == ["Muted", "Muted already"]
    assert get_bond(alice, bob.user_id).mutes


def circles_of(viewer):
    return {circle.name: size for circle, size in list_circles(returning(viewer)).items()}


def test_friends_alone_are_put_in_circles(alice, bob, carol, imported):
    befriend(alice, bob)
    text = "Family,bob@testserver\nClimbing,bob\nFamily,carol\n,bob\n" + "x" * 31 + ",bob\n"
    assert imported(alice, "lists", text) == [
        "Put in the circle",
        "Put in the circle",
        "Not your friend: only friends can be in circles",
        "Not a name for a circle: use 1 to 30 characters",
        "Not a name for a circle: use 1 to 30 characters",
    ]
    assert circles_of(alice) == {"Climbing": 1, "Family": 1}
    assert imported(alice, "lists", "Family,bob\nWork,bob") == [
        "In the circle already",
        "Put in the circle",
    ]
    assert circles_of(alice) == {"Climbing": 1, "Family": 1, "Work": 1}


def test_one_has_no_more_circles_than_one_may(alice, bob, imported):
    befriend(alice, bob)
    tags = {f"circle {number}" for number in range(MOST_CIRCLES - 1)}
    update_relation(by=alice, relation_type=RelationType.FRIEND, user_id=bob.user_id, tags=tags)
    assert imported(alice, "lists", "one,bob\ntwo,bob") == [
        "Put in the circle",
        "You have as many as one may have",
    ]


@pytest.mark.parametrize("kind", list(FileKind))
def test_what_one_took_along_can_be_brought_in_again(alice, bob, imported, kind):
    befriend(alice, bob)
    if kind == FileKind.FOLLOWS:
        follow(by=alice, user_id=bob.user_id)
    elif kind == FileKind.BLOCKS:
        block(by=alice, user_id=bob.user_id)
    elif kind == FileKind.MUTES:
        mute(by=alice, user_id=bob.user_id)
    else:
        update_relation(
            by=alice, relation_type=RelationType.FRIEND, user_id=bob.user_id, tags={"=1"}
        )
    text = "".join(write_file(alice, kind, host="testserver"))
    (result,) = imported(alice, kind, text)
    assert result.endswith("already")


def test_a_second_sending_finds_all_done(alice, bob, imported):
    assert imported(alice, "following_accounts", "bob") == ["Followed"]
    assert imported(alice, "following_accounts", "bob") == ["Followed or asked already"]
    assert get_user_info(alice.user_id).following == 1
