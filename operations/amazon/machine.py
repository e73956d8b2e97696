"""`make deploy MACHINE=FILE`: what one machine of yours needs at Amazon, and its settings."""

from collections.abc import Mapping
from pathlib import Path

import boto3
from rich.console import Console

from operations.amazon.stack import Stack, change_stack, outputs_of, parameters_of, stands
from socialsite.private_files import write_private


class StillRuns(OSError):
    """The processes of the site are at Amazon."""


def prepare_machine(
    stack: Stack, given: Mapping[str, str], *, file: Path, console: Console
) -> None:
    """Makes the stack without its processes and with a role for the machine, and writes the settings, with both keys,
    to a file that nobody else may read. Raises `StillRuns`."""
    if stands(stack) and parameters_of(stack).get("Running") == "yes":
        raise StillRuns(
            f"The site runs at Amazon. Take its processes away first: make undeploy STACK={stack.name} "
            f"REGION={stack.session.region_name}"
        )
    change_stack(stack, {"Image": "none"} | dict(given) | NO_PROCESSES, console=console)
    outputs, told = outputs_of(stack), parameters_of(stack)
    settings = _settings(stack.session, outputs, told)
    write_private(file, "".join(f"{name}={value}\n" for name, value in settings.items()))
    profile, policy = outputs["MachineProfile"], outputs["MachinePolicy"]
    console.print(
        f"{file} has the settings of the machine, and both keys: copy it there, and keep it as safe as the data.\n"
        f"A machine of EC2 takes the instance profile {profile}; for another one give a user of IAM the policy\n"
        f"{policy}, and add its AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the file. Then, on the machine:\n"
        f"    tools/install-service --domain {told.get('Domain') or 'example.org'} --settings {file.name} --yes",
        highlight=False,
        soft_wrap=True,
    )


NO_PROCESSES = {"Running": "no", "Machine": "yes"}


def _settings(
    session: boto3.Session, outputs: Mapping[str, str], told: Mapping[str, str]
) -> dict[str, str]:
    secrets = session.client("secretsmanager")

    def secret(name: str) -> str:
        return str(secrets.get_secret_value(SecretId=outputs[name])["SecretString"])

    domain = told.get("Domain", "")
    # MEDIA_BUCKET is closed to everyone but CloudFront: the machine keeps profile pictures, and shows them itself.
    return {
        "SECRET_KEY": secret("SecretKeySecret"),
        "DATA_KEY": secret("DataKeySecret"),
        "AWS_REGION": str(session.region_name),
        "DYNAMODB_ENDPOINT": "aws",
        "DYNAMODB_TABLE": outputs["TableName"],
        "PHOTO_BUCKET": outputs["PhotoBucket"],
        "EXPORT_BUCKET": outputs["ExportBucket"],
        "ARCHIVE_BUCKET": outputs["ArchiveBucket"],
        "KMS_KEY_ID": outputs["KeyOfPeople"],
        "MAIL": "ses",
        "MAIL_FROM": f"no-reply@{domain}" if domain else told["Email"],
        "MAIL_EVENTS_QUEUE": outputs["MailEventsQueue"],
        "ALARMS_TO": told["Email"],
    }
