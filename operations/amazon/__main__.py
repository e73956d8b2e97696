"""`make deploy` and `make undeploy`: brings deploy/aws/template.yaml to Amazon, or takes away all but the data.

Each step may be repeated: what is there already stays, and a deployment that was cut off goes on with the next call.
"""

import argparse
import shlex
import sys
from collections.abc import Sequence

import boto3
from botocore.exceptions import BotoCoreError, ClientError
from rich.console import Console

from operations.amazon.image import build_image
from operations.amazon.run import Site, run_command
from operations.amazon.smoke import look_at
from operations.amazon.stack import Stack, change_stack, outputs_of, stands
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
        else:
            deploy(session, wanted, console=console)
    except (Failed, ClientError, BotoCoreError, OSError) as error:
        console.print(f"{error}", style="red", highlight=False)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make deploy", description=__doc__)
    parser.add_argument("what", choices=["deploy", "undeploy"])
    parser.add_argument("--stack", required=True, help="name of the stack, and of the table")
    parser.add_argument("--region", required=True)
    parser.add_argument("--email", default="", help="where alarms and the budget write to")
    parser.add_argument("--domain", default="", help="the site's own, with --certificate")
    parser.add_argument("--certificate", default="", help="ARN of ACM in us-east-1")
    parser.add_argument("--image", default="", help="one that is pushed already: none is built")
    parser.add_argument("--architecture", default="arm64", choices=sorted(ARCHITECTURES))
    parser.add_argument("--worker", default="", choices=["", "container", "lambda"])
    parser.add_argument("--budget", default="", help="dollars a month")
    parser.add_argument("--admin", default="", help="handle of the first administrator")
    parser.add_argument("--table", default="", help="a restored one, in place of the stack's own")
    return parser


def deploy(session: boto3.Session, wanted: argparse.Namespace, *, console: Console) -> None:
    """Builds the image, changes the stack, sends the static files, and looks whether the site answers.

    Static files go before new code, which names them, and none is deleted: pages that are open ask for the old ones.
    """
    stack = Stack(session, wanted.stack)
    exists = stands(stack)
    if not exists and not wanted.email:
        raise Failed("Name an address for alarms and the budget: EMAIL=you@example.org.")
    image = wanted.image or build_image(
        session, name=wanted.stack, architecture=wanted.architecture, console=console
    )
    if exists:
        push_static(session, bucket=outputs_of(stack)["StaticBucket"], console=console)
    parameters = {
        "Image": image,
        "FrontAddresses": _front_addresses(session),
        "Running": "yes",
        "Architecture": ARCHITECTURES[wanted.architecture],
        **({"Email": wanted.email} if wanted.email else {}),
        **(_table(session, wanted) if wanted.table else {}),
        **{name: getattr(wanted, key) for key, name in GIVEN.items() if getattr(wanted, key)},
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


def undeploy(session: boto3.Session, *, stack: str, console: Console) -> None:
    """Takes away all that costs by the hour. Table, files, keys and roles stay, in the same stack: `make deploy` brings
    the site back with its data."""
    change_stack(Stack(session, stack), {"Running": "no"}, console=console)
    console.print("The site is away. Its data are where they were; `make deploy` brings it back.")


if __name__ == "__main__":
    sys.exit(main())
