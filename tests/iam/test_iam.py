"""deploy/iam lets each role do what tests.iam.policy.tsv says that it does, however it begins, and nothing else."""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase

import pytest
from botocore.session import Session
from django.core.management import call_command
from django.test import Client

from accounts.models import UserInfo
from accounts.people.reads import get_user_info
from accounts.profile.writes import edit_profile
from accounts.sessions import hash_secret
from accounts.sign_in.writes import sign_in
from notifications.live.sign_ins import SignIns
from notifications.push.sender import Pusher
from notifications.push.site_key import open_site_key
from notifications.push.writes import forget_device, remove_device
from operations.management.commands.run_worker import Command as RunWorker
from operations.management.commands.seed import Command as Seed
from relations import lambda_handler
from relations.models import Relation, RelationType
from relations.relation import create_relation
from socialsite.data_keys import current_key
from socialsite.discovery import discover
from socialsite.streams.lambda_handler import handle
from socialsite.streams.worker import Worker
from socialsite.table import ALWAYS, Item, Moved, Upsert, get, keys
from socialsite.table import connection as connecting
from socialsite.table.connection import connection, disconnect
from socialsite.table.models import DataState
from socialsite.table.schema import missing_protection
from socialsite.telling import kinds
from tests.engines import moto_engine
from tests.faults.processes import wait_until
from tests.iam.policy import (
    FOLDER,
    Use,
    is_allowed,
    key_of,
    may_change,
    read_document,
    read_table,
    shape_of,
    shapes_of_the_table,
    uses_of,
)
from tests.iam.recorder import NOBODY, ROLES, acting_as, role_of_command, seen, sentence_about
from tests.streams.records import Record, event, new_records, unread
from tests.tables import use_table

