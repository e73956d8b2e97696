"""What the worker and the clock do while faults are injected."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import UserInfo, UserSettings
from accounts.people.viewer import Viewer
from accounts.sessions import today
from accounts.sign_up.writes import Admission, sign_up
from feed.cards.reads import get_post
from feed.home.reads import get_timeline
from feed.likes.reads import get_like_count
from feed.likes.writes import like_post, unlike_post
from feed.posts.content_checks import Verdict
from feed.posts.models import Withheld
from feed.posts.reads import Pointer
from feed.publishing.writes import delete_post, publish_post
from feed.threads.writes import reply
from feed.timelines.local import list_public
from moderation.cases.reads import CaseId, read_case
from moderation.models import CaseKind, Queue
from relations.follows.writes import follow, unfollow
from socialsite.streams.archive import list_files, read_lines
from socialsite.table import create, get, ids, keys, query, write_batch
from tests.conftest import PASSWORD, person, post
from tests.moderation.cases import is_there, listed
from tests.streams.crowd import last_here
from tests.streams.records import entry


@dataclass
class Cast:
    """An author and fans, new for each trial."""

    author: Viewer
    fans: list[Viewer]
    posts: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, number: int, fans: int) -> "Cast":
        names = [f"fan{number}_{fan}" for fan in range(fans)]
        return cls(person(f"author{number}"), [person(name) for name in names])

    def all_follow(self) -> None:
        for fan in self.fans:
            follow(by=fan, user_id=self.author.user_id)

    def say(self, text: str = "Hello") -> None:
        self.posts.append(post(self.author, text))

    def all_reply(self) -> None:
        to = Pointer(self.posts[0], self.author.user_id)
        for fan in self.fans:
            reply(by=fan, to=to, content="I see", nonce=fan.user_id)

    def all_like(self) -> None:
        for fan in self.fans:
            like_post(by=fan, post_id=self.posts[0], author_id=self.author.user_id)


Act = Callable[[Cast], None]


@dataclass(frozen=True)
class Scenario:
    name: str
    fans: int
    before: Act  # and drained
    act: Act
    after: Act
    settings: dict[str, Any] = field(default_factory=dict)
    rounds: int = 3


def everybody_sees(cast: Cast) -> None:
    for reader in (*cast.fans, cast.author):
        seen = get(UserSettings, keys.user_settings(reader.user_id), consistent=True)
        pulled, merged = tuple(sorted(seen.pulled or ())), seen.merged or ""
        viewer = Viewer(reader.user_id, pulled=pulled, merged=merged)
        shown = [card.post_id for card in get_timeline(viewer).items]
        assert shown == cast.posts[::-1], f"{reader.handle} sees {shown}"
    listed = [card.post_id for card in list_public().items]
    assert set(cast.posts) <= set(listed), "not in the local timeline"


def fan_sees(cast: Cast) -> None:
    shown = [card.post_id for card in get_timeline(cast.fans[0]).items]
    assert shown == cast.posts[::-1], shown


def nobody_sees(cast: Cast) -> None:
    for fan in cast.fans:
        assert not list(query(keys.timeline(fan.user_id), consistent=True))


def no_likes_left(cast: Cast) -> None:
    assert not list(query(keys.likes(cast.posts[0]), consistent=True)), "likes"
    for fan in cast.fans:
        trace = keys.like_trace(fan.user_id, cast.posts[0])
        assert not list(query(trace.pk, consistent=True)), "traces"
    assert cast.posts[0] not in [card.post_id for card in list_public().items]


def everybody_pulls(cast: Cast) -> None:
    info = get(UserInfo, keys.user_info(cast.author.user_id), consistent=True)
    assert info.reading == "pulled", f"reading is {info.reading}"
    for fan in cast.fans:
        seen = get(UserSettings, keys.user_settings(fan.user_id), consistent=True)
        assert cast.author.user_id in (seen.pulled or ()), f"{fan.handle} does not pull"
    everybody_sees(cast)


def see_on(day: str) -> Act:
    def move(cast: Cast) -> None:
        last_here(cast.fans[0], day)

    return move


def absent_while_said(cast: Cast) -> None:
    cast.all_follow()
    see_on((datetime.now(UTC) - timedelta(days=40)).date().isoformat())(cast)
    cast.say()


def entry_of_long_ago(cast: Cast) -> None:
    saved = entry(cast.author)
    cast.posts.append(saved.post_id)
    create(saved)


def expire_entry(cast: Cast) -> None:
    write_batch(deletes=[place_of(cast)])


def archived_once(cast: Cast) -> None:
    lines = [line["sk"] for line in read_lines(list_files())]
    assert lines.count(place_of(cast).sk) == 1


def place_of(cast: Cast) -> keys.Key:
    return keys.saved_post(cast.author.user_id, cast.posts[0])


def say_and_follow(cast: Cast) -> None:
    cast.say("first")
    cast.say("second")


def follow_and_say(cast: Cast) -> None:
    cast.all_follow()
    cast.say()


def say_and_follow_all(cast: Cast) -> None:
    cast.say()
    cast.all_follow()
    for fan in cast.fans[1:]:
        follow(by=cast.fans[0], user_id=fan.user_id)


def two_replies(cast: Cast) -> None:
    card = get_post(cast.posts[0], cast.author.user_id)
    assert card.reply_count == len(cast.fans)
    first = cast.fans[0]
    authors = {card.author.user_id for card in get_timeline(first).items}
    assert authors == {cast.author.user_id, *(fan.user_id for fan in cast.fans)}


def say_and_like(cast: Cast) -> None:
    cast.say()
    cast.all_like()


def say_and_delete(cast: Cast) -> None:
    cast.say()
    delete_post(by=cast.author, post_id=cast.posts[0])


def like_and_think_again(cast: Cast) -> None:
    cast.all_like()
    unlike_post(by=cast.fans[0], post_id=cast.posts[0])


def two_likes(cast: Cast) -> None:
    assert get_like_count(cast.posts[0]) == 2


def nothing(cast: Cast) -> None:
    pass


BY_JOB = {"FAN_OUT_INLINE": 1, "FAN_OUT_STEP": 2}
CROSSING = {"FAN_OUT_INLINE": 1, "FAN_OUT_STEP": 5, "PULL_ABOVE": 2}

SCENARIOS = [
    Scenario("follow", 1, say_and_follow, Cast.all_follow, fan_sees),
    Scenario(
        "unfollow",
        1,
        follow_and_say,
        lambda cast: unfollow(by=cast.fans[0], user_id=cast.author.user_id),
        nobody_sees,
    ),
    Scenario("publish", 3, Cast.all_follow, Cast.say, everybody_sees),
    Scenario("publish by job", 5, Cast.all_follow, Cast.say, everybody_sees, BY_JOB, rounds=7),
    Scenario(
        "delete a liked post",
        2,
        say_and_like,
        lambda cast: delete_post(by=cast.author, post_id=cast.posts[0]),
        no_likes_left,
    ),
    Scenario("reply", 2, say_and_follow_all, Cast.all_reply, two_replies),
    Scenario("reply by job", 3, say_and_follow_all, Cast.all_reply, two_replies, BY_JOB, rounds=7),
    Scenario("like a deleted post", 2, say_and_delete, Cast.all_like, no_likes_left),
    Scenario("like", 3, Cast.say, like_and_think_again, two_likes),
    Scenario("cross to pull", 3, Cast.all_follow, Cast.say, everybody_pulls, CROSSING, rounds=9),
    Scenario("come back", 1, absent_while_said, lambda cast: see_on(today())(cast), fan_sees),
    Scenario("expire", 0, entry_of_long_ago, expire_entry, archived_once),
]


# What the stream does for moderation, as `scenarios.py` has the rest.


def publish(cast: Cast, verdict: Verdict) -> None:
    nonce = ids.new_id()
    cast.posts.append(publish_post(by=cast.author, content="Hm", nonce=nonce, verdict=verdict))


def hold(cast: Cast) -> None:
    publish(cast, Verdict(withheld=Withheld.HELD))


def flag(cast: Cast) -> None:
    publish(cast, Verdict(flagged="w1"))
    publish(cast, Verdict(flagged="w1"))


def take_back(cast: Cast) -> None:
    delete_post(by=cast.author, post_id=cast.posts[0])


def ask_to_join(cast: Cast) -> None:
    handle = f"{cast.author.handle}_2"
    cast.posts.append(
        sign_up(
            handle=handle,
            name=handle,
            email=f"{handle}@example.org",
            confirmed=True,
            password=PASSWORD,
            admission=Admission(waits=True),
        )
    )


def post_waits(cast: Cast) -> None:
    assert held_case(cast) in listed(keys.queue(Queue.HELD))


def nobodys_work(cast: Cast) -> None:
    assert held_case(cast) not in listed(keys.queue(Queue.HELD))
    if is_there(held_case(cast)):
        assert read_case(held_case(cast)).decision == "gone"


def one_report(cast: Cast) -> None:
    case_id = CaseId(CaseKind.PERSON, cast.author.user_id)
    assert case_id in listed(keys.queue(Queue.REPORTS))
    assert read_case(case_id).reports == 1


def person_waits(cast: Cast) -> None:
    assert CaseId(CaseKind.SIGN_UP, cast.posts[0]) in listed(keys.queue(Queue.SIGN_UPS))


def held_case(cast: Cast) -> CaseId:
    return CaseId(CaseKind.POST, cast.posts[0])


MODERATION = [
    Scenario("hold a post", 0, nothing, hold, post_waits),
    Scenario("flag posts", 0, nothing, flag, one_report),
    Scenario("delete a held post", 0, hold, take_back, nobodys_work),
    Scenario("ask to join", 0, nothing, ask_to_join, person_waits),
]
