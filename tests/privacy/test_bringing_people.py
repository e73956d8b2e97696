"""Whom people follow, block and mute on Mastodon, and their lists, are brought if they are on this site, told to
nobody."""

import pytest

from accounts.people.restrictions import Restriction
from privacy.importing.outcomes import Outcome
from relations.blocks.writes import block
from relations.follows.writes import (
    accept_follow_request,
    follow,
    request_follow,
    unfollow,
    withdraw_follow_request,
)
from relations.lists.reads import list_own_lists
from relations.lists.writes import create_list, offer_pack
from relations.models import RelationType
from relations.reads import list_followers
from relations.relation import is_in_force
from socialsite.table import fetch, keys
from tests.conftest import person
from tests.looks import broken_invariants
from tests.moderation.cases import restrict
from tests.notifications.told import told
from tests.privacy.mastodon import (
    HERE,
    following,
    muted,
    outcomes_of,
    report_of,
    send,
    work_off,
)


@pytest.fixture
def bring(alice, log_in, drain_stream):
    """Brings files of alice's, and lets the clock do them."""

    def bring(**files: bytes):
        answer = send(log_in(alice), **files)
        assert answer.status_code == 302, answer.content.decode()
        work_off(drain_stream)

    return bring


def holds(viewer, kind, other) -> bool:
    key = keys.relation(viewer.user_id, kind, other.user_id)
    return is_in_force(fetch([key], consistent=True).get(key))


def follows(viewer, other) -> bool:
    key = keys.following(viewer.user_id, other.user_id)
    return key in fetch([key], consistent=True)


def lock(viewer, log_in) -> None:
    form = {"locked": "on", "indexed": "on", "searched": "on", "topics": "on", "packs": "on"}
    answer = log_in(viewer).post("/settings/privacy", form | {"archived": ""})
    assert answer.status_code == 302, answer.content.decode()


def test_people_of_this_site_are_followed_and_told_nothing(alice, bob, carol, bring):
    bring(following_accounts=following(f"bob@{HERE}", "@Carol", "dave@mastodon.example"))
    assert outcomes_of(alice) == [Outcome.FOLLOWED, Outcome.FOLLOWED, Outcome.ELSEWHERE]
    assert [one.line.number for one in report_of(alice)] == [2, 3, 4]
    assert follows(alice, bob)
    assert follows(alice, carol)
    assert [one.user_id for one in list_followers(bob.user_id).items] == [alice.user_id]
    assert told(bob) == told(carol) == []
    assert broken_invariants() == {}


def test_a_follow_by_hand_afterwards_is_told_as_ever(alice, bob, bring, drain_stream):
    bring(following_accounts=following("bob"))
    unfollow(by=alice, user_id=bob.user_id)
    drain_stream()
    assert told(bob) == []
    follow(by=alice, user_id=bob.user_id)
    drain_stream()
    assert len(told(bob)) == 1


def test_locked_people_find_the_request_and_are_not_rung(alice, bob, log_in, bring, drain_stream):
    lock(bob, log_in)
    bring(following_accounts=following("bob"))
    assert outcomes_of(alice) == [Outcome.ASKED]
    assert told(bob) == []
    assert "alice" in log_in(bob).get("/requests").content.decode()
    assert broken_invariants() == {}
    accept_follow_request(by=bob, user_id=alice.user_id)
    drain_stream()
    assert follows(alice, bob)
    assert len(told(alice)) == 1  # it was accepted
    assert broken_invariants() == {}


def test_a_request_by_hand_afterwards_is_told_as_ever(alice, bob, log_in, bring, drain_stream):
    lock(bob, log_in)
    bring(following_accounts=following("bob"))
    withdraw_follow_request(by=alice, user_id=bob.user_id)
    drain_stream()
    request_follow(by=alice, user_id=bob.user_id)
    drain_stream()
    assert len(told(bob)) == 1


def test_blocks_win_over_follows_in_one_form(alice, bob, bring):
    bring(following_accounts=following("bob"), blocked_accounts=b"bob\n")
    assert holds(alice, RelationType.BLOCK, bob)
    assert not follows(alice, bob)
    assert broken_invariants() == {}


