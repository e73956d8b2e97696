"""Mastodon.py, unchanged, does with this site what its users do every day."""

import pytest
from mastodon import MastodonNotFoundError, MastodonUnauthorizedError
from mastodon.errors import MastodonAPIError

from relations.follows.writes import follow
from tests.conftest import post


def test_it_signs_in_and_says_for_whom(alice, mastodon):
    client = mastodon(alice)
    me = client.account_verify_credentials()
    assert (me.id, me.acct, me.display_name) == (alice.user_id, "alice", alice.name)
    assert client.app_verify_credentials().name == "Test"


def test_it_reads_home_page_after_page(alice, bob, mastodon, drain_stream):
    follow(by=alice, user_id=bob.user_id)
    written = [post(bob, f"Number {number}") for number in range(25)]
    drain_stream()
    client = mastodon(alice)
    first = client.timeline_home()
    rest = client.fetch_next(first)
    ids = [status.id[:26] for status in [*first, *rest]]
    assert ids == written[::-1]
    assert [len(first), len(rest)] == [20, 5]
    assert client.fetch_next(rest) is None
    newest = client.timeline_home(min_id=first[3].id)
    assert [status.id for status in newest] == [status.id for status in first[:3]]
    assert client.timeline_home(limit=3, max_id=first[3].id)[0].id == first[4].id


def test_it_signs_out(alice, mastodon):
    client = mastodon(alice)
    token = client.access_token
    client.revoke_access_token(allow_http=True)
    client.access_token = token
    with pytest.raises((MastodonUnauthorizedError, MastodonAPIError)):
        client.account_verify_credentials()


def test_what_is_not_there_is_not_found(alice, mastodon):
    client = mastodon(alice)
    with pytest.raises(MastodonNotFoundError):
        client.status("0" * 26 + alice.user_id)
