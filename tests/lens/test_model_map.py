"""The map of published names: each item type, attribute, key, function and page that it names is there."""

import json
import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from django.test import Client

from feed.likes.writes import like_post
from lens.chart import shapes
from lens.concepts.blocks import CONCEPTS
from lens.model_map.diagrams import diagrams, draw, ends_of, lines_of
from lens.model_map.published import (
    BLOCKS,
    OPERATIONS,
    RELATIONS,
    SEVEN,
    SOCIAL_NETWORK,
    USER_MESSAGES,
    Asked,
    Entity,
)
from lens.model_map.tables import DOCUMENT, FOLDER, as_markdown, tables
from lens.patterns import NUMBERS, pattern_of, published
from lens.published_patterns import run_seven
from relations.filters import Filters
from relations.follows.writes import follow
from relations.models import RelationType
from relations.reads import list_relating, list_relations
from relations.relation import create_relation, delete_relation, update_relation
from relations.two_levels import recommend_people
from socialsite.table import INDEXES, Call, item_models, measure
from tests.conftest import post
from tests.lens.concepts.test_measured import WRITES
from tests.relations.scenes import befriend
from tests.web.catalogs import ROOT
from tests.web.html import Html

ENTITIES = (*SOCIAL_NETWORK, *USER_MESSAGES, *RELATIONS)
SVG = "{http://www.w3.org/2000/svg}"


def test_the_document_and_its_diagrams_are_made_of_the_code_as_it_is_now():
    made = {DOCUMENT: as_markdown()}
    made |= {FOLDER / f"{one.name}.svg": draw(one, with_style=True) + "\n" for one in diagrams()}
    if WRITES:
        for file, content in made.items():
            file.write_text(content)
    assert {file.name for file in FOLDER.iterdir()} == {f"{one.name}.svg" for one in diagrams()}
    stale = [file.name for file, content in made.items() if file.read_text() != content]
    assert stale == [], "`make documents` writes it anew"


def attributes_of(item: str) -> set[str]:
    return {one.attr_name for one in item_models()[item].get_attributes().values()}


def code_in(text: str) -> set[str]:
    """The plain names between backticks."""
    return set(re.findall(r"`([a-z_]+)`", text))


@pytest.mark.parametrize("entity", ENTITIES, ids=lambda entity: entity.theirs)
def test_items_and_attributes_are_in_the_models(entity: Entity):
    assert not entity.item or entity.item in shapes()
    for one in entity.attributes:
        item, _, attribute = one.ours.partition(".")
        assert item == entity.item
        assert {attribute} | code_in(one.said) <= attributes_of(item)


def test_the_published_model_is_there_whole():
    file = ROOT / "operations" / "workbench" / "SocialNetworkSchema.json"
    (table,) = json.loads(file.read_text())["DataModel"]
    theirs = {one["AttributeName"] for one in table["NonKeyAttributes"]}
    named = {one.theirs for entity in SOCIAL_NETWORK for one in entity.attributes}
    assert named - {"sort key"} == theirs
    assert [one.function for one in SEVEN] == list(NUMBERS)
    assert [one.theirs for one in SEVEN] == [published(name) for name in NUMBERS]


def test_every_building_block_is_named_and_every_document_is_there():
    assert {block.page for block in BLOCKS} == set(CONCEPTS)
    files = [cell.file for table in tables() for row in table.rows for cell in row if cell.file]
    assert [file for file in files if not (DOCUMENT.parent / file).is_file()] == []


@pytest.fixture
def society(alice, bob, carol, drain_stream):
    befriend(alice, bob)
    for one in (bob, carol):
        follow(by=one, user_id=alice.user_id)
        follow(by=alice, user_id=one.user_id)
    liked = post(alice, "Hello")
    like_post(by=bob, author_id=alice.user_id, post_id=liked)
    post(bob, "Good morning")
    drain_stream()


def asked_by(ask: Callable[[], object], one: Asked) -> dict:
    """The function's own call, as it reached the table."""
    with measure(keep=True) as meter:
        ask()
    calls: list[Call] = [call for call in meter.calls if call.operation == one.operation]
    return next(asked for call in calls if fits(asked := json.loads(call.asked), one))


def fits(asked: dict, one: Asked) -> bool:
    """Whether a request goes to the keys that the map names."""
    named = one.index or None
    if asked.get("IndexName") != named:
        return False
    if "TransactItems" in asked:
        return any(fits(next(iter(action.values())), one) for action in asked["TransactItems"])
    if named:
        return asked["ExpressionAttributeNames"]["#pk"] == INDEXES[named][0]
    partition = (asked.get("Key") or asked.get("Item") or {}).get("PK") or asked.get(
        "ExpressionAttributeValues", {}
    ).get(":pk")
    pattern = re.sub(r"<[^>]+>", "[^#]+", shapes()[one.item].partition)
    return bool(partition and re.fullmatch(pattern, partition["S"]))


