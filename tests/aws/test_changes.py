"""What a change of the stack touches: another version, other domains, the worker under Lambda, processes that go and
come back. The data stay, whatever it is."""

from typing import Any

import pytest

from tests.aws.resolved import resolved
from tests.aws.test_template import KEPT

SECRET = "AWS::SecretsManager::Secret"
SITE = {"Image": "site@sha256:1", "Domain": "example.org", "Certificate": "arn", "Running": "yes"}
TASKS = {"ClockTask", "OperatorTask", "PusherTask", "StreamTask", "WebTask"}


def resources(**given: str) -> dict[str, Any]:
    found: dict[str, Any] = resolved(**SITE | given)["Resources"]
    return found


def change(**given: str) -> tuple[set[str], set[str], set[str]]:
    """What comes, what goes, and what becomes another, from the site as it runs."""
    before, after = resources(), resources(**given)
    both = before.keys() & after.keys()
    others = {name for name in both if before[name] != after[name]}
    return after.keys() - before.keys(), before.keys() - after.keys(), others


def test_another_version_is_other_tasks_and_nothing_else():
    assert change(Image="site@sha256:2") == (set(), set(), TASKS)
    assert resources(Image="site@sha256:2") != resources()
    for service in ("Web", "Stream", "Clock", "Pusher"):
        # New tasks stand beside the old ones until they are well; if they never are, it goes back by itself.
        rule = resources()[service]["Properties"]["DeploymentConfiguration"]
        assert rule["MinimumHealthyPercent"] == 100
        assert rule["MaximumPercent"] == 200
        assert set(rule["DeploymentCircuitBreaker"].values()) <= {True, "true"}


def test_the_worker_under_lambda_takes_the_place_of_its_service_alone():
    come, gone, others = change(Worker="lambda")
    assert gone == {"Stream"}
    assert {"StreamFunction", "StreamOfTheTable"} <= come
    assert {resources(Worker="lambda")[name]["Type"] for name in come} <= {
        "AWS::Lambda::Function",
        "AWS::Lambda::EventSourceMapping",
        "AWS::CloudWatch::Alarm",
    }
    assert others <= {"Dashboard"}


def test_another_domain_reaches_pages_letters_and_who_may_send_them():
    come, gone, others = change(Domain="example.net", Certificate="other")
    assert (come, gone) == (set(), set())
    assert {"Front", "MailIdentity", *TASKS} <= others
    assert {resources()[name]["Type"] for name in others} & KEPT == set()


@pytest.mark.parametrize("given", [{"Running": "no"}, {"Running": "no", "Machine": "yes"}])
def test_without_processes_all_that_holds_data_is_as_it_was(given):
    come, gone, others = change(**given)
    assert {resources()[name]["Type"] for name in gone | others} & (KEPT - {SECRET}) == set()
    assert {name for name in gone if resources()[name]["Type"] == SECRET} == {"FirstPassword"}
    assert "AWS::ECS::Service" not in {one["Type"] for one in resources(**given).values()}
    assert come == (
        {"MachinePolicy", "MachineProfile", "MachineRole"} if "Machine" in given else set()
    )
