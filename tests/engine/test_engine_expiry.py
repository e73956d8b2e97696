"""Items past their time to live are deleted by the owner, and each deletion is in the stream."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from socialsite.engine import dynoxide
from socialsite.engine.database import open_for_reading
from socialsite.engine.dynoxide import HAS_TTL, TTL, sweep_expired_items
from tests.engine.processes import RunningTable, SiteProcess
from tests.engine.table import TABLE, connect, create_table, names, put, stream_records

YEAR = 365 * 24 * 3600


def test_only_expired_items_are_deleted(table: RunningTable) -> None:
    now = int(time.time())
    put(table.client, "expired", ttl={"N": str(now - 1)})
    put(table.client, "expires-now", ttl={"N": str(now)})
    put(table.client, "later", ttl={"N": str(now + 60)})
    put(table.client, "for-ever")
    put(table.client, "text", ttl={"S": str(now - 1)})
    put(table.client, "zero", ttl={"N": "0"})
    put(table.client, "six-years-ago", ttl={"N": str(now - 6 * YEAR)})

    assert sweep(table, now) == 2
    assert names(table.client) == ["for-ever", "later", "six-years-ago", "text", "zero"]
    assert sweep(table, now) == 0


def test_each_deletion_is_a_remove_record_with_the_old_image(table: RunningTable) -> None:
    now = int(time.time())
    put(table.client, "expired", ttl={"N": str(now - 1)}, content={"S": "gone"})
    sweep(table, now)
    removal = stream_records(table.url)[-1]
    assert removal["eventName"] == "REMOVE"
    assert removal["dynamodb"]["OldImage"]["content"] == {"S": "gone"}
    assert removal["dynamodb"]["OldImage"]["ttl"] == {"N": str(now - 1)}


def test_an_item_renewed_after_it_was_found_stays(
    table: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = int(time.time())
    put(table.client, "renewed", ttl={"N": str(now - 1)})
    find = dynoxide._expired_keys

    def find_then_renew(*arguments: object) -> object:
        found = find(*arguments)  # type: ignore[arg-type]
        put(table.client, "renewed", ttl={"N": str(now + 60)})
        return found

    monkeypatch.setattr(dynoxide, "_expired_keys", find_then_renew)
    assert sweep(table, now) == 0
    assert names(table.client) == ["renewed"]


def test_more_than_one_chunk_is_deleted_in_one_sweep(
    table: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dynoxide, "CHUNK", 5)
    now = int(time.time())
    for number in range(12):
        put(table.client, f"expired-{number:02}", ttl={"N": str(now - number)})
    assert sweep(table, now) == 12
    assert names(table.client) == []


def test_a_table_that_does_not_exist_yet_has_nothing_to_sweep(table: RunningTable) -> None:
    assert sweep_expired_items(table.database, table.url, "not-there-yet") == 0


def test_the_sweep_works_again_after_the_table_was_made_anew(table: RunningTable) -> None:
    now = int(time.time())
    sweep(table, now)
    table.client.delete_table(TableName=TABLE)
    create_table(table.client)
    put(table.client, "expired", ttl={"N": str(now - 1)})
    assert sweep(table, now) == 1


def test_expired_items_are_found_through_an_index(table: RunningTable) -> None:
    sweep(table, int(time.time()))
    with open_for_reading(table.database) as connection:
        plan = connection.execute(
            f'EXPLAIN QUERY PLAN SELECT 1 FROM "{TABLE}" WHERE {HAS_TTL} AND {TTL} <= 1'
        ).fetchall()
    assert f"USING INDEX {TABLE}.ttl" in plan[0][3]


def test_the_users_own_aws_settings_do_not_disturb_the_sweep(
    table: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_PROFILE", "does-not-exist")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    now = int(time.time())
    put(table.client, "expired", ttl={"N": str(now - 1)})
    assert sweep(table, now) == 1


def test_the_owner_sweeps_by_itself_when_it_starts(
    start_site: Callable[..., SiteProcess], tmp_path: Path
) -> None:
    first = start_site()
    client = connect(first.endpoint()["url"])
    create_table(client)
    put(client, "expired", ttl={"N": str(int(time.time()) - 1)})
    put(client, "kept")
    first.exit()

    client = connect(start_site().endpoint()["url"])
    deadline = time.monotonic() + 60
    while names(client) != ["kept"] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert names(client) == ["kept"]


def sweep(table: RunningTable, now: int) -> int:
    return sweep_expired_items(table.database, table.url, TABLE, now=now)
