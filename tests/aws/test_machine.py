"""One small machine whose table is at Amazon: the rights of its role are those of the processes that it runs, made from
their documents by `make documents`."""

import json
import os
from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest

from tests.iam.policy import FOLDER, is_allowed, read_table

FILE = FOLDER / "machine" / "machine.json"
WRITES = os.environ.get("DOCUMENTS") == "write"
# What runs there, in one role, as who is on the machine could take any of them.
ROLES = ("web", "worker", "clock", "pusher", "live", "operator")
LONGEST = (
    6144  # characters of a managed policy, white space left out, which a user of IAM can have too
)
# It has all rights of the site anyway, so nothing is read as one person.
NOT_HERE = {"AsOnePerson"}
OF_ALL = ("web", "worker", "clock", "operator")  # those who write to the whole table


def documents(roles: tuple[str, ...], effect: str) -> list[list[dict[str, Any]]]:
    found = [json.loads((FOLDER / f"{role}.json").read_text())["Statement"] for role in roles]
    return [[one for one in statements if one["Effect"] == effect] for statements in found]


def made() -> str:
    """The rights of all, and of what is denied only what is denied to each of them."""
    rights: dict[tuple[str, str], set[str]] = defaultdict(set)
    names: dict[tuple[str, str], str] = {}
    for statements in documents(ROLES, "Allow"):
        for one in statements:
            if one["Sid"] in NOT_HERE:
                continue
            for resource in one["Resource"]:
                key = resource, json.dumps(one.get("Condition", {}))
                rights[key] |= set(one["Action"])
                names.setdefault(key, one["Sid"])
    for (resource, condition), actions in list(rights.items()):
        if condition != "{}" and actions <= rights.get((resource, "{}"), set()):
            del rights[resource, condition]
    groups: dict[tuple[tuple[str, ...], str], list[str]] = defaultdict(list)
    sids: dict[tuple[tuple[str, ...], str], str] = {}
    for (resource, condition), actions in rights.items():
        group = tuple(sorted(actions)), condition
        groups[group].append(resource)
        sids.setdefault(group, names[resource, condition])
    allowed = [
        {"Sid": sids[actions, condition], "Effect": "Allow", "Action": list(actions)}
        | {"Resource": sorted(resources)}
        | ({"Condition": json.loads(condition)} if condition != "{}" else {})
        for (actions, condition), resources in groups.items()
    ]
    first, *others = documents(OF_ALL, "Deny")
    denied = [one for one in first if all(one in statements for statements in others)]
    whole = {"Version": "2012-10-17", "Statement": allowed + denied}
    return json.dumps(whole, indent=2) + "\n"


def test_its_document_is_made_from_those_of_its_processes():
    if WRITES:
        FILE.write_text(made())
    assert FILE.read_text() == made(), "`make documents` writes it anew."
    sids = [one["Sid"] for one in json.loads(made())["Statement"]]
    assert len(set(sids)) == len(sids)


@pytest.mark.parametrize("role", ROLES)
def test_each_of_its_processes_may_do_there_what_it_does(role):
    uses = [use for use in read_table() if use.role == role and use.resource != "person"]
    assert uses
    assert [use for use in uses if not is_allowed(replace(use, role="machine/machine"))] == []


def test_nobody_on_it_changes_the_audit_log():
    denied = [
        one["Sid"] for one in json.loads(FILE.read_text())["Statement"] if one["Effect"] == "Deny"
    ]
    assert denied == ["TheHeadIsNotDeleted", "EntriesAreNotChanged", "EntriesComeInTransactions"]


def test_it_fits_into_a_policy_that_users_of_iam_can_have():
    assert len("".join(FILE.read_text().split())) + 1200 < LONGEST  # placeholders grow
