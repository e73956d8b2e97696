"""An account of Amazon's that moto plays in a process of its own, and tasks as ECS starts them: by the command and the
environment that the stack says, in this checkout or in a built image. `AWS_ENDPOINT_URL` alone tells them where it is.

Started as a program it is that account, at the port that it is given.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import boto3
from rich.console import Console

from operations.amazon import stack
from operations.amazon.stack import Stack, change_stack
from operations.serving.nginx import free_addresses
from tests.aws.resolved import resolved

ROOT = Path(__file__).resolve().parents[2]
REGION = "eu-central-1"
QUIET = Console(quiet=True)
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}
GIVEN = {
    "Image": "123456789012.dkr.ecr.eu-central-1.amazonaws.com/site@sha256:0",
    "Email": "you@example.org",
    "FrontAddresses": "pl-0123456789abcdef0",
    # moto knows no CloudFront, so a site of it has its own domain.
    "Domain": "localhost",
    "Certificate": "arn:aws:acm:us-east-1:123456789012:certificate/1",
    "Running": "yes",
}
# moto makes no secret for a stack.
SECRETS = {name: f"{name}-of-the-tests-" + "x" * 40 for name in ("SECRET_KEY", "DATA_KEY")}
START_SECONDS = 60
STORAGE = ("CONTAINERS_STORAGE_CONF", "HOME")  # where buildah has its images
TASKS = ("web", "stream", "clock", "pusher")


def readable(folder: Path) -> Path:
    """The template without the output that names CloudFront and the targets that the dashboard names, which moto cannot
    read, and with outputs that name secrets by themselves, as moto makes none."""
    whole = stack.TEMPLATE.read_text(encoding="utf-8")
    whole = whole.replace("${WebTargets.TargetGroupFullName}", "targets")
    text = re.sub(r"  Address:\n(    .*\n)+", "", whole)
    text = re.sub(r"(Secret: \{Value: )!Ref (\w+)", r"\1\2", text)
    file = folder / "template.yaml"
    file.write_text(text, encoding="utf-8")
    return file


@contextmanager
def played(folder: Path) -> Iterator[dict[str, str]]:
    """The environment of who speaks with the account."""
    (address,) = free_addresses(1)
    log = (folder / "account.log").open("w")
    command = [sys.executable, "-m", "tests.aws.account", address.rpartition(":")[2]]
    process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
    try:
        _wait_for(address, process)
        yield CREDENTIALS | {"AWS_ENDPOINT_URL": f"http://{address}", "AWS_REGION": REGION}
    finally:
        process.kill()
        process.wait()
        log.close()


def _wait_for(address: str, process: subprocess.Popen[Any]) -> None:
    host, _, port = address.rpartition(":")
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        with suppress(OSError):
            socket.create_connection((host, int(port)), timeout=1).close()
            return
        time.sleep(0.1)
    raise RuntimeError(f"What should listen at {address} does not.")


@dataclass
class Site:
    """A stack, and those of its tasks that run."""

    folder: Path
    account: Mapping[str, str]
    image: str = ""  # one that buildah has; empty: this checkout
    own: Mapping[str, str] = field(default_factory=dict)  # settings beside those of the stack
    running: list[subprocess.Popen[Any]] = field(default_factory=list)
    containers: list[str] = field(default_factory=list)

    def make(self, **parameters: str) -> None:
        change_stack(self.stack, GIVEN | parameters, console=QUIET)

    @property
    def session(self) -> boto3.Session:
        return boto3.Session(region_name=REGION)

    @property
    def stack(self) -> Stack:
        return Stack(self.session, "socialsite")

    def task(self, name: str) -> tuple[list[str], dict[str, str]]:
        """Command and environment of a task, as ECS would start it."""
        found = self.session.client("ecs").describe_task_definition(
            taskDefinition=f"socialsite-{name}"
        )
        (container,) = found["taskDefinition"]["containerDefinitions"]
        told = {one["name"]: one["value"] for one in container["environment"]}
        secrets = {one["name"]: SECRETS.get(one["name"], "") for one in container["secrets"]}
        return container["command"], told | secrets

    def function(self) -> tuple[list[str], dict[str, str]]:
        """Command and environment of the worker under Lambda: the settings of its task, as moto says them."""
        kind = "AWS::Lambda::Function"
        resources = resolved(**GIVEN | {"Worker": "lambda"})["Resources"].values()
        (one,) = (one["Properties"] for one in resources if one["Type"] == kind)
        _, told = self.task("stream")
        variables = one["Environment"]["Variables"]
        assert told.keys() == variables.keys() - {"DATA_DIR"} | {"AWS_REGION"}
        command = [*one["ImageConfig"]["EntryPoint"], *one["ImageConfig"]["Command"]]
        return command, told | {"DATA_DIR": variables["DATA_DIR"]}

    def start(self, name: str, command: list[str] | None = None, **more: str) -> str:
        """Starts a task, or another command in its place; returns where its log is."""
        own, told = self.function() if name == "function" else self.task(name)
        environment = told | dict(self.account) | dict(self.own) | more
        log = self.folder / f"{name}-{len(self.running)}.log"
        self.running.append(
            subprocess.Popen(
                self._words(command or own, environment),
                cwd=ROOT,
                env=self._around() if self.image else environment | self._around(),
                stdout=log.open("w"),
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        )
        return str(log)

    def _around(self) -> dict[str, str]:
        kept = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        return kept | {name: os.environ[name] for name in STORAGE if name in os.environ}

    def _words(self, command: list[str], environment: Mapping[str, str]) -> list[str]:
        if not self.image:
            return command
        self.containers.append(buildah("from", self.image))
        given = [word for pair in environment.items() for word in ("--env", "=".join(pair))]
        whole = ["buildah", "run", "--isolation", "chroot", *given, self.containers[-1]]
        return [*whole, "--", *command]

    def run(self, command: list[str], **more: str) -> str:
        """One command of the operator, as `operations/amazon/run.py` has ECS run it; returns what it said."""
        log = self.start("operator", command, **more)
        code = self.running.pop().wait(120)
        said = Path(log).read_text()
        assert code == 0, said
        return said

    def end(self) -> None:
        for process in reversed(self.running):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.running:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.running.clear()
        if self.containers:
            buildah("rm", *self.containers)
            self.containers.clear()


def buildah(*words: str) -> str:
    done = subprocess.run(["buildah", *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def main() -> None:
    from moto.dynamodb.models.table import StreamRecord
    from moto.dynamodbstreams.models import ShardIterator
    from moto.server import main as serve

    from tests.engines import _as_it_is, _read_table_at_hand

    with (
        patch.object(ShardIterator, "get", _read_table_at_hand),
        patch.object(StreamRecord, "__deepcopy__", _as_it_is, create=True),
    ):
        serve(["--host", "127.0.0.1", "--port", sys.argv[1]])


if __name__ == "__main__":
    main()
