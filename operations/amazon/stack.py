"""The stack: its template, its parameters, and what becomes of a change."""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
from botocore.exceptions import ClientError
from rich.console import Console

TEMPLATE = Path(__file__).resolve().parents[2] / "deploy" / "aws" / "template.yaml"
EVERY = 5.0  # seconds between two looks
MOST_SECONDS = 3600
NOTHING = ("No updates are to be performed", "didn't contain changes")


class StackFailed(OSError):
    """A change that Amazon took back. Its sentence names the resource that failed first."""


@dataclass(frozen=True)
class Stack:
    session: boto3.Session
    name: str

    @property
    def client(self) -> Any:
        return self.session.client("cloudformation")


def stands(stack: Stack) -> bool:
    """Whether there is a stack to change. One whose first deployment failed is none."""
    return _status(stack) not in ("", "REVIEW_IN_PROGRESS", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED")


def _status(stack: Stack) -> str:
    try:
        (found,) = stack.client.describe_stacks(StackName=stack.name)["Stacks"]
    except ClientError as error:
        if "does not exist" in str(error):
            return ""
        raise
    return str(found["StackStatus"])


def outputs_of(stack: Stack) -> dict[str, str]:
    (found,) = stack.client.describe_stacks(StackName=stack.name)["Stacks"]
    return {one["OutputKey"]: one["OutputValue"] for one in found.get("Outputs", [])}


def parameters_of(stack: Stack) -> dict[str, str]:
    (found,) = stack.client.describe_stacks(StackName=stack.name)["Stacks"]
    return {one["ParameterKey"]: one["ParameterValue"] for one in found.get("Parameters", [])}


def change_stack(stack: Stack, parameters: Mapping[str, str], *, console: Console) -> None:
    """Makes the stack, or changes it, and waits for the end. What is not given keeps its value. Raises `StackFailed`
    after Amazon has put everything back as it was."""
    client, exists = stack.client, stands(stack)
    address = _upload(stack)
    given = {"TableInUse": stack.name}
    if exists:
        known = parameters_of(stack)
        of_template = client.get_template_summary(TemplateURL=address)["Parameters"]
        kept = known.keys() & {one["ParameterKey"] for one in of_template}
        given |= {key: known[key] for key in sorted(kept)}
    elif _status(stack).startswith("ROLLBACK"):
        console.print("The first deployment failed. What is left of it goes before the next.")
        client.delete_stack(StackName=stack.name)
        client.get_waiter("stack_delete_complete").wait(StackName=stack.name)
    given |= parameters
    values = [{"ParameterKey": key, "ParameterValue": value} for key, value in given.items()]
    begin = client.update_stack if exists else client.create_stack
    began = time.time()
    try:
        begin(
            StackName=stack.name,
            TemplateURL=address,
            Parameters=values,
            Capabilities=["CAPABILITY_NAMED_IAM"],
        )
    except ClientError as error:
        if any(words in str(error) for words in NOTHING):
            console.print("The stack is as the template says.")
            return
        raise
    _wait(stack, began=began, console=console)


def _upload(stack: Stack) -> str:
    """Puts the template into a bucket of the account, as a request may not be so long, and returns its address."""
    s3, body = stack.session.client("s3"), TEMPLATE.read_bytes()
    region = stack.session.region_name
    account = stack.session.client("sts").get_caller_identity()["Account"]
    bucket = f"{stack.name}-deploy-{account}-{region}".lower()
    place = {} if region == "us-east-1" else {"LocationConstraint": region}
    try:
        s3.create_bucket(Bucket=bucket, **({"CreateBucketConfiguration": place} if place else {}))
    except ClientError as error:
        if error.response["Error"]["Code"] != "BucketAlreadyOwnedByYou":
            raise
    walls = ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets")
    # Its name can be guessed: one that somebody else made first would hold a template of theirs.
    owned = {"Bucket": bucket, "ExpectedBucketOwner": account}
    s3.put_public_access_block(**owned, PublicAccessBlockConfiguration=dict.fromkeys(walls, True))
    key = f"template-{hashlib.sha256(body).hexdigest()[:16]}.yaml"
    s3.put_object(**owned, Key=key, Body=body)
    return f"https://{bucket}.s3.{region}.amazonaws.com/{key}"


def _wait(stack: Stack, *, began: float, console: Console) -> None:
    """Shows each event once, until the stack rests."""
    seen: set[str] = set()
    first_fault = ""
    deadline = time.monotonic() + MOST_SECONDS
    while time.monotonic() < deadline:
        (found,) = stack.client.describe_stacks(StackName=stack.name)["Stacks"]
        for event in reversed(_events_since(stack, began)):
            if event["EventId"] in seen:
                continue
            seen.add(event["EventId"])
            reason = event.get("ResourceStatusReason", "")
            console.print(
                f"{event['ResourceStatus']:<28} {event['LogicalResourceId']} {reason}".rstrip(),
                highlight=False,
            )
            if event["ResourceStatus"].endswith("FAILED") and not first_fault:
                first_fault = f"{event['LogicalResourceId']}: {reason}"
        status = found["StackStatus"]
        if not status.endswith("IN_PROGRESS"):
            if status in ("CREATE_COMPLETE", "UPDATE_COMPLETE"):
                return
            raise StackFailed(f"The stack is {status}. What failed first is {first_fault}")
        time.sleep(EVERY)
    raise StackFailed(f"The stack is not ready after {MOST_SECONDS // 60} minutes.")


def _events_since(stack: Stack, began: float) -> list[dict[str, Any]]:
    found = stack.client.describe_stack_events(StackName=stack.name)["StackEvents"]
    return [one for one in found if one["Timestamp"].timestamp() >= began - 60]
