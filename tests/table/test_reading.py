"""Reading: strict gets, ordered fetches, pages both ways, nothing expired."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import UserCount, UserInfo
from feed.posts.models import TimelineEntry
from relations.models import Following
from socialsite.table import (
    BadCursor,
    NotFound,
    create,
    fetch,
    get,
    key_of,
    keys,
    query_page,
    write_batch,
)
from socialsite.table.ids import new_id

pytestmark = pytest.mark.usefixtures("table")


def entry(number: int, *, ttl: datetime | None = None, owner: str = "A") -> TimelineEntry:
    end = ttl or datetime.now(UTC) + timedelta(days=1)
    return TimelineEntry.new(user_id=owner, post_id=f"{number:03}", author_id="X", ttl=end)


def numbers(page) -> list[int]:
    return [int(raw["post_id"]["S"]) for raw in page.items]


def test_getting_a_missing_item_is_not_found():
    with pytest.raises(NotFound):
        get(UserInfo, keys.user_info(new_id()))


def test_getting_an_item_of_another_type_is_not_found():
    create(UserCount.new(user_id="A"))
    with pytest.raises(NotFound):
        get(UserInfo, keys.user_count("A"))


def test_getting_an_expired_item_is_not_found():
    item = entry(1, ttl=datetime.now(UTC) - timedelta(seconds=1))
    create(item)
    with pytest.raises(NotFound):
        get(TimelineEntry, item.key)


def test_fetch_keeps_the_order_of_the_keys_and_leaves_out_what_is_missing():
    write_batch(puts=[entry(number) for number in range(130)])
    wanted = [entry(number).key for number in (7, 129, 500, 3, 7)]
    assert list(fetch(wanted)) == [entry(number).key for number in (7, 129, 3)]


def test_fetch_takes_more_keys_than_one_call_and_drops_expired_items(measure):
    past = datetime.now(UTC) - timedelta(days=3)
    write_batch(puts=[entry(number, ttl=past if number % 2 else None) for number in range(120)])
    with measure() as meter:
        found = fetch([entry(number).key for number in range(120)])
    assert len(found) == 60
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "BatchGetItem"]


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


def test_a_cursor_outlives_the_item_it_was_made_at():
    write_batch(puts=[entry(number) for number in range(1, 31)])
    partition = keys.timeline("A")
    cursor = query_page(partition).next_cursor
    write_batch(deletes=[entry(11).key])
    assert numbers(query_page(partition, cursor=cursor)) == list(range(10, 0, -1))


def test_a_page_of_exactly_its_size_has_no_next_page():
    write_batch(puts=[entry(number) for number in range(20)])
    assert query_page(keys.timeline("A")).next_cursor is None


def test_expired_items_are_dropped_and_do_not_shorten_a_page():
    past = datetime.now(UTC) - timedelta(days=3)
    write_batch(puts=[entry(number, ttl=past if number > 30 else None) for number in range(1, 61)])
    page = query_page(keys.timeline("A"))
    assert numbers(page) == list(range(30, 10, -1))


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


def test_a_cursor_of_another_partition_is_refused():
    write_batch(puts=[entry(number) for number in range(30)])
    cursor = query_page(keys.timeline("A")).next_cursor
    with pytest.raises(BadCursor):
        query_page(keys.timeline("B"), cursor=cursor)


def test_the_fast_path_reads_what_pynamodb_reads():
    item = UserInfo.new(user_id="A", handle="a_b", name="Ü 陈 👩‍👩‍👧")
    create(item)
    create(Following.new(user_id="A", followed_id="B"))
    raw = fetch([item.key])[item.key]
    assert key_of(raw) == item.key
    assert UserInfo.from_raw_data(raw).serialize() == UserInfo.get(*item.key).serialize()
