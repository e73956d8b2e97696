"""How is Amazon's DynamoDB Local the embedded engine?"""

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from socialsite.engine.dynamodb_local.commits import wait_for_commits
from socialsite.engine.dynamodb_local.expired_items import sweep_expired_items
from socialsite.engine.dynamodb_local.file import prepare_file
from socialsite.engine.dynamodb_local.java import find_java
from socialsite.engine.dynamodb_local.package import (
    LIBRARIES,
    NATIVE_LIBRARIES,
    find_emulator,
    install,
)
from socialsite.engine.dynamodb_local.write_ahead_log import move_into_file
from socialsite.engine.program import Program
from socialsite.engine.upkeep import Task
from socialsite.private_files import create_private, make_private_folder

FOLDER = "dynamodb-local"
KEY_NAME = "access_key.txt"
REGION = "us-east-1"  # which the site names to every DynamoDB but Amazon's
LOG_SECONDS = 1
SWEEP_SECONDS = 300


def database_path(data_dir: Path) -> Path:
    """Return the one file that holds every table of this data folder: the engine names it by key and region."""
    return data_dir / FOLDER / f"{access_key(data_dir)}_{REGION}.db"


def access_key(data_dir: Path) -> str:
    """Return the data folder's own random key, made once. A program that uses another one sees an empty database."""
    key = data_dir / FOLDER / KEY_NAME
    if not key.exists():
        make_private_folder(key.parent)
        create_private(key, secrets.token_hex(16))
    return key.read_text()


def _command(project: Path) -> list[str]:
    java, emulator = find_java(), find_emulator(project)
    libraries = emulator / LIBRARIES
    return [
        # The quick compiler alone: it starts in 1.9 s instead of 3.2, and needs 15 MB less.
        *(str(java), "-Xmx256m", "-XX:TieredStopAtLevel=1"),
        f"-Djava.library.path={libraries}",
        f"-Dsqlite4java.library.path={libraries}",
        "-Dorg.eclipse.jetty.server.LEVEL=INFO",  # says when it listens
        *("-cp", f"{emulator / 'DynamoDBLocal.jar'}{os.pathsep}{libraries / '*'}"),
        "org.eclipse.jetty.xml.XmlConfiguration",
        str(Path(__file__).with_name("listen.xml")),
    ]


def _arguments(data_dir: Path, url: str) -> list[str]:
    address = urlsplit(url)
    return [f"host={address.hostname}", f"port={address.port}", f"dbPath={data_dir / FOLDER}"]


def _prepare(data_dir: Path) -> None:
    prepare_file(database_path(data_dir))


def _upkeep(database: Path, url: Callable[[], str], table_name: str) -> list[Task]:
    return [
        Task(lambda: move_into_file(database), every=LOG_SECONDS),
        Task(lambda: sweep_expired_items(database, url(), table_name), every=SWEEP_SECONDS),
    ]


DYNAMODB_LOCAL = Program(
    name="dynamodb-local",
    server="jetty",
    start_seconds=60,
    least_free_bytes=50_000_000,
    runs_on=NATIVE_LIBRARIES.__contains__,
    find=_command,
    install=install,
    made=lambda data_dir: (data_dir / FOLDER).is_dir(),
    database=database_path,
    database_name="dynamodb-local.sqlite3",
    access_key=access_key,
    prepare=_prepare,
    arguments=_arguments,
    recognised_by=lambda data_dir: f"dbPath={data_dir / FOLDER}",
    says_when_ready=lambda url: f"{{{urlsplit(url).netloc}}}",
    complete=lambda database: None,
    fit=wait_for_commits,
    upkeep=_upkeep,
)
