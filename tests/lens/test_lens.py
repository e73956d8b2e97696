"""The lens shows developers and staff what a page asked of the table, and nobody else."""

from datetime import timedelta
from itertools import product

import pytest
from django.test import Client

from accounts.permissions import BUILT_IN, Permission, save_role
from feed.likes.writes import like_post
from feed.posts.models import TimelineEntry
from feed.posts.reads import Pointer
from feed.sharing.writes import repost
from lens.browser.item_types import FAMILIES, item_types
from lens.browser.stored_items import PLACE
from lens.chart import shapes, shapes_of, siblings_of
from lens.sight import kept_of
from operations.workbench.exporting import SECRET_TYPES, exported_models
from relations.follows.writes import follow
from relations.models import RelationType
from relations.own_choices.writes import favourite
from socialsite.clock import utc_now
from socialsite.table import item_models, keys, write_batch
from tests.conftest import HTMX, person, post
from tests.injected.faults import share
from tests.lens.used_items import types_of_key
from tests.web.html import Html

OUTSIDE = "203.0.113.7"


def drawer(page: Html) -> str:
    return " ".join(page.one("details", id="lens").text.split())


@pytest.mark.usefixtures("developing")
def test_the_figures_of_the_drawer_are_those_of_the_meter(alice, bob, log_in, requests_of):
    for number in range(3):
        post(alice, f"Number {number}")
    browser = log_in(alice)
    with requests_of() as requests:
        page = Html(browser.get("/@alice"))
    said = drawer(page)
    made = [one for one in requests.made if one.operation != "Scan"]  # which counts the table
    assert f"{len(made)} calls" in said
    assert f"{sum(one.units for one in made):g} R" in said
    for one in made:
        assert one.operation in said


@pytest.mark.usefixtures("developing")
def test_each_call_names_its_pattern_keys_and_items(alice, bob, log_in):
    post(alice, "Hello")
    page = Html(log_in(bob).get("/@alice"))
    said = drawer(page)
    assert "list_posts" in said
    assert "Pattern 4 of 7" in said
    assert f"PK = u#{alice.user_id}#post" in said
    assert "1 Post" in said
    assert "feed/profiles/reads.py" in said


@pytest.mark.usefixtures("developing")
def test_a_write_is_kept_with_its_actions_and_conditions(alice, bob, log_in):
    post_id = post(bob, "Hello")
    browser = log_in(alice)
    browser.post(f"/@bob/posts/{post_id}/like", {"on": "1"}, headers=HTMX)
    sight = kept_of(alice.user_id)[0]
    assert (sight.method, sight.writes > 0) == ("POST", True)
    (write,) = [one for one in sight.calls if one.call.operation == "TransactWriteItems"]
    assert {action.type for action in write.actions} >= {"Like", "LikeTrace"}
    page = Html(browser.get(f"/dev/lens/{sight.request_id}"))
    assert "TransactWriteItems" in page.one(id="main").text
    assert "attribute_not_exists" in page.one(id="main").text


@pytest.mark.usefixtures("developing")
def test_the_list_has_only_requests_of_the_same_person(alice, bob, log_in):
    log_in(alice).get("/@alice")
    other = log_in(bob)
    other.get("/@bob")
    page = Html(other.get("/dev/lens"))
    assert "/@bob" in page.one(id="main").text
    assert "/@alice" not in page.one(id="main").text
    mine = kept_of(alice.user_id)[0]
    assert other.get(f"/dev/lens/{mine.request_id}").status_code == 404


def test_nobody_else_gets_it_in_production(alice, log_in):
    browser = log_in(alice)
    browser.cookies["__Host-lens"] = "1"
    answer = browser.get("/")
    assert b"lens" not in answer.content
    assert not [name for name in answer.headers if "lens" in name.lower()]
    for address in ("/dev/lens", "/dev/table", "/dev/patterns"):
        assert browser.get(address).status_code == 404
        assert Client().get(address).status_code == 404


