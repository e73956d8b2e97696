"""People are notified of posts of their favourites."""

from feed.publishing.writes import delete_post, publish_post
from relations.own_choices.writes import favourite, subscribe
from tests.conftest import person, post
from tests.faults.looks import assert_all_is_well, told_of
from tests.faults.stories import Story, scenario


@scenario(constants={"notifications.stream_handlers.PEOPLE_A_STEP": 2})
def many_are_notified_of_a_post_and_one_is_taken_back() -> Story:
    alice = person("alice")
    readers = [person(f"reader_{number}") for number in range(3)]
    for reader in readers:
        favourite(by=reader, user_id=alice.user_id)
        subscribe(by=reader, user_id=alice.user_id)
    gone, _ = post(alice), post(alice)

    def act() -> None:
        publish_post(by=alice, content="Hello", nonce="form")
        delete_post(by=alice, post_id=gone)

    def check() -> None:
        assert_all_is_well()
        assert [told_of(reader) for reader in readers] == [[("p", 2)]] * 3

    return Story(act, check)
