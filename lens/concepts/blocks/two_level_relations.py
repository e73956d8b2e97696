"""Two-level relations: the people whom the people near someone know."""

from collections.abc import Iterator
from functools import partial

from accounts.viewer import Viewer
from lens.concepts.concept import Arrow, Code, Concept, Example, Way, box
from relations.suggested.discovery import recommend_people
from socialsite.table import keys


def _examples(person: Viewer) -> Iterator[Example]:
    found = Way("recommend_people", partial(recommend_people, person.user_id))
    yield Example(keys.followings(person.user_id), (found,))
    yield Example(keys.relations(person.user_id), (found,))


TWO_LEVEL_RELATIONS = Concept(
    name="two-level-relations",
    title="Two-level relations",
    problem=(
        "People you may know are two steps away: friends of friends, and those whom people you follow follow. A "
        "graph database walks there. In one table each step is a Query of a partition, and the second step takes "
        "one for each person of the first."
    ),
    here=(
        "`recommend_people` reads the person's follows and friends, picks 25 of them (friends first, the rest "
        "evenly), and asks each of the 25 for their follows and friends, 8 Queries in flight at once. The 49 "
        "people who score best are looked up in two BatchGetItems. It reads keys and ids alone, at most 52 "
        "Queries and 350 read units, however many people someone follows.",
        "Pages do not pay for that: the worker looks once a day, after a page has asked for it, and keeps the list "
        "as one item (`look_for_people`). Each page asks again only about blocks, mutes and dismissals.",
    ),
    without=(
        "Without bounds the cost is the number of people followed times the number that each of them follows. For "
        "1,000 and 1,000 that is 1,000 Queries and up to a million people to look up, at half a read unit each: "
        "500,000 read units for one list. The table below has 100 times 50, measured both ways.",
    ),
    drawing=(
        box("Following"),
        Arrow("25 of them, the same Query of each"),
        box("Relation"),
        Arrow("30 people, kept for a day"),
        box("Suggestions", Suggestions="TTL 30 days"),
    ),
    code=(
        Code("relations/suggested/discovery.py", "recommend_people"),
        Code("relations/suggested/discovery.py", "ASKED"),
        Code("relations/suggested/looking.py", "look_for_people"),
        Code("relations/suggested/people_you_may_know.py", "find_suggestions"),
    ),
    tests=(
        "tests/relations/test_discovery_bounds.py::test_finding_anew_is_at_most_52_queries_and_two_batches",
        "tests/relations/test_discovery_bounds.py::test_of_many_whom_one_follows_every_so_many_th_is_asked",
        "tests/relations/test_discovery.py::test_three_steps_are_too_far",
    ),
    scene="Measured with a person who follows 100 people, and they follow 50 others each.",
    examples=_examples,
)
