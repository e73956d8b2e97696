"""Amazon's IAM at the door of DynamoDB: whoever comes with credentials that STS gave for one person is judged by
`deploy/iam/session/person.json`, and refused as Amazon refuses.

The local engines ask nobody for rights. So this hears what botocore sends: which tags the credentials were given with,
by the answer of STS, and whose they are, by the signature of each call.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.handlers import BUILTIN_HANDLERS

from socialsite.process_state import reset_process_state
from tests.iam.policy import actions_of, is_allowed_as_person
from tests.injected.faults import JSON, _Body

CREDENTIAL = re.compile(r"Credential=([^/]+)/")


@dataclass(frozen=True)
class Judged:
    """One call with credentials of STS."""

    action: str
    leading_keys: tuple[str, ...]
    tags: dict[str, str]
    is_allowed: bool


@dataclass
class Judge:
    """What it knows of sessions, by their access key, and what it has judged."""

    asked: list[dict[str, Any]] = field(default_factory=list)  # of STS
    sessions: dict[str, dict[str, str]] = field(default_factory=dict)
    judged: list[Judged] = field(default_factory=list)
    takes_tags_away: bool = False

    @property
    def refused(self) -> list[Judged]:
        return [one for one in self.judged if not one.is_allowed]

    def hear_wish(self, params: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
        self.asked.append(params)
        context["tags"] = {tag["Key"]: tag["Value"] for tag in params.get("Tags", ())}

    def hear_answer(self, parsed: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
        if given := parsed.get("Credentials"):
            tags = {} if self.takes_tags_away else context["tags"]
            self.sessions[given["AccessKeyId"]] = tags

    def stand_at_the_door(self, request: AWSPreparedRequest, **_: Any) -> AWSResponse | None:
        signature = _text(request.headers["Authorization"])
        signed = CREDENTIAL.search(signature)
        tags = self.sessions.get(signed[1]) if signed else None
        if tags is None:
            return None  # the process as itself
        operation = _text(request.headers["X-Amz-Target"]).partition(".")[2]
        body = json.loads(request.body)
        found, index = list(actions_of(operation, body)), body.get("IndexName", "")
        keys = tuple(key for _, key in found if key)
        is_allowed = all(
            is_allowed_as_person(action, keys, tags=tags, index=index)
            for action in {one for one, _ in found}
        )
        self.judged.append(Judged(operation, keys, tags, is_allowed))
        if is_allowed:
            return None
        said = {"__type": "com.amazon.coral.service#AccessDeniedException", "message": "no policy"}
        return AWSResponse(request.url, 400, JSON, _Body(json.dumps(said).encode()))


@contextmanager
def judge_at_the_door() -> Iterator[Judge]:
    """Judges all clients that are made for people inside the block."""
    judge = Judge()
    handlers = [
        ("before-parameter-build.sts.AssumeRole", judge.hear_wish),
        ("after-call.sts.AssumeRole", judge.hear_answer),
        ("before-send.dynamodb", judge.stand_at_the_door),
    ]
    reset_process_state()
    BUILTIN_HANDLERS.extend(handlers)
    try:
        yield judge
    finally:
        for one in handlers:
            BUILTIN_HANDLERS.remove(one)
        reset_process_state()


def _text(header: str | bytes) -> str:
    return header.decode() if isinstance(header, bytes) else header
