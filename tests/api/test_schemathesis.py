"""Whatever the description allows is answered as it says: no fault, and the entities that it names (Schemathesis).

A share of the addresses each run, all with FAULTS=long; `FAULTS_SEED` repeats a run.
"""

import copy
from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
)

from api import access
from api.developers.description import description
from feed.polls.models import PollWish
from feed.publishing.writes import publish_post
from relations.follows.writes import follow
from socialsite.table import ids
from tests.api.conftest import token_of
from tests.conftest import post
from tests.injected.faults import IS_LONG, SEED, describe, share

CHECKS = [not_a_server_error, response_schema_conformance, content_type_conformance]
EXAMPLES = 60 if IS_LONG else 8  # of each address
ONE_OF = 3
EVERY = [
    (path, method)
    for path, methods in description()["paths"].items()
    for method, told in methods.items()
    if told["summary"]  # the empty lists are looked at in `test_addresses.py`
]


def with_ids(whole: dict[str, Any], posts: list[str], people: list[str]) -> dict[str, Any]:
    """The description, in which every id in an address is one that there is, so that more than 404 is seen."""
    for path, methods in whole["paths"].items():
        for told in methods.values():
            for one in told["parameters"]:
                if one["in"] == "path" and one["name"] == "id":
                    if "/statuses/" in path or "/polls/" in path:
                        one["schema"] = {"enum": posts}
                    elif "/accounts/" in path or "/follow_requests/" in path:
                        one["schema"] = {"enum": people}
                elif one["name"] in ("limit", "type"):
                    one["schema"] |= (
                        {"enum": [1, 20]}
                        if one["name"] == "limit"
                        else {"enum": ["", "accounts", "statuses"]}
                    )
    return whole


@pytest.mark.timeout(600 if IS_LONG else 60)
@pytest.mark.filterwarnings("ignore")
def test_what_is_described_is_what_is_answered(alice, bob, carol, drain_stream, monkeypatch):
    monkeypatch.setattr(access, "MOST_CALLS", 1_000_000)
    follow(by=alice, user_id=bob.user_id)
    posts = [
        f"{post(one, f'Hello {n} #cats')}{one.user_id}" for n in range(3) for one in (alice, bob)
    ]
    asked = PollWish(("Tea", "Coffee"))
    poll = publish_post(by=bob, content="Which?", nonce=ids.new_id(), poll=asked)
    posts.append(f"{poll}{bob.user_id}")
    drain_stream()
    people = [one.user_id for one in (alice, bob, carol)]
    schema: Any = schemathesis.openapi.from_dict(
        with_ids(copy.deepcopy(description()), posts, people)
    )
    schema.app = get_wsgi_application()
    token = token_of(alice, "read", "write", "follow", "push", "profile")
    tried = share(EVERY, one_of=ONE_OF, salt="schemathesis")
    print(describe("schemathesis", len(EVERY), len(tried)))
    for path, method in tried:
        _try(schema[path][method], token)


def _try(operation: Any, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}

    @seed(SEED)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def calls(case: Any) -> None:
        answer = case.call(base_url="http://testserver", headers=headers)
        case.validate_response(answer, checks=CHECKS)

    calls()