@pytest.mark.usefixtures("developing")
def test_a_browser_elsewhere_gets_nothing_of_a_site_in_debug_mode(alice, log_in):
    browser = log_in(alice)
    assert b'id="lens"' not in browser.get("/", REMOTE_ADDR=OUTSIDE).content
    for address in ("/dev/lens", "/dev/table", "/dev/patterns"):
        assert browser.get(address, REMOTE_ADDR=OUTSIDE).status_code == 404


@pytest.mark.usefixtures("developing")
def test_fragments_stay_as_they_are(alice, bob, log_in):
    post_id = post(bob, "Hello")
    like_post(by=alice, post_id=post_id, author_id=bob.user_id)
    browser = log_in(alice)
    answer = browser.get("/@bob", headers=HTMX | {"HX-Target": "feed"})
    assert b'id="lens"' not in answer.content


# Staff of a site in production: closed until they open it, noted in the security log, and values are covered.

SECRET = "Nobody else should read this"


@pytest.fixture
def opened(admin, log_in) -> Client:
    browser = log_in(admin)
    browser.post("/dev/lens/open", {"on": "1"})
    return browser


def has_lens(answer) -> bool:
    return b'id="lens"' in answer.content


def test_it_is_closed_until_opened_and_again_after_closing(admin, log_in):
    browser = log_in(admin)
    assert not has_lens(browser.get("/"))
    assert browser.post("/dev/lens/open", {"on": "1"})["Location"] == "/dev/lens"
    assert has_lens(browser.get("/"))
    browser.post("/dev/lens/open", {"on": "0"})
    assert not has_lens(browser.get("/"))


def test_each_opening_is_in_the_security_log(admin, log_in, caplog):
    browser = log_in(admin)
    browser.get("/dev/lens")
    assert "lens-opened" not in caplog.messages
    browser.post("/dev/lens/open", {"on": "1"})
    (noted,) = [record for record in caplog.records if record.message == "lens-opened"]
    assert noted.fields["account"] == admin.user_id


def test_looking_at_the_page_opens_nothing(admin, log_in):
    browser = log_in(admin)
    assert browser.get("/dev/lens/open").status_code == 405
    browser.get("/dev/lens", {"on": "1"})
    assert not has_lens(browser.get("/"))


@pytest.mark.parametrize("who", ["alice", "mod"])
def test_others_find_nothing_there_whatever_their_cookie_says(who, log_in, request):
    browser = log_in(request.getfixturevalue(who))
    assert browser.post("/dev/lens/open", {"on": "1"}).status_code == 404
    browser.cookies["__Host-lens"] = "1"
    assert not has_lens(browser.get("/"))
    assert browser.get("/dev/lens").status_code == 404
    assert kept_of(request.getfixturevalue(who).user_id) == []


def test_a_sign_in_without_its_proof_has_none(opened, settings):
    settings.STAFF_SECOND_FACTOR = True
    assert not has_lens(opened.get("/"))


def test_values_are_covered_and_ids_are_not(admin, opened):
    opened.post("/posts", {"content": SECRET, "nonce": "n" * 22})
    sight = kept_of(admin.user_id)[0]
    page = opened.get(f"/dev/lens/{sight.request_id}").content.decode()
    assert SECRET not in page
    assert f"u#{admin.user_id}#post" in page
    assert "author_id" in page
    assert "/dev/table" not in page


@pytest.mark.usefixtures("developing")
def test_developers_see_values_and_follow_keys(alice, log_in):
    browser = log_in(alice)
    browser.post("/posts", {"content": SECRET, "nonce": "n" * 22})
    sight = kept_of(alice.user_id)[0]
    page = browser.get(f"/dev/lens/{sight.request_id}").content.decode()
    assert SECRET in page
    assert "/dev/table?pk=u%23" in page


@pytest.mark.usefixtures("developing")
def test_developers_close_it_too(alice, log_in):
    browser = log_in(alice)
    assert has_lens(browser.get("/"))
    browser.post("/dev/lens/open", {"on": "0"})
    assert not has_lens(browser.get("/"))


