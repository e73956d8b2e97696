"""A site on which Bob can be met everywhere, and what staff or Bob may do so that he is not."""

from collections.abc import Iterator
from copy import copy
from types import SimpleNamespace

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from feed.likes.writes import like_post
from feed.posts.models import Withheld
from relations.follows.writes import follow
from relations.friends.writes import accept_friend, request_friend
from relations.own_choices.writes import favourite
from relations.suggested import look_for_people
from relations.two_levels import recommend_people
from socialsite.streams.worker import Worker
from tests.conftest import HTMX, browser_of, person, post
from tests.feed.scenes import answer
from tests.injected.faults import share
from tests.moderation.cases import A_SECOND_AGO, HIDDEN, mark_sensitive, restrict, withhold
from tests.prepared import Prepared, Snapshot
from tests.tables import RunningEngine, empty_table, forget_other_tables
from tests.web.html import Html


def build_site(bob: Viewer, carol: Viewer) -> SimpleNamespace:
    stranger, follower = person("stranger"), person("follower")
    follow(by=stranger, user_id=carol.user_id)
    follow(by=follower, user_id=bob.user_id)
    for one, other in ((bob, carol), (carol, bob)):
        follow(by=one, user_id=other.user_id)
    request_friend(by=follower, user_id=bob.user_id)
    accept_friend(by=bob, user_id=follower.user_id)
    request_friend(by=bob, user_id=stranger.user_id)
    for fan in (stranger, follower):
        favourite(by=fan, user_id=bob.user_id)
    liked = post(carol)
    like_post(by=bob, post_id=liked, author_id=carol.user_id)
    answered = answer(bob, carol, liked, "I see, and so does @stranger")
    worker = Worker()
    worker.drain()
    members = {"stranger": stranger, "follower": follower, "author": bob}
    browsers = {"visitor": Client(), **{who: browser_of(of) for who, of in members.items()}}
    pills = {  # as a page has them that was opened before Bob's post
        who: Html(browser.get("/")).one(id="pulse")["hx-get"]
        for who, browser in browsers.items()
        if who != "visitor"
    }
    shown = post(bob, "Hello #cats")
    worker.drain()
    for one in (stranger, follower):
        look_for_people(one.user_id)  # what is suggested is kept for a day
    posts = {"post": shown, "liked": liked, "reply": answered, "bob": bob, "carol": carol}
    return SimpleNamespace(**posts, browsers=browsers, pills=pills)


def bring_about(what: str, site: SimpleNamespace) -> None:
    """One row of the table."""
    word, _, rest = what.partition(" ")
    ends = {"": {}, "for ever": {"lasts": None}, "until a moment ago": {"lasts": A_SECOND_AGO}}
    match word, rest:
        case "in", _:
            return
        case hidden, _ if hidden in HIDDEN:
            HIDDEN[hidden](site.bob)
        case "post", "sensitive":
            mark_sensitive(site.bob, site.post)
            mark_sensitive(site.bob, site.reply)
        case "post", state:
            withhold(site.bob, site.post, Withheld(state))
            withhold(site.bob, site.reply, Withheld(state))
        case _:
            restrict(site.bob, Restriction(word), **ends[rest])


# Every restriction on every page: the table says who meets Bob or his post there, and each page is asked. A
# letter stands for each who sees him: a visitor, a stranger, a follower who is a friend, and Bob, the author.

pytestmark = pytest.mark.engines("embedded", reason="who is shown does not hang on the engine")

VIEWERS = {"v": "visitor", "s": "stranger", "f": "follower", "a": "author"}

