"""`make deploy` and `make undeploy`, against moto: what Amazon alone can show is in docs/amazon.md."""

import re
from collections.abc import Iterator

import boto3
import botocore.handlers
import botocore.session
import pytest
from botocore.handlers import BUILTIN_HANDLERS
from moto import mock_aws
from moto.core.models import botocore_stubber
from rich.console import Console

from benchmarks.production import collect_static, served
from operations.amazon import __main__ as command
from operations.amazon import run, smoke, stack, static_files
from operations.amazon.stack import Stack, change_stack, outputs_of, stands
from tests.buckets import one_loader

REGION = "eu-central-1"
GIVEN = {
    "Image": "123456789012.dkr.ecr.eu-central-1.amazonaws.com/site@sha256:0",
    "Email": "you@example.org",
    "FrontAddresses": "pl-0123456789abcdef0",
    # moto knows no CloudFront, so a site of it has its own domain.
    "Domain": "example.org",
    "Certificate": "arn:aws:acm:us-east-1:123456789012:certificate/1",
    "Running": "yes",
}
ALSO_PLAYED = ("cloudformation", "dynamodb", "ecr", "ecs")  # beside those of tests/engines.py
QUIET = Console(quiet=True)


@pytest.fixture
def session(monkeypatch, tmp_path) -> Iterator[boto3.Session]:
    """An account of moto's, and the template without two names that moto cannot read: the output that names
    CloudFront, and the targets that the dashboard names."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    whole = stack.TEMPLATE.read_text(encoding="utf-8")
    file = tmp_path / "template.yaml"
    readable = whole.replace("${WebTargets.TargetGroupFullName}", "targets")
    file.write_text(re.sub(r"  Address:\n(    .*\n)+", "", readable), encoding="utf-8")
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


def services(session: boto3.Session) -> list[str]:
    ecs = session.client("ecs")
    found = [
        one
        for cluster in ecs.list_clusters()["clusterArns"]
        for one in ecs.list_services(cluster=cluster)["serviceArns"]
    ]
    return sorted(one.rpartition("/")[2] for one in found)


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
    # Moto takes a condition that holds another one, as the stream's does, for false.
    assert services(session) == ["socialsite-clock", "socialsite-pusher", "socialsite-web"]


@pytest.mark.filterwarnings("ignore:Tried to parse")
def test_without_processes_the_data_stand_alone(session):
    """What `make undeploy` leaves. That change itself moto cannot make: it stumbles over what comes and goes."""
    site = Stack(session, "socialsite")
    change_stack(site, GIVEN | {"Running": "no"}, console=QUIET)
    assert services(session) == []
    assert session.client("dynamodb").list_tables()["TableNames"] == ["socialsite"]
    assert len(session.client("s3").list_buckets()["Buckets"]) == 5 + 1  # and that of the template


@pytest.mark.filterwarnings("ignore:Tried to parse")
def test_a_restored_table_takes_the_place_of_the_stacks_own(session):
    """And keeps it at the next deployment, which does not name it. Moto stumbles over changes, so the stack is made
    with it, and of the change the request alone is looked at."""
    session.client("dynamodb").create_table(
        TableName="socialsite-2",
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    )
    arguments = ["deploy", "--stack", "socialsite", "--region", REGION, "--table", "socialsite-2"]
    chosen = command._table(session, command._parser().parse_args(arguments))
    assert "table/socialsite-2/stream/" in chosen["StreamInUse"]
    site = Stack(session, "socialsite")
    change_stack(site, GIVEN | chosen, console=QUIET)
    assert outputs_of(site)["TableName"] == "socialsite-2"
    assert _tables_named_by(session) == {"socialsite-2"}
    asked: dict[str, str] = {}

    def take(params: dict, **_: object) -> None:
        asked.update({one["ParameterKey"]: one["ParameterValue"] for one in params["Parameters"]})
        raise Asked

    session.events.register("before-parameter-build.cloudformation.UpdateStack", take)
    with pytest.raises(Asked):
        change_stack(site, {"MonthlyBudget": "200"}, console=QUIET)
    assert asked.items() >= {**chosen, "MonthlyBudget": "200"}.items()


class Asked(Exception):
    pass


def _tables_named_by(session: boto3.Session) -> set[str]:
    ecs = session.client("ecs")
    tasks = ecs.list_task_definitions(sort="DESC")["taskDefinitionArns"]
    newest = {arn.rpartition("/")[2].partition(":")[0]: arn for arn in reversed(tasks)}
    found = [ecs.describe_task_definition(taskDefinition=arn) for arn in newest.values()]
    return {
        one["value"]
        for task in found
        for container in task["taskDefinition"]["containerDefinitions"]
        for one in container.get("environment", [])
        if one["name"] == "DYNAMODB_TABLE"
    }


def test_static_files_are_sent_once_and_kept_for_a_year(session):
    s3 = session.client("s3")
    s3.create_bucket(
        Bucket="static-files", CreateBucketConfiguration={"LocationConstraint": REGION}
    )
    static_files.push_static(session, bucket="static-files", console=QUIET)
    found = s3.list_objects_v2(Bucket="static-files", Prefix="static/css/")["Contents"]
    (style,) = [one for one in found if re.fullmatch(r"static/css/site\.\w+\.css", one["Key"])]
    head = s3.head_object(Bucket="static-files", Key=style["Key"])
    assert (head["ContentType"], head["CacheControl"]) == ("text/css", static_files.YEAR)
    static_files.push_static(session, bucket="static-files", console=QUIET)
    again = s3.head_object(Bucket="static-files", Key=style["Key"])
    assert again["LastModified"] == head["LastModified"]


def test_a_command_that_fails_says_how(session, site):
    """Moto starts no container, so a task never ends there: what Amazon says of an ended one is judged by itself."""
    task = {"containers": [{"name": "operator", "exitCode": 3}], "stoppedReason": "Essential"}
    with pytest.raises(run.CommandFailed, match="ended with 3: Essential"):
        run._judge(task)
    run._judge({"containers": [{"name": "operator", "exitCode": 0}]})


def test_the_smoke_test_asks_the_site_itself(table, tmp_path, monkeypatch):
    with served(tmp_path, collect_static(tmp_path)) as address:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "localhost.pem"))
        # Its worker is away, so it is `degraded`: that is told, and everything before it held.
        with pytest.raises(smoke.NotThere, match="/readyz says degraded"):
            smoke.look_at(address, console=QUIET, patience=0)


def test_a_deployment_without_an_address_for_alarms_is_refused_in_one_sentence(session, capsys):
    assert command.main(["deploy", "--stack", "socialsite", "--region", REGION]) == 1
    assert "EMAIL=you@example.org" in capsys.readouterr().out
