"""The author of a quoted post takes it out of a post that quotes it, for good."""

import pytest
from django.test import Client

from feed.posts.reads import Pointer
from feed.publishing.models import QuoteRefusal
from feed.sharing.reads import list_quotes
from feed.sharing.writes import CannotQuote, withdraw_quote
from socialsite.table import NotFound, fetch, get, keys
from tests.conftest import post
from tests.feed.quoting import card_of, counted, quoted_by
from tests.looks import broken_invariants


@pytest.fixture
def post_id(alice) -> str:
    return post(alice, "A thought")


def test_the_quoted_author_takes_the_quote_back_for_good(
    alice, bob, carol, post_id, log_in, drain_stream
):
    quoting = quoted_by(bob, alice, post_id)
    drain_stream()
    address = f"/@bob/posts/{quoting}"
    assert f"{address}/withdraw" in log_in(alice).get(address).content.decode()
    for _ in range(2):
        assert log_in(alice).post(f"{address}/withdraw").status_code == 302
    card = card_of(bob, quoting, carol)
    assert (card.quoted, card.quote_withdrawn) == (None, True)
    drain_stream()
    assert counted(post_id) == 0
    assert list_quotes(post_id, viewer=carol).items == []
    with pytest.raises(CannotQuote):
        quoted_by(bob, alice, post_id)
    assert quoted_by(carol, alice, post_id)
    drain_stream()
    assert not broken_invariants()


def test_nobody_else_takes_a_quote_back(alice, bob, carol, post_id, log_in):
    quoting = quoted_by(bob, alice, post_id)
    address = f"/@bob/posts/{quoting}/withdraw"
    for other in (bob, carol):
        assert log_in(other).post(address).status_code == 404
    assert log_in(alice).get(address).status_code == 405
    assert Client().post(address)["Location"].startswith("/login")
    with pytest.raises(NotFound):
        withdraw_quote(by=alice, quoting=Pointer(post_id, alice.user_id))
    refusal = keys.quote_refusal(alice.user_id, post_id, bob.user_id)
    assert not fetch([refusal], consistent=True)
    assert card_of(bob, quoting, carol).quoted is not None


def test_a_refusal_is_in_the_partition_of_the_quoted_author(alice, bob, post_id):
    quoting = quoted_by(bob, alice, post_id)
    withdraw_quote(by=alice, quoting=Pointer(quoting, bob.user_id))
    refusal = get(QuoteRefusal, keys.quote_refusal(alice.user_id, post_id, bob.user_id))
    assert (refusal.post_id, refusal.other_id) == (post_id, bob.user_id)
