"""Developers see the table as it is stored: each partition, with types, sizes, TTL, indexes and ways on."""

import pytest

from lens.chart import shapes, shapes_of
from relations.services.favourite import favourite
from relations.services.follow import follow
from socialsite.table import keys
from tests.conftest import post
from tests.web.html import Html

pytestmark = pytest.mark.usefixtures("developing")


def partition(browser, name: str, **more: str) -> Html:
    return Html(browser.get("/dev/table", {"pk": name} | more))


def test_the_chart_lists_every_item_type(client):
    text = Html(client.get("/dev/table")).one(id="main").text
    for name in shapes():
        assert name in text


def test_a_handle_leads_to_the_partition_of_its_person(client, alice):
    answer = client.get("/dev/table", {"pk": "@Alice"}, follow=True)
    main = Html(answer).one(id="main")
    assert alice.user_id in main.text
    assert "UserInfo" in main.text
    assert "UserCount" in main.text


def test_an_item_shows_its_size_and_attributes_and_ids_lead_on(client, alice, bob):
    follow(by=alice, user_id=bob.user_id)
    page = partition(client, keys.followers(bob.user_id))
    assert "Follower" in page.one(id="main").text
    links = [link["href"] for link in page.all("a") if "pk=" in link.attributes.get("href", "")]
    assert any(f"u%23{alice.user_id}" in link for link in links)


def test_an_item_of_a_sparse_index_says_so(client, alice, bob):
    favourite(by=alice, user_id=bob.user_id)
    page = partition(client, keys.relations(alice.user_id))
    assert "In typeIndex" in " ".join(page.one(id="main").text.split())


def test_what_is_sealed_is_told_by_its_length(client, alice):
    page = partition(client, keys.credentials(alice.user_id)[0])
    assert "bytes)" in page.one(id="main").text


def test_a_long_partition_has_pages(client, alice):
    for number in range(51):
        post(alice, f"Number {number}")
    page = partition(client, keys.posts(alice.user_id))
    assert len(page.all("article", class_="lens-item")) == 50
    (more,) = [
        link["href"] for link in page.all("a") if "after=" in link.attributes.get("href", "")
    ]
    assert len(Html(client.get(more)).all("article", class_="lens-item")) == 1


@pytest.mark.parametrize("name", ["nowhere", "u#", "ü" * 2000, "<script>", "@nobody"])
def test_odd_keys_are_empty_partitions_or_not_found(client, table, name):
    assert client.get("/dev/table", {"pk": name}).status_code in (200, 404)


def test_a_partition_says_what_it_may_hold(alice):
    names = {shape.item for shape in shapes_of(f"u#{alice.user_id}#post")}
    assert names == {"Post", "Repost"}


def test_the_seven_patterns_run_with_requests_and_commands(client, alice, bob):
    post(alice, "Hello")
    page = Html(client.get("/dev/patterns", {"handle": "alice"}))
    text = page.one(id="main").text
    for name in ("get_user_info", "list_followers", "list_posts", "list_likers", "get_timeline"):
        assert name in text
    assert "aws dynamodb query" in text
    assert f"Item.query('u#{alice.user_id}#post'" in text


def test_patterns_of_nobody_say_so_beside_the_field(client, table):
    answer = client.get("/dev/patterns", {"handle": "nobody"})
    assert answer.status_code == 404
    assert "No account has this handle." in Html(answer).one(id="handle_error").text
