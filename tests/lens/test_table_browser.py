"""The table as it is stored: each partition, with types, sizes, TTL, indexes and ways on."""

from datetime import timedelta

import pytest

from feed.posts.models import TimelineEntry
from feed.posts.reads import Pointer
from feed.sharing.writes import repost
from lens.browser.item_types import FAMILIES, item_types
from lens.browser.stored_items import PLACE
from lens.chart import shapes, shapes_of, siblings_of, types_of_key
from operations.workbench.exporting import SECRET_TYPES, exported_models
from relations.follows.writes import follow
from relations.own_choices.writes import favourite
from socialsite.clock import utc_now
from socialsite.table import item_models, keys, write_batch
from tests.conftest import post
from tests.web.html import Html

pytestmark = pytest.mark.usefixtures("developing")


def partition(browser, name: str, **more: str) -> Html:
    return Html(browser.get("/dev/table", {"pk": name} | more))


def links_of(page: Html) -> list[str]:
    return [link.attributes.get("href", "") for link in page.all("a")]


def items_of(page: Html):
    return page.all("article", class_="stored-item")


def test_every_item_type_has_one_family_a_place_in_the_chart_and_in_the_export_or_its_secrets():
    of_families = [item for family in FAMILIES for item in family.items]
    assert sorted(of_families) == sorted(item_types()) == sorted(shapes())
    exported = {model.__name__ for model in exported_models()}
    assert exported | SECRET_TYPES == set(item_types())


def test_the_chart_shows_every_type_and_live_partitions_without_a_scan(client, alice, measure):
    post_id = post(alice)
    with measure() as meter:
        page = Html(client.get("/dev/table"))
    assert {call.operation for call in meter.calls} == {"GetItem", "Query"}
    assert {title.text for title in page.all("h3")} >= set(item_types())
    found = " ".join(links_of(page))
    for name in (keys.posts(alice.user_id), keys.likes(post_id), keys.handle_claim("alice").pk):
        assert f"pk={name.replace('#', '%23')}" in found


def test_live_partitions_are_those_of_the_viewer(alice, bob, log_in):
    page = Html(log_in(bob).get("/dev/table"))
    assert any(f"pk=u%23{bob.user_id}%23post" in link for link in links_of(page))


def test_a_type_shows_its_keys_its_attributes_and_the_functions_that_use_it(client, table):
    text = Html(client.get("/dev/table/types/Follower")).one(id="main").text
    for word in ("u#<user>#follower", "follower_id", "relations/follows/writes.py:"):
        assert word in text
    assert client.get("/dev/table/types/Nothing").status_code == 404


def test_a_type_says_when_and_why_its_items_leave(client, table):
    def said(name: str) -> str:
        return " ".join(Html(client.get(f"/dev/table/types/{name}")).one(id="main").text.split())

    assert "30 days after its post" in said("TimelineEntry")
    assert "yes: who let whom in" in said("Invite")
    assert "where ARCHIVE_EXPIRED_POSTS is 1" in said("Post")
    assert "It has no ttl." in said("Following")


def test_a_handle_leads_to_the_partition_of_its_person(client, alice):
    answer = client.get("/dev/table", {"pk": "@Alice"}, follow=True)
    page = Html(answer)
    assert [item.text.split()[0] for item in items_of(page)] == [
        "UserCount",
        "UserInfo",
        "UserSettings",
    ]
    assert "/@alice" in links_of(page)


def test_a_handle_of_nobody_is_told_beside_the_field(client, table):
    answer = client.get("/dev/table", {"pk": "@nobody"})
    assert answer.status_code == 404
    assert "No account has this handle." in Html(answer).one(id="pk_error").text


def test_ids_in_keys_and_attributes_lead_on_and_back(client, alice, bob):
    follow(by=alice, user_id=bob.user_id)
    of_bob = partition(client, keys.followers(bob.user_id))
    assert f"/dev/table?pk=u%23{alice.user_id}" in links_of(of_bob)
    assert "@alice" in of_bob.one(id="main").text
    assert "/@bob/followers" in links_of(of_bob)
    of_alice = partition(client, keys.user(alice.user_id))
    assert f"/dev/table?pk=u%23{alice.user_id}%23following" in links_of(of_alice)


