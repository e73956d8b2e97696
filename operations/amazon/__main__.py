"""`make deploy`, `make undeploy` and `make command`: brings deploy/aws/template.yaml to Amazon, takes away all but the
data, or runs a command of the site there.

Each step may be repeated: what is there already stays, and a deployment that was cut off goes on with the next call.
"""

import argparse
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import boto3
from botocore.exceptions import BotoCoreError, ClientError
from rich.console import Console

from operations.amazon.image import build_image
from operations.amazon.machine import prepare_machine
from operations.amazon.run import Site, run_command
from operations.amazon.smoke import look_at
from operations.amazon.stack import Stack, change_stack, outputs_of, parameters_of, stands
from operations.amazon.static_files import push_static

# Parameters of the template that the caller may give; others keep what they were.
GIVEN = {
    "domain": "Domain",
    "certificate": "Certificate",
    "worker": "Worker",
    "budget": "MonthlyBudget",
}
ARCHITECTURES = {"arm64": "ARM64", "amd64": "X86_64"}


class Failed(Exception):
    """Ends the command with its sentence."""


def main(arguments: Sequence[str] | None = None) -> int:
    wanted = _parser().parse_args(arguments)
    console = Console()
    session = boto3.Session(region_name=wanted.region)
    try:
        if wanted.what == "undeploy":
            undeploy(session, stack=wanted.stack, console=console)
        elif wanted.what == "command":
            command(session, wanted, console=console)
        else:
            deploy(session, wanted, console=console)
    except (Failed, ClientError, BotoCoreError, OSError) as error:
        console.print(f"{error}", style="red", highlight=False)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make deploy", description=__doc__)
    parser.add_argument("what", choices=["deploy", "undeploy", "command"])
    parser.add_argument("--words", default="help", help="of `command`, such as 'archive list'")
    parser.add_argument("--stack", required=True, help="name of the stack, and of the table")
    parser.add_argument("--region", required=True)
    parser.add_argument("--email", default="", help="where alarms and the budget write to")
    parser.add_argument("--domain", default="", help="the site's own, with --certificate")
    parser.add_argument("--certificate", default="", help="ARN of ACM in us-east-1")
    parser.add_argument("--image", default="", help="one that is pushed already: none is built")
    parser.add_argument("--architecture", default="", choices=["", *sorted(ARCHITECTURES)])
    parser.add_argument("--worker", default="", choices=["", "container", "lambda"])
    parser.add_argument("--budget", default="", help="dollars a month")
    parser.add_argument("--admin", default="", help="handle of the first administrator")
    parser.add_argument("--table", default="", help="a restored one, in place of the stack's own")
    parser.add_argument(
        "--machine",
        default="",
        help="a file for the settings of a machine of yours: none at Amazon",
    )
    return parser


def deploy(session: boto3.Session, wanted: argparse.Namespace, *, console: Console) -> None:
    """Builds the image, changes the stack, sends the static files, and looks whether the site answers.

    Static files go before new code, which names them, and none is deleted: pages that are open ask for the old ones.
    """
    stack = Stack(session, wanted.stack)
    exists = stands(stack)
    before = parameters_of(stack) if exists else {}
    fill_in(wanted, before)
    if not wanted.email:
        raise Failed("Name an address for alarms and the budget: EMAIL=you@example.org.")
    given = {
        "FrontAddresses": _front_addresses(session),
        "Email": wanted.email,
        **(_table(session, wanted) if wanted.table else {}),
        **{name: getattr(wanted, key) for key, name in GIVEN.items() if getattr(wanted, key)},
    }
    if wanted.machine:
        prepare_machine(stack, given, file=Path(wanted.machine), console=console)
        return
    image = wanted.image or build_image(
        session, name=wanted.stack, architecture=wanted.architecture, console=console
    )
    if exists:
        push_static(session, bucket=outputs_of(stack)["StaticBucket"], console=console)
    parameters = given | {
        "Image": image,
        "Running": "yes",
        "Architecture": ARCHITECTURES[wanted.architecture],
    }
    change_stack(stack, parameters, console=console)
    outputs = outputs_of(stack)
    if not exists:
        push_static(session, bucket=outputs["StaticBucket"], console=console)
    site = Site.of(session, outputs)
    run_command(site, ["python", "manage.py", "create_table"], console=console)
    if wanted.admin:
        _make_admin(site, wanted, console=console)
    look_at(wanted.domain or outputs["Address"], console=console)
    if wanted.domain:
        console.print(
            f"Point {wanted.domain} at {outputs['Address']} (CNAME, or ALIAS at Route 53)."
        )
    if before.get("Image", image) != image:
        console.print(f"To go back to the code of before: IMAGE={before['Image']}", soft_wrap=True)


def fill_in(wanted: argparse.Namespace, before: Mapping[str, str]) -> None:
    """What is not given stays as it was: the pages are looked at where they are, and images stay of one kind."""
    kinds = {name: kind for kind, name in ARCHITECTURES.items()}
    wanted.email = wanted.email or before.get("Email", "")
    wanted.domain = wanted.domain or before.get("Domain", "")
    wanted.architecture = wanted.architecture or kinds[before.get("Architecture", "ARM64")]


def _table(session: boto3.Session, wanted: argparse.Namespace) -> dict[str, str]:
    """Returns which table the site works on, and its stream, which the stack knows of its own table alone."""
    client = session.client("dynamodb", region_name=wanted.region)
    stream = client.describe_table(TableName=wanted.table)["Table"].get("LatestStreamArn")
    if not stream:
        raise Failed(f"The table {wanted.table} has no stream: run `manage.py restore` to its end.")
    is_own = wanted.table == wanted.stack
    return {"TableInUse": wanted.table, "StreamInUse": "" if is_own else stream}


def _front_addresses(session: boto3.Session) -> str:
    """Returns the id of the list of addresses with which CloudFront comes."""
    name = "com.amazonaws.global.cloudfront.origin-facing"
    asked = [{"Name": "prefix-list-name", "Values": [name]}]
    found = session.client("ec2").describe_managed_prefix_lists(Filters=asked)["PrefixLists"]
    if not found:
        raise Failed(f"The region {session.region_name} has no list {name}.")
    return str(found[0]["PrefixListId"])


def _make_admin(site: Site, wanted: argparse.Namespace, *, console: Console) -> None:
    # The password is a secret of the stack, which no log and no list of processes shows.
    handle, email = shlex.quote(wanted.admin), shlex.quote(wanted.email)
    words = f"createadmin {handle} --email {email} --password-stdin"
    run_command(
        site,
        ["sh", "-c", f"printenv FIRST_PASSWORD | python manage.py {words}"],
        console=console,
    )
    console.print(
        f"@{wanted.admin} signs in with the password that this shows, and changes it:\n"
        f"    aws secretsmanager get-secret-value --region {wanted.region} --query SecretString "
        f"--output text --secret-id {wanted.stack}-first-password"
    )


def command(session: boto3.Session, wanted: argparse.Namespace, *, console: Console) -> None:
    """Runs a command of manage.py as a task, in the role of the operator."""
    site = Site.of(session, outputs_of(Stack(session, wanted.stack)))
    run_command(site, ["python", "manage.py", *shlex.split(wanted.words)], console=console)


def undeploy(session: boto3.Session, *, stack: str, console: Console) -> None:
    """Takes away all that costs by the hour. Table, files, keys and roles stay, in the same stack: `make deploy` brings
    the site back with its data."""
    change_stack(Stack(session, stack), {"Running": "no"}, console=console)
    console.print("The site is away. Its data are where they were; `make deploy` brings it back.")


if __name__ == "__main__":
    sys.exit(main())
