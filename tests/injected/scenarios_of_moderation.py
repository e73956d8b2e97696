"""What the stream does for moderation, as `scenarios.py` has the rest."""

from accounts.sign_up.writes import Admission, sign_up
from feed.posts.content_checks import Verdict
from feed.posts.models import Withheld
from feed.publishing.writes import delete_post, publish_post
from moderation.cases.reads import CaseId, read_case
from moderation.models import CaseKind, Queue
from socialsite import keys
from socialsite.table import ids
from tests.conftest import PASSWORD
from tests.injected.scenarios import Cast, Scenario, nothing
from tests.moderation.cases import is_there, listed


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