def test_a_repost_leads_to_the_post_and_to_its_page(client, alice, bob):
    post_id = post(alice)
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    found = links_of(partition(client, keys.posts(bob.user_id)))
    assert f"/dev/table?pk=u%23{alice.user_id}%23post&sk=p%23{post_id}" in found
    assert f"/@alice/posts/{post_id}" in found


def test_an_item_can_be_shown_alone(client, alice):
    ids = [post(alice, f"Number {number}") for number in range(2)]
    key = keys.post(alice.user_id, ids[0])
    (item,) = items_of(partition(client, key.pk, sk=key.sk))
    assert "Number 0" in item.text


def test_a_relationship_says_where_it_stands_in_its_index_which_leads_back(client, alice, bob):
    favourite(by=alice, user_id=bob.user_id)
    page = partition(client, keys.relations(alice.user_id))
    (address,) = {link for link in links_of(page) if "index=typeIndex" in link}
    of_index = Html(client.get(address))
    (item,) = items_of(of_index)
    assert item.text.startswith("Relation")
    assert f"/dev/table?pk=u%23{alice.user_id}" in links_of(of_index)


def test_what_is_past_its_ttl_is_shown_and_says_so(client, alice, bob):
    for author, days in ((alice, 3), (bob, -3)):
        entry = TimelineEntry.new(
            user_id=alice.user_id,
            post_id=post(author),
            author_id=author.user_id,
            ttl=utc_now() + timedelta(days=days, minutes=1),
        )
        write_batch(puts=[entry])
    text = partition(client, keys.timeline(alice.user_id)).one(id="main").text
    assert "TTL in 3\xa0days" in text or "TTL in 3 days" in text
    assert "ago" in text


def test_what_is_sealed_is_told_by_its_length(client, alice):
    page = partition(client, keys.credentials(alice.user_id)[0])
    assert "bytes)" in page.one(id="main").text


def test_a_long_partition_has_pages(client, alice):
    for number in range(51):
        post(alice, f"Number {number}")
    page = partition(client, keys.posts(alice.user_id))
    assert len(items_of(page)) == 50
    (more,) = [link for link in links_of(page) if "after=" in link]
    assert len(items_of(Html(client.get(more)))) == 1


@pytest.mark.parametrize("more", [{}, {"index": "typeIndex"}, {"sk": "ü" * 2000}, {"after": "x"}])
@pytest.mark.parametrize(
    "name", ["nowhere", "u#", "ü" * 2000, "<script>", "@nobody", "\0", "𝄞" * 500]
)
def test_odd_keys_are_empty_partitions_or_not_found(client, table, name, more):
    assert client.get("/dev/table", {"pk": name} | more).status_code in (200, 404)


def test_an_index_that_does_not_exist_is_not_found(client, table):
    assert client.get("/dev/table", {"pk": "x", "index": "noIndex"}).status_code == 404


def test_the_chart_is_read_as_it_is_written(alice):
    posts = keys.posts(alice.user_id)
    assert {shape.item for shape in shapes_of(posts)} == {"Post", "Repost"}
    assert types_of_key(*keys.user_info(alice.user_id)) == ("UserInfo",)
    assert types_of_key(*keys.stream_host()) == ("StreamHost",)
    assert types_of_key(*keys.follower(alice.user_id, alice.user_id)) == ("Follower",)
    assert keys.followers(alice.user_id) in {one.partition for one in siblings_of(posts)}
    assert siblings_of("audit") == []


def test_the_page_that_a_type_names_is_made_of_attributes_that_it_has():
    for name, model in item_models().items():
        known = {attribute.attr_name for attribute in model.get_attributes().values()}
        named = {found[2] for found in PLACE.finditer(model.page)}
        assert named <= known, name
