"""What lists of relationships cost with a building block, and without it: the figures of the pages."""

from itertools import islice

import pytest

from relations.filters import Filters
from relations.models import Following, RelationType
from relations.reads import list_relating, list_relations
from relations.relation import is_in_force
from relations.two_levels import recommend_people
from socialsite.table import fetch, keys, query, query_index, row, type_index_name
from tests.lens.concepts.measuring import hold, of, without
from tests.lens.concepts.scenes import relate_many, requests_to
from tests.relations.nearby import crowd, follow_each

pytestmark = pytest.mark.engines("embedded", reason="the others report other capacity")
FRIEND = RelationType.FRIEND


def test_a_composite_sort_key(alice):
    relate_many(alice, FRIEND, 20)
    relate_many(alice, RelationType.FAVOURITE, 980)
    everything = keys.relations(alice.user_id)
    hold(
        "composite-sort-key",
        of(
            "`list_relations`, `SK BETWEEN 1# AND 1#…`",
            lambda: list_relations(alice, FRIEND),
            only="Query",
        ),
        without("all relationships, chosen in Python", lambda: list(query(everything))),
    )


def test_a_sparse_index(alice, bob):
    for person, is_indexed in ((alice, False), (bob, True)):
        requests_to(person.user_id, 5, ended=False, is_indexed=True, first=0)
        requests_to(person.user_id, 1_000, ended=True, is_indexed=is_indexed, first=10)
    hold(
        "sparse-index",
        of(
            "`list_relating`, ended ones are not in the index",
            lambda: list_relating(alice.user_id, RelationType.FOLLOW_REQUEST),
            only="Query",
        ),
        without(
            "ended ones are in the index too, 100 a call until 5 are found",
            lambda: _waiting_in_full_index(bob.user_id),
        ),
    )


def _waiting_in_full_index(user_id: str) -> None:
    target = keys.relation_target(RelationType.FOLLOW_REQUEST, user_id)
    found, before = 0, None
    while rows := query_index(type_index_name, target, before=before, limit=100):
        found += sum(map(is_in_force, rows))
        before = rows[-1]["update_time"]["S"]
    assert found == 5


def test_a_soft_delete(alice, bob):
    relate_many(alice, FRIEND, 500, ended_every=1)
    for person in (alice, bob):
        relate_many(person, FRIEND, 20)
    hold(
        "soft-delete",
        of(
            "`list_relations`, 500 ended ones before the 20",
            lambda: list_relations(alice, FRIEND),
            only="Query",
        ),
        of("`list_relating`, which reads `typeIndex`", lambda: _who_relates(alice), only="Query"),
        without(
            "`list_relations`, ended ones deleted for good",
            lambda: list_relations(bob, FRIEND),
            only="Query",
        ),
    )


def _who_relates(person) -> None:
    list_relating(person.user_id, FRIEND)


def test_two_level_relations(alice):
    near = [one.user_id for one in crowd(100, "near")]
    far = [one.user_id for one in crowd(545, "far")]
    follow_each([alice.user_id], near)
    for number, one in enumerate(near):
        start = number * 5
        follow_each([one], far[start : start + 50])
    hold(
        "two-level-relations",
        of("`recommend_people`", lambda: recommend_people(alice.user_id)),
        without("everyone of both levels, and each person found", lambda: _walk(alice.user_id)),
    )


def _walk(user_id: str) -> None:
    near = [row(Following, raw).followed_id for raw in query(keys.followings(user_id))]
    ties = [row(Following, raw).followed_id for one in near for raw in query(keys.followings(one))]
    found = fetch(keys.user_info(one) for one in dict.fromkeys(ties))
    assert len(found) == 545


def test_filters(alice, bob, carol):
    rows = []
    for person, count in ((carol, 10), (bob, 100), (alice, 1_000)):
        relate_many(person, FRIEND, count, ended_every=10, tag_every=50 if count > 10 else 9)
        rows += [
            of(
                f"{count:,}: `FilterExpression` (`list_relations` with a circle)",
                lambda: list_relations(person, FRIEND, filters=Filters(tag="choir")),  # noqa: B023
                only="Query",
                with_size=True,
            ),
            without(f"{count:,}: all in Python", lambda: _in_python(person), with_size=True),  # noqa: B023
        ]
    rows.append(
        of(
            "1,000: no filter, the first 20",
            lambda: list_relations(alice, FRIEND),
            only="Query",
            with_size=True,
        )
    )
    rows.append(
        without(
            "1,000: `FilterExpression` with `Limit` 100",
            lambda: _limited(alice),
            with_size=True,
        )
    )
    hold("filters", *rows)


def _in_python(person) -> None:
    bounds = keys.relation_bounds(FRIEND)
    found = list(query(keys.relations(person.user_id), between=bounds))
    assert found


def _limited(person) -> None:
    rows = query(
        keys.relations(person.user_id),
        between=keys.relation_bounds(FRIEND),
        having=Filters(tag="choir").exact,
        limit=100,
    )
    assert list(islice(rows, 21))
