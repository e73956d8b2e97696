"""People have their posts deleted: each goes once, with all that belongs to it."""

from contextlib import suppress

from accounts.people.reads import get_user_info
from feed.posts.reads import Pointer
from feed.sharing.writes import repost
from privacy.old_posts.reads import Choice, Kept, Kind, get_old_posts
from privacy.old_posts.writes import AlreadyDeleting, delete_old_posts
from relations.follows.writes import follow
from tests.conftest import person, post
from tests.faults.looks import assert_all_is_well, timeline_of
from tests.faults.stories import Story, scenario
from tests.feed.scenes import answer


@scenario({"privacy.old_posts.stream.POSTS_A_STEP": 2})
def all_posts_of_a_person_are_deleted() -> Story:
    alice, bob = (person(one) for one in ("alice", "bob"))
    follow(by=bob, user_id=alice.user_id)
    theirs = post(bob)
    for number in range(2):
        post(alice, f"#tag {number}")
    answer(alice, bob, theirs)
    repost(by=alice, post=Pointer(theirs, bob.user_id))
    choice = Choice(frozenset(Kind), frozenset(Kept))

    def act() -> None:
        with suppress(AlreadyDeleting):
            delete_old_posts(by=alice, choice=choice)

    def check() -> None:
        assert_all_is_well()
        assert timeline_of(bob) == [theirs]
        assert get_user_info(alice.user_id).posts == 0
        assert not get_old_posts(alice).is_running

    return Story(act, check)
