"""Each behaviour once, as people do it in a browser, with what the worker does then: what docs/scale.md replays."""

import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.test import Client
from django.test.utils import override_settings

from accounts.models import PULLED, SignIn, UserCount, UserInfo
from accounts.people.viewer import Viewer
from accounts.sessions import hash_secret, read_signed_in
from accounts.sign_in.writes import sign_in as sign_in_of
from benchmarks.scale.days import MEASURED_FOLLOWERS
from benchmarks.scale.footprints import (
    AFTER,
    COMMIT,
    PAGE,
    TABLE,
    WORKER,
    Cast,
    Footprint,
    Touched,
    touched_by,
    touched_in_indexes,
)
from benchmarks.scale.people import TEN_MILLION
from feed.likes.writes import like_post
from feed.posts.reads import Pointer
from feed.timelines.big_authors import Noted, note_recent
from feed.timelines.models import RecentPosts
from lens.calls import kind_of
from moderation.figures.reads import counted_since
from relations.models import Follower, Following
from site_votes.reads import get_site_vote
from site_votes.writes import open_vote
from socialsite.clock import utc_now
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.word_filters import Effect
from socialsite.streams import worker as workers
from socialsite.streams.dispatch import is_type_handled
from socialsite.streams.ledger import Ledger
from socialsite.streams.worker import Worker
from socialsite.table import change, ids, key_of, keys, measure, meter, query, write_batch
from tests.chats.scenes import knows, write
from tests.chats.test_groups import group_of
from tests.conftest import HTMX, PASSWORD, browser_of, person, post
from tests.feed.liked import elder
from tests.feed.scenes import ask
from tests.feed.timelines import authors, fill_home, pull
from tests.kept import keep_site_rules
from tests.moderation.staff import set_up, word_rule
from tests.notifications.push.conftest import signed_in
from tests.notifications.push.services import Browser, new_pusher, running_service
from tests.prepared import everything
from tests.streams.crowd import crowd, last_here

FOLLOWERS = MEASURED_FOLLOWERS
MEMBERS = 10  # of a group, its founder among them
WORDS = (
    "The tram was late again, so I walked along the harbour and "
    "bought fresh bread from the little bakery."
)
PULSE = re.compile(r'hx-get="(/pulse[^"]+)"')
STARS = round(TEN_MILLION.pulled_each)  # widely followed authors whom a reader follows


@dataclass
class Stage:
    """The people of a behaviour. Alice wrote the post that things happen to, Bob does them. Parts are called otherwise
    than places in the chart of keys: `<the post>` is the one that all this is about, `<post>` any other."""

    author: Viewer
    actor: Viewer
    admin: Viewer
    parts: dict[str, str] = field(default_factory=dict)
    worker: Worker = field(default_factory=Worker)
    rest: ExitStack = field(default_factory=ExitStack)
    after: Callable[[], Any] = lambda: None  # what another process does when the worker is done

    def __post_init__(self) -> None:
        self.parts |= {self.author.user_id: "<author>", self.actor.user_id: "<actor>"}

    def others(self, count: int) -> list[Viewer]:
        people = [person(f"other{number}") for number in range(count)]
        self.parts |= {one.user_id: "<other>" for one in people}
        return people

    @property
    def browser(self) -> Client:
        return browser_of(self.actor)


Act = Callable[[], Any]


def sign_up(stage: Stage) -> Act:
    return lambda: person("dora")


def sign_in(stage: Stage) -> Act:
    form = {"account": "bob", "password": PASSWORD}
    return lambda: ok(Client().post("/login", form))


def first_page_of_a_day(stage: Stage) -> Act:
    browser = stage.browser
    stage.rest.enter_context(override_settings(COST_SAMPLE=1e-9))  # else nobody counts who is here
    yesterday = (utc_now() - timedelta(days=1)).date().isoformat()
    last_here(stage.actor, yesterday)
    for raw in query(keys.sign_ins(stage.actor.user_id)):
        change(SignIn, key_of(raw), [SignIn.seen.set(yesterday)])
    return lambda: ok(browser.get("/settings/privacy"))


def home(stage: Stage) -> Act:
    fill_home(stage.actor, authors(20))
    browser = stage.browser
    return lambda: ok(browser.get("/"))


def home_that_merges(stage: Stage) -> Act:
    """Home of someone who follows authors with very many followers, one of whom has just posted."""
    fill_home(stage.actor, authors(20))
    stars = _pulls(stage)
    browser = stage.browser
    browser.get("/")
    stage.worker.drain()
    _notes_a_post(stars[0])
    return lambda: ok(browser.get("/"))


def pulse(stage: Stage) -> Act:
    """The question of an open page, of someone who follows such authors. Nothing is new."""
    _pulls(stage)
    browser = stage.browser
    browser.get("/")
    stage.worker.drain()
    (address,) = PULSE.findall(browser.get("/").content.decode())
    return lambda: ok(browser.get(address.replace("&amp;", "&"), headers=HTMX))


