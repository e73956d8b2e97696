"""DynamoDB Local on a data folder, at an address that it keeps when it is killed and started again."""

import os
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from botocore.config import Config
from botocore.session import Session

from socialsite.engine import dynamodb_local
from socialsite.engine.process import secret_address
from tests.engine.table import TABLE
from tests.engines import _dynamodb_local_folder

LISTEN = Path(dynamodb_local.__file__).with_name("listen.xml")
START_SECONDS = 60
KEY, REGION = "test", "us-east-1"  # those of tests/engine/table.py


class MortalLocal:
    """One engine process after the other on the same file."""

    def __init__(self, data_dir: Path, *, journal: str = "WAL") -> None:
        self.journal = journal
        self.database = data_dir / f"{KEY}_{REGION}.db"
        self.url = secret_address()
        self.host, _, self.port = self.url.removeprefix("http://").partition(":")
        self.start()

    def start(self) -> None:
        """Start it as the site does, and return once it listens."""
        dynamodb_local.prepare_file(self.database)
        with closing(sqlite3.connect(self.database)) as connection:
            connection.execute(f"PRAGMA journal_mode = {self.journal}")
        emulator = _dynamodb_local_folder()
        libraries = emulator / "DynamoDBLocal_lib"
        log = self.database.with_name("engine.log")
        self.process = subprocess.Popen(
            [
                *(str(shutil.which("java")), "-Xmx256m", "-XX:TieredStopAtLevel=1"),
                f"-Djava.library.path={libraries}",
                f"-Dsqlite4java.library.path={libraries}",
                "-Dorg.eclipse.jetty.server.LEVEL=INFO",
                *("-cp", f"{emulator}/DynamoDBLocal.jar{os.pathsep}{libraries}/*"),
                "org.eclipse.jetty.xml.XmlConfiguration",
                *(f"host={self.host}", f"port={self.port}", f"dbPath={self.database.parent}"),
                str(LISTEN),
            ],
            stdin=subprocess.DEVNULL,
            stdout=log.open("w"),
            stderr=subprocess.STDOUT,
        )
        deadline = time.monotonic() + START_SECONDS
        while f"{{{self.host}:{self.port}}}" not in log.read_text():
            assert self.process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.02)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()

    def connect(self) -> Any:
        """Return a client that asks once: a repeated call would hide a lost answer."""
        return Session().create_client(
            "dynamodb",
            region_name=REGION,
            endpoint_url=self.url,
            aws_access_key_id=KEY,
            aws_secret_access_key="test",
            config=Config(retries={"total_max_attempts": 1}, proxies={}, read_timeout=20),
        )

    def stored(self) -> set[str]:
        """Return the partition keys that the file holds, however its engine ended."""
        with closing(sqlite3.connect(self.database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            rows = connection.execute(
                f"SELECT json_extract(CAST(ObjectJSON AS TEXT), '$.PK.S') FROM {TABLE}"
            )
            return {key for (key,) in rows}


def create_indexed_table(client: Any) -> None:
    """Create the table with its stream and an index, as the site's own table has."""
    client.create_table(
        TableName=TABLE,
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK", "indexed")
        ],
        KeySchema=[
            {"AttributeName": "PK", "KeyType": "HASH"},
            {"AttributeName": "SK", "KeyType": "RANGE"},
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by-indexed",
                "KeySchema": [{"AttributeName": "indexed", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    )
    client.update_time_to_live(
        TableName=TABLE, TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"}
    )


def write_three(client: Any, name: str) -> None:
    """Put three items in one transaction."""
    client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": TABLE, "Item": {"PK": {"S": f"{name}#{n}"}, "SK": {"S": "x"}}}}
            for n in range(3)
        ]
    )
