"""Real engines, their tables and processes, for tests."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botocore.config import Config
from botocore.session import Session

from socialsite.engine.choice import PROGRAMS
from socialsite.engine.dynoxide import database_path

PROJECT = Path(__file__).resolve().parents[2]
SITE_PROCESS = Path(__file__).with_name("site_process.py")


@dataclass(frozen=True)
class RunningTable:
    """An engine on a file of its own, with one table."""

    data_dir: Path
    url: str
    client: Any

    @property
    def database(self) -> Path:
        return database_path(self.data_dir)


class SiteProcess:
    """A process of `site_process.py`."""

    def __init__(self, data_dir: Path, where: str) -> None:
        self.popen = subprocess.Popen(
            [sys.executable, str(SITE_PROCESS), str(data_dir), where],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def endpoint(self) -> dict[str, Any]:
        """Wait until it has an engine and return which."""
        assert self.popen.stdout is not None
        line = self.popen.stdout.readline()
        assert line, self.popen.stderr and self.popen.stderr.read()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def exit(self) -> None:
        """Let it end by itself, as after Ctrl-C."""
        _, errors = self.popen.communicate(timeout=20)
        assert self.popen.returncode == 0, errors
        assert not errors

    def kill(self) -> None:
        """End it without letting it do anything more, as `kill -9` does."""
        self.popen.kill()
        self.popen.communicate()


def engine_pids(data_dir: Path) -> list[int]:
    """Return the engines that run on the data folder."""
    listing = subprocess.run(["ps", "-ww", "-eo", "pid=,args="], capture_output=True, text=True)
    marks = [program.recognised_by(data_dir) for program in PROGRAMS]
    return [
        int(line.split()[0])
        for line in listing.stdout.splitlines()
        if any(mark in line for mark in marks)
    ]


# A small table with a stream, seen through plain botocore, for the tests of every engine.

TABLE = "socialsite"


def connect(url: str | None, service: str = "dynamodb") -> Any:
    """Return a client; without an address, one that moto answers."""
    credentials = {"aws_access_key_id": "test", "aws_secret_access_key": "test"} if url else {}
    return Session().create_client(
        service,
        region_name="us-east-1",
        endpoint_url=url,
        # The embedded engine's shard ids and sequence numbers are shorter than Amazon's.
        config=Config(parameter_validation=False, account_id_endpoint_mode="disabled", proxies={}),
        **credentials,
    )


def create_table(client: Any, name: str = TABLE) -> None:
    """Create the table with the site's key names and its stream."""
    client.create_table(
        TableName=name,
        AttributeDefinitions=[
            {"AttributeName": "PK", "AttributeType": "S"},
            {"AttributeName": "SK", "AttributeType": "S"},
        ],
        KeySchema=[
            {"AttributeName": "PK", "KeyType": "HASH"},
            {"AttributeName": "SK", "KeyType": "RANGE"},
        ],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    )


def put(client: Any, name: str, **attributes: dict[str, str]) -> None:
    """Put an item of the partition `u#1`, named by its sort key."""
    key = {"PK": {"S": "u#1"}, "SK": {"S": name}}
    client.put_item(TableName=TABLE, Item={**key, **attributes})


def names(client: Any) -> list[str]:
    """Return the names of the items of the partition `u#1`."""
    answer = client.query(
        TableName=TABLE,
        KeyConditionExpression="PK = :partition",
        ExpressionAttributeValues={":partition": {"S": "u#1"}},
        ConsistentRead=True,
    )
    return [item["SK"]["S"] for item in answer["Items"]]


def stream_records(url: str | None, name: str = TABLE) -> list[dict[str, Any]]:
    """Return what the stream holds, oldest first."""
    streams = connect(url, "dynamodbstreams")
    arn = streams.list_streams(TableName=name)["Streams"][0]["StreamArn"]
    shards = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]
    records: list[dict[str, Any]] = []
    for shard in shards:
        iterator = streams.get_shard_iterator(
            StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
        )["ShardIterator"]
        records += streams.get_records(ShardIterator=iterator)["Records"]
    return records
