"""The image: built by what this machine has, and pushed to the account's own registry."""

import base64
import shutil
import subprocess
from pathlib import Path

import boto3
from botocore.exceptions import ClientError
from rich.console import Console

ROOT = Path(__file__).resolve().parents[2]
BUILDERS = ("docker", "podman", "buildah")


class NoBuilder(OSError):
    """Nothing here builds images."""


def build_image(session: boto3.Session, *, name: str, architecture: str, console: Console) -> str:
    """Builds the target `amazon` of Containerfile for an architecture, pushes it, and returns it by its digest. Raises
    `NoBuilder`, and `OSError` with what the builder said."""
    builder = next(filter(_works, BUILDERS), "")
    if not builder:
        raise NoBuilder(
            f"There is none of {', '.join(BUILDERS)} here that works, to build the image. Install one (Debian: apt-get "
            "install buildah), or name an image that is pushed already: IMAGE=…"
        )
    ecr = session.client("ecr")
    try:
        made = ecr.create_repository(
            repositoryName=name, imageScanningConfiguration={"scanOnPush": True}
        )
        repository = made["repository"]["repositoryUri"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "RepositoryAlreadyExistsException":
            raise
        found = ecr.describe_repositories(repositoryNames=[name])["repositories"]
        repository = found[0]["repositoryUri"]
    (given,) = ecr.get_authorization_token()["authorizationData"]
    user, _, password = base64.b64decode(given["authorizationToken"]).decode().partition(":")
    tag = f"{repository}:{_version()}"
    console.print(f"Building {tag} with {builder} …", highlight=False)
    build = [builder, "build", "--platform", f"linux/{architecture}", "--target", "amazon"]
    build += ["--file", "Containerfile", "--tag", tag, "."]
    login = [builder, "login", "--username", user, "--password-stdin", repository.partition("/")[0]]
    _run(build)
    _run(login, given=password)
    _run([builder, "push", tag])
    described = ecr.describe_images(repositoryName=name, imageIds=[{"imageTag": _version()}])
    return f"{repository}@{described['imageDetails'][0]['imageDigest']}"


def _works(builder: str) -> bool:
    """A client of docker without its engine builds nothing."""
    program = shutil.which(builder)
    if not program:
        return False
    asked = [program, "info"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0  # noqa: S603 - one of BUILDERS


def _version() -> str:
    asked = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12"]
    found = subprocess.run(asked, capture_output=True, text=True)  # noqa: S603 - fixed words
    return found.stdout.strip() or "unknown"


def _run(command: list[str], *, given: str = "") -> None:
    done = subprocess.run(command, cwd=ROOT, input=given or None, text=True)  # noqa: S603 - fixed words
    if done.returncode:
        raise OSError(f"{command[0]} {command[1]} failed, see above.")
