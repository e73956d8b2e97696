"""The tasks of the stack, started as their task definitions say, pass the smoke test of `make deploy`: with everything
at moto, and with the table in Amazon's DynamoDB Local. So do those of a built image, if one is named.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest

from operations.amazon import smoke
from operations.serving.nginx import free_addresses
from tests.aws.account import QUIET, REGION, TASKS, Site, buildah, played, readable
from tests.aws.runtime import runtime
from tests.conftest import PASSWORD

one_account = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="the account is a process of its own"
)
IMAGE = os.environ.get("SITE_IMAGE", "")
SECONDS = 90.0
needs_image = pytest.mark.skipif(
    not (IMAGE and shutil.which("buildah")),
    reason="it needs buildah (apt-get install buildah), and SITE_IMAGE: the target `amazon` of Containerfile",
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch, request) -> Iterator[Site]:
    """A stack at moto. Its table is at moto too, or in the engine that plays."""
    engine = request.config.getoption("--engine")
    own = {
        "DATA_DIR": str(tmp_path / "data"),
        "STATIC_ROOT": str(tmp_path / "static"),
        "DEBUG": "0",
    }
    if engine == "dynamodb-local":
        own["DYNAMODB_ENDPOINT"] = request.getfixturevalue("running_engine").endpoint
        own["DYNAMODB_TABLE"] = uuid4().hex
    with played(tmp_path) as account:
        for name, value in account.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr("operations.amazon.stack.TEMPLATE", readable(tmp_path))
        monkeypatch.setattr("operations.amazon.stack.EVERY", 0.01)
        made = Site(tmp_path, account, own=own)
        made.make()
        # A stack of moto's leaves it off, and create_table says so.
        ttl = {"AttributeName": "ttl", "Enabled": True}
        table = made.session.client("dynamodb")
        table.update_time_to_live(TableName="socialsite", TimeToLiveSpecification=ttl)
        yield made
        made.end()


def starts_and_answers(site: Site, monkeypatch) -> None:
    assert "is missing" not in site.run(["python", "manage.py", "create_table"])
    words = "createadmin ada --email ada@example.org --password-stdin"
    line = f"printenv FIRST_PASSWORD | python manage.py {words}"
    assert "@ada is created" in site.run(["sh", "-c", line], FIRST_PASSWORD=PASSWORD)
    port = free_addresses(1)[0].rpartition(":")[2]
    logs = [site.start(name, ADDRESS=f"127.0.0.1:{port}", WEB_CONCURRENCY="1") for name in TASKS]
    data = (
        Path(buildah("mount", site.containers[-len(TASKS)])) / "data"
        if site.image
        else site.folder / "data"
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(data / "tls.pem"))
    try:
        smoke.look_at(f"https://localhost:{port}", console=QUIET, patience=SECONDS)
    except smoke.NotThere:
        print(*(Path(log).read_text()[-2000:] for log in logs), sep="\n---\n")
        raise
    assert [process.poll() for process in site.running] == [None] * len(TASKS)


@pytest.mark.timeout(300)
@one_account
def test_a_site_of_its_tasks_answers(site, monkeypatch):
    starts_and_answers(site, monkeypatch)


@needs_image
@pytest.mark.timeout(600)
@one_account
def test_so_does_one_of_the_built_image(site, monkeypatch):
    """Each task in a copy of the image, as user and with folders of the image."""
    site.image = IMAGE
    site.own = {name: value for name, value in site.own.items() if name.startswith("DYNAMODB")}
    starts_and_answers(site, monkeypatch)


@needs_image
@pytest.mark.timeout(300)
@pytest.mark.engines("embedded", reason="the stream is that of moto")
def test_the_image_is_the_worker_under_lambda(site):
    """Its entry point asks the runtime of Lambda for records of the stream, and answers that it applied them."""
    site.image, site.own = IMAGE, {}
    site.run(["python", "manage.py", "create_table"])
    site.run(["python", "manage.py", "hand_over", "lambda"])
    line = "printenv FIRST_PASSWORD | python manage.py createadmin ada --email ada@example.org --password-stdin"
    site.run(["sh", "-c", line], FIRST_PASSWORD=PASSWORD)
    records = records_of(site)
    assert len(records) > 3
    with runtime({"Records": records}) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"127.0.0.1:{server.server_port}"
        log = site.start(
            "function", AWS_LAMBDA_RUNTIME_API=address, AWS_REGION=REGION, PYTHONFAULTHANDLER="1"
        )
        try:
            said = server.RequestHandlerClass.answers.get(timeout=25)
        except Empty:
            pytest.fail(Path(log).read_text()[-2000:])
        server.shutdown()
    assert said == ("response", {"batchItemFailures": []}), said


def records_of(site: Site) -> list[dict[str, Any]]:
    """What the stream of the table has, as Lambda gives it to a function."""
    client = site.session.client("dynamodbstreams")
    (stream,) = client.list_streams()["Streams"]
    arn = stream["StreamArn"]
    shards = client.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]
    found: list[dict[str, Any]] = []
    for shard in shards:
        place = client.get_shard_iterator(
            StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
        )
        found += client.get_records(ShardIterator=place["ShardIterator"])["Records"]
    return [one | {"eventSourceARN": arn} for one in found]
