"""One machine whose table is at Amazon: what it needs there is made by one command, whose settings the installation
takes. It has no engine and no backups of its own, and is brought to another version with the site open."""

from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest

from operations.amazon import __main__ as command
from operations.amazon import smoke
from operations.installation.services import read_env
from operations.serving.nginx import find_nginx
from tests.aws.account import QUIET, REGION, SECRETS, played, readable
from tests.operations.installation import test_upgrade as upgrades
from tests.operations.installation.machine import Machine, machine

pytestmark = [
    pytest.mark.engines("embedded", reason="the account is a process of its own"),
    pytest.mark.timeout(300),
    pytest.mark.long,
]
STACK = ("--stack", "socialsite", "--region", REGION)


@pytest.fixture
def account(tmp_path: Path, monkeypatch) -> Iterator[dict[str, str]]:
    monkeypatch.setattr("operations.amazon.stack.TEMPLATE", readable(tmp_path))
    monkeypatch.setattr("operations.amazon.stack.EVERY", 0.01)
    with played(tmp_path) as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        # What stacks of moto leave out: secrets, which are named as it names them, and time to live.
        for name, value in {"SecretKey": "SECRET_KEY", "DataKey": "DATA_KEY"}.items():
            secrets = boto3.client("secretsmanager", region_name=REGION)
            secrets.create_secret(Name=name, SecretString=SECRETS[value])
        yield environment


def prepared(folder: Path, account: dict[str, str]) -> Path:
    """The settings that the command writes, and how this machine finds the account."""
    file = folder / "machine.env"
    given = ("--email", "you@example.org", "--domain", "localhost", "--machine", str(file))
    assert command.main(["deploy", *STACK, *given]) == 0
    boto3.client("dynamodb", region_name=REGION).update_time_to_live(
        TableName="socialsite", TimeToLiveSpecification={"AttributeName": "ttl", "Enabled": True}
    )
    with file.open("a") as settings:
        settings.writelines(f"{name}={value}\n" for name, value in account.items())
    return file


def test_the_settings_name_what_the_stack_made_and_nobody_else_reads_them(tmp_path, account):
    file = prepared(tmp_path, account)
    told = read_env(file)
    assert file.stat().st_mode & 0o077 == 0
    assert told["SECRET_KEY"] == SECRETS["SECRET_KEY"]
    assert told["DATA_KEY"] == SECRETS["DATA_KEY"]
    assert told["DYNAMODB_TABLE"] == "socialsite"
    assert told["MAIL_FROM"] == "no-reply@localhost"
    buckets = {one["Name"] for one in boto3.client("s3").list_buckets()["Buckets"]}
    assert {told["PHOTO_BUCKET"], told["EXPORT_BUCKET"], told["ARCHIVE_BUCKET"]} <= buckets
    ecs = boto3.client("ecs", region_name=REGION)
    assert ecs.list_clusters()["clusterArns"] == []  # no process of it is there


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Machine]:
    with machine(tmp_path / "machine") as made:
        yield made


@upgrades.told("at Amazon")
@pytest.mark.skipif(find_nginx({}) is None, reason="nginx is not installed")
@pytest.mark.skipif(not upgrades.has_commit("HEAD~1"), reason="a clone without its history")
def test_the_machine_serves_the_table_at_amazon_and_takes_another_version(
    tmp_path, account, site, monkeypatch
):
    file = prepared(tmp_path, account)
    done = site.install("--yes", "--settings", str(file), "--ref", "HEAD~1")
    assert done.returncode == 0, done.stdout + done.stderr + site.logs()
    monkeypatch.setenv("SSL_CERT_FILE", str(site.places.certificate))
    smoke.look_at(f"https://localhost:{site.port}", console=QUIET, patience=60)
    assert not list(site.places.data.glob("*.sqlite*"))
    assert {"socialsite-engine.service", "socialsite-backup.timer"} & site.systemd.enabled == set()
    done = site.upgrade()
    assert done.returncode == 0, done.stdout + done.stderr + site.logs()
    smoke.look_at(f"https://localhost:{site.port}", console=QUIET, patience=60)
    back = site.upgrade("--roll-back")
    assert back.returncode == 0, back.stdout + back.stderr + site.logs()
    smoke.look_at(f"https://localhost:{site.port}", console=QUIET, patience=60)
