"""A place that a site can live in: its table and its files. `here()` is that of this process, `named_by(file)` that of
a file of settings such as /etc/socialsite/env."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import botocore.session
from botocore.config import Config
from botocore.exceptions import ClientError
from django.conf import settings
from django.core.files.storage.handler import StorageHandler

from operations.installation.services import read_env
from socialsite import keys
from socialsite.data_keys import DataKey
from socialsite.engine.choice import choose
from socialsite.engine.running import Endpoint, ensure_running
from socialsite.environment import dynamodb_engine, dynamodb_region
from socialsite.private_files import create_private, make_private_folder
from socialsite.storages import storages
from socialsite.table import Key, RawItem, key_of, translated
from socialsite.table.connection import table_name
from socialsite.table.errors import error_code
from socialsite.table.reading import BATCH_GET_LIMIT
from socialsite.table.resilience import pieces
from socialsite.table.transport import client as transport
from socialsite.table.transport.requests import wire

PATIENCE = Config(
    connect_timeout=5,
    read_timeout=20,
    retries={"total_max_attempts": 5, "mode": "standard"},
    max_pool_connections=16,
    parameter_validation=False,  # the embedded engine's shard ids are shorter than botocore expects
    account_id_endpoint_mode="disabled",
    user_agent="socialsite",
)
CREDENTIALS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
# What a command of the other place must not take from this one's environment.
OF_A_SITE = (
    *("AWS_", "DYNAMODB_", "DJANGO_", "KMS_", "DATA_", "SECRET_KEY", "DEBUG", "ENGINE", "WRITING_"),
    *("MEDIA_", "PHOTO_", "EXPORT_", "ARCHIVE_", "PERSON_ROLE", "ALLOWED_HOSTS"),
)
SECRETS = ("DATA_KEY", "SECRET_KEY")


class MoveError(Exception):
    """A sentence that says why a site cannot move there, or did not."""


@dataclass(frozen=True)
class Place:
    """`environ` is what its processes are started with. `own_keys` names those of its keys that stand in its data
    folder and not in the settings."""

    engine: str
    endpoint: str
    region: str
    table: str
    data_dir: Path
    environ: Mapping[str, str] = field(repr=False)
    backends: Mapping[str, Any] = field(repr=False)
    own_keys: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        match self.engine:
            case "embedded":
                return f"the data folder {self.data_dir}"
            case "endpoint":
                return f"the table {self.table} at {self.endpoint}"
            case _:
                return f"the table {self.table} in {self.region}"

    @property
    def is_amazon(self) -> bool:
        return self.engine == "amazon"

    @cached_property
    def files(self) -> StorageHandler:
        return StorageHandler(dict(self.backends))

    @cached_property
    def client(self) -> Any:
        made = self._made("dynamodb")
        transport.register(made.meta.events)
        if self.engine == "embedded":
            choose(self.data_dir).fit(made)
        return made

    @cached_property
    def stream_client(self) -> Any:
        return self._made("dynamodbstreams")

    @property
    def _running(self) -> Endpoint:
        return ensure_running(
            project=settings.BASE_DIR, data_dir=self.data_dir, table_name=self.table
        )

    def _made(self, service: str) -> Any:
        session = botocore.session.Session()
        given = dict.fromkeys(("aws_access_key_id", "aws_secret_access_key"), "local")
        url = self.endpoint or None
        if self.engine == "embedded":
            url, given["aws_access_key_id"] = self._running.url, self._running.access_key
        elif self.is_amazon:
            given = {one.lower(): self.environ[one] for one in CREDENTIALS if self.environ.get(one)}
            if profile := self.environ.get("AWS_PROFILE"):
                session.set_config_variable("profile", profile)
        return session.create_client(
            service, self.region, endpoint_url=url, config=PATIENCE, **given
        )

    def has_table(self) -> bool:
        """Whether there is one. Starts no engine in an empty folder."""
        if self.engine == "embedded" and not choose(self.data_dir).made(self.data_dir):
            return False
        try:
            with translated():
                self._described()
        except Exception as error:
            if isinstance(error.__cause__, ClientError) and error_code(error.__cause__) == (
                "ResourceNotFoundException"
            ):
                return False
            raise
        return True

    def _described(self) -> dict[str, Any]:
        found: dict[str, Any] = self.client.describe_table(TableName=self.table)["Table"]
        return found

    @property
    def stream_arn(self) -> str:
        with translated():
            return str(self._described()["LatestStreamArn"])

    def get(self, keys_of_items: list[Key]) -> dict[Key, RawItem]:
        """Returns items by key, expired ones too, as this moment has them."""
        found: dict[Key, RawItem] = {}
        for some in pieces(keys_of_items, BATCH_GET_LIMIT):
            asked: Any = {"Keys": [wire(key) for key in some], "ConsistentRead": True}
            while asked:
                with translated():
                    answer = self.client.batch_get_item(RequestItems={self.table: asked})
                found |= {key_of(raw): raw for raw in answer["Responses"].get(self.table, ())}
                asked = answer.get("UnprocessedKeys", {}).get(self.table)
        return found

    def scan(self) -> Iterator[list[RawItem]]:
        """Yields all items, page by page, expired ones too."""
        request: dict[str, Any] = {"TableName": self.table, "ConsistentRead": True}
        while True:
            with translated():
                answer = self.client.scan(**request)
            yield answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return
            request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]

    def put(self, raw: RawItem) -> None:
        with translated():
            self.client.put_item(TableName=self.table, Item=raw)

    @property
    def state(self) -> RawItem:
        """Returns its `DataState`, empty if there is none yet."""
        return self.get([keys.data_state()]).get(keys.data_state(), {})

    def key_ids(self) -> set[str]:
        """Returns the ids of the keys that its settings name."""
        texts = [self.environ.get("DATA_KEY", ""), *_words(self.environ, "DATA_KEY_FALLBACKS")]
        of_kms = [self.environ.get(name, "") for name in ("KMS_KEY_ID", "KMS_KEY_OF_STAFF")]
        of_kms += _words(self.environ, "KMS_KEY_FALLBACKS")
        return {*(DataKey(text).id for text in texts if text), *filter(None, of_kms)}

    def manage(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Runs a command of `manage.py` there, with the settings of that place alone."""
        own = {name: one for name, one in os.environ.items() if not name.startswith(OF_A_SITE)}
        own |= {"DATA_DIR": str(self.data_dir), "DJANGO_SETTINGS_MODULE": "socialsite.settings"}
        return subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "manage.py", *arguments],
            cwd=settings.BASE_DIR,
            env=own | dict(self.environ),
            capture_output=True,
            text=True,
            check=False,
        )


