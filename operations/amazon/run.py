"""One command of the site, as a task of the stack in the role `operator`."""

import time
from dataclasses import dataclass
from typing import Any, Self

import boto3
from botocore.exceptions import ClientError
from rich.console import Console

EVERY = 5.0  # seconds
MOST_SECONDS = 1800
LINES = 200
NAME = "operator"


class CommandFailed(OSError):
    """A command that ended with another status than 0, or never began."""


@dataclass(frozen=True)
class Site:
    session: boto3.Session
    cluster: str
    task: str
    subnets: tuple[str, ...]
    wall: str
    log: str  # its group

    @classmethod
    def of(cls, session: boto3.Session, outputs: dict[str, str]) -> Self:
        subnets = tuple(outputs["Subnets"].split(","))
        places = outputs["Cluster"], outputs["OperatorTask"], subnets, outputs["Wall"]
        return cls(session, *places, outputs["Log"])


def run_command(site: Site, command: list[str], *, console: Console) -> None:
    """Runs it, waits for its end and prints what it said. Raises `CommandFailed`."""
    ecs = site.session.client("ecs")
    begun = ecs.run_task(
        cluster=site.cluster,
        taskDefinition=site.task,
        launchType="FARGATE",
        networkConfiguration={
            "awsvpcConfiguration": {
                "subnets": list(site.subnets),
                "securityGroups": [site.wall],
                "assignPublicIp": "ENABLED",
            }
        },
        overrides={"containerOverrides": [{"name": NAME, "command": command}]},
    )
    if begun.get("failures"):
        raise CommandFailed(f"The task did not begin: {begun['failures'][0].get('reason')}")
    arn = begun["tasks"][0]["taskArn"]
    shown = " ".join(command[1:3]) if command[0] == "python" else command[0]
    console.print(f"Running {shown} …", highlight=False)
    deadline = time.monotonic() + MOST_SECONDS
    while time.monotonic() < deadline:
        (task,) = ecs.describe_tasks(cluster=site.cluster, tasks=[arn])["tasks"]
        if task["lastStatus"] == "STOPPED":
            for line in _said(site, arn):
                console.print(line, highlight=False, markup=False)
            _judge(task)
            return
        time.sleep(EVERY)
    raise CommandFailed(f"The task runs for more than {MOST_SECONDS // 60} minutes: {arn}")


def _said(site: Site, arn: str) -> list[str]:
    """The last lines of its log, which Amazon may have a moment later."""
    place = {"logGroupName": site.log, "logStreamName": f"{NAME}/{NAME}/{arn.rpartition('/')[2]}"}
    try:
        found = site.session.client("logs").get_log_events(**place, limit=LINES)["events"]
    except ClientError:
        return [f"What it said will be in the log group {site.log}, at {place['logStreamName']}."]
    return [one["message"] for one in found]


def _judge(task: dict[str, Any]) -> None:
    (container,) = [one for one in task["containers"] if one["name"] == NAME]
    if container.get("exitCode") != 0:
        why = container.get("reason") or task.get("stoppedReason") or "it failed"
        raise CommandFailed(f"The command ended with {container.get('exitCode')}: {why}")
