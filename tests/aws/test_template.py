"""deploy/aws/template.yaml makes the table that the site makes, the roles of deploy/iam, and processes that have every
setting they need. `make documents` writes what is made from other files: roles, and the filters of the stream.

What only Amazon can show (docs/amazon.md lists it) was not run.
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cfnlint import decode
from cfnlint.api import lint
from django.conf import settings as site

from socialsite.checks import check_media_origin
from socialsite.table.item import Item
from tests.iam.policy import is_allowed, read_table

FILE = Path(site.BASE_DIR) / "deploy" / "aws" / "template.yaml"
FOLDER = Path(site.BASE_DIR) / "deploy"
WRITES = os.environ.get("DOCUMENTS") == "write"
# Each role of a process, and which of Amazon's services takes it.
ROLES = {
    "web": "ecs-tasks",
    "worker": "ecs-tasks",
    "clock": "ecs-tasks",
    "pusher": "ecs-tasks",
    "operator": "ecs-tasks",
    "lambda": "lambda",
}
# What deploy/iam leaves open, as the template says it.
NAMES = {
    "Region": "${AWS::Region}",
    "Account": "${AWS::AccountId}",
    "Table": "${TableInUse}",
    "MediaBucket": "${Media}",
    "PhotoBucket": "${Photos}",
    "ExportBucket": "${Exports}",
    "ArchiveBucket": "${Archive}",
    "KmsKey": "${Key}",
    "PersonRole": "${AWS::StackName}-${AWS::Region}-person",
    "MailIdentity": "${MailIdentity}",
    "MailSettings": "${MailSettings}",
    "MailEventsQueue": "${AWS::StackName}-mail-events",
    "LostBatchesQueue": "${AWS::StackName}-lost-batches",
    "Function": "${AWS::StackName}-stream",
}
PART = "  # {name}: made from {source} by `make documents`\n"
END = "  # End of {name}\n"


def test_it_is_written_without_a_fault():
    found = lint(FILE.read_text(encoding="utf-8"), regions=["eu-central-1"])
    faults = [one for one in found if one.rule.id[0] != "I"]  # what it only remarks
    assert [f"{one.rule.id} {one.linenumber} {one.message}" for one in faults] == []


@cache
def template() -> dict[str, Any]:
    read, faults = decode.decode_str(FILE.read_text(encoding="utf-8"))
    assert not faults
    assert isinstance(read, dict)
    return read


def resources(kind: str) -> dict[str, dict[str, Any]]:
    return {
        name: one["Properties"]
        for name, one in template()["Resources"].items()
        if one["Type"] == kind
    }


# ---- The table


def test_its_table_is_the_one_that_the_site_makes():
    """PynamoDB's own request for the model, beside what the template says."""
    (table,) = resources("AWS::DynamoDB::Table").values()
    connection, asked = Item._get_connection().connection, {}
    kept, connection.dispatch = connection.dispatch, lambda name, values: asked.update(values) or {}
    try:
        model = Item._get_schema()
        Item._get_connection().create_table(
            attribute_definitions=model["attribute_definitions"],
            key_schema=model["key_schema"],
            global_secondary_indexes=model["global_secondary_indexes"],
            billing_mode=Item.Meta.billing_mode,
            stream_specification={
                "stream_enabled": True,
                "stream_view_type": Item.Meta.stream_view_type,
            },
        )
    finally:
        connection.dispatch = kept
    by_name = {one["IndexName"]: one for one in table["GlobalSecondaryIndexes"]}
    assert table["BillingMode"] == asked["BillingMode"]
    assert _pairs(table["KeySchema"]) == _pairs(asked["KeySchema"])
    assert _pairs(table["AttributeDefinitions"]) == _pairs(asked["AttributeDefinitions"])
    assert by_name.keys() == {one["IndexName"] for one in asked["GlobalSecondaryIndexes"]}
    for index in asked["GlobalSecondaryIndexes"]:
        here = by_name[index["IndexName"]]
        assert _pairs(here["KeySchema"]) == _pairs(index["KeySchema"])
        assert here["Projection"] == index["Projection"]
    view = asked["StreamSpecification"]["StreamViewType"]
    assert table["StreamSpecification"] == {"StreamViewType": view}
    ttl = {"AttributeName": Item.ttl.attr_name, "Enabled": True}
    assert table["TimeToLiveSpecification"] == ttl