def test_people_who_block_or_are_away_look_as_if_they_were_not_here(alice, bob, carol, bring):
    erin = person("erin")
    block(by=bob, user_id=alice.user_id)
    restrict(carol, Restriction.SUSPENDED)
    block(by=alice, user_id=erin.user_id)
    bring(following_accounts=following("bob", "carol", "nobody_at_all", "alice", "erin", "b?b"))
    assert outcomes_of(alice) == [
        *(Outcome.NOBODY, Outcome.NOBODY, Outcome.NOBODY),
        *(Outcome.SELF, Outcome.YOU_BLOCK, Outcome.NOBODY),
    ]


def test_blocks_and_mutes(alice, bob, carol, bring):
    bring(blocked_accounts=b"bob\ncarol@mastodon.example\n\n")
    assert outcomes_of(alice) == [Outcome.BLOCKED, Outcome.ELSEWHERE]
    bring(muted_accounts=muted("carol"))
    assert outcomes_of(alice) == [Outcome.MUTED]
    assert holds(alice, RelationType.BLOCK, bob)
    assert holds(alice, RelationType.MUTE, carol)
    bring(muted_accounts=muted("carol"))
    assert outcomes_of(alice) == [Outcome.ALREADY]
    assert broken_invariants() == {}


def test_lists_are_made_and_filled(alice, bob, carol, bring):
    bring(lists=b'Bakers,bob\n"Bakers",carol@testserver\nTiny,dave@other.example\nBakers\n')
    assert outcomes_of(alice) == [
        *(Outcome.LISTED, Outcome.LISTED),
        *(Outcome.ELSEWHERE, Outcome.NOT_READ),
    ]
    (own,) = list_own_lists(alice)
    assert (own.name, {*own.members}) == ("Bakers", {bob.user_id, carol.user_id})
    assert broken_invariants() == {}


def test_nobody_is_put_into_a_list_that_everyone_sees(alice, bob, bring):
    list_id = create_list(by=alice, name="Bakers")
    offer_pack(by=alice, list_id=list_id, title="Bakers", about="")
    bring(lists=b"bakers,bob\n")
    assert outcomes_of(alice) == [Outcome.PACK]
    assert not list_own_lists(alice)[0].members


def test_bookmarks_are_links_and_stay_behind(alice, bring):
    bring(bookmarks=b"https://mastodon.example/@bob/1\nhttps://mastodon.example/@bob/2\n")
    assert outcomes_of(alice) == [Outcome.BOOKMARK, Outcome.BOOKMARK]


def test_boosts_that_were_hidden_there_are_hidden_here(alice, bob, log_in, bring):
    header = "Account address,Show boosts,Notify on new posts,Languages"
    bring(following_accounts=f"{header}\nbob,false,false,".encode())
    (own,) = fetch([keys.user_settings(alice.user_id)], consistent=True).values()
    assert own["without_reposts"]["SS"] == [bob.user_id]


def test_what_was_brought_before_is_said_to_be_here(alice, bob, bring):
    bring(following_accounts=following("bob"))
    bring(following_accounts=following("bob"))
    assert outcomes_of(alice) == [Outcome.ALREADY]


@pytest.mark.parametrize(
    ("field", "content"),
    [
        ("following_accounts", muted("bob")),
        ("muted_accounts", following("bob")),
        ("blocked_accounts", following("bob")),
        ("lists", following("bob")),
        ("following_accounts", b"bob\ncarol\n"),
        ("following_accounts", b""),
        ("blocked_accounts", b"\xff\xfe\x00b"),
        ("blocked_accounts", b"b\0b\n"),
        ("blocked_accounts", b"a\n" * 10_001),
        ("blocked_accounts", b"\r" * 900_000),
        ("blocked_accounts", b"a" * 1_000_001),
        ("blocked_accounts", b"   \n\n"),
    ],
)
def test_a_file_that_is_another_or_too_large_is_refused_beside_its_field(
    alice, bob, log_in, field, content
):
    answer = send(log_in(alice), **{field: content})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "field-invalid" in page or "Choose a file." in page
    assert not follows(alice, bob)


@pytest.mark.parametrize(
    "line", ["a" * 5_000, '"' * 60, '"a\n', ",,,,", "=cmd()", "@@@", "a@b@c", "\u202ea"]
)
def test_odd_lines_are_lines_of_the_report(alice, bring, line):
    bring(blocked_accounts=line.encode())
    assert {*outcomes_of(alice)} <= {Outcome.NOT_READ, Outcome.NOBODY, Outcome.ELSEWHERE}
