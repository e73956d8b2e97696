"""`make deploy` and `make undeploy`, against moto: what Amazon alone can show is in docs/amazon.md."""

import re
from collections.abc import Iterator
from pathlib import Path

import boto3
import botocore.handlers
import botocore.session
import pytest
from botocore.handlers import BUILTIN_HANDLERS
from moto import mock_aws
from moto.core.models import botocore_stubber
from rich.console import Console

from operations.amazon import __main__ as command
from operations.amazon import run, smoke, stack, static_files
from operations.amazon.stack import Stack, StackFailed, change_stack, outputs_of, stands
from tests.buckets import one_loader

REGION = "eu-central-1"
GIVEN = {
    "Image": "123456789012.dkr.ecr.eu-central-1.amazonaws.com/site@sha256:0",
    "Email": "you@example.org",
    # moto knows no CloudFront, so a site of it has its own domain.
    "Domain": "example.org",
    "Certificate": "arn:aws:acm:us-east-1:123456789012:certificate/1",
    "Running": "yes",
}
ALSO_PLAYED = ("cloudformation", "dynamodb", "ecr", "ecs")  # beside those of tests/engines.py
QUIET = Console(quiet=True)


@pytest.fixture
def session(monkeypatch, tmp_path) -> Iterator[boto3.Session]:
    """An account of moto's, and the template without the output that names CloudFront, which moto cannot read."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    whole = stack.TEMPLATE.read_text(encoding="utf-8")
    file = tmp_path / "template.yaml"
    file.write_text(re.sub(r"  Address:\n(    .*\n)+", "", whole), encoding="utf-8")
    monkeypatch.setattr(stack, "TEMPLATE", file)
    monkeypatch.setattr(stack, "EVERY", 0.01)
    monkeypatch.setattr(run, "EVERY", 0.01)
    monkeypatch.setattr(botocore.session, "create_loader", one_loader)
    played = [(f"before-send.{name}", botocore_stubber) for name in ALSO_PLAYED]
    monkeypatch.setattr(botocore.handlers, "BUILTIN_HANDLERS", [*BUILTIN_HANDLERS, *played])
    with mock_aws():
        yield boto3.Session(region_name=REGION)


@pytest.fixture
def site(session: boto3.Session) -> Stack:
    made = Stack(session, "socialsite")
    change_stack(made, GIVEN, console=QUIET)
    return made


def tables(session: boto3.Session) -> list[str]:
    return list(session.client("dynamodb").list_tables()["TableNames"])


@pytest.mark.filterwarnings("ignore:Tried to parse")
def test_each_name_in_the_template_leads_somewhere(session, site):
    assert stands(site)
    table = session.client("dynamodb").describe_table(TableName="socialsite")["Table"]
    assert {one["IndexName"] for one in table["GlobalSecondaryIndexes"]} == {
        "typeIndex",
        "escalatedIndex",
    }
    assert table["DeletionProtectionEnabled"]
    assert outputs_of(site)["TableName"] == "socialsite"


@pytest.mark.filterwarnings("ignore:Tried to parse")
def test_undeploy_leaves_the_data_and_deploy_brings_the_site_back(session, site):
    def services() -> list[str]:
        clusters = session.client("ecs").list_clusters()["clusterArns"]
        return [
            one.rpartition("/")[2]
            for cluster in clusters
            for one in session.client("ecs").list_services(cluster=cluster)["serviceArns"]
        ]

    runs = ["socialsite-clock", "socialsite-pusher", "socialsite-stream", "socialsite-web"]
    assert sorted(services()) == runs
    buckets = {one["Name"] for one in session.client("s3").list_buckets()["Buckets"]}
    assert command.main(["undeploy", "--stack", "socialsite", "--region", REGION]) == 0
    assert services() == []
    assert tables(session) == ["socialsite"]
    assert {one["Name"] for one in session.client("s3").list_buckets()["Buckets"]} == buckets
    change_stack(site, {"Running": "yes"}, console=QUIET)
    assert sorted(services()) == runs
