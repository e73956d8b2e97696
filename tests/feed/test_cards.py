"""Cards of posts: the HTML that plain Django templates make, escaped, folded, with a menu, dates and counts."""

import re
from datetime import UTC, datetime, timedelta
from functools import cache
from html import unescape
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.template import Context, Engine
from django.template.backends.django import DjangoTemplates
from django.template.base import VariableNode
from django.test import Client, RequestFactory
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override

from accounts.people.cards import PersonCard, count_text
from accounts.people.viewer import VISITOR, Viewer
from feed.cards.post_card import Choice, PollCard, PostCard, ShownPhoto
from feed.cards.ready_strings import in_runs, is_rare, strings_of
from feed.cards.words import Fold, fold_of, likes_word, words_of
from feed.posts.models import Audience, Withheld
from feed.templatetags import posts
from socialsite.process_state import reset_process_state
from socialsite.web.preferences import ago, full_date, short_date
from tests.conftest import post
from tests.feed.scenes import clock_at
from tests.injected.faults import share
from tests.moderation.cases import mark_sensitive
from tests.relations.scenes import ON
from tests.web.html import Html

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


# The card is that of plain Django templates, which stand frozen among the benchmarks: same HTML, less work.

# A quarter, another one each run; what the card itself must say has tests of its own.
SOME_STATES = share(STATES, one_of=4, salt="states of a card")
INCLUDED = '{% for card in cards %}{% include "feed/_post.html" %}{% endfor %}'
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')


class Tokens(HTMLParser):
    """What a browser reads: tags with their attributes, in any order, and texts with their white space as one."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[Any] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, sorted(attrs, key=str)))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        words = " ".join(data.split())
        if words:
            self.found.append(words)


def engine(*folders: Path, **libraries: str) -> DjangoTemplates:
    """The site's own, or one that finds the templates of other folders first and leaves their white space."""
    own = settings.TEMPLATES[0]
    loading = {} if folders else {"loaders": own["OPTIONS"]["loaders"]}
    options = {
        "context_processors": [
            "django.template.context_processors.request",
            "socialsite.web.preferences.in_templates",
        ],
        "libraries": own["OPTIONS"]["libraries"] | libraries,
    }
    dirs = [*folders, *own["DIRS"]]
    given = {"NAME": "", "DIRS": dirs, "APP_DIRS": not loading, "OPTIONS": options | loading}
    return DjangoTemplates(given)


PLAIN = engine(
    settings.BASE_DIR / "benchmarks" / "templates" / "plain", posts="tests.feed.plain_posts"
)
OWN = engine()


@cache
def compiled(by: DjangoTemplates, source: str) -> Any:
    return by.from_string(source)


def drawn(
    by: DjangoTemplates, source: str, card: PostCard, viewer: Viewer, **way: Any
) -> list[Any]:
    request = RequestFactory().get("/local?page=<2>")
    request.user = viewer
    html = compiled(by, source).render({"cards": [card, card], **way}, request)
    return Tokens(TOKEN.sub("", html)).found


def assert_same(state: str, viewer: Viewer, way: str) -> None:
    """The card drawn by the site, twice on a page, is what the frozen templates draw."""
    card, options = card_in(state, viewer=viewer), WAYS[way]
    given = "".join(f" {name}={name}" for name in options)
    own = f"{{% load posts %}}{{% for card in cards %}}{{% post_card card{given} %}}{{% endfor %}}"
    found = drawn(OWN, own, card, viewer, **options)
    assert found == drawn(PLAIN, INCLUDED, card, viewer, **options), (state, way)
    assert card.post_id in str(found)


@pytest.mark.parametrize("state", SOME_STATES)
def test_a_card_is_that_of_plain_templates_for_everyone_and_in_every_way(state):
    with clock_at(NOW):
        for viewer, way in product(VIEWERS.values(), WAYS):
            assert_same(state, viewer, way)


@pytest.mark.parametrize("language", ["de", "zh-hans"])
def test_so_it_is_in_every_language(language):
    viewers, ways = [VISITOR, VIEWERS["bob"]], ["in a list", "on its page"]
    with translation.override(language), clock_at(NOW):
        for state, viewer, way in product(SOME_STATES[::2], viewers, ways):
            assert_same(state, viewer, way)


# What a card's template puts in its place is escaped before: nothing else leaves `strings_of`.

PARTS = ["_post", "_post_text", "_like_button", "_repost_button", "_reply_button", "_post_actions"]
OF_TEMPLATES = {"menu", "actions", "photos"}  # what a template drew
OF_OTHERS = ("card.", "person.", "size|")  # of what few cards show, and of `_avatar.html`


def strings(card, viewer=VISITOR):
    return strings_of(card, "en", viewer)


@pytest.mark.parametrize("state", STATES)
def test_only_strings_that_are_ready_for_html_leave(state):
    with clock_at(NOW):
        for viewer in VIEWERS.values():
            found = strings(card_in(state, viewer=viewer), viewer)
            face = found.pop("person")
            assert {type(one) for one in [*found.values(), *face.values()]} == {SafeString}
            assert "<svg" not in "".join([*found.values(), *face.values()])


