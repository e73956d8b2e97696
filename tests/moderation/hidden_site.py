"""A site on which Bob can be met everywhere, and what staff or Bob may do so that he is not."""

from types import SimpleNamespace

from django.test import Client

from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from feed.likes.writes import like_post
from feed.posts.models import Withheld
from relations.follows.writes import follow
from relations.friends.writes import accept_friend, request_friend
from relations.own_choices.writes import favourite
from relations.suggested import look_for_people
from socialsite.streams.worker import Worker
from tests.conftest import browser_of, person, post
from tests.feed.answers import answer
from tests.moderation.restricting import A_SECOND_AGO, HIDDEN, mark_sensitive, restrict, withhold
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
