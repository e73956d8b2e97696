"""`make deploy` and `make undeploy`, against moto: what Amazon alone can show is in docs/amazon.md."""

import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import boto3
import botocore.handlers
import botocore.session
import pytest
from botocore.handlers import BUILTIN_HANDLERS
from moto import mock_aws
from moto.core.models import botocore_stubber

from benchmarks.production import collect_static, served
from operations.amazon import __main__ as command
from operations.amazon import image, run, smoke, stack, static_files
from operations.amazon.stack import Stack, change_stack, outputs_of, parameters_of, stands
from tests.aws import account
from tests.aws.account import QUIET, REGION
from tests.aws.resolved import resolved
from tests.buckets import one_loader

GIVEN = account.GIVEN | {"Domain": "example.org"}
# Beside those of tests/engines.py.
ALSO_PLAYED = ("cloudformation", "cloudwatch-logs", "dynamodb", "ecr", "ecs", "lambda")


@pytest.fixture
def session(monkeypatch, tmp_path) -> Iterator[boto3.Session]:
    """An account of moto's."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    monkeypatch.setattr(stack, "TEMPLATE", account.readable(tmp_path))
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
    parts = ("clock", "pusher", "stream", "web")
    assert services(session) == [f"socialsite-{part}" for part in parts]


def in_stack(site: Stack, kind: str = "") -> set[str]:
    found = site.client.list_stack_resources(StackName=site.name)["StackResourceSummaries"]
    return {one["LogicalResourceId"] for one in found if kind in ("", one["ResourceType"])}


def decided(monkeypatch, folder: Path, **given: str) -> dict[str, str]:
    """Lets the template be that of these parameters, as Amazon decides conditions before it compares two templates,
    and moto does not. A network stays, as moto would take it away before what is in it."""
    told = GIVEN | given
    network = resolved(**GIVEN)["Resources"]
    whole = resolved(**told)
    whole["Resources"] |= {
        name: one for name, one in network.items() if one["Type"].startswith("AWS::EC2::")
    }
    for name in ("Address", "SecretKeySecret", "DataKeySecret"):
        whole["Outputs"].pop(name, None)
    file = folder / "decided.json"
    text = json.dumps(whole).replace("${WebTargets.TargetGroupFullName}", "targets")
    file.write_text(text)
    monkeypatch.setattr(stack, "TEMPLATE", file)
    return told


@pytest.mark.filterwarnings("ignore:Tried to parse")
@pytest.mark.filterwarnings("ignore:Unable to delete .* was never created")  # what moto passes over
def test_undeploy_takes_the_processes_and_leaves_what_people_wrote(session, tmp_path, monkeypatch):
    site = Stack(session, "socialsite")
    change_stack(site, decided(monkeypatch, tmp_path), console=QUIET)
    parts = in_stack(site, "AWS::ECS::Service")
    assert parts == {"Clock", "Pusher", "Stream", "Web"}
    before = outputs_of(site)
    item = {"PK": {"S": "u#alice"}, "SK": {"S": "info"}}
    session.client("dynamodb").put_item(TableName="socialsite", Item=item)
    photo = {"Bucket": before["PhotoBucket"], "Key": "one"}
    session.client("s3").put_object(**photo, Body=b"picture")
    decided(monkeypatch, tmp_path, Running="no")
    command.undeploy(session, stack="socialsite", console=QUIET)
    assert parameters_of(site)["Running"] == "no"
    assert in_stack(site, "AWS::ECS::Service") == set()
    assert {"Table", "Key", "Photos"} <= in_stack(site)
    assert session.client("dynamodb").scan(TableName="socialsite")["Items"] == [item]
    assert session.client("s3").get_object(**photo)["Body"].read() == b"picture"
    change_stack(site, decided(monkeypatch, tmp_path), console=QUIET)
    assert in_stack(site, "AWS::ECS::Service") == parts
    assert outputs_of(site)["PhotoBucket"] == before["PhotoBucket"]
    assert session.client("dynamodb").scan(TableName="socialsite")["Items"] == [item]


@pytest.mark.filterwarnings("ignore:Tried to parse")
def test_the_worker_under_lambda_comes_and_goes(session, tmp_path, monkeypatch):
    site, functions = Stack(session, "socialsite"), session.client("lambda")
    of_lambda = ["socialsite-stream"]
    for worker, names in (("container", []), ("lambda", of_lambda), ("container", [])):
        given = decided(monkeypatch, tmp_path, Worker=worker)
        change_stack(site, given, console=QUIET)
        found = functions.list_functions()["Functions"]
        assert [one["FunctionName"] for one in found] == names
        mappings = functions.list_event_source_mappings()["EventSourceMappings"]
        assert [one["BatchSize"] for one in mappings] == [200] * len(names)
        assert ("Stream" in in_stack(site, "AWS::ECS::Service")) is (not names)


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
    # What it said is told before, so that nobody looks for it.
    made, logs = run.Site.of(session, outputs_of(site)), session.client("logs")
    assert "log group socialsite" in run._said(made, "arn/task/1")[0]
    logs.create_log_stream(logGroupName="socialsite", logStreamName="operator/operator/1")
    logs.put_log_events(
        logGroupName="socialsite",
        logStreamName="operator/operator/1",
        logEvents=[
            {"timestamp": int(time.time() * 1000), "message": "This handle isn’t available."}
        ],
    )
    assert run._said(made, "arn/task/1") == ["This handle isn’t available."]


def test_what_a_later_deployment_does_not_name_stays_as_it_was(session, site):
    """Else it would look for the pages at CloudFront's own address, and bring an image of another kind."""
    wanted = command._parser().parse_args(["deploy", "--stack", "socialsite", "--region", REGION])
    command.fill_in(wanted, parameters_of(site) | {"Architecture": "X86_64"})
    found = (wanted.email, wanted.domain, wanted.architecture)
    assert found == ("you@example.org", "example.org", "amd64")
    first = command._parser().parse_args(["deploy", "--stack", "new", "--region", REGION])
    command.fill_in(first, {})
    assert (first.email, first.domain, first.architecture) == ("", "", "arm64")


