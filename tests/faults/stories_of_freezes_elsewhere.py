"""What a frozen worker had in hand beside timelines: names, places, likes."""

from accounts.profile.writes import edit_profile
from feed.likes.writes import like_post
from feed.publishing.writes import delete_post
from relations.models import RelationType
from socialsite.table import fetch, keys
from tests.conftest import person, post
from tests.faults.looks import likes_of
from tests.faults.stories_of_freezes import ChangeOfMind, Deed, freeze
from tests.relations.scenes import befriend


@freeze()
def a_new_name_taken_back() -> ChangeOfMind:
    alice = person("alice", "Alice Archer")

    def call_her(name: str) -> Deed:
        return lambda: edit_profile(by=alice, name=name, bio="", location="")

    return ChangeOfMind(call_her("Ada Byron"), call_her("Alice Archer"), lambda: None)


@freeze()
def a_move_after_a_move() -> ChangeOfMind:
    alice, bob = person("alice"), person("bob")
    befriend(alice, bob)

    def move_to(place: str) -> Deed:
        return lambda: edit_profile(by=alice, name="Alice", bio="", location=place)

    def check() -> None:
        key = keys.relation(bob.user_id, RelationType.FRIEND, alice.user_id)
        assert fetch([key])[key]["location"]["S"] == "Leipzig"

    return ChangeOfMind(move_to("Berlin"), move_to("Leipzig"), check)


@freeze()
def a_deleted_post_with_likes() -> ChangeOfMind:
    alice, bob = person("alice"), person("bob")
    post_id, kept = post(alice), post(alice)
    for liked in (post_id, kept):
        like_post(by=bob, post_id=liked, author_id=alice.user_id)

    def check() -> None:
        assert likes_of(kept) == 1

    return ChangeOfMind(
        lambda: delete_post(by=alice, post_id=post_id),
        lambda: like_post(by=bob, post_id=post_id, author_id=alice.user_id),
        check,
    )
