"""How is dynoxide the embedded engine?"""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from socialsite.engine.dynoxide.binary import find_binary, runs_on
from socialsite.engine.dynoxide.expired_items import sweep_expired_items
from socialsite.engine.dynoxide.package import install
from socialsite.engine.dynoxide.stream_records import index_stream, trim_stream
from socialsite.engine.program import Program
from socialsite.engine.upkeep import Task

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