def pulse_elsewhere(stage: Stage) -> Act:
    """The question of an open page that is not Home."""
    browser = stage.browser
    (address,) = PULSE.findall(browser.get("/notifications").content.decode())
    return lambda: ok(browser.get(address.replace("&amp;", "&"), headers=HTMX))


def hear_of_news(stage: Stage) -> Act:
    """The connection of an open page that is told: whether its sign-in holds, asked each five minutes."""
    secret = sign_in_of(user_id=stage.actor.user_id, browser="")
    return lambda: read_signed_in(stage.actor.user_id, hash_secret(secret))


def _pulls(stage: Stage) -> list[Viewer]:
    stars = [Viewer(one.user_id) for one in _put(authors(STARS))]
    stage.parts |= {one.user_id: "<star>" for one in stars}
    pull(stage.actor, *stars)
    for number, one in enumerate(stars):
        earlier = utc_now() - timedelta(hours=number + 1)
        at = int(earlier.timestamp() * 1000)
        told = Noted(Pointer(ids.id_at(earlier, secrets.token_bytes(10)), one.user_id), at).write()
        list_ = RecentPosts.new(user_id=one.user_id, posts={told}, changed=at, since=0)
        write_batch(puts=[list_])
    return stars


def _put(items: list[Any]) -> list[Any]:
    write_batch(puts=items)
    return items


def _notes_a_post(star: Viewer) -> None:
    note_recent(Pointer(ids.new_id(), star.user_id), ends=None)


def thread(stage: Stage) -> Act:
    address = _post(stage, "/")
    for other in stage.others(5):
        browser_of(other).post(f"{address}reply", _form("I see"))
    browser = stage.browser
    return lambda: ok(browser.get(address.rstrip("/")))


def profile(stage: Stage) -> Act:
    for _ in range(20):
        post(stage.author)
    browser = stage.browser
    return lambda: ok(browser.get("/@alice"))


def publish(stage: Stage) -> Act:
    _is_followed(stage, FOLLOWERS)
    browser = stage.browser
    return lambda: ok(browser.post("/posts", _form(WORDS)))