def names_in(asked: dict) -> set[str]:
    """The attributes that a request compares or sets."""
    text = " ".join(str(asked.get(part, "")) for part in ("FilterExpression", "UpdateExpression"))
    names = asked.get("ExpressionAttributeNames", {})
    return {names.get(name, name) for name in re.findall(r"#?\w+", text)}


@pytest.mark.usefixtures("society")
def test_the_seven_ask_as_the_map_says(developing):
    ran = {one.name: one.request for one in run_seven("alice")}
    for one in SEVEN:
        asked = ran[one.function]
        assert asked["operation"] == one.operation, one.function
        assert fits(asked, one), one.function
        assert "FilterExpression" not in asked
        newest_first = not asked.get("ScanIndexForward", True)
        assert newest_first == ("newest first" in one.order), one.function


def test_operations_on_relations_ask_as_the_map_says(alice, bob, carol, society):
    favourite = {"by": alice, "relation_type": RelationType.FAVOURITE, "user_id": carol.user_id}
    filters = Filters(tag="0" * 26, location="Leipzig", gender="she")
    ways = {
        "create_relation": lambda: create_relation(**favourite),
        "list_relations": lambda: list_relations(alice, RelationType.FRIEND, filters=filters),
        "list_relating": lambda: list_relating(bob.user_id, RelationType.FRIEND),
        "update_relation": lambda: update_relation(**favourite, tags=["bakers"]),
        "delete_relation": lambda: delete_relation(**favourite),
        "recommend_people": lambda: recommend_people(alice.user_id),
    }
    assert [one.function for one in OPERATIONS] == list(ways)
    for one in OPERATIONS:
        asked = asked_by(ways[one.function], one)
        assert set(one.filters) <= names_in(asked) & attributes_of(one.item), one.function
        assert bool(one.filters) == ("FilterExpression" in asked), one.function
        assert pattern_of(one.function).file


def test_cardinalities_follow_from_the_keys():
    social, related = diagrams()
    ends = {(tie.one, tie.many): ends_of(social, tie) for tie in social.ties}
    assert ends["User", "User’s counts"] == ends["Post", "Like count"] == ("1", "1")
    assert {end for pair, end in ends.items() if "count" not in pair[1]} == {("1", "n")}
    assert {ends_of(related, tie) for tie in related.ties} == {("1", "n")}


def test_a_diagram_shows_each_entity_and_says_it_in_words():
    for diagram in diagrams():
        drawing = ElementTree.fromstring(draw(diagram, with_style=True))
        texts = list(drawing.iter(f"{SVG}text"))
        written = ["".join(text.itertext()) for text in texts]
        for entity in diagram.entities:
            assert {entity.theirs, *(name for name, _ in lines_of(entity))} <= set(written)
        named = set(drawing.get("aria-labelledby").split())
        assert named == {one.get("id") for one in drawing if one.get("id")}
        for text, said in zip(texts, written, strict=True):
            wide = len(said) * (6.6 if text.get("class") == "said" else 7.9)
            assert text.get("text-anchor") or float(text.get("x")) + wide <= 314, said


# The page.


@pytest.mark.usefixtures("developing", "table")
def test_on_an_empty_table_the_page_is_there_and_leads_to_the_types(client):
    page = Html(client.get("/dev/model"))
    leads = {link["href"] for link in page.all("a")}
    assert {f"/dev/table/types/{entity.item}" for entity in ENTITIES if entity.item} <= leads
    assert {f"/dev/concepts/{name}" for name in CONCEPTS} <= leads


@pytest.mark.usefixtures("society")
def test_each_address_of_the_page_answers(developing, alice, log_in):
    browser = log_in(alice)
    page = browser.get("/dev/model")
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    leads = {link["href"].partition("#")[0] for link in Html(page).all("a")} - {""}
    assert "/@alice/followers" in leads
    assert [lead for lead in sorted(leads) if browser.get(lead).status_code != 200] == []
    shown = {cell.address for table in tables() for row in table.rows for cell in row}
    assert len({lead for lead in leads if "@" in lead}) == len({one for one in shown if "@" in one})


@pytest.mark.usefixtures("developing", "table")
def test_patterns_and_blocks_lead_to_it(client):
    for address in ("/dev/patterns", "/dev/concepts", "/dev/table"):
        assert "/dev/model" in {link["href"] for link in Html(client.get(address)).all("a")}


def test_nobody_but_developers_sees_it(alice, admin, log_in):
    for browser in (Client(), log_in(alice), log_in(admin)):
        assert browser.get("/dev/model").status_code == 404
