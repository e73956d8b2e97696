"""The search in an archive and the picture in a bucket: as in folders."""

import pytest

from accounts.models import UserInfo
from accounts.people.cards import HEADER_WIDTHS
from privacy.erasure.search import NOBODY
from privacy.erasure.writes import close_account
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.archive import STORAGE, list_files
from socialsite.table import change, keys
from tests.buckets import objects, s3
from tests.privacy.erasing import AFTER_THE_SEARCH
from tests.streams.expired import archived, entry, expire

PICTURE, HEADER = "avatars/hers.webp", "headers/hers"


@pytest.fixture
def bucket(in_bucket) -> str:
    """The bucket of the pictures. The archive has one too."""
    in_bucket(STORAGE)
    return in_bucket("default")


def test_lines_and_pictures_go_from_buckets_too(alice, bob, bucket, drain_stream):
    for name in (PICTURE, *(f"{HEADER}-{width}.webp" for width in HEADER_WIDTHS)):
        s3().put_object(Bucket=bucket, Key=name, Body=b"x")
    pictures = [UserInfo.avatar.set(PICTURE), UserInfo.header.set(HEADER)]
    change(UserInfo, keys.user_info(alice.user_id), pictures)
    expire(entry(alice))
    drain_stream()
    of_bob = entry(bob)
    of_bob.note = f"by {alice.user_id}"
    expire(entry(alice), of_bob)
    drain_stream()
    close_account(by=alice, at_once=True)
    do_due()
    drain_stream()
    do_due(utc_now() + AFTER_THE_SEARCH)
    (line,) = archived()
    assert (line["pk"], line["item"]["note"]["S"]) == (of_bob.pk, f"by {NOBODY}")
    assert len(list(list_files())) == 1
    assert objects(bucket) == []
