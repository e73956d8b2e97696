"""With `PERSON_ROLE`, an export reads each of a person's partitions with credentials that are good for no other
person's. moto plays STS, and tests/iam/judge.py the part of Amazon that refuses."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.awsrequest import AWSResponse
from botocore.handlers import BUILTIN_HANDLERS
from moto import mock_aws

from accounts.models import UserInfo
from privacy.export.sources import KINDS, read_own_items
from privacy.export.writes import delete_exports
from relations.models import Follower
from socialsite.checks import check_person_role
from socialsite.due.work import do_due
from socialsite.keys.key import Key
from socialsite.process_state import reset_process_state
from socialsite.streams.models import JobKind
from socialsite.streams.worker import Worker
from socialsite.table import (
    Create,
    Erase,
    Unavailable,
    as_person,
    fetch,
    get,
    ids,
    keys,
    query,
    transact,
)
from socialsite.table.as_person import TAG
from socialsite.table.connection import client, endpoint
from socialsite.table.reading import query_index, scan_page
from tests.conftest import post
from tests.feed.scenes import fields, schedule
from tests.iam.judge import Judge, judge_at_the_door
from tests.iam.policy import (
    FOLDER,
    LONG,
    OF_PERSON,
    is_allowed_as_person,
    read_document,
    read_table,
    shape_of,
    shapes_of_the_table,
)
from tests.iam.policy import TAG as TAG_IN_POLICY
from tests.iam.test_iam import play_by_command, play_by_lambda, play_by_worker
from tests.injected.faults import _Body
from tests.privacy.lives import ask_for_export_of, export_of, lead_a_life, state_of
from tests.streams.crowd import jobs

pytestmark = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto's own STS is started here"
)

ROLE = "arn:aws:iam::123456789012:role/socialsite-person"


@pytest.fixture
def judge(table, monkeypatch) -> Iterator[Judge]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    here = [f"{endpoint()}.*"] if endpoint() else []
    with mock_aws(config={"core": {"passthrough": {"urls": here}}}), judge_at_the_door() as judge:
        yield judge


@pytest.fixture
def walled(judge, settings) -> Judge:
    settings.PERSON_ROLE = ROLE
    return judge


def patterns() -> set[str]:
    """The shapes of the keys that the document allows: both of a conversation of two are one."""
    (statement,) = read_document(OF_PERSON)
    someone = "X" * LONG
    return {
        shape_of(TAG_IN_POLICY.sub(someone, one).replace("?" * LONG, someone))
        for one in statement.key_patterns
    }


def test_the_whole_export_of_a_full_life_goes_through_and_nothing_is_allowed_in_vain(
    alice, bob, carol, mod, log_in, judge, settings
):
    worker = Worker()
    lead_a_life(alice, bob, carol, mod, worker)
    browser = log_in(alice)
    assert browser.post("/drafts", fields("Kept for later")).status_code == 302
    schedule(alice)
    before = export_of(alice, worker.drain, browser)
    assert judge.asked == judge.judged == []  # no wall, no call of STS
    delete_exports(alice.user_id)
    settings.PERSON_ROLE = ROLE
    walled = export_of(alice, worker.drain, browser)
    for kind in {kind.name for kind in KINDS} - {"sign-ins"}:  # she proved meanwhile who she is
        assert walled.items(kind) == before.items(kind), kind
    assert walled.items("drafts")
    assert walled.items("scheduled-posts")
    assert sorted(walled.names) == sorted(before.names)
    assert judge.refused == []
    assert {one.tags[TAG] for one in judge.judged} == {alice.user_id}
    asked_for = {key for one in judge.judged for key in one.leading_keys}
    assert {shape_of(key) for key in asked_for} == patterns()
    assert all(
        key.startswith(keys.user(alice.user_id)) or alice.user_id in key.split("#")[1].split(".")
        for key in asked_for
    )
    assert walled.items("messages")
    assert walled.items("kept-messages")
    (wish,) = judge.asked  # one call, though there were many steps
    assert wish == {
        "RoleArn": ROLE,
        "RoleSessionName": alice.user_id,
        "DurationSeconds": 900,
        "Tags": [{"Key": "person", "Value": alice.user_id}],
    }


def test_what_is_another_persons_or_everyones_is_refused(alice, bob, walled):
    post(alice), post(bob)
    hers, his = keys.user_info(alice.user_id), keys.user_info(bob.user_id)
    elsewhere: tuple[Callable[[], Any], ...] = (
        lambda: list(query(keys.posts(bob.user_id))),
        lambda: read_own_items(alice.user_id, keys.relations(bob.user_id)),
        lambda: fetch([hers, his]),  # one key of another person among her own
        lambda: get(UserInfo, his),
        lambda: list(query(keys.site())),
        lambda: query_index("typeIndex", f"Relation#{hers.pk}", limit=1),
        scan_page,
        lambda: transact(Create(Follower.new(user_id=alice.user_id, follower_id="x"))),
    )
    with as_person(alice.user_id):
        assert list(fetch([hers])) == [hers]
        assert list(query(keys.posts(alice.user_id)))
        for read in elsewhere:
            with pytest.raises(Unavailable):
                read()
    assert len(walled.refused) == len(elsewhere)
    assert list(query(keys.posts(bob.user_id)))  # outside, the process reads as itself


def test_of_messages_there_are_those_of_the_persons_own_conversations_of_two(
    alice, bob, carol, walled
):
    """However the two ids are ordered. What no key of a group can say is asked of the group, outside this wall."""
    own, others = keys.pair(alice.user_id, bob.user_id), keys.pair(bob.user_id, carol.user_id)
    for one in (alice, bob):
        with as_person(one.user_id):
            assert list(query(keys.messages(own))) == []
    refused = (
        lambda: list(query(keys.messages(others))),
        lambda: list(query(keys.messages(ids.new_id()))),
        lambda: list(query(keys.messages(alice.user_id))),  # a group of this id
        lambda: fetch([keys.chat(own)]),
        lambda: fetch([keys.chat_entry(bob.user_id, own)]),
        lambda: query(keys.kept_messages(bob.user_id)).__next__(),
        lambda: transact(Erase(keys.message(own, ids.new_id()))),
    )
    for read in refused:
        with as_person(alice.user_id), pytest.raises(Unavailable):
            read()
    assert len(walled.refused) == len(refused)


def test_nobodys_way_to_sign_in_is_open_to_themselves(alice, walled):
    closed = (
        keys.credentials(alice.user_id),
        keys.person_key(alice.user_id),
        Key(keys.sign_ins(alice.user_id), "s"),
        Key(keys.origin_traces(alice.user_id), "o"),
        keys.old_posts_wish(alice.user_id),
    )
    for key in closed:
        with as_person(alice.user_id), pytest.raises(Unavailable):
            fetch([key])
    assert len(walled.refused) == len(closed)


def test_without_the_tag_nothing_is_allowed(alice, walled):
    post(alice)
    walled.takes_tags_away = True
    with as_person(alice.user_id), pytest.raises(Unavailable):
        list(query(keys.posts(alice.user_id)))
    asked = [keys.user(alice.user_id), f"{keys.user(alice.user_id)}#post"]
    assert is_allowed_as_person("BatchGetItem", asked, tags={TAG: alice.user_id})
    assert not is_allowed_as_person("BatchGetItem", asked, tags={})
    assert not is_allowed_as_person("BatchGetItem", asked, tags={"other": alice.user_id})
    assert not is_allowed_as_person("Query", [], tags={TAG: alice.user_id})  # a call without a key
    for action in ("PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem", "Scan"):
        assert not is_allowed_as_person(action, asked, tags={TAG: alice.user_id})


def test_the_document_names_partitions_of_the_table_and_nothing_wider():
    assert patterns() <= set(shapes_of_the_table())
    (statement,) = read_document(OF_PERSON)
    assert all("*" not in one for one in statement.key_patterns)


@pytest.mark.parametrize("play", [play_by_worker, play_by_lambda, play_by_command])
def test_whoever_plays_the_stream_reads_as_the_person(alice, walled, play):
    post(alice)
    ask_for_export_of(alice)
    play()
    reset_process_state()  # the clock is another process
    assert not jobs(JobKind.EXPORT)
    do_due()
    assert state_of(alice).is_ready
    assert {one.tags[TAG] for one in walled.judged} == {alice.user_id}


def test_two_people_have_credentials_of_their_own(alice, bob, walled):
    for one in (alice, bob, alice):
        with as_person(one.user_id):
            assert fetch([keys.user_info(one.user_id)])
            clients = client()
        assert client() is not clients
    assert [wish["RoleSessionName"] for wish in walled.asked] == [alice.user_id, bob.user_id]
    with as_person(alice.user_id), as_person(bob.user_id):
        assert fetch([keys.user_info(bob.user_id)])
        with pytest.raises(Unavailable):
            fetch([keys.user_info(alice.user_id)])


def test_a_wall_costs_no_units(alice, walled, settings, measure):
    post(alice)
    with measure() as within:
        read_own_items(alice.user_id, keys.posts(alice.user_id))
    settings.PERSON_ROLE = ""
    with measure() as without:
        read_own_items(alice.user_id, keys.posts(alice.user_id))
    told = [(one.operation, one.access_pattern, one.units) for one in within.calls]
    assert told == [(one.operation, one.access_pattern, one.units) for one in without.calls]


def test_while_sts_refuses_the_export_waits_and_nothing_is_read_as_the_process(alice, walled):
    def refuse(request: Any, **_: Any) -> AWSResponse:
        said = "<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>"
        kind = {"Content-Type": "text/xml"}
        return AWSResponse(request.url, 403, kind, _Body(said.encode()))

    BUILTIN_HANDLERS.insert(0, ("before-send.sts", refuse))
    try:
        with pytest.raises(Unavailable):
            read_own_items(alice.user_id, keys.posts(alice.user_id))
    finally:
        BUILTIN_HANDLERS.remove(("before-send.sts", refuse))
    assert walled.judged == []


def test_the_role_is_for_processes_that_make_exports_and_name_one_person():
    (trusted,) = json.loads((FOLDER / "session" / "trust.json").read_text())["Statement"]
    roles = {one.rpartition("-")[2] for one in trusted["Principal"]["AWS"]}
    assert roles == {use.role for use in read_table() if use.resource == "person"}
    assert set(trusted["Action"]) == {"sts:AssumeRole", "sts:TagSession"}
    assert trusted["Condition"] == {
        "ForAllValues:StringEquals": {"aws:TagKeys": [TAG]},
        "Null": {f"aws:RequestTag/{TAG}": ["false"]},
    }


@pytest.mark.parametrize("wrong", ["socialsite-person", "arn:aws:iam::1:user/x"])
def test_a_setting_that_names_no_role_is_refused_with_a_sentence(wrong, settings):
    settings.PERSON_ROLE = wrong
    (problem,) = check_person_role(None)
    assert "Set PERSON_ROLE" in problem.msg
    settings.PERSON_ROLE = ROLE
    assert list(check_person_role(None)) == []
