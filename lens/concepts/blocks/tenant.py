"""Tenant: whose data an item is stands first in its partition key."""

from collections.abc import Iterator
from functools import partial

from accounts.access_patterns import get_user_info
from accounts.viewer import Viewer
from lens.concepts.concept import Code, Concept, Example, Way, box
from photos.access_patterns import list_album
from socialsite.table import keys


def _examples(person: Viewer) -> Iterator[Example]:
    album = Way("list_album", partial(list_album, person))
    yield Example(keys.photos(person.user_id), (album,))
    info = Way("get_user_info", partial(get_user_info, person.user_id))
    yield Example(keys.user(person.user_id), (info,))


TENANT = Concept(
    name="tenant",
    title="Tenant",
    problem=(
        "Many customers share one table, and nobody may meet the data of another one. If each partition key "
        "begins with the owner, every read names whose data it wants. A mistake in a page then finds nothing "
        "instead of someone else's items."
    ),
    here=(
        "This site has no customers with sites of their own: it is one site with one table, named by "
        "`DYNAMODB_TABLE`, and a second site is a second table. Its tenants are people. What a person has lies in "
        "partitions that begin with `u#<user>`, and pages build these keys from the id of the viewer, never from "
        "what a request says.",
        "Private photos show it best. They lie in `u#<user>#photo` until a post shows them, and whichever id a form "
        "names, `get_photos` looks for it in the viewer's own partition. The id of someone else's photo leads to no "
        "item, so no page can describe, attach or delete it.",
        "So an erasure can name every partition of a person, and a test fails when a new one is not among them. "
        "Each person has a data key of their own, which goes with the account. On Amazon, roles are held to "
        "beginnings of partition keys by `dynamodb:LeadingKeys` (`deploy/iam/`).",
        "To put several sites into one table, each partition key would begin with `t#<site>#`. All keys are "
        "written in `socialsite/table/keys/`, so that is the one place to change.",
    ),
    without=(
        "If posts lay in one partition for the whole site, or were keyed by their own id alone, everything of one "
        "person could be found by a Scan alone, which reads the whole table. The price grows with all others. "
        "The table below has what a copy of one person's posts costs both ways; at a million people the Scan "
        "costs a thousand times more than at a thousand, the Query the same.",
    ),
    drawing=(
        box("UserInfo", "UserCount", "UserSettings"),
        box("Photo"),
        box("Following"),
        box("PersonKey"),
    ),
    code=(
        Code("socialsite/table/keys/people.py", "user"),
        Code("photos/access_patterns.py", "get_photos"),
        Code("privacy/erasure/job.py", "take_step"),
        Code("accounts/encryption/person_keys.py", "open_person_key"),
    ),
    tests=(
        "tests/photos/test_album.py::test_nobody_deletes_or_describes_the_photo_of_another_person",
        "tests/privacy/test_erasure.py::test_every_partition_of_a_person_is_emptied_or_named_as_kept",
        "tests/privacy/test_erasure.py::test_nothing_of_the_person_is_left_but_what_the_receipt_names",
        "tests/iam/test_documents.py::test_every_denied_key_is_one_of_the_table",
    ),
    scene="Measured with 10 posts of one person among 1,000 posts of 100 others.",
    examples=_examples,
    documents=("docs/erasure.md", "docs/encryption.md"),
)
