"""Reading: strict gets, rows, ordered fetches, binary values, ids that sort, and places that only the site can read."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta

import pytest
from django.core.signing import Signer
from django.test import override_settings
from ulid import ULID

from accounts.models import Credentials, PersonKey, UserCount, UserInfo, UserSettings
from feed.posts.models import Post, TimelineEntry
from relations.models import Following, Relation
from socialsite.table import (
    BadCursor,
    Item,
    NotFound,
    Place,
    RawItem,
    create,
    fetch,
    get,
    ids,
    key_of,
    keys,
    query,
    query_page,
    read_cursor,
    row,
    write_batch,
    write_cursor,
)
from socialsite.table.ids import new_id
from socialsite.table.paging import MAX_LENGTH
from socialsite.table.reading import scan
from socialsite.table.transport.client import with_bytes
from tests.streams.records import event, unread
from tests.test_architecture import item_classes


def entry(number: int, *, ttl: datetime | None = None, owner: str = "A") -> TimelineEntry:
    end = ttl or datetime.now(UTC) + timedelta(days=1)
    return TimelineEntry.new(user_id=owner, post_id=f"{number:03}", author_id="X", ttl=end)


def numbers(page) -> list[int]:
    return [int(raw["post_id"]["S"]) for raw in page.items]


@pytest.mark.usefixtures("table")
def test_getting_a_missing_item_is_not_found():
    with pytest.raises(NotFound):
        get(UserInfo, keys.user_info(new_id()))


@pytest.mark.usefixtures("table")
def test_getting_an_item_of_another_type_is_not_found():
    create(UserCount.new(user_id="A"))
    with pytest.raises(NotFound):
        get(UserInfo, keys.user_count("A"))


@pytest.mark.usefixtures("table")
def test_getting_an_expired_item_is_not_found():
    item = entry(1, ttl=datetime.now(UTC) - timedelta(seconds=1))
    create(item)
    with pytest.raises(NotFound):
        get(TimelineEntry, item.key)


@pytest.mark.usefixtures("table")
def test_fetch_keeps_the_order_of_the_keys_and_leaves_out_what_is_missing():
    write_batch(puts=[entry(number) for number in range(130)])
    wanted = [entry(number).key for number in (7, 129, 500, 3, 7)]
    assert list(fetch(wanted)) == [entry(number).key for number in (7, 129, 3)]


@pytest.mark.usefixtures("table")
def test_fetch_takes_more_keys_than_one_call_and_drops_expired_items(measure):
    past = datetime.now(UTC) - timedelta(days=3)
    write_batch(puts=[entry(number, ttl=past if number % 2 else None) for number in range(120)])
    with measure() as meter:
        found = fetch([entry(number).key for number in range(120)])
    assert len(found) == 60
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "BatchGetItem"]


@pytest.mark.usefixtures("table")
def test_pages_go_older_and_newer_and_meet_without_gap_or_double():
    write_batch(puts=[entry(number) for number in range(1, 51)])
    partition = keys.timeline("A")
    first = query_page(partition)
    second = query_page(partition, cursor=first.next_cursor)
    third = query_page(partition, cursor=second.next_cursor)
    assert numbers(first) + numbers(second) + numbers(third) == list(range(50, 0, -1))
    assert first.previous_cursor is None
    assert third.next_cursor is None
    assert numbers(query_page(partition, cursor=third.previous_cursor)) == numbers(second)
    back = query_page(partition, cursor=second.previous_cursor)
    assert numbers(back) == numbers(first)
    assert back.previous_cursor is None


@pytest.mark.usefixtures("table")
def test_a_cursor_outlives_the_item_it_was_made_at():
    write_batch(puts=[entry(number) for number in range(1, 31)])
    partition = keys.timeline("A")
    cursor = query_page(partition).next_cursor
    write_batch(deletes=[entry(11).key])
    assert numbers(query_page(partition, cursor=cursor)) == list(range(10, 0, -1))


@pytest.mark.usefixtures("table")
def test_a_page_of_exactly_its_size_has_no_next_page():
    write_batch(puts=[entry(number) for number in range(20)])
    assert query_page(keys.timeline("A")).next_cursor is None


@pytest.mark.usefixtures("table")
def test_expired_items_are_dropped_and_do_not_shorten_a_page():
    past = datetime.now(UTC) - timedelta(days=3)
    write_batch(puts=[entry(number, ttl=past if number > 30 else None) for number in range(1, 61)])
    page = query_page(keys.timeline("A"))
    assert numbers(page) == list(range(30, 10, -1))


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    "spoil", [lambda c: c[:-1], lambda c: "x" + c, lambda c: c * 9, lambda c: ""]
)
def test_a_tampered_cursor_is_refused(spoil):
    write_batch(puts=[entry(number) for number in range(30)])
    cursor = query_page(keys.timeline("A")).next_cursor
    spoilt = spoil(cursor)
    if not spoilt:
        assert query_page(keys.timeline("A"), cursor=spoilt).previous_cursor is None
        return
    with pytest.raises(BadCursor):
        query_page(keys.timeline("A"), cursor=spoilt)


@pytest.mark.usefixtures("table")
def test_a_cursor_of_another_partition_is_refused():
    write_batch(puts=[entry(number) for number in range(30)])
    cursor = query_page(keys.timeline("A")).next_cursor
    with pytest.raises(BadCursor):
        query_page(keys.timeline("B"), cursor=cursor)


@pytest.mark.usefixtures("table")
def test_the_fast_path_reads_what_pynamodb_reads():
    item = UserInfo.new(user_id="A", handle="a_b", name="Ü 陈 👩‍👩‍👧")
    create(item)
    create(Following.new(user_id="A", followed_id="B"))
    raw = fetch([item.key])[item.key]
    assert key_of(raw) == item.key
    assert UserInfo.from_raw_data(raw).serialize() == UserInfo.get(*item.key).serialize()


# A row: the attributes of a raw item under the names of its model, each read when it is asked for.


def test_a_string_is_read_under_the_name_that_its_model_gives_it():
    assert row(UserInfo, {"content": {"S": "Ü 陈"}}).bio == "Ü 陈"


def test_a_number_is_whole():
    followers = row(UserCount, {"follower#": {"N": "12"}}).followers
    assert (followers, type(followers)) == (12, int)


def test_a_set_is_a_sorted_tuple():
    assert row(Relation, {"tags": {"SS": ["b", "c", "a"]}}).tags == ("a", "b", "c")


def test_a_boolean_is_true_or_false():
    assert row(Relation, {"delete_status": {"BOOL": True}}).delete_status is True


def test_json_and_maps_are_what_the_model_makes_of_them():
    assert row(UserSettings, {"circles": {"S": '{"1": "Choir"}'}}).circles == {"1": "Choir"}
    assert row(Post, {"mentions": {"M": {"bob": {"S": "B"}}}}).mentions == {"bob": "B"}


def test_the_end_of_an_item_is_a_moment():
    assert row(Post, {"ttl": {"N": "1700000000"}}).ttl == datetime.fromtimestamp(1700000000, UTC)


@pytest.mark.parametrize(
    ("value", "nothing"),
    [
        (row(Post, {}).content, ""),
        (row(Post, {}).like_shards, 0),
        (row(Credentials, {}).recovery, ()),
        (row(Relation, {}).blocked_by, False),
        (row(UserSettings, {}).circles, None),
        (row(Post, {}).mentions, None),
    ],
)
def test_what_an_item_does_not_have_is_the_nothing_of_its_kind(value, nothing):
    assert value == nothing
    assert type(value) is type(nothing)


def test_nothing_is_parsed_that_is_not_asked_for():
    post = row(Post, {"content": {"S": "hello"}, "like_shards": {"N": "many"}})
    assert post.content == "hello"
    with pytest.raises(ValueError, match="many"):
        _ = post.like_shards


def test_a_row_shows_the_item_as_it_is_now():
    raw: RawItem = {}
    post = row(Post, raw)
    raw["content"] = {"S": "later"}
    assert post.content == "later"


def test_a_row_is_for_reading_alone():
    with pytest.raises(AttributeError):
        row(Post, {}).content = "other"


def test_a_row_has_no_attribute_that_its_model_does_not_declare():
    with pytest.raises(AttributeError):
        _ = row(Post, {}).handle


@pytest.mark.parametrize("model", [model for model in item_classes() if model is not Item])
def test_every_model_can_be_read_as_a_row(model):
    for name in model.get_attributes():
        assert not getattr(row(model, {}), name)


# Cursors: a place that only the site can read, for one list, for ever.

LIST = "u#01ALICE#post"


def signed(partition: str, place: Place) -> str:
    """A cursor as earlier versions made it."""
    payload = urlsafe_b64encode(f"{place.direction[0]}{place.sk}".encode()).decode().rstrip("=")
    return Signer(salt=f"cursor {partition}", sep=".").sign(payload)


@pytest.mark.parametrize("direction", ["next", "previous"])
@pytest.mark.parametrize("sk", ["", "p#1", "é陈", "x" * 1024], ids=["empty", "id", "text", "long"])
def test_a_place_comes_back_as_it_was(direction, sk):
    place = Place(direction, sk)
    cursor = write_cursor(LIST, place)
    assert read_cursor(LIST, cursor) == place
    assert len(cursor) <= MAX_LENGTH


def test_a_path_of_37_replies_fits():
    path = "#".join(new_id() for _ in range(37))
    assert read_cursor(LIST, write_cursor(LIST, Place("next", path))).sk == path


def test_a_cursor_tells_no_id():
    post_id = new_id()
    cursor = write_cursor(LIST, Place("next", keys.pointer(post_id, "A")))
    seen = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    assert post_id not in cursor
    assert post_id.encode() not in seen


def test_cursors_of_neighbours_have_nothing_in_common():
    one, other = (write_cursor(LIST, Place("next", f"{'A' * 25}{end}")) for end in "AB")
    assert sum(a == b for a, b in zip(one, other, strict=True)) < len(one) / 4


def test_the_same_place_has_the_same_address():
    place = Place("next", "p#1")
    assert write_cursor(LIST, place) == write_cursor(LIST, place)


def test_a_cursor_fits_no_other_list():
    with pytest.raises(BadCursor):
        read_cursor("u#01BOB#post", write_cursor(LIST, Place("next", "p#1")))


def test_a_cursor_outlives_a_change_of_the_secret_key_while_the_old_one_is_named():
    with override_settings(SECRET_KEY="the one before"):
        cursor = write_cursor(LIST, Place("next", "p#1"))
    with override_settings(SECRET_KEY_FALLBACKS=["older", "the one before"]):
        assert read_cursor(LIST, cursor).sk == "p#1"
    with pytest.raises(BadCursor):
        read_cursor(LIST, cursor)


def test_a_signed_cursor_of_an_open_page_still_leads_on():
    place = Place("previous", "p#1")
    assert read_cursor(LIST, signed(LIST, place)) == place
    with pytest.raises(BadCursor):
        read_cursor("u#01BOB#post", signed(LIST, place))
    with pytest.raises(BadCursor):
        read_cursor(LIST, "x" + signed(LIST, place))


def test_no_changed_bit_goes_unnoticed():
    cursor = write_cursor(LIST, Place("next", "p#1"))
    encrypted = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    for bit in range(len(encrypted) * 8):
        changed = bytearray(encrypted)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(BadCursor):
            read_cursor(LIST, urlsafe_b64encode(bytes(changed)).decode().rstrip("="))


# Binary values are bytes, whichever way they come: read one by one, listed, from the stream or under Lambda.


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


# Ids sort by time and say it.


def test_ids_of_one_process_never_go_back():
    minted = [ids.new_id() for _ in range(5000)]
    assert minted == sorted(minted)
    assert len(set(minted)) == 5000


def test_the_time_of_an_id_is_what_the_library_says():
    moments = [
        datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=n, milliseconds=n) for n in range(2000)
    ]
    for moment in moments:
        minted = ids.id_at(moment, bytes(range(10)))
        assert ids.time_of(minted).timestamp() == ULID.from_str(minted).timestamp


def test_bounds_hold_every_id_of_their_moment():
    moment = datetime(2026, 11, 21, 12, 0, 0, 5000, tzinfo=UTC)
    lowest, highest = (ids.id_at(moment, bytes([fill] * 10)) for fill in (0, 255))
    assert ids.first_id_at(moment) <= lowest
    assert highest <= ids.last_id_before(moment + timedelta(milliseconds=1))
    assert ids.last_id_before(moment) < lowest


def test_only_ulids_are_ids():
    assert ids.is_id(ids.new_id())
    for text in ("", "x" * 26, "8" * 26, ids.new_id().lower(), ids.new_id() + "0"):
        assert not ids.is_id(text)