@pytest.mark.usefixtures("developing")
def test_a_key_asked_twice_is_marked(alice, log_in):
    post(alice)
    text = " ".join(Html(log_in(alice).get("/@alice")).one("details", id="lens").text.split())
    assert "asked twice" in text


@pytest.mark.usefixtures("developing")
def test_a_refused_condition_is_told(alice, bob, log_in):
    browser = log_in(alice)
    for _ in range(2):
        browser.post("/@bob/follow", {"on": "1"})
    page = Html(browser.get(f"/dev/lens/{kept_of(alice.user_id)[0].request_id}"))
    assert "TransactionCanceledException" in page.one(id="main").text
    assert "Refused, as this was not so:" in page.one(id="main").text


# The table as it is stored: each partition, with types, sizes, TTL, indexes and ways on.


def partition(browser, name: str, **more: str) -> Html:
    return Html(browser.get("/dev/table", {"pk": name} | more))


def links_of(page: Html) -> list[str]:
    return [link.attributes.get("href", "") for link in page.all("a")]


def items_of(page: Html):
    return page.all("article", class_="stored-item")


@pytest.mark.usefixtures("developing")
def test_every_item_type_has_one_family_a_place_in_the_chart_and_in_the_export_or_its_secrets():
    of_families = [item for family in FAMILIES for item in family.items]
    assert sorted(of_families) == sorted(item_types()) == sorted(shapes())
    exported = {model.__name__ for model in exported_models()}
    assert exported | SECRET_TYPES == set(item_types())


@pytest.mark.usefixtures("developing")
def test_the_chart_shows_every_type_and_live_partitions_without_a_scan(client, alice, measure):
    post_id = post(alice)
    with measure() as meter:
        page = Html(client.get("/dev/table"))
    assert {call.operation for call in meter.calls} == {"GetItem", "Query"}
    assert {title.text for title in page.all("h3")} >= set(item_types())
    found = " ".join(links_of(page))
    for name in (keys.posts(alice.user_id), keys.likes(post_id), keys.handle_claim("alice").pk):
        assert f"pk={name.replace('#', '%23')}" in found


@pytest.mark.usefixtures("developing")
def test_live_partitions_are_those_of_the_viewer(alice, bob, log_in):
    page = Html(log_in(bob).get("/dev/table"))
    assert any(f"pk=u%23{bob.user_id}%23post" in link for link in links_of(page))


@pytest.mark.usefixtures("developing")
def test_a_type_shows_its_keys_its_attributes_and_the_functions_that_use_it(client, table):
    text = Html(client.get("/dev/table/types/Follower")).one(id="main").text
    for word in ("u#<user>#follower", "follower_id", "relations/follows/writes.py:"):
        assert word in text
    assert client.get("/dev/table/types/Nothing").status_code == 404


@pytest.mark.usefixtures("developing")
def test_a_type_says_when_and_why_its_items_leave(client, table):
    def said(name: str) -> str:
        return " ".join(Html(client.get(f"/dev/table/types/{name}")).one(id="main").text.split())

    assert "30 days after its post" in said("TimelineEntry")
    assert "yes: who let whom in" in said("Invite")
    assert "where ARCHIVE_EXPIRED_POSTS is 1" in said("Post")
    assert "It has no ttl." in said("Following")


@pytest.mark.usefixtures("developing")
def test_a_handle_leads_to_the_partition_of_its_person(client, alice):
    answer = client.get("/dev/table", {"pk": "@Alice"}, follow=True)
    page = Html(answer)
    assert [item.text.split()[0] for item in items_of(page)] == [
        "UserCount",
        "UserInfo",
        "UserSettings",
    ]
    assert "/@alice" in links_of(page)


@pytest.mark.usefixtures("developing")
def test_a_handle_of_nobody_is_told_beside_the_field(client, table):
    answer = client.get("/dev/table", {"pk": "@nobody"})
    assert answer.status_code == 404
    assert "No account has this handle." in Html(answer).one(id="pk_error").text


