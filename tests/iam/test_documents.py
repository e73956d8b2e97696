"""deploy/iam lets each role do what tests/iam/uses.tsv says that it does: nothing lacks, and nothing is left over."""

import json
from fnmatch import fnmatchcase

import pytest
from botocore.session import Session

from tests.iam.key_shapes import key_of, shapes_of_the_table
from tests.iam.policy import FOLDER, is_allowed, read_document
from tests.iam.recorder import ROLES
from tests.iam.uses import Use, read_table

USES = sorted(read_table())
# What Amazon's Lambda service itself does in the role of the function.
BY_AMAZON = {
    "LambdaListsStreams",
    "LambdaLogs",
    "LambdaReadsTheStream",
    "LambdaReportsLostBatches",
}
PARTIQL = ("Delete", "Insert", "Select", "Update")
# Operations that IAM judges by other names, and names that are no operation.
NO_ACTIONS = {"TransactWriteItems", "TransactGetItems", "ExecuteStatement", "ExecuteTransaction"}
NO_OPERATIONS = {"ConditionCheckItem", *(f"PartiQL{verb}" for verb in PARTIQL)}
LONGEST_DOCUMENT = 10_240  # characters of all inline policies of a role, white space left out


def test_each_role_has_its_document():
    assert sorted(file.stem for file in FOLDER.glob("*.json")) == list(ROLES)


def test_a_role_may_do_all_that_it_does():
    assert {use.role for use in USES} <= set(ROLES)
    assert [use for use in USES if not is_allowed(use)] == []


def test_a_role_may_do_nothing_that_it_never_does():
    never = [
        f"{role}, {statement.sid}: {action} on {resource}"
        for role in ROLES
        for statement in read_document(role)
        if statement.effect == "Allow" and statement.sid not in BY_AMAZON
        for action in statement.actions
        for resource in statement.resources
        if not any(
            statement.only(action, resource).applies_to(use) for use in USES if use.role == role
        )
    ]
    assert never == []


def test_every_denied_key_is_one_of_the_table():
    keys = [key_of(shape) for shape in shapes_of_the_table()]
    for role in ROLES:
        patterns = [one for statement in read_document(role) for one in statement.key_patterns]
        unknown = [one for one in patterns if not any(fnmatchcase(key, one) for key in keys)]
        assert (role, bool(patterns), unknown) == (role, True, [])


def operations(service: str) -> list[str]:
    return list(Session().get_service_model(service).operation_names)


def test_every_action_exists():
    of_dynamodb = {*operations("dynamodb"), *operations("dynamodbstreams"), *NO_OPERATIONS}
    known = {
        *(f"dynamodb:{name}" for name in of_dynamodb - NO_ACTIONS),
        *(f"s3:{name}" for name in {*operations("s3"), "ListBucket"}),
        *(f"sqs:{name}" for name in operations("sqs")),
        *(f"logs:{name}" for name in operations("logs")),
        *(f"ses:{name}" for name in operations("ses")),
        *(f"sts:{name}" for name in {*operations("sts"), "TagSession"}),
        *(f"kms:{name}" for name in {*operations("kms"), "ReEncryptFrom", "ReEncryptTo"}),
    }
    known.remove("kms:ReEncrypt")
    for role in ROLES:
        named = {action for statement in read_document(role) for action in statement.actions}
        assert named - known == set(), role


def test_a_document_fits_into_a_role():
    for role in ROLES:
        text = (FOLDER / f"{role}.json").read_text()
        assert len("".join(text.split())) < LONGEST_DOCUMENT / 2, role  # placeholders grow
        sids = [one["Sid"] for one in json.loads(text)["Statement"]]
        assert len(set(sids)) == len(sids), role


READS = ("BatchGetItem", "ConditionCheckItem", "GetItem", "Query")
WRITES = ("BatchWriteItem", "DeleteItem", "PutItem", "UpdateItem")
OF_CREDENTIALS = (
    "u#*#auth",
    "key#*",
    "u#*#session",
    "u#*#origin",
    "origin#*#*",
    "email#*",
    "maildomain#*",
    "site#staff",
)


def allowed(role: str, actions: tuple[str, ...], shapes: tuple[str, ...]) -> list[str]:
    """What of these a role may do, within a transaction or alone."""
    return [
        str(use)
        for action in actions
        for shape in shapes
        for in_transaction in (False, True)
        if is_allowed(use := Use(role, "table", shape, in_transaction, action))
    ]


@pytest.mark.parametrize("role", ["worker", "lambda"])
def test_the_worker_asks_for_no_credentials_and_rights_and_changes_none(role):
    assert allowed(role, READS + WRITES, OF_CREDENTIALS) == []
    assert allowed(role, WRITES, ("handle#*", "limit#*", "site", "site#invite", "site#role")) == []
    assert allowed(role, READS, ("audit#*",)) == []


def test_the_head_of_the_audit_log_is_never_deleted():
    deletes = ("BatchWriteItem", "DeleteItem")
    assert [role for role in ROLES if allowed(role, deletes, ("audit",))] == []


@pytest.mark.parametrize("role", ["worker", "lambda", "operator"])
def test_posts_are_made_by_the_web_alone_and_deleted_one_by_one(role):
    assert allowed(role, ("BatchWriteItem", "PutItem"), ("u#*#post",)) == []
    assert len(allowed("web", ("PutItem",), ("u#*#post",))) == 2


def test_the_web_writes_nothing_that_the_worker_keeps():
    assert (
        allowed(
            "web",
            WRITES,
            (
                "find#*",
                "public#*#*",
                "tag#*#post",
                "day#*",
                "hits#*",
                "same#*",
                "worker#*",
                "waiting",
            ),
        )
        == []
    )


def test_the_master_key_serves_the_web_the_clock_and_operators_and_none_can_end_it():
    of_web = {"kms:Decrypt", "kms:GenerateDataKey"}
    of_operator = of_web | {"kms:Encrypt", "kms:ReEncryptFrom", "kms:ReEncryptTo"}
    of_clock = {"kms:Decrypt"}  # what people take along, and letters
    of_roles = {"web": of_web, "clock": of_clock, "operator": of_operator}
    for role in ROLES:
        named = {action for one in read_document(role) for action in one.actions}
        may = {action for action in named if action.startswith("kms:")}
        assert may == of_roles.get(role, set()), role


def test_letters_are_sent_by_the_clock_alone_and_in_the_name_of_the_site():
    senders = [
        (role, one.actions, one.condition)
        for role in ROLES
        for one in read_document(role)
        if any(action.startswith("ses:") for action in one.actions)
    ]
    in_its_name = {"StringEquals": {"ses:FromAddress": ["${MailFrom}"]}}
    assert senders == [("clock", ("ses:SendEmail", "ses:SendRawEmail"), in_its_name)]


def test_the_web_gives_people_keys_and_takes_none_away():
    assert len(allowed("web", ("PutItem",), ("key#*",))) == 2
    assert allowed("web", ("BatchWriteItem", "DeleteItem", "UpdateItem"), ("key#*",)) == []


@pytest.mark.parametrize("role", ["web", "lambda"])
def test_who_has_no_need_to_look_through_the_table_cannot(role):
    assert not is_allowed(Use(role, "table", "-", False, "Scan"))