def test_the_table_is_protected_as_create_table_protects_it_and_stays():
    table = template()["Resources"]["Table"]
    assert table["Properties"]["DeletionProtectionEnabled"] is True
    recovery = table["Properties"]["PointInTimeRecoverySpecification"]
    assert recovery == {"PointInTimeRecoveryEnabled": True, "RecoveryPeriodInDays": 35}


def _pairs(rows: list[dict[str, str]]) -> set[tuple[str, str]]:
    return {(one["AttributeName"], one.get("KeyType") or one["AttributeType"]) for one in rows}


KEPT = {
    "AWS::DynamoDB::Table",
    "AWS::KMS::Key",
    "AWS::Logs::LogGroup",
    "AWS::S3::Bucket",
    "AWS::SecretsManager::Secret",
}


def test_what_holds_data_stays_and_nothing_else_does():
    for name, one in template()["Resources"].items():
        # A first deployment that fails leaves nothing behind, so that the next one can make it.
        stays = one.get("DeletionPolicy") == "RetainExceptOnCreate"
        assert stays == (one.get("UpdateReplacePolicy") == "Retain"), name
        assert stays == (one["Type"] in KEPT and name != "FirstPassword"), name
        assert not (stays and "Condition" in one), f"{name} would go with Running=no"


# ---- Roles


def test_its_roles_are_those_of_deploy_iam():
    _hold("roles", "deploy/iam", _roles())
    assert {*ROLES} <= {file.stem for file in (FOLDER / "iam").glob("*.json")}


def test_a_placeholder_of_deploy_iam_has_a_meaning_here():
    text = "".join(file.read_text() for file in (FOLDER / "iam").rglob("*.json"))
    used = set(re.findall(r"\$\{(\w+)\}", text))
    assert used - {*NAMES, "MailFrom", "RelationsFunction"} == set()


def test_each_process_runs_in_its_role():
    roles = {
        name: one["TaskRoleArn"]["Fn::GetAtt"]
        for name, one in resources("AWS::ECS::TaskDefinition").items()
    }
    assert {name: role[0] for name, role in roles.items()} == {
        "WebTask": "WebRole",
        "StreamTask": "WorkerRole",
        "ClockTask": "ClockRole",
        "PusherTask": "PusherRole",
        "OperatorTask": "OperatorRole",
    }


def test_who_has_no_role_of_their_own_in_it_runs_in_one_that_may_do_what_they_do():
    documents = {file.stem for file in (FOLDER / "iam").glob("*.json")}
    # `run_live` is in the web's task. The function for other systems is for who has some, docs/relations.md.
    assert documents - ROLES.keys() == {"live", "relations"}
    uses = [replace(use, role="web") for use in read_table() if use.role == "live"]
    assert uses
    assert [use for use in uses if not is_allowed(use)] == []


@pytest.mark.parametrize(
    "handler",
    [
        "socialsite.streams.lambda_handler",
        "socialsite.due.lambda_handler",
        "relations.lambda_handler",
    ],
)
def test_lambda_imports_each_handler_by_its_name_alone(handler, tmp_path):
    """Nothing names the settings there."""
    given = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-c", f"import {handler}"]
    subprocess.run(command, cwd=site.BASE_DIR, env=given, check=True)


def test_the_function_writes_its_log_where_its_role_may():
    (function,) = resources("AWS::Lambda::Function").values()
    group = resources("AWS::Logs::LogGroup")[function["LoggingConfig"]["LogGroup"]["Ref"]]
    (wanted,) = [
        one["Resource"]
        for one in json.loads((FOLDER / "iam" / "lambda.json").read_text())["Statement"]
        if one["Sid"] == "LambdaLogs"
    ]
    name = group["LogGroupName"]["Fn::Sub"].replace("${AWS::StackName}-stream", "${Function}")
    assert wanted == [f"arn:aws:logs:${{Region}}:${{Account}}:log-group:{name}:*"]


@pytest.mark.parametrize(("domain", "warns"), [("example.org", False), ("cdn.example.net", True)])
def test_pictures_from_the_sites_own_domain_need_no_other_origin(
    settings, monkeypatch, domain, warns
):
    monkeypatch.delenv("MEDIA_ORIGIN", raising=False)
    monkeypatch.setenv("MEDIA_DOMAIN", domain)
    settings.MEDIA_BUCKET, settings.ALLOWED_HOSTS = "media", ["example.org"]
    assert bool(check_media_origin(None)) is warns


