"""The seven patterns of the published model, step by step, with calls to copy that do what they say."""

import json
import shlex

import pytest

from feed.likes.writes import like_post
from lens.patterns import as_cli, as_pynamodb
from lens.published_patterns import QUESTIONS, run_seven
from relations.follows.writes import follow
from relations.models import RelationType
from relations.own_choices.writes import favourite
from socialsite.table import Item, fetch, key_of, keys, meter, query, query_index, type_index_name
from socialsite.table.connection import client as dynamodb
from tests.conftest import post
from tests.web.html import Html

pytestmark = pytest.mark.usefixtures("developing")


@pytest.fixture
def busy(alice, bob, carol, drain_stream):
    """Alice with followers, posts, likes and a timeline."""
    for one in (bob, carol):
        follow(by=one, user_id=alice.user_id)
        follow(by=alice, user_id=one.user_id)
    posts = [post(alice, f"Number {number}") for number in range(3)]
    for one in (bob, carol):
        like_post(by=one, author_id=alice.user_id, post_id=posts[1])
    post(bob, "From Bob")
    drain_stream()
    return alice


def evaluated(written: str) -> list[dict[str, object]]:
    """What a call of PynamoDB answers, as raw items."""
    found = eval(written, {"Item": Item, "list": list})
    return [item.serialize() for item in (found if isinstance(found, list) else [found])]


def test_all_seven_are_asked_in_their_order(busy):
    ran = run_seven("alice")
    assert [one.number for one in ran] == [1, 2, 3, 4, 5, 6, 7]
    assert [one.name for one in ran] == list(QUESTIONS)
    assert all(one.items for one in ran)


def test_the_call_of_pynamodb_returns_the_items_of_the_pattern(busy):
    for one in run_seven("alice"):
        assert one.pynamodb, one.name
        assert evaluated(one.pynamodb) == one.items, one.name


def test_the_request_of_the_command_line_gives_the_same_answer(busy):
    for one in run_seven("alice"):
        _aws, _dynamodb, command, _option, asked = shlex.split(one.cli)
        answer = getattr(dynamodb(), command.replace("-", "_"))(**json.loads(asked))
        assert (answer.get("Items") or [answer["Item"]]) == one.items, one.name


def test_other_reads_can_be_copied_too(busy, bob):
    favourite(by=busy, user_id=bob.user_id)
    target = keys.relation_target(RelationType.FAVOURITE, bob.user_id)
    asked = (
        lambda: list(query(keys.posts(busy.user_id), between=keys.posts_until("Z"), forward=False)),
        lambda: query_index(type_index_name, target, before="9", limit=3),
        lambda: query_index(type_index_name, target, between=("0", "9"), limit=3),
        lambda: list(fetch([keys.user_info(busy.user_id), keys.user_info(bob.user_id)]).values()),
    )
    for ask in asked:
        with meter.measure(keep=True) as kept:
            found = ask()
        (call,) = kept.calls
        written = as_pynamodb(call.operation, json.loads(call.asked))
        assert found
        assert sorted(evaluated(written), key=key_of) == sorted(found, key=key_of), written


def test_a_request_that_pynamodb_would_say_otherwise_is_not_written():
    asked = {"KeyConditionExpression": "PK = :pk", "ExpressionAttributeValues": {":pk": {"S": "x"}}}
    assert as_pynamodb("Query", asked) == "list(Item.query('x'))"
    assert as_pynamodb("Query", asked | {"FilterExpression": "a = :a"}) == ""
    assert as_pynamodb("TransactWriteItems", {"TransactItems": []}) == ""
    assert as_cli("Query", {"a": "it's"}).startswith("aws dynamodb query --cli-input-json '{")


def test_the_page_is_a_lesson_of_seven_steps(client, busy):
    page = Html(client.get("/dev/patterns"))
    questions = [str(question) for _, question in QUESTIONS.values()]
    assert [title.text for title in page.all("h2")][:7] == questions
    text = page.one(id="main").text
    for words in (*QUESTIONS, "aws dynamodb query", f"Item.query('u#{busy.user_id}#post'", "@bob"):
        assert words in text
    assert len(page.all("button", data_copied="Copied")) == 7 * 4


def test_it_begins_with_the_viewer(busy, bob, log_in):
    page = Html(log_in(bob).get("/dev/patterns"))
    assert page.one(id="handle")["value"] == "bob"
    assert "Item.query" in page.one(id="main").text


def test_without_posts_there_are_no_likes_to_ask_for(alice):
    assert [one.number for one in run_seven("alice")] == [1, 2, 3, 4, 7]


def test_patterns_of_nobody_say_so_beside_the_field(client, table):
    assert client.get("/dev/patterns").status_code == 200
    answer = client.get("/dev/patterns", {"handle": "nobody"})
    assert answer.status_code == 404
    assert "No account has this handle." in Html(answer).one(id="handle_error").text
