"""Filters: what DynamoDB leaves out after reading, and what Python does."""

from collections.abc import Iterator
from functools import partial

from accounts.viewer import Viewer
from lens.concepts.concept import Code, Concept, Example, Timing, Way, box
from relations.filters import Filters
from relations.models import RelationType
from relations.relation_lists import list_relations
from socialsite.table import keys


def _examples(person: Viewer) -> Iterator[Example]:
    friends = partial(list_relations, person, RelationType.FRIEND)
    ways = [Way("list_relations", friends)]
    ways += [
        Way("list_relations, in a circle", partial(friends, filters=Filters(tag=one.circle_id)))
        for one in person.circles[:1]
    ]
    ways.append(Way("list_relations, by text", partial(friends, filters=Filters(text="a"))))
    yield Example(keys.relations(person.user_id), tuple(ways))


FILTERS = Concept(
    name="filters",
    title="Filters",
    problem=(
        "Lists are narrowed down by what is not in their keys: a circle, a place, pronouns, words in a note. "
        "DynamoDB can compare after reading (`FilterExpression`), and Python can after that. Both read the same, "
        "so the units are the same; they differ in what is sent and parsed."
    ),
    here=(
        "`list_relations` lets DynamoDB compare what it can: that the relationship has not ended, the circle, place "
        "and pronouns. `Filters.exact` is that condition. People expect “koln” to find “Köln”, and DynamoDB compares "
        "letter by letter; so a relationship holds place and pronouns a second time, folded, as they are asked for. "
        "Text is compared in Python (`Filters.fit`): notes are encrypted with the person's key, so only Python can "
        "search them.",
        "Without any filter a page reads at most 60 relationships at once, not all of them: ended ones lie "
        "between, so it asks for three times what it shows. With a filter it reads all, as very few may fit; with "
        "a small `Limit` it would need many calls, as the last row of the table shows.",
    ),
    without=(
        "All in Python sends every relationship over the wire and parses it: the tables below have the kilobytes "
        "and the time at 10, 100 and 1,000 relationships. All in `FilterExpression` would find no note at all, and "
        "without the folded copies no “Köln” for “koln”.",
        "And a filter is no index: it saves time, never units. What is asked often belongs into the key "
        "(composite sort key) or into a sparse index.",
    ),
    drawing=(box("Relation"),),
    code=(
        Code("relations/filters.py", "Filters"),
        Code("relations/relation_lists.py", "list_relations"),
        Code("relations/relation.py", "profile_copies"),
        Code("relations/spelling.py", "fold"),
        Code("benchmarks/filters.py", "main"),
    ),
    tests=(
        "tests/relations/test_filtered_by_dynamodb.py::test_what_is_left_out_costs_the_same",
        "tests/relations/test_filtered_by_dynamodb.py::test_friends_of_other_circles_are_read_and_not_sent",
        "tests/relations/test_filtered_by_dynamodb.py::"
        "test_friends_elsewhere_or_with_other_pronouns_are_read_and_not_sent",
        "tests/relations/test_relations.py::test_a_list_is_filtered_by_tag_location_gender_and_text",
        "tests/relations/test_relations.py::test_the_first_page_of_1000_relations_costs_what_it_shows",
    ),
    scene="Measured with relationships: every tenth has ended, every fiftieth is asked for. The Query alone.",
    examples=_examples,
    timing=Timing(
        said=(
            "One run of `python -m benchmarks.filters` on two cores with little else to do, 23 November 2026. A ratio "
            "is the median of 24 rounds: how long DynamoDB's filter took of what Python's took, once in all, once of "
            "the site's own processor time. In all it saves less, as the engine on the same machine does the work; "
            "two runs on a busy machine had 0.78 and 0.92 at 1,000 friends."
        ),
        head=("Friends", "Filtered by", "ms", "ratio", "own ms", "own ratio"),
        rows=(
            ("10", "Python", "1.3", "", "0.9", ""),
            ("10", "DynamoDB", "1.4", "1.05", "1.0", "1.00"),
            ("100", "Python", "4.4", "", "2.3", ""),
            ("100", "DynamoDB", "2.7", "0.65", "1.0", "0.47"),
            ("1,000", "Python", "35", "", "19", ""),
            ("1,000", "DynamoDB", "29", "0.82", "2.0", "0.11"),
        ),
    ),
)