def here() -> Place:
    """Returns the place of this process's settings."""
    return Place(
        settings.DYNAMODB_ENGINE,
        settings.DYNAMODB_ENDPOINT or "",
        settings.DYNAMODB_REGION,
        table_name(),
        Path(settings.DATA_DIR).resolve(),
        os.environ,
        settings.STORAGES,
    )


def named_by(file: Path) -> Place:
    """Returns the place whose settings stand in the file, as systemd reads them. A data folder gets the keys of this
    site where the file names none. Raises `MoveError`, `InstallationError`."""
    environ = read_env(file)
    engine, problem = dynamodb_engine(environ)
    if problem:
        raise MoveError(f"{file}: {problem}")
    data_dir = Path(environ.get("DATA_DIR") or settings.BASE_DIR / "var").resolve()
    missing = tuple(name for name in SECRETS if not environ.get(name))
    if missing:
        if engine != "embedded":
            raise MoveError(
                f"{file} does not set {' and '.join(missing)}. DATA_KEY has to be the one of this site, and with the "
                "same SECRET_KEY everyone stays signed in."
            )
        environ |= {name: _of_folder(data_dir, name) for name in missing}
    if DataKey(environ["DATA_KEY"]).id != DataKey(settings.DATA_KEY).id:
        raise MoveError(
            f"DATA_KEY in {file} is another one than this site has. It has to move along."
        )
    region = dynamodb_region(environ)
    return Place(
        engine,
        environ["DYNAMODB_ENDPOINT"] if engine == "endpoint" else "",
        region,
        environ.get("DYNAMODB_TABLE", "socialsite"),
        data_dir,
        environ,
        _backends(environ, data_dir, region),
        missing,
    )


def _of_folder(data_dir: Path, name: str) -> str:
    file = data_dir / f"{name.lower()}.txt"
    return file.read_text() if file.exists() else str(getattr(settings, name))


def keep_secrets(there: Place) -> None:
    """Writes the keys that its settings do not name into the data folder, where its processes look for them."""
    make_private_folder(there.data_dir)
    for name in there.own_keys:
        create_private(there.data_dir / f"{name.lower()}.txt", there.environ[name])


def _backends(environ: Mapping[str, str], data_dir: Path, region: str) -> dict[str, Any]:
    made = storages(
        data_dir=data_dir,
        media_bucket=environ.get("MEDIA_BUCKET", ""),
        archive_bucket=environ.get("ARCHIVE_BUCKET", ""),
        export_bucket=environ.get("EXPORT_BUCKET", ""),
        photo_bucket=environ.get("PHOTO_BUCKET", ""),
        region=region,
        debug=True,
    )
    given = {"access_key": "AWS_ACCESS_KEY_ID", "secret_key": "AWS_SECRET_ACCESS_KEY"}
    given["security_token"] = "AWS_SESSION_TOKEN"  # noqa: S105 - names of settings
    for name, backend in made.items():
        options = backend.setdefault("OPTIONS", {})
        if "bucket_name" in options:
            options |= {key: environ[one] for key, one in given.items() if environ.get(one)}
        elif name == "default":
            options = {**options, "location": data_dir / "media", "allow_overwrite": True}
        backend["OPTIONS"] = options
    return made


def _words(environ: Mapping[str, str], name: str) -> list[str]:
    return [word.strip() for word in environ.get(name, "").split(",") if word.strip()]