def test_hostile_text_is_escaped_once():
    found = strings(card(person("eve", name=HOSTILE), lang='"><b>', warning=HOSTILE))
    assert unescape(found["name"]) == HOSTILE
    assert not set("<>\"'") & set(found["name"] + found["lang"])


def test_html_of_the_text_stays_html_and_a_text_that_claims_none_is_escaped():
    assert strings(card())["html"] == "It <b>rains</b> &amp; pours"
    assert strings(card(html="<b>"))["html"] == "&lt;b&gt;"


@pytest.mark.parametrize("name", PARTS)
def test_what_every_card_shows_is_among_the_ready_strings(name):
    template = Engine.get_default().get_template(f"feed/{name}.html")
    shown = {
        str(node.filter_expression) for node in template.nodelist.get_nodes_by_type(VariableNode)
    }
    flat = {one for one in shown if not one.startswith(OF_OTHERS)}
    assert flat
    assert flat <= strings(card()).keys() | OF_TEMPLATES


def test_a_run_fills_in_what_django_would_and_leaves_the_rest_to_it():
    source = "100% {{ name }}{% if shown %} of {{ name }}{% endif %}, {{ card.name }}{% if not shown %}-{% endif %}"
    template = Engine.get_default().from_string(source)
    with (context := Context({"card": {"name": "<i>"}})).push(
        {"name": SafeString("<b>%s</b>"), "shown": True}
    ):
        wanted = "100% <b>%s</b> of <b>%s</b>, &lt;i&gt;"
        assert in_runs(template).render(context) == template.render(context) == wanted


def test_addresses_to_sign_in_are_for_visitors():
    assert strings(card())["sign_in_url"].startswith("/login?next=/%40alice/posts/")
    assert strings(card(), VIEWERS["bob"])["sign_in_url"] == ""


def test_words_follow_number_and_language():
    with translation.override("de"):
        german = [likes_word(number, "de") for number in (0, 1, 2)]
        assert words_of("de")["says_like"] != words_of("en")["says_like"]
    assert [likes_word(number, "en") for number in (0, 1, 2)] == ["likes", "like", "likes"]
    assert german[1] != "like"
    assert german[0] == german[2] != german[1]


def test_only_what_few_cards_have_is_rare():
    assert not is_rare(card(ALICE, liked=True, like_count=3, reply_count=1, lang="de"))
    assert is_rare(card(ALICE, edited_at="2026-05-17T10:00:00+00:00"))
    assert is_rare(card(ALICE, is_sensitive=True))


# A card stays as it was made: pages share cards, and caches may.


@pytest.mark.parametrize("one", [card(), ALICE], ids=["post", "person"])
@pytest.mark.parametrize("name", ["url", "colour"])
def test_a_card_takes_neither_another_value_nor_another_attribute(one, name):
    with pytest.raises(AttributeError):
        setattr(one, name, "")


# What is kept of a card holds nothing of the page that it stood on.


def test_the_same_card_on_another_page_leads_back_to_that_one_and_nothing_more_is_kept(
    alice, bob, log_in
):
    post(bob)
    browser = log_in(alice)
    reset_process_state()
    found = [entries(browser.get(address))["Mute @bob…"] for address in ("/@bob", "/@bob?x=1&y=2")]
    assert found == ["/@bob/mute?next=%2F%40bob", "/@bob/mute?next=%2F%40bob%3Fx%3D1%26y%3D2"]
    assert len(posts.CARDS) == 1


# The menu of a post: links to pages that work by themselves, and lead back to where the menu was.


def entries(response: HttpResponse) -> dict[str, str]:
    """Where the menu of the one post on the page leads, by the words of its entries."""
    links = Html(response).all("a")
    copy = next(place for place, link in enumerate(links) if "data-copy" in link.attributes)
    last = next(
        place
        for place, link in enumerate(links)
        if place > copy and link["href"].endswith(("/delete", "/report"))
    )
    return {link.text: link["href"] for link in links[copy : last + 1]}


def test_ones_own_post_can_be_copied_quoted_saved_changed_and_deleted(alice, log_in):
    post(alice)
    assert list(entries(log_in(alice).get("/@alice"))) == [
        *("Copy link", "Quote post", "Edit post", "Pin to your profile"),
        *("Who can reply…", "Who can see this…", "Delete post"),
    ]


def test_the_link_to_copy_leads_to_the_post(alice, bob, log_in):
    post_id = post(bob)
    assert entries(log_in(alice).get("/@bob"))["Copy link"] == f"/@bob/posts/{post_id}"


@pytest.mark.parametrize("entry", ["Mute @bob…", "Block @bob…"])
def test_muting_and_blocking_lead_back_to_the_page_without_the_post(
    alice, bob, log_in, drain_stream, entry
):
    post(bob)
    drain_stream()
    browser = log_in(alice)
    address = entries(browser.get("/local?from=here"))[entry]
    form = Html(browser.get(address)).one("form", class_="confirm")
    answer = browser.post(form["action"], ON | {"length": "7d"})
    assert answer["Location"] == "/local?from=here"
    assert Html(browser.get(answer["Location"])).post_ids() == []


