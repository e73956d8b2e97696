"""How does the test suite get each DynamoDB it can run on? One context manager per engine.

Each yields the endpoint's address, or None when the engine lives inside this process.
"""

import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from botocore.handlers import BUILTIN_HANDLERS
from moto import mock_aws
from moto.core.models import botocore_stubber
from moto.dynamodb.models.table import StreamRecord
from moto.dynamodbstreams.models import ShardIterator

from socialsite.engine import dynamodb_local as package
from socialsite.engine import process
from socialsite.engine.dynoxide import DYNOXIDE, database_path
from socialsite.engine.program import EngineError

PROJECT = Path(__file__).resolve().parents[1]

DYNAMODB_LOCAL_START_SECONDS = 60
PORT_ATTEMPTS = 3

# Credentials that no AWS would take, so that a forgotten mock cannot reach a real account.
MOTO_ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_SESSION_TOKEN": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    # Stream calls go to an address with the account in it otherwise, which moto does not know.
    "AWS_ACCOUNT_ID_ENDPOINT_MODE": "disabled",
}


# moto listens to whatever any client sends, from its import on. Beside a real engine it is to hear the other services
# alone, because the site's own transport leaves a client to botocore if someone may answer in the engine's place.
PLAYED = ("before-send", botocore_stubber)
OTHER_SERVICES = ("iam", "kms", "s3", "ses", "sesv2", "sqs", "sts")
PLAYED_BESIDE = [(f"before-send.{name}", botocore_stubber) for name in OTHER_SERVICES]
BUILTIN_HANDLERS.remove(PLAYED)
BUILTIN_HANDLERS.extend(PLAYED_BESIDE)


@contextmanager
def embedded_engine() -> Iterator[str]:
    """Run the embedded engine on a file that lives in memory where the system has such a place.

    A file and not the engine's own memory mode: the stream's index can only be put into a file,
    and each write slows with every stream record without it.
    """
    memory = Path("/dev/shm")
    parent = memory if os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="socialsite-test-", dir=parent) as folder:
        data_dir = Path(folder)
        # Not bound to this thread's life: a fixture may run in any thread.
        engine = process.start(DYNOXIDE, PROJECT, data_dir, die_with_starter=False)
        try:
            DYNOXIDE.complete(database_path(data_dir))
            yield engine.url
        finally:
            process.stop(engine)


@contextmanager
def dynamodb_local() -> Iterator[str]:
    """Run Amazon's DynamoDB Local in memory.

    It listens on all interfaces and cannot be told not to, so it runs for tests only.
    """
    java = shutil.which("java")
    if not java:
        raise EngineError("DynamoDB Local needs Java 17: run `tools/install-java`.")
    emulator = _dynamodb_local_folder()
    with tempfile.TemporaryFile() as log:
        running, url = _start_dynamodb_local(java, emulator, log.fileno())
        try:
            yield url
        finally:
            running.terminate()
            try:
                running.wait(5)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()


def _dynamodb_local_folder() -> Path:
    """Return the unpacked emulator, fetched once."""
    package.install(PROJECT)
    return package.find_emulator(PROJECT)


def _start_dynamodb_local(
    java: str, emulator: Path, log: int
) -> tuple[subprocess.Popen[bytes], str]:
    for _ in range(PORT_ATTEMPTS):
        with socket.socket() as probe:
            probe.bind(("", 0))
            port = probe.getsockname()[1]
        running = subprocess.Popen(
            [
                *(java, "-Xmx512m", "-Djava.library.path=./DynamoDBLocal_lib"),
                *("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),  # as it lives for a minute or two
                *("-jar", "DynamoDBLocal.jar", "-inMemory", "-sharedDb", "-disableTelemetry"),
                *("-port", str(port)),
            ],
            cwd=emulator,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        url = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + DYNAMODB_LOCAL_START_SECONDS
        # It ends when another process took the port meanwhile.
        while running.poll() is None and time.monotonic() < deadline:
            if _answers(url):
                return running, url
            time.sleep(0.1)
        running.kill()
        running.wait()
    said = os.pread(log, 2000, 0).decode(errors="replace").strip()
    raise EngineError(f"DynamoDB Local did not start; check that Java is version 17. Said: {said}")


def _answers(url: str) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        opener.open(url, timeout=2).close()
    except urllib.error.HTTPError:
        # It refuses a request without credentials, which shows that it is there.
        return True
    except OSError:
        return False
    return True


@contextmanager
def moto_engine() -> Iterator[None]:
    """Answer every AWS call of this process from moto, without a network or a real account."""
    before = {name: os.environ.get(name) for name in (*MOTO_ENVIRONMENT, "AWS_PROFILE")}
    os.environ.update(MOTO_ENVIRONMENT)
    os.environ.pop("AWS_PROFILE", None)
    # Heard twice, a call's body is read twice: the second time nothing is left of it.
    others = [one for one in BUILTIN_HANDLERS if one in PLAYED_BESIDE]
    BUILTIN_HANDLERS[:] = [one for one in BUILTIN_HANDLERS if one not in others] + [PLAYED]
    try:
        with (
            mock_aws(),
            patch.object(ShardIterator, "get", _read_table_at_hand),
            patch.object(StreamRecord, "__deepcopy__", _as_it_is, create=True),
        ):
            yield None
    finally:
        BUILTIN_HANDLERS.remove(PLAYED)
        BUILTIN_HANDLERS.extend(others)
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _as_it_is(record: StreamRecord, memo: dict[int, Any]) -> StreamRecord:
    """Moto copies a table for each transaction, mostly records of its stream, which never change once made."""
    return record


_read_shard = ShardIterator.get


def _read_table_at_hand(iterator: ShardIterator, limit: int = 1000) -> dict[str, Any]:
    """Moto puts a copy in a table's place when a transaction is refused; iterators would read the old one for ever."""
    name = iterator.stream_shard.table.name
    shard = iterator.streams_backend.dynamodb.get_table(name).stream_shard
    assert shard is not None
    iterator.stream_shard = shard
    return _read_shard(iterator, limit)
