"""A post that ended by itself is on no page, whoever asks: each page that showed it until then is asked at its second,
before anything was deleted, and once more when the table has let go of it.
"""

import re
from types import SimpleNamespace

import pytest
from django.test import Client

from feed.likes.writes import like_post
from feed.posts.reads import Pointer
from feed.publishing.changes import pin_post
from feed.saved.writes import save_post
from feed.sharing.writes import quote, repost
from moderation.models import CaseEvidence, CaseKind
from relations.follows.writes import follow
from relations.friends.writes import accept_friend, request_friend
from relations.own_choices.writes import favourite, follow_tag, subscribe
from socialsite.due.work import do_due
from socialsite.table import ids, keys, query
from tests.conftest import HTMX, person, post
from tests.feed.answers import answer
from tests.feed.expiring import SECOND, clock_at, end_of, ending_post, remove_expired
from tests.looks import broken_invariants
from tests.moderation.cases import report
from tests.privacy.exporting import export_of
from tests.web.html import Html

pytestmark = pytest.mark.engines("embedded", reason="what is shown does not hang on the engine")

WORD = "Wolkenbruch"

SHOWN = {  # who sees the post where: an address, and what else it says that goes too
    "home of a follower": ("follower", "/"),
    "home of the author": ("author", "/"),
    "home by a tag": ("reader", "/"),
    "landing page": ("visitor", "/"),
    "local": ("visitor", "/local"),
    "posts of the profile, pinned too": ("visitor", "/@bob"),
    "reposts of a profile": ("visitor", "/@carol"),
    "feed of the profile": ("visitor", "/@bob/feed.atom"),
    "tag": ("visitor", "/tags/cats"),
    "feed of the tag": ("visitor", "/tags/cats/feed.atom"),
    "favourites": ("follower", "/favourites"),
    "saved posts": ("follower", "/saved"),
    "search in saved posts": ("follower", "/search?in=saved&q=rain"),
    "liked posts": ("follower", "/@follower/likes"),
    "search in liked posts": ("follower", "/search?in=liked&q=rain"),
    "search in own posts": ("author", "/search?in=posts&q=rain"),
    "notifications of a mention": ("reader", "/notifications"),
    "notifications of a like": ("author", "/notifications"),
    "notifications of a favourite's post": ("follower", "/notifications"),
    "thread above a reply": ("visitor", "/@carol/posts/{reply}"),
    "quoted in a post": ("visitor", "/@carol/posts/{quote}"),
    "case of a moderator": ("moderator", "/moderation/cases/person/{bob}"),
}
OWN = "/@bob/posts/{post}"
PAGES = {  # about the post alone
    "page of the post": ("visitor", OWN),
    "likers": ("visitor", f"{OWN}/likers"),
    "reposters": ("visitor", f"{OWN}/reposters"),
    "quotes": ("visitor", f"{OWN}/quotes"),
    "history": ("visitor", f"{OWN}/history"),
    "reply": ("follower", f"{OWN}/reply"),
    "quote": ("follower", f"{OWN}/quote"),
    "save": ("follower", f"{OWN}/save"),
    "report": ("follower", f"{OWN}/report"),
    "edit": ("author", f"{OWN}/edit"),
    "audience": ("author", f"{OWN}/audience"),
    "who replies": ("author", f"{OWN}/replies"),
    "pin": ("author", f"{OWN}/pin"),
    "delete": ("author", f"{OWN}/delete"),
}
PRESSES = {  # what someone presses on a page that stayed open
    "like": ("follower", f"{OWN}/like", {"on": "1"}),
    "repost": ("follower", f"{OWN}/repost", {"on": "1"}),
    "reply": ("follower", f"{OWN}/reply", {"content": "Late", "nonce": "n" * 22}),
    "quote": ("follower", f"{OWN}/quote", {"content": "Late", "nonce": "n" * 22}),
    "save": ("reader", f"{OWN}/save", {}),
    "report": ("follower", f"{OWN}/report", {"rule": "spam"}),
    "edit": ("author", f"{OWN}/edit", {"content": "Late", "version": "1"}),
    "audience": ("author", f"{OWN}/audience", {"audience": "me"}),
    "pin": ("author", f"{OWN}/pin", {"on": "1"}),
}