USES = sorted(read_table())
# What Amazon's Lambda service itself does in the role of the function, and what SES looks at beside the address.
BY_AMAZON = {
    "LettersByTheirSettings",
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


@pytest.mark.parametrize("role", ["worker", "lambda"])
def test_the_worker_looks_into_no_message_and_writes_none(role):
    """Of a conversation that goes with an account it lists the messages and deletes each. Keys it may not read."""
    asked = allowed(role, READS + WRITES, ("c#*#message",))
    assert {sentence.split()[2] for sentence in asked} == {"Query", "DeleteItem"}


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


def test_the_master_key_serves_those_who_open_seals_and_none_can_end_it():
    of_web = {"kms:Decrypt", "kms:GenerateDataKey"}
    of_operator = of_web | {"kms:Encrypt", "kms:ReEncryptFrom", "kms:ReEncryptTo"}
    of_clock = {"kms:Decrypt"}  # what people take along, and letters
    of_roles = {"web": of_web, "clock": of_clock, "operator": of_operator}
    of_roles["pusher"] = {"kms:Decrypt"}  # what browsers gave
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
    # Once for the address, once for what SES looks at beside it.
    assert senders == 2 * [("clock", ("ses:SendEmail", "ses:SendRawEmail"), in_its_name)]


def test_the_web_gives_people_keys_and_takes_none_away():
    assert len(allowed("web", ("PutItem",), ("key#*",))) == 2
    assert allowed("web", ("BatchWriteItem", "DeleteItem", "UpdateItem"), ("key#*",)) == []


def test_the_function_for_other_systems_may_do_exactly_what_it_does_and_read_no_key():
    """Its document names what it may, not what it must not: an id has 26 characters, so `u#` and as many `?` are one
    person's partition and no other of theirs."""
    does = {(use.action, use.key_shape) for use in USES if use.role == "relations"}
    shapes = shapes_of_the_table()
    may = {
        (action, shape)
        for action in (*READS, *WRITES)
        for shape in shapes
        if allowed("relations", (action,), (shape,))
    }
    assert may == does
    assert allowed("relations", READS + WRITES, OF_CREDENTIALS) == []


def test_the_process_that_tells_pages_may_do_exactly_what_it_does_and_writes_for_nobody():
    does = {(use.action, use.key_shape) for use in USES if use.role == "live"}
    may = {
        (action, shape)
        for action in (*READS, *WRITES)
        for shape in shapes_of_the_table()
        if allowed("live", (action,), (shape,))
    }
    assert may == does
    assert {shape for action, shape in may if action in WRITES} == {"site#data"}
    assert "u#*#auth" not in {shape for _, shape in may}


def test_a_sign_in_and_bells_are_read_by_the_process_that_tells_pages(alice):
    asked = SignIns()
    secret = hash_secret(sign_in(user_id=alice.user_id, browser=""))
    assert asyncio.run(asked.holds(alice.user_id, secret))
    assert not asyncio.run(asked.holds(alice.user_id, "another"))
    assert asyncio.run(asked.bells([alice.user_id])).keys() == {alice.user_id}
    for shape in ("u#*", "u#*#session"):
        assert Use("live", "table", shape, False, "BatchGetItem") in seen


def test_the_pusher_writes_pushes_the_bell_and_its_key_alone():
    shapes = tuple(shapes_of_the_table())
    written = {one.rpartition(" ")[2] for one in allowed("pusher", WRITES, shapes)}
    assert written <= {
        "push#*",
        "push#host",
        "site#pushkey",
        "site#data",
        "u#*",
        "u#*#push",
        "sample#*",
    }
    assert allowed("pusher", READS, ("u#*#auth", "email#*", "c#*#message", "case#*#*")) == []


def test_the_pusher_changes_nothing_of_a_person_but_the_devices_that_their_bell_names(
    alice, monkeypatch
):
    """Their role and the end of a suspension lie in the same partition."""
    sent: list[dict] = []
    monkeypatch.setattr(
        "notifications.push.writes.transact",
        lambda *actions: sent.extend(one.request() for one in actions),
    )
    remove_device(user_id=alice.user_id, device="0" * 20)
    forget_device(user_id=alice.user_id, device="0" * 20)
    updates = [one["Update"] for one in sent if "Update" in one]
    assert [may_change("pusher", one) for one in updates] == [True, True]
    info = keys.user_info(alice.user_id)
    for actions in ([UserInfo.role.set("admin")], [UserInfo.suspended_until.remove()]):
        update = Upsert(UserInfo, info, actions, ALWAYS, Moved).request()["Update"]
        assert not may_change("pusher", update)
        assert may_change("web", update)


def test_the_pusher_may_read_what_shows_that_a_line_still_holds():
    for name in ("notices", "delivery"):
        discover(name)
    shown_by = {shape_of(key.pk) for one in kinds() if (key := one.still("01M", "01N", "01P"))}
    assert "u#*#strike" in shown_by
    assert {shape for shape in shown_by if not allowed("pusher", READS, (shape,))} == set()


@pytest.mark.parametrize("role", ["web", "worker", "lambda", "clock", "relations"])
def test_nobody_but_the_pusher_has_the_key_that_signs_pushes(role):
    assert allowed(role, READS + WRITES, ("site#pushkey",)) == []


@pytest.mark.parametrize("role", ["worker", "lambda"])
def test_the_worker_plans_pushes_and_opens_no_device(role):
    """It may list sealed devices, to delete them with an account, and has nothing that opens them."""
    assert allowed(role, ("BatchWriteItem",), ("push#*",))
    assert allowed(role, READS, ("key#*",)) == []
    assert not any("kms:Decrypt" in one.actions for one in read_document(role))


@pytest.mark.parametrize("role", ["web", "lambda", "live", "relations", "pusher"])
def test_who_has_no_need_to_look_through_the_table_cannot(role):
    assert not is_allowed(Use(role, "table", "-", False, "Scan"))


# Whoever plays the stream may do what its handlers do: the worker, Lambda, and commands that play it themselves.

OF_THE_WORKER_ALONE = {"Scan", "DescribeTable"}  # Lambda reads no table to mend it, and no stream


def play_by_worker() -> None:
    Worker().drain()


def play_by_lambda() -> None:
    given = 0
    while records := new_records(given):
        handle(event(records))
        given += len(records)


def play_by_command() -> None:
    call_command("reconcile")


@pytest.mark.parametrize(
    ("role", "play"),
    [("worker", play_by_worker), ("lambda", play_by_lambda), ("operator", play_by_command)],
)
def test_a_job_asks_the_index(role: str, play: Callable[[], None], alice, bob):
    create_relation(by=alice, relation_type=RelationType.FAVOURITE, user_id=bob.user_id)
    edit_profile(by=bob, name="Bob", bio="", location="Leipzig")
    play()
    relation = get(Relation, keys.relation(alice.user_id, RelationType.FAVOURITE, bob.user_id))
    assert relation.location == "Leipzig"
    assert Use(role, "index/typeIndex", "*#u#*", False, "Query") in seen


@pytest.mark.parametrize("role", ["lambda", "operator"])
def test_what_handlers_do_is_allowed_to_whoever_plays_them(role):
    by_handlers = [
        use
        for use in sorted(read_table())
        if use.role == "worker"
        and use.resource != "stream"
        and use.action not in OF_THE_WORKER_ALONE
    ]
    assert by_handlers
    assert [str(use) for use in by_handlers if not is_allowed(replace(use, role=role))] == []


# How a process of each role begins: what it asks before anything else is recorded as well.


@pytest.fixture
def own_connection(running_engine, table: str) -> Iterator[None]:
    """The test may connect as it likes: the suite's connection comes back afterwards."""
    yield
    connecting._serves_pages = False
    running_engine.point_settings()
    disconnect()
    Item.Meta.table_name = "no-table-and-so-nothing-to-refuse"
    connection()
    use_table(table)


def begin_web(_: list[Record]) -> None:
    connecting.connect_to_serve()
    wait_until(lambda: connecting._connected is not None, seconds=30)


def begin_worker(_: list[Record]) -> None:
    Worker().step()


def begin_lambda(records: list[Record]) -> None:
    handle(event(records))


def begin_live(_: list[Record]) -> None:
    acting_as("live")(connection)()


def begin_relations(_: list[Record]) -> None:
    lambda_handler.handle({"operation": "levels", "user": "alice"})


def begin_pusher(_: list[Record]) -> None:
    pusher = Pusher(acting_as("pusher")(open_site_key)())
    pusher.look()
    call_command("run_pusher", new_key=True)


def begin_operator(_: list[Record]) -> None:
    call_command("recommend", "alice")


@pytest.mark.parametrize(
    ("role", "begin"),
    [
        ("web", begin_web),
        ("worker", begin_worker),
        ("lambda", begin_lambda),
        ("live", begin_live),
        ("relations", begin_relations),
        ("pusher", begin_pusher),
        ("operator", begin_operator),
    ],
)
def test_whoever_begins_with_a_new_key_notes_it(
    own_connection, alice, settings, role: str, begin: Callable[[list[Record]], None]
):
    records = unread()
    old, settings.DATA_KEY = settings.DATA_KEY, "another data key that is long enough as well"
    settings.DATA_KEY_FALLBACKS = [old]
    disconnect()
    begin(records)
    assert current_key().id in get(DataState, keys.data_state(), consistent=True).key_ids
    for action in ("GetItem", "UpdateItem"):
        assert Use(role, "table", "site#data", False, action) in seen


@pytest.mark.engines("embedded", reason="moto plays Amazon here, beside the engine at hand")
def test_an_operator_makes_a_protected_table(own_connection, settings, capsys):
    with moto_engine():
        settings.DYNAMODB_ENDPOINT, settings.DYNAMODB_ENGINE = None, "amazon"
        disconnect()
        Item.Meta.table_name = "protected"
        call_command("create_table")
        assert missing_protection() == []
        disconnect()


# A call belongs to the role in whose code it began, and is judged as IAM judges it.

KEY = {"PK": {"S": keys.credentials("01M").pk}, "SK": {"S": "auth"}}


@pytest.fixture
def noted(table) -> Iterator[dict[Use, str]]:
    """What is seen from now on, which is forgotten afterwards."""
    before = dict(seen)
    seen.clear()
    yield seen
    seen.clear()
    seen.update(before)


def test_a_request_is_the_webs_and_what_a_test_asks_is_nobodys(noted, alice):
    get_user_info(alice.user_id)
    assert not noted
    Client().get("/@alice")
    assert {use.role for use in noted} == {"web"}


def test_a_step_is_the_workers_and_within_a_command_the_operators(noted, alice):
    Worker().drain()
    assert {use.role for use in noted} == {"worker"}
    noted.clear()
    call_command("redrive")
    assert {use.role for use in noted} == {"operator"}


def test_the_command_of_the_worker_is_the_workers_and_demo_data_are_nobodys():
    assert role_of_command(RunWorker()) == "worker"
    assert role_of_command(Seed.__new__(Seed)) == NOBODY


def test_the_role_in_which_it_began_stays(noted, alice):
    acting_as("web")(Worker().step)()
    assert {use.role for use in noted} == {"web"}


def test_a_transaction_is_judged_as_its_single_actions():
    request = {
        "TransactItems": [
            {"Put": {"Item": KEY}},
            {"Update": {"Key": KEY}},
            {"Delete": {"Key": KEY}},
            {"ConditionCheck": {"Key": KEY}},
        ]
    }
    actions = ("PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem")
    assert list(uses_of("web", "dynamodb", "TransactWriteItems", request)) == [
        Use("web", "table", "u#*#auth", True, action) for action in actions
    ]


def test_a_batch_is_judged_by_each_of_its_keys():
    other = {"PK": {"S": "audit"}, "SK": {"S": "head"}}
    writes = {
        "RequestItems": {"t": [{"PutRequest": {"Item": KEY}}, {"DeleteRequest": {"Key": other}}]}
    }
    assert list(uses_of("web", "dynamodb", "BatchWriteItem", writes)) == [
        Use("web", "table", shape, False, "BatchWriteItem") for shape in ("u#*#auth", "audit")
    ]


@pytest.mark.parametrize(
    ("key", "shape"),
    [
        (keys.user("01M"), "u#*"),
        (keys.sign_ins("01M"), "u#*#session"),
        (keys.stream_host().pk, "worker#host"),
        (keys.lease("shardId-1").pk, "worker#*"),
        (keys.likes("01M", 3), "p#*#likelist#*"),
        (keys.handle_claim("no#handle").pk, "handle#*"),
        (keys.relation_target(6, "01M"), "*#u#*"),
        ("nobody knows", "nobody knows"),
    ],
)
def test_a_key_has_the_shape_that_the_chart_gives_it(key, shape):
    assert shape_of(key) == shape


def test_what_is_new_is_told_in_a_sentence():
    told = sentence_about(Use("web", "table", "u#*#auth", True, "DeleteItem"))
    assert told.startswith(
        "web does DeleteItem in a transaction on table with the partition key u#*#auth"
    )
    assert "deploy/iam/web.json" in told
