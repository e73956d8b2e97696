"""Binary values are bytes, whichever way they come: read one by one, listed, from the stream or under Lambda."""

from accounts.models import PersonKey
from socialsite.table import fetch, get, keys, query, row, write_batch
from socialsite.table.reading import scan
from socialsite.table.transport.client import with_bytes
from tests.streams.lambda_events import event
from tests.streams.records import unread


def test_every_kind_of_read_gives_the_same_bytes(alice):
    key = keys.person_key(alice.user_id)
    wrapped = get(PersonKey, key).wrapped
    assert isinstance(wrapped, bytes)
    raws = [
        fetch([key])[key],
        next(iter(query(key.pk))),
        next(raw for raw in scan() if raw["PK"]["S"] == key.pk),
    ]
    assert [row(PersonKey, raw).wrapped for raw in raws] == [wrapped] * 3


def test_an_item_that_is_read_and_written_again_is_the_same(alice):
    key = keys.person_key(alice.user_id)
    raw = fetch([key])[key]
    write_batch(puts=[raw])
    assert fetch([key])[key] == raw


def test_records_of_lambda_hold_the_bytes_of_the_stream(alice):
    records = unread()
    images = [record["dynamodb"].get("NewImage") for record in records]
    given = [record["dynamodb"].get("NewImage") for record in with_bytes(event(records)["Records"])]
    assert given == images
    assert any(isinstance(value.get("B"), bytes) for image in images for value in image.values())


def test_what_people_write_is_never_taken_for_bytes():
    written = {"bio": {"S": '{"B":"YWxpY2U="}'}, "M": {"M": {"B": {"S": '"B":'}}}}
    assert with_bytes(written) == written