@pytest.fixture
def site(bob, carol, mod, log_in, drain_stream) -> SimpleNamespace:
    """Bob's post wherever one can meet it. It ends in a day."""
    follower, reader = person("follower"), person("reader")
    follow(by=follower, user_id=bob.user_id)
    request_friend(by=follower, user_id=bob.user_id)
    accept_friend(by=bob, user_id=follower.user_id)
    favourite(by=follower, user_id=bob.user_id)
    subscribe(by=follower, user_id=bob.user_id)
    follow_tag(by=reader, tag="cats")
    drain_stream()
    post(bob, "This one stays")
    shown = ending_post(bob, f"{WORD} rain #cats @reader", expires_in="1d")
    where = Pointer(shown, bob.user_id)
    like_post(by=follower, post_id=shown, author_id=bob.user_id)
    save_post(by=follower, post_id=shown, author_id=bob.user_id)
    pin_post(by=bob, post_id=shown)
    repost(by=carol, post=where)
    quoting = quote(by=carol, post=where, content="Look", nonce=ids.new_id())
    reply = answer(carol, bob, shown, "I see")
    report(carol, bob, shown)
    drain_stream()
    browsers = {
        "visitor": Client(),
        "follower": log_in(follower),
        "reader": log_in(reader),
        "author": log_in(bob),
        "moderator": log_in(mod),
    }
    names = {"post": shown, "quote": quoting, "reply": reply, "bob": bob.user_id}
    return SimpleNamespace(names=names, browsers=browsers, end=end_of(bob, shown))


def asked(site: SimpleNamespace, who: str, address: str):
    return site.browsers[who].get(address.format(**site.names))


def says_it(answer) -> bool:
    assert answer.status_code == 200
    return WORD in answer.content.decode()


def pages_with_it(site: SimpleNamespace) -> set[str]:
    return {page for page, (who, address) in SHOWN.items() if says_it(asked(site, who, address))}


@pytest.mark.parametrize("deleted_by", ["the clock", "DynamoDB"])
def test_no_page_shows_it_from_its_second_on(site, drain_stream, deleted_by):
    with clock_at(site.end - SECOND):
        assert pages_with_it(site) == set(SHOWN)
        assert {
            page: asked(site, *how).status_code for page, how in PAGES.items()
        } == dict.fromkeys(PAGES, 200)
    with clock_at(site.end):
        for _ in range(2):
            assert pages_with_it(site) == {"case of a moderator"}
            assert {
                page: asked(site, *how).status_code for page, how in PAGES.items()
            } == dict.fromkeys(PAGES, 404)
            do_due(site.end) if deleted_by == "the clock" else remove_expired()
            drain_stream()
        assert broken_invariants() == {}


@pytest.mark.parametrize("press", PRESSES)
def test_nothing_can_be_done_with_it_any_more(site, drain_stream, press):
    who, address, form = PRESSES[press]
    with clock_at(site.end):
        answer = site.browsers[who].post(address.format(**site.names), form, headers=HTMX)
        assert answer.status_code in (403, 404), answer.content.decode()
        drain_stream()
        assert broken_invariants() == {}


def test_the_number_of_posts_is_right_at_its_second(site):
    def counted() -> str:
        found = re.search(
            r"(\d+)\s+posts?\b",
            Html(site.browsers["visitor"].get("/@bob")).one("ul", class_="counts").text,
        )
        assert found
        return found[1]

    with clock_at(site.end - SECOND):
        assert counted() == "2"
    with clock_at(site.end):
        assert counted() == "1"


def test_what_moderators_keep_of_a_reported_post_stays(site, bob, drain_stream):
    with clock_at(site.end):
        remove_expired()
        drain_stream()
        rows = query(keys.case_partition(CaseKind.PERSON, bob.user_id), consistent=True)
        kept = [raw for raw in rows if raw["type"]["S"] == CaseEvidence.__name__]
        assert [raw["content"]["S"] for raw in kept] == [f"{WORD} rain #cats @reader"]


def test_the_authors_export_leaves_it_out(site, bob, drain_stream):
    with clock_at(site.end):
        unpacked = export_of(bob, drain_stream, site.browsers["author"])
        assert WORD not in "".join(map(unpacked.text, filter(_is_text, unpacked.names)))


def _is_text(name: str) -> bool:
    return name.endswith((".json", ".html", ".csv", ".txt"))
