"""Cards in every state, and the people and ways in which they are drawn."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from django.utils.safestring import mark_safe

from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR, Viewer
from feed.cards.post_card import Choice, PollCard, PostCard, ShownPhoto
from feed.cards.words import Fold
from feed.posts.models import Audience, Withheld

NOW = datetime(2026, 5, 17, 12, tzinfo=UTC)
HOSTILE = "\"><svg onload=alert(1)> & 'x' {{ 7|add:7 }}"


def person(handle: str, **more: Any) -> PersonCard:
    shown = {"name": handle.title(), "url": f"/@{handle}", "avatar_url": ""} | more
    return PersonCard(user_id=f"id-of-{handle}", handle=handle, **shown)


ALICE, BOB, CAROL = person("alice"), person("bob", avatar_url="/media/b.webp"), person("carol")
MOD = person("mod", role="moderator")
VIEWERS = {
    "a visitor": VISITOR,
    "alice, who wrote it": Viewer(user_id=ALICE.user_id, card=ALICE),
    "bob": Viewer(user_id=BOB.user_id, card=BOB),
    "mod": Viewer(user_id=MOD.user_id, card=MOD),
    "bob, who is frozen": Viewer(
        user_id=BOB.user_id, card=BOB._replace(frozen_until="9999-12-31T00:00:00+00:00")
    ),
}


def card(author: PersonCard = ALICE, **more: Any) -> PostCard:
    post_id = "01JV0000000000000000000000"
    shown = {
        "post_id": post_id,
        "url": f"/@{author.handle}/posts/{post_id}",
        "html": mark_safe("It <b>rains</b> &amp; pours"),
        "iso": "2026-05-17T09:00:00+00:00",
        "created": NOW - timedelta(hours=3),
        "like_count": 0,
        "like_shards": 0,
        "liked": False,
        "is_own": author is ALICE,
    }
    return PostCard(author=author, **shown | more)


def photo(number: int, alt: str) -> ShownPhoto:
    return ShownPhoto(
        number=number,
        photo_id=f"photo{number}",
        url=f"/@alice/posts/x/photos/{number}",
        secret=f"secret{number}",
        width=800,
        height=600,
        thumbhash="abc",
        alt=alt,
        sizes="50vw",
        reader=None,
    )


def poll(**more: Any) -> PollCard:
    shown = {
        "choices": (Choice(0, "Tea", 2, 67), Choice(1, HOSTILE, 1, 33, is_ahead=True)),
        "ends": NOW + timedelta(hours=5),
        "is_closed": False,
        "several": False,
        "may_change": False,
        "early": False,
        "is_own": False,
        "chosen": "",
        "voters": 3,
    }
    return PollCard(**shown | more)


PHOTOS = (photo(1, HOSTILE), photo(2, ""))
QUOTED = card(BOB, html=mark_safe("Quoted <i>text</i>"))
REPLY = {"root_id": "root", "thread": ("root", BOB.user_id, BOB.user_id)}
STATES: dict[str, dict[str, Any]] = {
    "as most": {},
    "liked": {"liked": True, "like_count": 1},
    "counted": {"like_count": 2, "reply_count": 1, "repost_count": 1},
    "counted high": {"like_count": 12_345, "reply_count": 1_234_567, "repost_count": 1000},
    "reposted": {"reposted": True, "repost_count": 21},
    "reposted by one": {"reposters": (BOB,)},
    "reposted by two": {"reposters": (person("eve", name=HOSTILE), CAROL)},
    "quotes": {"quote_of": "q", "quoted": QUOTED},
    "quotes what is gone": {"quote_of": "q"},
    "quotes sensitive": {"quote_of": "q", "quoted": QUOTED._replace(is_sensitive=True)},
    "quotes warned": {"quote_of": "q", "quoted": QUOTED._replace(warning=HOSTILE)},
    "quotes with all": {
        "quote_of": "q",
        "quoted": QUOTED._replace(photos=PHOTOS, poll=poll(), expires=NOW + timedelta(days=1)),
    },
    "quotes the viewer": {"quote_of": "q", "quoted": QUOTED._replace(is_own=True)},
    "is quoted": {"quote_count": 1},
    "is quoted often": {"quote_count": 1234},
    "is not quotable": {"is_quotable": False},
    "answers": {**REPLY, "answered": BOB},
    "answers in a story": {**REPLY, "answered": ALICE},
    "answers who is hidden": REPLY,
    "for followers": {"audience": Audience.FOLLOWERS},
    "for friends": {"audience": Audience.FRIENDS},
    "for a circle": {"audience": Audience.CIRCLE, "circle": HOSTILE},
    "for a circle that is gone": {"audience": Audience.CIRCLE},
    "for its author, reposted before": {"audience": Audience.ONLY_ME, "reposted": True},
    "held": {"withheld": Withheld.HELD},
    "hidden": {"withheld": Withheld.HIDDEN, "is_sensitive": True},
    "sensitive": {"is_sensitive": True, "photos": PHOTOS},
    "warned": {"warning": HOSTILE, "lang": "de", "poll": poll(), "quote_of": "q"},
    "both": {"warning": "Spiders", "is_sensitive": True, "fold": Fold.ALWAYS},
    "in German": {"lang": "de"},
    "edited": {"edited_at": "2026-05-17T10:00:00+00:00", "version": 2},
    "disappears": {"expires": NOW + timedelta(hours=7)},
    "long": {"fold": Fold.ALWAYS},
    "long on phones": {"fold": Fold.NARROW, "lang": "zh-hans"},
    "without words": {"html": mark_safe(""), "photos": PHOTOS[:1]},
    "with photos": {"photos": PHOTOS},
    "with a poll": {"poll": poll()},
    "with a closed poll": {"poll": poll(is_closed=True)},
    "with an own poll": {"poll": poll(is_own=True)},
    "voted": {"poll": poll(chosen="1", voters=1)},
    "voted, may change": {"poll": poll(chosen="1", may_change=True, several=True)},
    "with early results": {"poll": poll(early=True)},
    "by a hostile name": {"author": person("eve", name=HOSTILE, avatar_url="/a?b='\"&c")},
    "by a hostile initial": {"author": person("eve", name="<b>")},
    "by the unlisted": {"author": person("eve", not_indexed=True)},
    "by the limited": {"author": person("eve", limited_until="9999-12-31T00:00:00+00:00")},
    "of the archive": {"author": person("eve", archived_before="02")},
}
WAYS: dict[str, dict[str, Any]] = {
    "in a list": {},
    "on its page": {"detail": True},
    "on its page, below others": {"detail": True, "hides_answered": [1]},
    "quiet": {"quiet": True},
    "joined": {"hides_answered": True},
    "changed": {"swapped": True, "came_from": "/local?a=<b>"},
    "changed on its page": {"swapped": True, "detail": True},
    "pinned": {"is_pinned": True},
    "saved": {"place": "saved", "came_from": "/saved"},
    "set aside": {"node": SimpleNamespace(is_set_aside=True)},
    "in a conversation": {"node": SimpleNamespace(is_set_aside=False)},
}


def card_in(state: str, *, viewer: Viewer) -> PostCard:
    """The card in a state, as the viewer gets it."""
    facts = dict(STATES[state])
    author = facts.pop("author", ALICE)
    made = card(author, **facts)
    return made._replace(is_own=author.user_id == viewer.user_id)
