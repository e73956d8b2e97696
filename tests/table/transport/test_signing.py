"""The signature is botocore's."""

import time
from datetime import UTC, datetime

import pytest
from botocore import auth
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from socialsite.table.transport import client
from socialsite.table.transport.client import Signer

HOST = "dynamodb.eu-central-1.amazonaws.com"
HEADERS = {
    "X-Amz-Target": "DynamoDB_20120810.Query",
    "Content-Type": "application/x-amz-json-1.0",
    "Host": HOST,
    "User-Agent": "socialsite",
}
LAST_SECOND = datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)
FIRST_SECOND = datetime(2027, 1, 1, tzinfo=UTC)


@pytest.fixture
def at(monkeypatch):
    """`at(moment)`: it is this time, for botocore too."""

    def stop(moment: datetime) -> None:
        monkeypatch.setattr(auth, "get_current_datetime", lambda: moment)
        monkeypatch.setattr(client, "time", _Stopped(moment))

    return stop


class _Stopped:
    def __init__(self, moment: datetime) -> None:
        self._moment = moment

    def gmtime(self) -> time.struct_time:
        return self._moment.timetuple()

    strftime = staticmethod(time.strftime)


def signed_here(signer: Signer, credentials: Credentials, body: bytes, **more: str) -> dict:
    headers = HEADERS | more
    signer.sign(headers, body, credentials.get_frozen_credentials())
    return headers


def signed_by_botocore(credentials: Credentials, body: bytes, **more: str) -> dict:
    request = AWSRequest("POST", f"https://{HOST}/", headers=HEADERS | more, data=body)
    frozen = credentials.get_frozen_credentials()
    SigV4Auth(frozen, "dynamodb", "eu-central-1").add_auth(request)
    return dict(request.headers)


@pytest.mark.parametrize("token", [None, "a/token+of==many"], ids=["no token", "a token"])
@pytest.mark.parametrize("body", [b"{}", "{“é” 陈}".encode() * 9999], ids=["short", "long"])
@pytest.mark.parametrize(
    "more",
    [{}, {"X-Amz-Api-Version": "2012-08-10"}, {"X-Amzn-Trace-Id": "Root=1;Parent=2"}],
    ids=["no more headers", "one more", "one that proxies change"],
)
def test_it_is_the_same(at, token, body, more):
    at(LAST_SECOND)
    credentials = Credentials("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG", token)
    here = signed_here(Signer("eu-central-1"), credentials, body, **more)
    assert here == signed_by_botocore(credentials, body, **more)


def test_the_kept_key_changes_with_the_day_and_with_the_secret(at):
    signer = Signer("eu-central-1")
    old, new = Credentials("OLD", "old secret"), Credentials("NEW", "new secret", "token")
    for moment, credentials in (
        (LAST_SECOND, old),
        (FIRST_SECOND, old),
        (FIRST_SECOND, new),
        (FIRST_SECOND, new),
        (LAST_SECOND, old),
    ):
        at(moment)
        assert signed_here(signer, credentials, b"{}") == signed_by_botocore(credentials, b"{}")
