"""The tasks of the stack, started as their task definitions say, pass the smoke test of `make deploy`: with everything
at moto, and with the table in Amazon's DynamoDB Local. So do those of a built image, if one is named.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from operations.amazon import smoke
from operations.serving.nginx import free_addresses
from tests.aws.account import QUIET, TASKS, Site, buildah, played, readable
from tests.conftest import PASSWORD

one_account = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="the account is a process of its own"
)
IMAGE = os.environ.get("SITE_IMAGE", "")
SECONDS = 90.0


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


@pytest.mark.skipif(
    not (IMAGE and shutil.which("buildah")),
    reason="it needs buildah (apt-get install buildah), and SITE_IMAGE: the target `amazon` of Containerfile",
)
@pytest.mark.timeout(600)
@one_account
def test_so_does_one_of_the_built_image(site, monkeypatch):
    """Each task in a copy of the image, as user and with folders of the image."""
    site.image = IMAGE
    site.own = {name: value for name, value in site.own.items() if name.startswith("DYNAMODB")}
    starts_and_answers(site, monkeypatch)