GOOD = {
    # Bob's post
    "home": "vfa",
    "new posts pill": "f",
    "local": "vsfa",
    **{"tag": "vsfa", "feed of the tag": "vsfa"},
    "favourites": "sf",
    "posts of the profile": "vsfa",
    "feed of the profile": "vsfa",
    "search for the words": "vsfa",
    "search in posts": "vsfa",
    "page of the post": "vsfa",
    "likers of the post": "vsfa",
    "reposters of the post": "vsfa",
    "history of the post": "vsfa",
    # Bob's reply
    "conversation with the reply": "vsfa",
    "page of the reply": "vsfa",
    "replies of the profile": "vsfa",
    "notifications of the reply": "s",
    # Bob
    "profile": "vsfa",
    "followers": "vsfa",
    "following": "vsfa",
    "listed among followers": "vsfa",
    "listed among followed": "vsfa",
    "listed among likers": "vsfa",
    "friends": "f",
    "requests": "s",
    "search": "vsfa",
    "search for the handle": "vsfa",
    "explore": "vs",
    "people to follow": "s",
}
NOBODY = dict.fromkeys(GOOD, "")
LIMITED = GOOD | {
    "home": "fa",  # the landing page shows what Local has
    "local": "a",
    **{"tag": "a", "feed of the tag": ""},
    **dict.fromkeys(("search for the words", "search in posts"), "a"),
    "search": "fa",
    "explore": "",
    "people to follow": "",
}
WITHHELD = GOOD | {
    "home": "a",
    "new posts pill": "",
    "local": "a",
    **{"tag": "a", "feed of the tag": ""},
    **dict.fromkeys(("search for the words", "search in posts"), ""),
    "favourites": "",
    "posts of the profile": "a",
    "feed of the profile": "",  # as visitors see it, whoever asks
    "page of the post": "a",
    "likers of the post": "a",
    "reposters of the post": "a",
    "history of the post": "a",
    "conversation with the reply": "a",
    "page of the reply": "a",
    "replies of the profile": "a",
    "notifications of the reply": "",
}
TABLE = {
    "in good standing": GOOD,
    **dict.fromkeys(("suspended", "suspended for ever", *HIDDEN), NOBODY),
    "suspended until a moment ago": GOOD,
    "limited": LIMITED,
    "limited for ever": LIMITED,
    "limited until a moment ago": GOOD,
    "frozen": GOOD,
    "frozen until a moment ago": GOOD,
    "post hidden": WITHHELD,
    "post held": WITHHELD,
    "post sensitive": GOOD,
}

# Rows that show everybody, or nobody, take turns: half of them in each run.
ALIKE = [[what for what in TABLE if TABLE[what] is row] for row in (GOOD, NOBODY)]
IN_TURN = [what for rows in ALIKE for what in share(rows, one_of=2, salt=f"as {rows[0]}")]
IN_TURN += [what for what in TABLE if TABLE[what] in (LIMITED, WITHHELD)]

OF_THE_POST = {
    "home": "/",
    "local": "/local",
    "tag": "/tags/cats",
    "favourites": "/favourites",
    "posts of the profile": "/@bob",
    "search for the words": "/search?q=hello",
    "search in posts": "/search?tab=posts&q=hello+%23cats",
    "page of the post": "/@bob/posts/{post}",
    "likers of the post": "/@bob/posts/{post}/likers",
    "reposters of the post": "/@bob/posts/{post}/reposters",
}
FEEDS = {"feed of the profile": "/@bob/feed.atom", "feed of the tag": "/tags/cats/feed.atom"}
OF_THE_REPLY = {
    "conversation with the reply": "/@carol/posts/{liked}",
    "page of the reply": "/@bob/posts/{reply}",
    "replies of the profile": "/@bob/replies",
    "notifications of the reply": "/notifications",
}
OF_BOB = {
    "listed among followers": "/@carol/followers",
    "listed among followed": "/@carol/following",
    "listed among likers": "/@carol/posts/{liked}/likers",
    "friends": "/friends",
    "requests": "/requests",
    "search": "/search?q=bo",
    "search for the handle": "/search?q=@BOB",
    "explore": "/explore",
    "people to follow": "/people-to-follow",
}
HIS_PAGES = {
    "history of the post": "/@bob/posts/{post}/history",
    "profile": "/@bob",
    "followers": "/@bob/followers",
    "following": "/@bob/following",
}


