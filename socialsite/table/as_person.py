"""Reads with credentials that are good for one person alone.

Where `PERSON_ROLE` names a role, AWS STS gives its credentials with the session tag `person`, and the role's document
(`deploy/iam/session/person.json`) lets them read that person's own partitions: `u#${aws:PrincipalTag/person}#post` and
others that it names. So whoever asks for another partition inside `as_person`, by whatever mistake, is refused by
Amazon, not by this code. Without `PERSON_ROLE` there is no such wall, and the process reads as itself.

Each person has a botocore client of their own, kept for as long as a job takes: a step asks a few times, and
a call of STS takes longer than all of them.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from botocore.config import Config
from botocore.session import Session, get_session
from django.conf import settings

from socialsite.process_state import kept_by_process
from socialsite.table.connection import endpoint, hook, through
from socialsite.table.errors import translated
from socialsite.table.resilience import Patience, ordinary_patience

TAG = "person"
SECONDS = 900  # the shortest time that STS gives credentials for
KEPT_SECONDS = 600.0  # so that a call that begins with them also ends with them
MOST_CLIENTS = 8  # about 100 KB each

_lock = threading.Lock()
_clients: OrderedDict[str, tuple[float, Any]] = (
    OrderedDict()
)  # with the moment until which each is used


@contextmanager
def as_person(user_id: str) -> Iterator[None]:
    """Lets what is asked inside the block, in this thread, go out with credentials for this person's own partitions.

    A call of STS, once in ten minutes for each person and process; nothing without `PERSON_ROLE`. Raises `Unavailable`
    while STS does not answer or refuses. No generator may yield inside.
    """
    if not settings.PERSON_ROLE:
        yield
        return
    with through(_client_of(user_id)):
        yield


@kept_by_process
def _forget_people() -> None:
    with _lock:
        _clients.clear()
    _session.cache_clear()


def _client_of(user_id: str) -> Any:
    with _lock:
        until, client = _clients.get(user_id, (0.0, None))
        if until > time.monotonic():
            return client
        made = _make(user_id)
        _clients[user_id] = time.monotonic() + KEPT_SECONDS, made
        _clients.move_to_end(user_id)
        while len(_clients) > MOST_CLIENTS:
            _clients.popitem(last=False)
        return made


def _make(user_id: str) -> Any:
    patience = ordinary_patience()
    given = _credentials(user_id, patience)
    made = _session().create_client(
        "dynamodb",
        region_name=settings.DYNAMODB_REGION,
        endpoint_url=endpoint(),
        aws_access_key_id=given["AccessKeyId"],
        aws_secret_access_key=given["SecretAccessKey"],
        aws_session_token=given["SessionToken"],
        config=_config(patience),
    )
    hook(made.meta.events, patience)
    return made


def _credentials(user_id: str, patience: Patience) -> dict[str, str]:
    with translated():
        sts = _session().create_client(
            "sts", region_name=settings.DYNAMODB_REGION, config=_config(patience)
        )
        answer = sts.assume_role(
            RoleArn=settings.PERSON_ROLE,
            RoleSessionName=user_id,  # CloudTrail names it beside each call
            DurationSeconds=SECONDS,
            Tags=[{"Key": TAG, "Value": user_id}],
        )
    given: dict[str, str] = answer["Credentials"]
    return given


def _config(patience: Patience) -> Config:
    return Config(
        connect_timeout=patience.seconds,
        read_timeout=patience.seconds,
        retries={"mode": "standard", "total_max_attempts": 2},  # `hook` has its own for DynamoDB
        user_agent="socialsite",
    )


@cache
def _session() -> Session:
    return get_session()  # one for all, as each reads Amazon's descriptions of its services anew
