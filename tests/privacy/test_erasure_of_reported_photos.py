"""An erased person's photos are gone at once, but for the copies of reported ones, which go with their case."""

from datetime import timedelta

from moderation.models import CasePhoto
from photos.files import PRIVATE, PUBLIC, list_people_with_copies, list_places, list_secrets
from privacy.erasure.search import EVIDENCE
from privacy.erasure.writes import close_account
from privacy.models import Receipt
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import get, keys
from socialsite.table.reading import scan
from tests.feed.photographs import post_photos
from tests.looks import broken_invariants
from tests.moderation.reported_photos import case_photos, copies, expire, reported_photos


def test_copies_stay_for_their_term_and_the_receipt_says_so(alice, bob, drain_stream):
    reported_photos(alice, bob)
    post_photos(bob)
    drain_stream()
    receipt_id = close_account(by=bob, at_once=True)
    do_due()
    drain_stream()
    do_due(utc_now() + timedelta(days=4))  # the search, and the sweeps
    drain_stream()
    assert list(list_places(bob.user_id)) == []
    assert list_secrets(PRIVATE) | list_secrets(PUBLIC) == set()
    assert copies(bob) == 1
    named = {raw["type"]["S"] for raw in scan() if bob.user_id in str(raw)}
    assert named <= EVIDENCE
    assert CasePhoto.__name__ in named
    kept = dict(get(Receipt, keys.receipt(receipt_id), consistent=True).kept)
    (one,) = case_photos()
    assert one.ttl.isoformat(timespec="seconds") == kept["evidence"]
    assert broken_invariants() == {}
    expire(bob)
    drain_stream()
    assert list_people_with_copies() == []
    assert broken_invariants() == {}
