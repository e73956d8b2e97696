"""Whatever error the engine answers with, at whichever call of a page: 503, when to come back, and a line in the log.

A twelfth of them a run, another one each time; `FAULTS=long` tries all of them.
"""

import logging

import pytest
from botocore.awsrequest import AWSResponse

from socialsite.table.connection import client
from tests.injected.clock import HurriedClock
from tests.injected.hook import FOR_EVER, JSON, Fault, Hook, Sending, _Body
from tests.injected.rotation import describe, share
from tests.injected.site import Site, build_site
from tests.injected.view_cases import CASES, Case

pytestmark = [
    pytest.mark.usefixtures("no_limits"),
    pytest.mark.engines("embedded", reason="no engine of ours gives these answers"),
]

TRIED = ("home", "local timeline", "sign in", "follow", "like", "publish", "edit profile")
VIEWS = [case for case in CASES if case.name in TRIED]
# Common to all of Amazon's services, and those of keys; the service's own list is in botocore's model.
COMMON = [
    "AccessDeniedException", "ExpiredTokenException", "ExpiredToken", "IncompleteSignature", "InternalFailure",
    "InvalidClientTokenId", "InvalidSignatureException", "KMSAccessDeniedException", "KMSDisabledException",
    "KMSInvalidStateException", "KMSNotFoundException", "KMSThrottlingException", "MissingAuthenticationToken",
    "MissingAuthenticationTokenException", "NotAuthorized", "OptInRequired", "RequestExpired", "SerializationException",
    "ServiceUnavailable", "SignatureDoesNotMatch", "UnknownOperationException", "UnrecognizedClientException",
    "ValidationException", "ValidationError", "InvalidEndpointException", "NobodyKnowsThisException", "",
]  # fmt: skip
REASONS = [
    "ItemCollectionSizeLimitExceeded", "TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError",
    "ValidationError", "AccessDenied", "DuplicateItem", "NobodyKnowsThis",
]  # fmt: skip


def refusing(code: str, status: int = 400) -> Fault:
    return Fault(
        f"{code or 'no code'} {status}", lambda sending: sending.refuse(code, status=status)
    )


def cancelling(reason: str) -> Fault:
    """The transaction is cancelled for its first action; with no reason at all, none is told."""

    def cancel(sending: Sending) -> AWSResponse:
        others = len(sending.body["TransactItems"]) - 1
        reasons = [{"Code": reason, "Message": reason}, *[{"Code": "None"}] * others]
        told = {"CancellationReasons": reasons} if reason else {}
        return sending.refuse("TransactionCanceledException", **told)

    return Fault(f"cancelled: {reason}", cancel, frozenset({"TransactWriteItems"}))


def saying(status: int, body: bytes) -> Fault:
    """Something between the site and the engine answers in its place."""

    def say(sending: Sending) -> AWSResponse:
        return AWSResponse(sending.request.url, status, JSON, _Body(body))

    return Fault(f"{status} {body!r}", say)


def every_fault() -> list[Fault]:
    model = client().meta.service_model
    codes = {
        shape.metadata.get("error", {}).get("code", shape.name) for shape in model.error_shapes
    }
    # A failed condition is no error of the engine, but an answer that the site asks for.
    codes -= {"ConditionalCheckFailedException"}
    html = b"<html>Sign in to this network</html>"
    return [
        *(refusing(code) for code in sorted(codes | set(COMMON))),
        *(refusing(code, 403) for code in ("AccessDeniedException", "ExpiredTokenException", "")),
        *(cancelling(reason) for reason in ("", *REASONS)),
        *(saying(status, body) for status in (200, 302, 400, 404, 503) for body in (html, b"")),
    ]


@pytest.fixture
def site(hook: Hook) -> Site:
    return build_site()


@pytest.mark.parametrize("case", VIEWS, ids=lambda case: case.name.replace(" ", "-"))
def test_no_error_of_the_engine_is_an_error_of_the_site(
    case: Case, site: Site, hook: Hook, clock: HurriedClock, caplog: pytest.LogCaptureFixture
) -> None:
    case.prepare(site)
    hook.sent.clear()
    assert case.ask(site).status_code == case.status
    calls = list(hook.sent)
    every = [
        (number, fault)
        for fault in every_fault()
        for number, call in enumerate(calls)
        if fault.applies_to(call)
    ]
    wrong, tried = [], share(every, one_of=12, salt=case.name)
    for number, fault in tried:
        site.number += 1
        case.prepare(site)
        caplog.clear()
        with hook.armed(fault, at=number, times=FOR_EVER):
            answer = case.ask(site)
        is_told = any(record.levelno >= logging.WARNING for record in caplog.records)
        if answer.status_code != 503 or not int(answer.get("Retry-After", 0)) or not is_told:
            wrong.append(f"{calls[number]} ({number}), {fault.name}: {answer.status_code}")
    print(f"{describe(case.name, len(every), len(tried))}, {len(wrong)} wrong")
    assert not wrong, "\n".join(wrong)


def test_the_log_says_what_the_engine_said(site, hook, clock, caplog):
    with hook.armed(refusing("AccessDeniedException"), times=FOR_EVER):
        assert site.browser.get("/").status_code == 503
    assert "AccessDeniedException" in caplog.text
    assert "injected" in caplog.text


def test_a_refusal_of_the_request_itself_is_logged_with_its_place_in_the_code(
    site, hook, clock, caplog
):
    with hook.armed(refusing("ValidationException"), times=FOR_EVER):
        assert site.browser.get("/").status_code == 503
    assert "ValidationException" in caplog.text
    assert "Traceback" in caplog.text