@pytest.mark.usefixtures("developing")
def test_ids_in_keys_and_attributes_lead_on_and_back(client, alice, bob):
    follow(by=alice, user_id=bob.user_id)
    of_bob = partition(client, keys.followers(bob.user_id))
    assert f"/dev/table?pk=u%23{alice.user_id}" in links_of(of_bob)
    assert "@alice" in of_bob.one(id="main").text
    assert "/@bob/followers" in links_of(of_bob)
    of_alice = partition(client, keys.user(alice.user_id))
    assert f"/dev/table?pk=u%23{alice.user_id}%23following" in links_of(of_alice)


@pytest.mark.usefixtures("developing")
def test_a_repost_leads_to_the_post_and_to_its_page(client, alice, bob):
    post_id = post(alice)
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    found = links_of(partition(client, keys.posts(bob.user_id)))
    assert f"/dev/table?pk=u%23{alice.user_id}%23post&sk=p%23{post_id}" in found
    assert f"/@alice/posts/{post_id}" in found


@pytest.mark.usefixtures("developing")
def test_an_item_can_be_shown_alone(client, alice):
    ids = [post(alice, f"Number {number}") for number in range(2)]
    key = keys.post(alice.user_id, ids[0])
    (item,) = items_of(partition(client, key.pk, sk=key.sk))
    assert "Number 0" in item.text


@pytest.mark.usefixtures("developing")
def test_a_relationship_says_where_it_stands_in_its_index_which_leads_back(client, alice, bob):
    favourite(by=alice, user_id=bob.user_id)
    page = partition(client, keys.relations(alice.user_id))
    (address,) = {link for link in links_of(page) if "index=typeIndex" in link}
    of_index = Html(client.get(address))
    (item,) = items_of(of_index)
    assert item.text.startswith("Relation")
    assert f"/dev/table?pk=u%23{alice.user_id}" in links_of(of_index)


@pytest.mark.usefixtures("developing")
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


@pytest.mark.usefixtures("developing")
def test_what_is_sealed_is_told_by_its_length(client, alice):
    page = partition(client, keys.credentials(alice.user_id)[0])
    assert "bytes)" in page.one(id="main").text


@pytest.mark.usefixtures("developing")
def test_a_long_partition_has_pages(client, alice):
    for number in range(51):
        post(alice, f"Number {number}")
    page = partition(client, keys.posts(alice.user_id))
    assert len(items_of(page)) == 50
    (more,) = [link for link in links_of(page) if "after=" in link]
    assert len(items_of(Html(client.get(more)))) == 1


@pytest.mark.usefixtures("developing")
@pytest.mark.parametrize(
    ("name", "more"),
    share(
        product(
            ["nowhere", "u#", "ü" * 2000, "<script>", "@nobody", "\0", "𝄞" * 500],
            [{}, {"index": "typeIndex"}, {"sk": "ü" * 2000}, {"after": "x"}],
        ),
        one_of=4,
        salt="odd keys",
    ),
)
def test_odd_keys_are_empty_partitions_or_not_found(client, table, name, more):
    assert client.get("/dev/table", {"pk": name} | more).status_code in (200, 404)


@pytest.mark.usefixtures("developing")
def test_an_index_that_does_not_exist_is_not_found(client, table):
    assert client.get("/dev/table", {"pk": "x", "index": "noIndex"}).status_code == 404


@pytest.mark.usefixtures("developing")
def test_the_chart_is_read_as_it_is_written(alice):
    posts = keys.posts(alice.user_id)
    assert {shape.item for shape in shapes_of(posts)} == {"Post", "Repost"}
    assert types_of_key(*keys.user_info(alice.user_id)) == ("UserInfo",)
    assert types_of_key(*keys.stream_host()) == ("StreamHost",)
    assert types_of_key(*keys.follower(alice.user_id, alice.user_id)) == ("Follower",)
    assert keys.followers(alice.user_id) in {one.partition for one in siblings_of(posts)}
    assert siblings_of("audit") == []