def test_a_command_of_the_site_is_a_task_in_the_role_of_the_operator(session, site):
    """Moto begins no task of a stack's, so the request is looked at."""
    asked: dict = {}

    def take(params: dict, **_: object) -> None:
        asked.update(params)
        raise OSError("asked")

    session.events.register("before-parameter-build.ecs.RunTask", take)
    wanted = command._parser().parse_args(
        ["command", "--stack", "socialsite", "--region", REGION, "--words", "archive list --day 1"]
    )
    with pytest.raises(OSError, match="asked"):
        command.command(session, wanted, console=QUIET)
    assert asked["taskDefinition"] == outputs_of(site)["OperatorTask"]
    (container,) = asked["overrides"]["containerOverrides"]
    assert container["command"] == ["python", "manage.py", "archive", "list", "--day", "1"]


def test_a_client_of_docker_without_its_engine_is_no_builder(tmp_path, monkeypatch):
    for name, status in {"docker": 1, "buildah": 0}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\nexit {status}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert [one for one in image.BUILDERS if image._works(one)][-1] == "buildah"
    assert not image._works("docker")


def test_the_smoke_test_asks_the_site_itself(table, tmp_path, monkeypatch):
    with served(tmp_path, collect_static(tmp_path)) as address:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "localhost.pem"))
        # Its worker is away, so it is `degraded`: that is told, and everything before it held.
        with pytest.raises(smoke.NotThere, match="/readyz says degraded"):
            smoke.look_at(address, console=QUIET, patience=0)


def test_a_deployment_without_an_address_for_alarms_is_refused_in_one_sentence(session, capsys):
    assert command.main(["deploy", "--stack", "socialsite", "--region", REGION]) == 1
    assert "EMAIL=you@example.org" in capsys.readouterr().out