def _roles() -> str:
    text = "".join(_role(name, service) for name, service in ROLES.items())
    trust = json.loads((FOLDER / "iam" / "session" / "trust.json").read_text())
    (statement,) = trust["Statement"]
    who = [one.rpartition("-")[2] for one in statement["Principal"]["AWS"]]
    principal = ", ".join(f"!GetAtt {name.capitalize()}Role.Arn" for name in who)
    return text + (
        "  PersonRole:\n"
        "    Type: AWS::IAM::Role\n"
        "    Properties:\n"
        f'      RoleName: !Sub "{NAMES["PersonRole"]}"\n'
        "      AssumeRolePolicyDocument:\n"
        f'        Version: "{trust["Version"]}"\n'
        "        Statement:\n"
        f"          - Sid: {statement['Sid']}\n"
        "            Effect: Allow\n"
        f"            Principal: {{AWS: [{principal}]}}\n"
        f"            Action: {_flow(statement['Action'])}\n"
        f"            Condition: {_flow(statement['Condition'])}\n"
        + _policies(FOLDER / "iam" / "session" / "person.json")
        + "  MachinePolicy:\n"
        "    Type: AWS::IAM::ManagedPolicy\n"
        "    Condition: HasMachine\n"
        "    Properties:\n"
        "      Description: What one machine of your own may do with this site\n"
        + _document(FOLDER / "iam" / "machine" / "machine.json", indent=6)
    )


def _role(name: str, service: str) -> str:
    trust = (
        f"[{{Effect: Allow, Principal: {{Service: {service}.amazonaws.com}}, "
        'Action: "sts:AssumeRole"}]'
    )
    return (
        f"  {name.capitalize()}Role:\n"
        "    Type: AWS::IAM::Role\n"
        "    Properties:\n"
        "      AssumeRolePolicyDocument:\n"
        '        Version: "2012-10-17"\n'
        f"        Statement: {trust}\n" + _policies(FOLDER / "iam" / f"{name}.json")
    )


def _policies(file: Path) -> str:
    return "      Policies:\n        - PolicyName: socialsite\n" + _document(file, indent=10)


def _document(file: Path, *, indent: int) -> str:
    document = json.loads(file.read_text())
    lines = [
        "PolicyDocument:",
        f'  Version: "{document["Version"]}"',
        "  Statement:",
    ]
    for statement in document["Statement"]:
        lines.append(f"    - Sid: {statement.pop('Sid')}")
        lines += [f"      {key}: {_flow(value)}" for key, value in statement.items()]
    return "\n".join(" " * indent + line for line in lines) + "\n\n"


def _flow(value: Any) -> str:
    """A value of JSON as YAML on one line, in which names of resources stand for placeholders."""
    match value:
        case dict():
            return "{" + ", ".join(f'"{key}": {_flow(one)}' for key, one in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_flow, value)) + "]"
        case str() if re.search(r"\$\{\w+\}", value):
            return _named(value)
        case _:
            return json.dumps(value)


def _named(value: str) -> str:
    if value == "${MailFrom}":
        return '!If [HasDomain, !Sub "no-reply@${Domain}", !Ref Email]'
    escaped = re.sub(r"\$\{(?=aws:)", "${!", value)
    text = re.sub(r"\$\{(\w+)\}", lambda found: NAMES[found[1]], escaped)
    return f"!Sub {json.dumps(text)}"


# ---- The stream


def test_its_filters_are_those_of_the_handlers():
    filters = json.loads((FOLDER / "stream-filters.json").read_text())["Filters"]
    lines = [f"          - Pattern: '{one['Pattern']}'" for one in filters]
    text = "\n".join(["      FilterCriteria:", "        Filters:", *lines]) + "\n"
    _hold("filters", "deploy/stream-filters.json", text, indent="    ")


def _hold(name: str, source: str, text: str, *, indent: str = "") -> None:
    """What stands between the two marks is this text; `make documents` writes it."""
    whole = FILE.read_text(encoding="utf-8")
    begins = indent + PART.format(name=name.capitalize(), source=source)
    ends = indent + END.format(name=name)
    head, found, rest = whole.partition(begins)
    assert found, f"The mark of {name} is missing."
    old, found, tail = rest.partition(ends)
    assert found, f"The end of {name} is missing."
    if WRITES and old != text:
        FILE.write_text(head + begins + text + ends + tail, encoding="utf-8")
        template.cache_clear()
        old = text
    assert old == text, f"`make documents` writes the {name} of the template anew."
