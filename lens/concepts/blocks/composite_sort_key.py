"""Composite sort key: several parts in one key, so that a range of it answers a question."""

from collections.abc import Iterator
from functools import partial

from accounts.viewer import Viewer
from feed.shelf.saved_posts import list_saved_posts
from lens.concepts.concept import Code, Concept, Example, Way, box
from relations.models import RelationType
from relations.relation_lists import list_relations
from socialsite.table import keys


def _examples(person: Viewer) -> Iterator[Example]:
    friends = partial(list_relations, person, RelationType.FRIEND)
    muted = partial(list_relations, person, RelationType.MUTE)
    ways = (Way("list_relations, FRIEND", friends), Way("list_relations, MUTE", muted))
    yield Example(keys.relations(person.user_id), ways)
    saved = Way("list_saved_posts", partial(list_saved_posts, person))
    yield Example(keys.shelf(person.user_id), (saved,))


COMPOSITE_SORT_KEY = Concept(
    name="composite-sort-key",
    title="Composite sort key",
    problem=(
        "A partition often holds several kinds of things, and a page wants one of them, in an order. DynamoDB "
        "finds items by the beginning of their sort key alone. So the parts by which pages ask stand in the sort "
        "key, the coarsest first."
    ),
    here=(
        "A relationship is at `<type>#u#<other>`: the type is one digit, and all friends lie next to each other. "
        "`list_relations` asks for `SK BETWEEN 1# AND 1#…`, and the same key says in one GetItem whether two "
        "people are friends. The same two people can have several relationships, one of each type.",
        "A shelf holds drafts, scheduled posts and saved posts. Their sort keys begin with what they are, then "
        "comes what the page sorts by: the time of publishing, or the post, whose id sorts by time. A post that "
        "is saved into a folder lies there twice, so that both lists are ranges.",
    ),
    without=(
        "With the id of the other person alone as the sort key, two people could have one relationship only. And "
        "every list would read all relationships of all types and throw most of them away: DynamoDB charges for "
        "what it reads, not for what it returns. The table below has both, measured.",
    ),
    drawing=(box("Relation"), box("Draft", "Scheduled", "SavedPost")),
    code=(
        Code("socialsite/table/keys/relations.py", "relation_bounds"),
        Code("socialsite/table/keys/shelf.py", "saved_bounds"),
        Code("relations/relation_lists.py", "list_relations"),
    ),
    tests=(
        "tests/relations/test_relations.py::test_another_type_with_the_same_person_is_another_relation",
        "tests/relations/test_relations.py::test_the_first_page_of_1000_relations_costs_what_it_shows",
    ),
    scene="Measured with 20 friends among 1,000 relationships, the Query of the list alone.",
    examples=_examples,
)