@pytest.mark.usefixtures("developing")
def test_the_page_that_a_type_names_is_made_of_attributes_that_it_has():
    for name, model in item_models().items():
        known = {attribute.attr_name for attribute in model.get_attributes().values()}
        named = {found[2] for found in PLACE.finditer(model.page)}
        assert named <= known, name


SECRET_TEXT = "Nobody but friends may read this"


# Staff of a site in production see how the table is built, and nothing of what others wrote; each look is logged.


@pytest.fixture
def looks(caplog):
    """The looks that the security log noted."""
    caplog.set_level("INFO", logger="security")
    return lambda: [record.fields for record in caplog.records if record.message == "table-browsed"]


def test_only_administrators_have_the_permission():
    assert [name for name, has in BUILT_IN.items() if Permission.LENS in has] == ["admin"]


def test_values_of_others_are_told_by_their_length_and_the_look_is_logged(
    admin, alice, log_in, looks
):
    post(alice, SECRET_TEXT)
    answer = log_in(admin).get("/dev/table", {"pk": keys.posts(alice.user_id)})
    text = Html(answer).one(id="main").text
    assert SECRET_TEXT not in answer.content.decode()
    assert f"{len(SECRET_TEXT)} bytes" in text
    assert "content" in text
    (look,) = looks()
    assert look["account"] == admin.user_id
    assert look["partition"] == keys.posts(alice.user_id)


def test_own_values_are_shown_but_for_what_signs_in(admin, log_in):
    browser = log_in(admin)
    post(admin, SECRET_TEXT)
    own = browser.get("/dev/table", {"pk": keys.posts(admin.user_id)})
    assert SECRET_TEXT in own.content.decode()
    text = Html(browser.get("/dev/table", {"pk": keys.credentials(admin.user_id).pk})).one(
        id="main"
    )
    assert "argon2" not in text.text


def test_looks_at_an_index_are_masked_and_logged_too(admin, alice, bob, log_in, looks):
    favourite(by=alice, user_id=bob.user_id)
    target = keys.relation_target(RelationType.FAVOURITE, bob.user_id)
    page = Html(log_in(admin).get("/dev/table", {"pk": target, "index": "typeIndex"}))
    (item,) = page.all("article", class_="stored-item")
    assert "byte" in item.text
    assert [look["index"] for look in looks()] == ["typeIndex"]


def test_the_patterns_run_for_themselves_alone(admin, alice, log_in, looks):
    follow(by=admin, user_id=alice.user_id)
    post(alice, SECRET_TEXT)
    page = Html(log_in(admin).get("/dev/patterns", {"handle": "alice"}))
    text = page.one(id="main").text
    assert f"u#{alice.user_id}#post" not in text
    assert f"u#{admin.user_id}#post" in text
    assert len(looks()) == 1


@pytest.mark.parametrize("address", ["/dev/table", "/dev/table/types/Post", "/dev/patterns"])
def test_for_everyone_else_there_is_no_such_page(address, alice, mod, client, log_in, looks):
    for browser in (client, log_in(alice), log_in(mod)):
        assert browser.get(address, {"pk": keys.user(alice.user_id)}).status_code == 404
    assert looks() == []


def test_which_accounts_share_a_network_takes_the_permission_for_that(admin, alice, log_in, looks):
    save_role(by=admin, name="lens", title="Lens", permissions={Permission.LENS})
    lena = log_in(person("lena", role="lens"))
    told = (
        keys.origin_traces(alice.user_id),
        keys.origins("net", "0" * 64),
        keys.domain_entries("0"),
    )
    for partition in told:
        assert lena.get("/dev/table", {"pk": partition}).status_code == 404
    assert looks() == []
    assert lena.get("/dev/table", {"pk": keys.posts(alice.user_id)}).status_code == 200
    assert log_in(admin).get("/dev/table", {"pk": told[0]}).status_code == 200


def test_developers_are_not_logged(client, alice, settings, looks):
    settings.DEBUG = True
    assert client.get("/dev/table", {"pk": keys.user(alice.user_id)}).status_code == 200
    assert looks() == []
