"""The statements of docs/archive.md for Athena and Redshift Spectrum, run by DuckDB over the archive's own files.

What the document asks is asked as it stands there. The table is made of the names and types of its CREATE statement,
and a function is defined that DuckDB calls by another name.
"""

import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from socialsite.site_settings.models import Invite
from socialsite.streams.archive import archive_records, list_files
from socialsite.streams.joining import join_files
from tests.streams.records import archived, own_archive
from tests.streams.removals import SHARD, removal
from tests.web.catalogs import ROOT

TYPES = {"string": "VARCHAR"}
DOCUMENT = (ROOT / "docs" / "archive.md").read_text()
STATEMENTS = [one.strip() for one in re.findall(r"```sql\n(.*?)```", DOCUMENT, re.DOTALL)]
QUERIES = [one for one in STATEMENTS if one.startswith("SELECT")]
TABLE = next(one for one in STATEMENTS if one.startswith("CREATE EXTERNAL TABLE"))
DAYS = {datetime(2026, 11, 21, 12, tzinfo=UTC): 4, datetime(2026, 11, 20, tzinfo=UTC): 3}
OCTOBER = datetime(2026, 10, 5, tzinfo=UTC)


def columns_of(statement: str, head: str) -> dict[str, str]:
    """The names and types in the parentheses after these words, as DuckDB calls the types."""
    inside = re.search(head + r"\s*\((.*?)\)", statement, re.DOTALL)[1]
    pairs = (one.split() for one in inside.split(","))
    return {name.strip("`"): TYPES[kind] for name, kind in pairs}


def invitation(number: int, *, creator: str, left: int, at: datetime) -> dict:
    invite = Invite.new(
        code=f"code{number}", creator_id=creator, uses_left=left, comment="", ttl=at
    )
    record = removal(number, at=at)
    record["dynamodb"]["OldImage"] = invite.serialize()
    return record


@pytest.fixture
def folder(settings, tmp_path: Path, monkeypatch) -> Path:
    own_archive(settings, tmp_path)
    monkeypatch.setattr(
        "socialsite.streams.joining.utc_now", lambda: datetime(2026, 11, 28, tzinfo=UTC)
    )
    number = 1
    for at, count in {OCTOBER: 2, **DAYS}.items():
        for _ in range(count):
            archive_records([removal(number, at=at)], shard_id=SHARD)
            number += 1
    records = [
        invitation(50, creator="alice", left=2, at=OCTOBER),
        invitation(51, creator="alice", left=3, at=OCTOBER),
        invitation(52, creator="bob", left=1, at=next(iter(DAYS))),
    ]
    archive_records(records[:2], shard_id=SHARD)
    archive_records(records, shard_id=SHARD)  # a batch that was read again, cut elsewhere
    return tmp_path


@pytest.fixture(params=["as the worker wrote them", "joined"])
def engine(request, folder: Path):
    if request.param == "joined":
        join_files()
    database = duckdb.connect(config={"autoinstall_known_extensions": False})
    database.execute("CREATE SCHEMA archive")
    database.execute(
        "CREATE MACRO json_extract_scalar(text, path) AS json_extract_string(text, path)"
    )
    columns, partition = columns_of(TABLE, "removed"), columns_of(TABLE, "PARTITIONED BY")
    for name in ("removed", "archive.removed"):
        database.execute(
            f"CREATE VIEW {name} AS SELECT * FROM read_json('{folder}/archive/date=*/*/*.jsonl.gz', "
            f"format='newline_delimited', columns={columns}, hive_partitioning=true, "
            f"hive_types={partition})"
        )
    return database


def ask(database, words: str) -> list[list[tuple]]:
    """The answers to the document's queries that have these words."""
    found = [one for one in QUERIES if words in one]
    assert found
    return [database.execute(one).fetchall() for one in found]


def test_the_columns_are_those_of_the_lines(folder, engine):
    columns = columns_of(TABLE, "removed")
    assert set(columns) == set(archived()[0])
    found = engine.execute(f"SELECT {', '.join(columns)} FROM removed").fetchall()
    assert len(found) >= len(archived())
    assert all(value is not None for row in found for value in row)


def test_how_many_of_each_type_were_removed_on_a_day(engine):
    wanted = Counter(line["type"] for line in archived() if line["removed_on"] == "2026-11-21")
    for answer in ask(engine, "removed_on = '2026-11-21'"):
        assert answer == sorted(wanted.items())
    assert wanted == {"SavedPost": 4, "Invite": 1}


def test_athena_and_redshift_are_asked_the_same(engine):
    athena, redshift = ask(engine, "removed_on = '2026-11-21'")
    assert athena == redshift


def test_how_many_were_removed_in_each_month(engine):
    (answer,) = ask(engine, "AS month")
    wanted = Counter((line["removed_on"][:7], line["type"]) for line in archived())
    assert answer == [(*place, count) for place, count in sorted(wanted.items())]


def test_which_invitations_ended_unused(engine):
    (answer,) = ask(engine, "creator_id")
    assert answer == [("alice", 2, 5), ("bob", 1, 1)]


def test_every_query_of_the_document_is_run_here(engine):
    for query in QUERIES:
        assert engine.execute(query).fetchall(), query
    assert len(QUERIES) == 4


def test_a_partition_is_a_folder_of_a_day(folder, engine):
    days = {name for (name,) in engine.execute('SELECT DISTINCT "date" FROM removed').fetchall()}
    assert days == {name.split("/")[1].removeprefix("date=") for name in list_files()}