def publish_to_many(stage: Stage) -> Act:
    """A post that a job brings to its readers, as there are more than are reached at once."""
    _is_followed(stage, FOLLOWERS)
    stage.rest.enter_context(override_settings(FAN_OUT_INLINE=FOLLOWERS // 2))
    count = keys.user_count(stage.actor.user_id)
    change(UserCount, count, [UserCount.followers.set(FOLLOWERS)])
    browser = stage.browser
    return lambda: ok(browser.post("/posts", _form(WORDS)))


def publish_with_a_tag(stage: Stage) -> Act:
    set_up(stage.admin, topics_shown=True)
    author = elder("elder")  # tags of newcomers are no topics
    stage.parts |= {"bakery": "<the tag>", author.user_id: "<actor>"}
    browser = browser_of(author)
    return lambda: ok(browser.post("/posts", _form("Fresh bread #bakery")))


def publish_a_word_of_a_filter(stage: Stage) -> Act:
    rule_id = word_rule(stage.admin, "bakery", Effect.FLAG)
    stage.parts |= {"bakery": "<the word>", rule_id: "<the rule>"}
    browser = stage.browser
    return lambda: ok(browser.post("/posts", _form("Fresh bread bakery")))


def publish_to_very_many(stage: Stage) -> Act:
    """A post of someone with more followers than are fanned out to."""
    change(UserInfo, keys.user_info(stage.actor.user_id), [UserInfo.reading.set(PULLED)])
    post(stage.actor)
    stage.worker.drain()
    browser = stage.browser
    return lambda: ok(browser.post("/posts", _form(WORDS)))


def _is_followed(stage: Stage, count: int) -> None:
    fans = crowd(count)
    stage.parts |= {one.user_id: "<follower>" for one in fans}
    today = utc_now().date().isoformat()
    edges = [
        Follower.new(user_id=stage.actor.user_id, follower_id=one.user_id, seen=today)
        for one in fans
    ]
    write_batch(puts=edges)


def like(stage: Stage) -> Act:
    address, browser = _post(stage, "/like"), stage.browser
    return lambda: ok(browser.post(address, {"on": "1"}))


def vote(stage: Stage) -> Act:
    post_id = ask(stage.author)
    stage.parts[post_id] = "<the post>"
    address = f"/@alice/posts/{post_id}/vote"
    browser = stage.browser
    return lambda: ok(browser.post(address, {"choice": "1"}))


def vote_of_the_site(stage: Stage) -> Act:
    ends = utc_now() + timedelta(days=1)
    vote_id = open_vote(
        by=stage.admin, question="Tea or coffee?", answers=("Tea", "Coffee"), ends=ends
    )
    get_site_vote(vote_id, stage.admin)
    stage.parts[vote_id] = "<the vote>"
    browser = stage.browser
    return lambda: ok(browser.post(f"/votes/{vote_id}/vote", {"choice": "1"}))


def reply(stage: Stage) -> Act:
    address, browser = _post(stage, "/reply"), stage.browser
    return lambda: ok(browser.post(address, _form("I see the harbour")))


def follow_someone(stage: Stage) -> Act:
    for _ in range(40):
        post(stage.author)
    browser = stage.browser
    return lambda: ok(browser.post("/@alice/follow", {"on": "1"}))


def follow_a_star(stage: Stage) -> Act:
    change(UserInfo, keys.user_info(stage.author.user_id), [UserInfo.reading.set(PULLED)])
    return follow_someone(stage)


def message(stage: Stage) -> Act:
    knows(stage.author, stage.actor)
    write(stage.actor, stage.author)
    stage.parts[keys.pair(stage.author.user_id, stage.actor.user_id)] = "<the chat>"
    browser = stage.browser
    address = "/messages/@alice"
    form = _form("Tea?") | _fields_of(browser.get(address))
    return lambda: ok(browser.post(address, form))


def message_to_a_group(stage: Stage) -> Act:
    members = [stage.author, *stage.others(MEMBERS - 2)]
    for one in members:
        knows(one, stage.actor)
    group = group_of(stage.actor, *members)
    stage.parts[group] = "<the chat>"
    browser = stage.browser
    address = f"/messages/groups/{group}"
    form = _form("Tea?") | _fields_of(browser.get(address))
    return lambda: ok(browser.post(address, form))


def _fields_of(page: Any) -> dict[str, str]:
    text = page.content.decode()
    inputs = re.findall(r"<input[^>]*>", text)
    found = {}
    for one in inputs:
        name, value = re.search(r'name="([^"]+)"', one), re.search(r'value="([^"]*)"', one)
        if name and name[1] in ("nonce", "to", "answers"):
            found[name[1]] = value[1] if value else ""
    return found


def look_for_messages(stage: Stage) -> Act:
    knows(stage.author, stage.actor)
    write(stage.actor, stage.author)
    stage.parts[keys.pair(stage.author.user_id, stage.actor.user_id)] = "<the chat>"
    browser = stage.browser
    address = "/messages/@alice"
    news = re.search(r'hx-get="([^"]*/news[^"]*)"', browser.get(address).content.decode())
    assert news is not None
    return lambda: ok(browser.get(news[1].replace("&amp;", "&"), headers=HTMX))


def look_for_people(stage: Stage) -> Act:
    """Once a day the worker finds people whom someone may know: here of twenty who are followed, with twenty each."""
    near = crowd(20)
    far = crowd(20)
    for one in near:
        write_batch(
            puts=[Following.new(user_id=one.user_id, followed_id=other.user_id) for other in far]
        )
    edges = [Following.new(user_id=stage.actor.user_id, followed_id=one.user_id) for one in near]
    write_batch(puts=edges)
    browser = stage.browser
    return lambda: ok(browser.get("/explore/people"))


def search(stage: Stage) -> Act:
    for _ in range(30):
        post(stage.author, "Fresh bread from the bakery")
    stage.parts["bakery"] = "<the word>"
    browser = stage.browser
    return lambda: ok(browser.get("/search?q=bakery"))


def look_at_a_tag(stage: Stage) -> Act:
    for _ in range(30):
        post(stage.author, "Fresh bread #bakery")
    stage.parts["bakery"] = "<the tag>"
    browser = stage.browser
    return lambda: ok(browser.get("/tags/bakery"))


def look_at_the_local_timeline(stage: Stage) -> Act:
    for _ in range(30):
        post(stage.author)
    browser = stage.browser
    return lambda: ok(browser.get("/local"))


def notifications(stage: Stage) -> Act:
    post_id = post(stage.actor)
    for other in stage.others(5):
        like_post(by=other, post_id=post_id, author_id=stage.actor.user_id)
    browser = stage.browser
    return lambda: ok(browser.get("/notifications"))


def report(stage: Stage) -> Act:
    address, browser = _post(stage, "/report"), stage.browser
    return lambda: ok(browser.post(address, {"reason": "spam"}))


def follow_that_is_pushed(stage: Stage) -> Act:
    """A follow of someone who hears of it on a device, and the pusher that sends it."""
    service = stage.rest.enter_context(running_service())
    author = signed_in(stage.author)
    pusher = new_pusher()
    Browser(f"{service.origin}/ok/alice").turn_on(author)

    def send() -> None:
        pusher.look(utc_now() + timedelta(minutes=1))
        pusher.finish()

    stage.after = send
    browser = stage.browser
    return lambda: ok(browser.post("/@alice/follow", {"on": "1"}))


def _post(stage: Stage, rest: str) -> str:
    post_id = post(stage.author, WORDS)
    stage.parts[post_id] = "<the post>"
    return f"/@alice/posts/{post_id}{rest}"


def _form(content: str) -> dict[str, str]:
    return {"content": content, "nonce": secrets.token_urlsafe(16)}


def ok(answer: Any) -> None:
    assert answer.status_code in (200, 204, 302), (answer.status_code, answer.content[:500])


BEHAVIOURS: dict[str, Callable[[Stage], Act]] = {
    one.__name__.replace("_", " "): one
    for one in (
        *(sign_up, sign_in, first_page_of_a_day, home, home_that_merges, pulse, pulse_elsewhere),
        *(thread, profile, hear_of_news),
        *(
            publish,
            publish_to_many,
            publish_with_a_tag,
            publish_a_word_of_a_filter,
            publish_to_very_many,
        ),
        *(
            like,
            follow_that_is_pushed,
            vote,
            vote_of_the_site,
            reply,
            follow_someone,
            follow_a_star,
        ),
        *(message, message_to_a_group, look_for_messages, search, look_at_a_tag, look_for_people),
        *(look_at_the_local_timeline, notifications, report),
    )
}


# Measuring one


def footprint_of(name: str, stage: Stage) -> Footprint:
    """Plays a behaviour, then the worker, and returns what both did."""
    worker = stage.worker
    act = BEHAVIOURS[name](stage)
    worker.drain()
    counted_since(begin=utc_now())  # the figures of a year begin once
    keep_site_rules(read_site_rules())  # else one page in ten seconds reads them for all
    before = everything()
    with measure(keep=True) as page:
        act()
    between = everything()
    with applying() as spent, measure(keep=True) as behind:
        worker.drain()
    with measured_everywhere() as later:
        stage.after()
    stage.rest.close()
    after = everything()
    asked = [
        *((PAGE, call) for call in page.calls),
        *((COMMIT if id(call) in spent.of_commits else WORKER, call) for call in behind.calls),
        *((AFTER, call) for call in later.calls),
    ]
    found = list(touched_by((by, call) for by, call in asked if "Error" not in call.answer))
    found = [(by, one) for by, one in found if not _is_of_the_machinery(by, one)]
    records = [one for _, one in found if one.writes]
    in_indexes = [
        *((PAGE, one) for one in touched_in_indexes(before, between)),
        *((WORKER, one) for one in touched_in_indexes(between, after)),
    ]
    calls = [
        call
        for call in behind.calls
        if not all(_is_of_the_machinery("", one) for _, one in touched_by([("", call)]))
    ]
    own = spent.seconds - sum(call.milliseconds for call in behind.calls) / 1000
    return Footprint(
        Cast(stage.parts).rows([*found, *in_indexes]),
        records=len(records),
        handled=sum(is_type_handled(kind_of(one.pk, one.sk)) for one in records),
        calls=len(calls),
        ms=round(max(own, 0) * 1000, 1),
    )


def _is_of_the_machinery(by: str, one: Touched) -> bool:
    """What the worker does for itself: leases, and its own beat. Each batch moves one lease, whatever is in it."""
    return one.target == TABLE and one.pk.startswith("worker#") and "changed" not in one.pk


@contextmanager
def measured_everywhere() -> Iterator[meter.Meter]:
    """The calls of all threads, as the pusher has some of its own."""

    class Everywhere(meter.Meter):
        def get(self) -> meter.Meter:
            return self

    kept, meter._meter = meter._meter, Everywhere(keeps=True)  # type: ignore[assignment]
    try:
        yield meter._meter  # type: ignore[misc]
    finally:
        meter._meter = kept


@dataclass
class Spent:
    """How long the worker took to apply its batches, and which of its calls belong to a commit."""

    seconds: float = 0.0
    of_commits: set[int] = field(default_factory=set)


@contextmanager
def applying() -> Iterator[Spent]:
    """What the worker spends on its batches, without reading the stream."""
    spent, apply, commit = Spent(), workers.apply_batch, Ledger.commit

    def timed(*given: Any) -> None:
        began = time.perf_counter()
        apply(*given)
        spent.seconds += time.perf_counter() - began

    def marked(ledger: Ledger, proof: Any) -> None:
        calls = meter._meter.get().calls
        first = len(calls)
        commit(ledger, proof)
        spent.of_commits |= {id(one) for one in calls[first:]}

    workers.apply_batch, Ledger.commit = timed, marked  # type: ignore[method-assign]
    try:
        yield spent
    finally:
        workers.apply_batch, Ledger.commit = apply, commit  # type: ignore[method-assign]
