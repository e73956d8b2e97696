"""Vertical partitioning: one thing as several items, by how often each part is written and read."""

from collections.abc import Iterator
from functools import partial

from accounts.access_patterns import get_user_info
from accounts.viewer import Viewer
from lens.concepts.concept import Code, Concept, Example, Way, box
from socialsite.table import keys


def _examples(person: Viewer) -> Iterator[Example]:
    info = Way("get_user_info", partial(get_user_info, person.user_id))
    yield Example(keys.user(person.user_id), (info,))


VERTICAL_PARTITIONING = Concept(
    name="vertical-partitioning",
    title="Vertical partitioning",
    problem=(
        "A write costs by the size of the whole item, not of what changed. So what changes often should not share "
        "an item with what is long. Parts that are read together lie in one partition, and one Query brings "
        "them."
    ),
    here=(
        "A person is `info` (name, bio, pictures), `count` (followers, posts), `settings` and `bell` at "
        "`u#<user>`. A follow changes `count` alone. `get_user_info` reads them all as one Query. What nobody may "
        "read by accident, the password's hash and passkeys, lies in another partition, `u#<user>#auth`.",
        "A post's likes are counted in `LikeCount`, beside the post: a like never writes the text again, and two "
        "likes never conflict with an edit. The page reads both in the same BatchGetItem.",
    ),
    without=(
        "With `like#` on the post, each counted like would write up to 3,500 bytes of text again: 4 write units "
        "instead of 1, and in the stream both images of the whole post. The table below has both. Every edit and "
        "every like would also change the same item, and one of two that meet is refused.",
    ),
    drawing=(
        box("UserInfo", "UserCount", "UserSettings", "Bell"),
        box("Credentials", "Passkey"),
        box("Post"),
        box("LikeCount"),
    ),
    code=(
        Code("accounts/access_patterns.py", "get_user_info"),
        Code("socialsite/table/keys/people.py", "user_count"),
        Code("feed/models/likes.py", "LikeCount"),
    ),
    tests=(
        "tests/feed/test_budgets.py::test_a_press_about_somebody_whom_very_many_follow_writes_no_item_of_theirs",
        "tests/feed/test_budgets.py::test_a_profile_is_one_batch_before_its_posts",
    ),
    scene="Measured with a post of 3,500 bytes and with a person whose bio and settings take 3 KB.",
    examples=_examples,
    documents=("docs/adr/0009-likes-leave-the-post-alone.md",),
)
