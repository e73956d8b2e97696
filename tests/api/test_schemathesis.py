"""Whatever the description allows is answered as it says: no fault, and the entities that it names (Schemathesis).

A share of the addresses each run, all with FAULTS=long; `FAULTS_SEED` repeats a run.
"""

import copy
from datetime import timedelta
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
from socialsite.clock import utc_now
from socialsite.table import ids
from tests.api.conftest import App, token_of
from tests.conftest import post
from tests.injected.faults import IS_LONG, SEED, describe, share

CHECKS = [not_a_server_error, response_schema_conformance, content_type_conformance]
EXAMPLES = 60 if IS_LONG else 6  # of each address
ONE_OF = 4
EVERY = [
    (path, method)
    for path, methods in description()["paths"].items()
    for method, told in methods.items()
    if told["summary"]  # the empty lists are looked at in `test_addresses.py`
]


def with_ids(found: dict[str, list[str]]) -> dict[str, Any]:
    """The description, in which every id in an address is one that there is, so that more than 404 is seen."""
    whole = copy.deepcopy(description())
    for path, methods in whole["paths"].items():
        for one in (one for told in methods.values() for one in told["parameters"]):
            name = one["name"]
            if one["in"] == "path" and name == "id":
                name = "post" if "/statuses/" in path or "/polls/" in path else "person"
            if name in found and "/notifications/" not in path:
                one["schema"] = {"enum": found[name]}
    return whole


@pytest.fixture
def ids_of(alice, bob, carol, drain_stream) -> dict[str, list[str]]:
    """What there is: posts, a poll, people, a list, and a post for later."""
    follow(by=alice, user_id=bob.user_id)
    posts = [f"{post(one, 'Hello #cats')}{one.user_id}" for one in (alice, bob) * 3]
    asked = PollWish(("Tea", "Coffee"))
    poll = publish_post(by=bob, content="Which?", nonce=ids.new_id(), poll=asked)
    drain_stream()
    app = App(token_of(alice))
    later = (utc_now() + timedelta(days=1)).isoformat()
    return {
        "post": [*posts, f"{poll}{bob.user_id}"],
        "person": [one.user_id for one in (alice, bob, carol)],
        "tag": ["cats", "dogs"],
        "list_id": [app.post("/api/v1/lists", title="Friends")["id"]],
        "slot": [app.post("/api/v1/statuses", status="Later", scheduled_at=later)["id"]],
        "limit": ["1", "20"],
        "type": ["", "accounts", "statuses"],
    }


@pytest.mark.timeout(900 if IS_LONG else 120)
@pytest.mark.filterwarnings("ignore")
def test_what_is_described_is_what_is_answered(alice, ids_of, monkeypatch):
    monkeypatch.setattr(access, "MOST_CALLS", 1_000_000)
    schema: Any = schemathesis.openapi.from_dict(with_ids(ids_of))
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