@pytest.fixture(scope="module")
def built(running_engine: RunningEngine, prepared: Prepared) -> Iterator[SimpleNamespace]:
    with empty_table(running_engine, prepared):
        site = build_site(prepared.join("bob"), prepared.join("carol"))
        site.cookies = {who: browser.cookies for who, browser in site.browsers.items()}
        site.as_it_was = Snapshot()
        yield site


@pytest.fixture
def site(built: SimpleNamespace) -> Iterator[SimpleNamespace]:
    """Bob wherever one can meet someone, and who looks for him: the module's, put right after each test."""
    for who, browser in built.browsers.items():
        browser.cookies = copy(built.cookies[who])
    yield built
    built.as_it_was.restore()
    forget_other_tables()


def sees(site: SimpleNamespace, who: str, page: str) -> bool:
    browser, names = site.browsers[who], vars(site)
    if page == "new posts pill":
        return who in site.pills and is_counted(site, who)
    if his_page := HIS_PAGES.get(page):
        return browser.get(his_page.format(**names)).status_code == 200
    if page in FEEDS:
        return site.post in browser.get(FEEDS[page]).content.decode()
    if page in OF_THE_POST:
        return site.post in Html(browser.get(OF_THE_POST[page].format(**names))).post_ids()
    if page in OF_THE_REPLY:
        return site.reply in Html(browser.get(OF_THE_REPLY[page].format(**names))).post_ids()
    headers = HTMX if page == "people to follow" else {}
    answer = browser.get(OF_BOB[page].format(**names), headers=headers)
    return "bob" in Html(answer).handles()


def is_counted(site: SimpleNamespace, who: str) -> bool:
    """By the pill; pressing it shows the same."""
    browser, address = site.browsers[who], site.pills[who]
    counted = bool(Html(browser.get(address, headers=HTMX)).all("a", id="pill"))
    shown = Html(browser.get(address.replace("/pulse?", "/new?show=1&"), headers=HTMX))
    assert counted == (site.post in shown.post_ids())
    return counted


@pytest.mark.parametrize("what", IN_TURN)
def test_each_page_shows_what_the_table_says(what, site):
    bring_about(what, site)
    found = {
        page: "".join(letter for letter, who in VIEWERS.items() if sees(site, who, page))
        for page in GOOD
    }
    assert found == TABLE[what]


@pytest.mark.parametrize("what", ["suspended", *HIDDEN, "limited"])
def test_who_is_restricted_is_not_among_those_found_anew(what, site):
    stranger = site.browsers["stranger"].session["user"]
    assert site.bob.user_id in {one.user_id for one in recommend_people(stranger)}
    bring_about(what, site)
    assert site.bob.user_id not in {one.user_id for one in recommend_people(stranger)}


def test_somebody_found_through_a_suspended_person_is_not_suggested(site):
    suggested = Html(site.browsers["stranger"].get("/explore"))
    assert "Followed by Carol 陈" in [reason.text for reason in suggested.all(class_="reason")]
    restrict(site.carol, Restriction.SUSPENDED)
    suggested = Html(site.browsers["stranger"].get("/explore"))
    assert "Followed by Carol 陈" not in [reason.text for reason in suggested.all(class_="reason")]


def test_likes_follows_and_counts_of_a_suspended_person_stay(site):
    def counts(browser: Client) -> list[str]:
        return [count.text for count in Html(browser.get("/@carol")).all("b")]

    likes = f"/@carol/posts/{site.liked}"
    before = counts(Client()), Html(Client().get(likes)).all(class_="like-count")[0].text
    restrict(site.bob, Restriction.SUSPENDED)
    after = counts(Client()), Html(Client().get(likes)).all(class_="like-count")[0].text
    assert before == after
    assert after[1] == "1 like"