def test_blocking_on_the_page_of_a_post_leads_to_the_profile(alice, bob, log_in):
    browser = log_in(alice)
    address = entries(browser.get(f"/@bob/posts/{post(bob)}"))["Block @bob…"]
    form = Html(browser.get(address)).one("form", class_="confirm")
    assert browser.post(form["action"], ON)["Location"] == "/@bob"


THAT_NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


# Times and counts on cards, as each language writes them.


@pytest.mark.parametrize(
    ("seconds", "english", "german", "chinese"),
    [
        (-5, "now", "gerade eben", "刚刚"),
        (59, "now", "gerade eben", "刚刚"),
        (60, "1m", "1 Min.", "1分钟前"),
        (59 * 60, "59m", "59 Min.", "59分钟前"),
        (6 * 3600, "6h", "6 Std.", "6小时前"),
        (86_400, "1d", "1 Tag", "1天前"),
        (3 * 86_400, "3d", "3 Tage", "3天前"),
    ],
)
def test_a_week_is_told_as_how_long_ago(seconds, english, german, chinese):
    moment = datetime.now(UTC) - timedelta(seconds=seconds)
    for language, text in (("en", english), ("de", german), ("zh-hans", chinese)):
        with override(language):
            assert ago(moment) == text


@pytest.mark.parametrize(
    ("language", "this_year", "another"),
    [
        ("en", "Nov 3", "Nov 3, 2026"),
        ("de", "3. Nov.", "3. Nov. 2026"),
        ("zh-hans", "11月3日", "2026年11月3日"),
    ],
)
def test_what_is_older_is_told_as_its_day_with_the_year_if_it_is_another(
    language, this_year, another
):
    day = datetime(2026, 11, 3, tzinfo=UTC).date()
    assert short_date(day, language, with_year=False) == this_year
    assert short_date(day, language, with_year=True) == another
    with override(language):
        last_year = datetime.now(UTC) - timedelta(days=366)
        assert ago(last_year) == short_date(last_year.date(), language, with_year=True)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Nov. 21, 2026, noon"),
        ("de", "21. November 2026 12:00"),
        ("zh-hans", "2026年11月21日 12:00"),
    ],
)
def test_the_whole_date_is_in_words_of_the_language(language, text):
    with override(language):
        assert full_date(THAT_NOON) == f"{text} UTC"


@pytest.mark.parametrize(
    ("count", "english", "german", "chinese"),
    [
        (None, "", "", ""),
        (0, "0", "0", "0"),
        (999, "999", "999", "999"),
        (9_999, "9,999", "9.999", "9999"),
        (10_000, "10K", "10.000", "1万"),
        (12_345, "12.3K", "12.345", "1.2万"),
        (999_949, "999.9K", "999.949", "100万"),
        (999_950, "1M", "999.950", "100万"),
        (999_999, "1M", "999.999", "100万"),
        (999_999_999, "1B", "1\u00a0Mrd.", "10亿"),
        (1_234_567, "1.2M", "1,2\u00a0Mio.", "123.5万"),
    ],
)
def test_counts_are_exact_while_they_are_small_and_short_when_they_are_large(
    count, english, german, chinese
):
    for language, text in (("en", english), ("de", german), ("zh-hans", chinese)):
        with override(language):
            assert count_text(count) == text


# Which posts are folded: what takes more than about 12 lines, on a phone or everywhere.

LONG = "\n".join(f"Line {number}" for number in range(20))


@pytest.mark.parametrize(
    ("text", "fold"),
    [
        ("Hello", Fold.NEVER),
        ("a\n" * 11 + "a", Fold.NEVER),
        ("a\n" * 12 + "a", Fold.ALWAYS),
        (LONG, Fold.ALWAYS),
        ("word " * 80, Fold.NEVER),
        ("word " * 100, Fold.NARROW),
        ("陈" * 200, Fold.NEVER),
        ("陈" * 300, Fold.NARROW),
        ("陈" * 500, Fold.ALWAYS),
        ("word " * 60 + "\na" * 6, Fold.NARROW),
        ("", Fold.NEVER),
    ],
)
def test_a_text_is_folded_by_the_lines_that_it_takes(text, fold):
    assert fold_of(text) == fold


@pytest.mark.parametrize("path", ["/@alice", "/local"])
def test_a_long_post_is_folded_in_lists(alice, drain_stream, path):
    post(alice, LONG)
    post(alice, "Short")
    drain_stream()
    html = Html(Client().get(path))
    assert len(html.all("details", class_="fold")) == 1
    assert html.one("details", class_="fold").text.split() == ["Show", "more", "Show", "less"]


def test_it_is_never_folded_on_its_own_page(alice):
    post_id = post(alice, LONG)
    assert not Html(Client().get(f"/@alice/posts/{post_id}")).all("details", class_="fold")


def test_a_sensitive_post_is_folded_behind_its_cover_too(alice):
    post_id = post(alice, LONG)
    mark_sensitive(alice, post_id)
    assert Html(Client().get("/@alice")).all("details", class_="fold")
    assert not Html(Client().get(f"/@alice/posts/{post_id}")).all("details", class_="fold")
