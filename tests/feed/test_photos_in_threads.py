"""Photos in quotes, in replies, and in the further posts of a story."""

import secrets

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from feed.cards.reads import get_post
from feed.polls.models import PollWish
from feed.polls.writes import CLOSE_POLL
from feed.posts.models import Audience, Post, Reply
from feed.posts.reads import Pointer
from feed.profiles.reads import list_media, list_posts
from feed.publishing.changes import change_audience, describe_photos, edit_post
from feed.publishing.photos import CannotAttach
from feed.publishing.writes import (
    MOST_POSTS,
    Part,
    PartRefused,
    SubmittedAndDeleted,
    delete_post,
    publish_post,
)
from feed.sharing.writes import quote, withdraw_quote
from feed.threads.reads import get_conversation
from feed.threads.writes import choose_replies, reply
from photos.files import list_places
from photos.forms import MOST_PHOTOS
from relations.blocks.writes import block
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.table import change, get, ids, keys
from tests.conftest import HTMX, post
from tests.feed.scenes import (
    DRINKS,
    autosave,
    card_of,
    drafts_of,
    fields,
    photo,
    poll_of,
    post_photos,
    quoted_by,
    vote_for,
)
from tests.feed.test_photos import (
    SEEN_BY,
    file,
    files_on,
    opens,
    photo_of,
    readers,  # noqa: F401
)
from tests.feed.test_publishing import contents
from tests.kept import keep_site_rules
from tests.looks import broken_invariants, due_items
from tests.moderation.cases import restrict
from tests.moderation.staff import word_rule
from tests.relations.scenes import lock_older_posts
from tests.web.html import Html

POLL = PollWish(DRINKS, length="3d", several=True)
FIELDS = {"poll_options": [*DRINKS], "poll_ends": "3d", "poll_several": "on"}


@pytest.fixture
def post_id(alice) -> str:
    return post(alice, "A thought")


def send(browser: Client, post_id: str, **form: object):
    form = {"nonce": secrets.token_urlsafe(16), "content": "Look"} | form
    return browser.post(f"/@alice/posts/{post_id}/quote", form)


def ends_of_polls() -> list[str]:
    return [due.subject for due in due_items() if due.kind == CLOSE_POLL]


def shown(page: Html) -> tuple[list[str], list[str]]:
    """The photos and the answers that the composer shows."""
    tiles = [one["value"] for one in page.all(name="photo")]
    return tiles, [text for one in page.all(name="poll_options") if (text := one["value"])]


def test_a_quote_shows_its_photos_its_poll_and_the_post(alice, bob, log_in, post_id, drain_stream):
    given = {"photo": [photo(bob)], "description": ["A"], "photos": [file()], "descriptions": ["B"]}
    address = send(log_in(bob), post_id, **given, **FIELDS)["Location"]
    drain_stream()
    _, text = Client().get(address).content.decode().split("<article")
    places = [text.index(one) for one in ('alt="A"', 'alt="B"', "Coffee", "<blockquote")]
    assert places == sorted(places)
    (quoting,) = list_media(bob.card, viewer=alice).items
    assert [one.says for one in quoting.photos] == ["A", "B"]
    assert ends_of_polls() == [quoting.post_id]
    vote_for(alice, bob, quoting.post_id, 0, 2)
    drain_stream()
    assert poll_of(bob, quoting.post_id, alice).voters == 1
    assert broken_invariants() == {}


def test_a_photo_is_words_enough_but_no_question(bob, log_in, post_id):
    browser = log_in(bob)
    assert send(browser, post_id, content="", photo=[photo(bob)]).status_code == 302
    answer = send(browser, post_id, content="", photo=[photo(bob)], **FIELDS)
    assert answer.status_code == 422
    assert "Write something first." in answer.content.decode()


def test_the_same_form_twice_is_one_post_and_another_poll_or_photo_is_another(bob, log_in, post_id):
    one, other = photo(bob), photo(bob)
    browser, form = log_in(bob), {"nonce": "n" * 22, **FIELDS}
    first = send(browser, post_id, photo=[one], **form)["Location"]
    assert send(browser, post_id, photo=[one], **form)["Location"] == first
    assert send(browser, post_id, photo=[other], **form)["Location"] != first
    assert send(browser, post_id, nonce="n" * 22)["Location"] != first
    assert len(list_posts(bob.card, viewer=bob).items) == 3


def test_the_form_of_a_deleted_quote_says_so(alice, bob, post_id, drain_stream):
    form = {"by": bob, "post": Pointer(post_id, alice.user_id), "content": "Look", "nonce": "form"}
    form |= {"poll": POLL, "photos": [photo(bob)]}
    delete_post(by=bob, post_id=quote(**form))
    for _ in range(3):
        drain_stream()
    assert list(list_places(bob.user_id)) == [], "so that the photo is refused first"
    with pytest.raises(SubmittedAndDeleted):
        quote(**form)


def test_what_is_refused_keeps_text_photos_and_poll(alice, bob, log_in, post_id):
    used, free = photo(bob), photo(bob)
    post_photos(bob, used)
    browser = log_in(bob)
    answer = send(browser, post_id, photo=[used, free], **FIELDS)
    assert answer.status_code == 422
    assert shown(Html(answer)) == ([free], [*DRINKS])
    assert "another post shows it" in Html(answer).one(class_="photos-note").text
    choose_replies(by=alice, post_id=post_id, replies="", quotable=False)
    answer = send(browser, post_id, photo=[free], description=["A heron"], **FIELDS)
    assert answer.status_code == 403
    page = Html(answer)
    assert (page.value("content"), page.value("description")) == ("Look", "A heron")
    assert shown(page) == ([free], [*DRINKS])
    assert "open" in page.one("details", class_="part-poll").attributes
    assert "selected" in page.one("option", value="3d").attributes


def test_a_block_meanwhile_refuses_the_quote_keeps_all_and_leaves_the_photo_free(
    alice, bob, log_in, post_id, monkeypatch
):
    def seen_before(*args, **how):
        card = get_post(*args, **how)
        block(by=alice, user_id=bob.user_id)
        return card

    one, browser = photo(bob), log_in(bob)
    monkeypatch.setattr("feed.sharing.views.get_post", seen_before)
    answer = send(browser, post_id, photo=[one], **FIELDS)
    assert answer.status_code == 403
    assert "You can’t quote this post." in answer.content.decode()
    assert shown(Html(answer)) == ([one], [*DRINKS])
    assert ends_of_polls() == []
    assert post_photos(bob, one)


def test_without_script_photos_are_moved_and_taken_out_where_one_quotes(bob, log_in, post_id):
    one, other = photo(bob), photo(bob)
    browser, address = log_in(bob), f"/@alice/posts/{post_id}/quote"
    plain = Html(browser.get(address))
    assert plain.all("input", type="file", name="photos")
    assert len(plain.all("textarea", name="descriptions")) == 4
    form = {"photo": [one, other], "description": ["One", "Other"], **FIELDS}
    page = Html(send(browser, post_id, arrange=f"earlier {other}", **form))
    assert shown(page) == ([other, one], [*DRINKS])
    assert page.one("button", value=f"remove {one}")["formaction"] == address
    page = Html(send(browser, post_id, arrange=f"remove {one}", **form))
    assert shown(page) == ([other], [*DRINKS])
    assert page.value("content") == "Look"
    assert list_posts(bob.card).items == []


def test_word_rules_read_descriptions_and_answers(admin, bob, log_in, post_id):
    word_rule(admin, "coffee", Effect.REFUSE)
    word_rule(admin, "heron", Effect.REFUSE)
    browser = log_in(bob)
    assert send(browser, post_id, **FIELDS).status_code == 422
    answer = send(browser, post_id, photo=[photo(bob)], description=["A heron"])
    assert answer.status_code == 422


def test_a_held_quote_shows_its_photos_to_nobody_until_it_is_released(
    admin, alice, bob, log_in, post_id, drain_stream
):
    word_rule(admin, "heron", Effect.HOLD)
    browser = log_in(bob)
    sent = {"photo": [photo(bob)], "description": ["A heron"]}
    address = send(browser, post_id, **sent, **FIELDS)["Location"]
    drain_stream()
    for other in (Client(), log_in(alice)):
        assert files_on(other, address) == files_on(other, "/@bob/media") == set()
        assert "A heron" not in other.get(f"/@alice/posts/{post_id}/quotes").content.decode()
    own = files_on(browser, address)
    assert own
    assert not any(opens(Client(), one) for one in own)
    change(Post, keys.post(bob.user_id, address.rsplit("/")[-1]), [Post.withheld.remove()])
    drain_stream()
    drain_stream()
    assert all(opens(Client(), one) for one in files_on(Client(), address))


def test_a_withdrawn_quote_keeps_its_photos_and_its_poll(alice, bob, post_id, drain_stream):
    quoting = quoted_by(bob, alice, post_id, photos=[photo(bob, "A heron")], poll=POLL)
    vote_for(alice, bob, quoting, 1)
    withdraw_quote(by=alice, quoting=Pointer(quoting, bob.user_id))
    drain_stream()
    card = card_of(bob, quoting, alice)
    assert card.quoted is None
    assert [one.says for one in card.photos] == ["A heron"]
    assert card.poll.voters == 1
    assert files_on(Client(), card.url)
    assert broken_invariants() == {}


def test_a_deleted_quote_takes_photos_and_the_planned_end_along(alice, bob, post_id, drain_stream):
    quoting = quoted_by(bob, alice, post_id, photos=[photo(bob)], poll=POLL)
    delete_post(by=bob, post_id=quoting)
    for _ in range(3):
        drain_stream()
    assert list(list_places(bob.user_id)) == []
    assert ends_of_polls() == []
    assert broken_invariants() == {}


# Photos in replies: shown in the thread like those of other posts, to those whom the thread is for.

BOTH = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])


@pytest.fixture
def root(alice) -> Pointer:
    return Pointer(publish_post(by=alice, content="Look", nonce="root"), alice.user_id)


def url_of(root: Pointer) -> str:
    return f"/@alice/posts/{root.post_id}"


def answer(by, to: Pointer, *photos: str, content: str = "Mine", nonce: str = "") -> str:
    return reply(by=by, to=to, content=content, nonce=nonce or ids.new_id(), photos=photos)


def send_reply(browser: Client, root: Pointer, extra, **form: object):
    form = {"nonce": secrets.token_urlsafe(16), "content": "Mine"} | form
    return browser.post(f"{url_of(root)}/reply", form, **extra)


def says(browser_of, root: Pointer) -> list[list[str]]:
    branches = get_conversation(root.post_id, root.author_id, viewer=browser_of).branches
    return [[one.says for one in node.card.photos] for branch in branches for node in branch.chain]


@BOTH
def test_a_reply_shows_its_photos_in_the_thread(alice, bob, log_in, root, drain_stream, extra):
    one = photo(bob, "Before")
    given = {"photo": [one], "description": ["A"], "photos": [file()], "descriptions": ["B"]}
    response = send_reply(log_in(bob), root, extra, content="", **given)
    assert response.status_code == (200 if extra else 302)
    drain_stream()
    page = log_in(alice).get(url_of(root)).content.decode()
    assert page.index('alt="A"') < page.index('alt="B"')
    assert 'alt="A"' in Client().get(url_of(root)).content.decode()
    assert broken_invariants() == {}


@BOTH
def test_what_is_refused_keeps_text_and_photos(bob, log_in, root, extra):
    used, free = photo(bob), photo(bob)
    post_photos(bob, used)
    response = send_reply(log_in(bob), root, extra, photo=[used, free], description=["", "Free"])
    assert response.status_code == 422
    page = Html(response)
    assert page.value("content") == "Mine"
    assert [one["value"] for one in page.all(name="photo")] == [free]
    assert "another post shows it" in page.one(class_="photos-note").text
    response = send_reply(log_in(bob), root, extra, content="x" * 1001, photos=[file()])
    assert response.status_code == 422
    assert len(Html(response).all(name="photo")) == 1


def test_without_script_photos_are_moved_and_taken_out_where_one_answers(bob, log_in, root):
    one, other = photo(bob), photo(bob)
    browser = log_in(bob)
    plain = Html(browser.get(f"{url_of(root)}/reply"))
    assert plain.all("input", type="file", name="photos")
    assert len(plain.all("textarea", name="descriptions")) == 4
    form = {"photo": [one, other], "description": ["One", "Other"]}
    page = Html(send_reply(browser, root, {}, arrange=f"earlier {other}", **form))
    assert [tile["value"] for tile in page.all(name="photo")] == [other, one]
    assert page.one("button", value=f"remove {one}")["formaction"] == f"{url_of(root)}/reply"
    page = Html(send_reply(browser, root, {}, arrange=f"remove {one}", **form))
    assert [tile["value"] for tile in page.all(name="photo")] == [other]
    assert page.value("content") == "Mine"
    assert list_posts(bob.card).items == []


def test_the_same_form_twice_is_one_reply_and_other_photos_are_another(bob, root, drain_stream):
    one, other = photo(bob), photo(bob)
    first = answer(bob, root, one, nonce="form")
    assert answer(bob, root, one, nonce="form") == first
    assert answer(bob, root, other, nonce="form") != first


def test_word_rules_read_descriptions_of_replies(bob, log_in, root):
    keep_site_rules(SiteRules(words=(Word("w1", "word", "heron", Effect.REFUSE, "spam", ""),)))
    response = send_reply(log_in(bob), root, {}, photo=[photo(bob)], description=["A heron"])
    assert response.status_code == 422


@pytest.mark.parametrize("audience", SEEN_BY)
def test_each_reader_of_the_thread_gets_addresses_that_only_they_can_use(
    alice,
    readers,  # noqa: F811
    drain_stream,
    audience,
):
    root = Pointer(
        publish_post(by=alice, content="Look", nonce="r", audience=audience), alice.user_id
    )
    answer(alice, root, photo(alice), photo(alice))
    drain_stream()
    drain_stream()
    named = {kind: files_on(browser, url_of(root)) for kind, browser in readers.items()}
    assert {kind for kind, files in named.items() if files} == SEEN_BY[audience]
    for owner, files in named.items():
        for address in files:
            can = {kind for kind, browser in readers.items() if opens(browser, address)}
            assert can == (set(readers) if audience == Audience.EVERYONE else {owner})


def hidden(alice, bob, root, reply_id):
    restrict(bob, Restriction.SUSPENDED)


def closed(alice, bob, root, reply_id):
    change_audience(by=alice, post_id=root.post_id, audience=Audience.FRIENDS)


def deleted(alice, bob, root, reply_id):
    delete_post(by=bob, post_id=reply_id)


def locked(alice, bob, root, reply_id):
    lock_older_posts(alice)


@pytest.mark.parametrize("close", [hidden, closed, deleted, locked])
def test_once_the_thread_or_reply_is_closed_its_public_files_are_gone(
    alice, bob, root, drain_stream, close
):
    reply_id = answer(bob, root, photo(bob))
    visitor = Client()
    assert files_on(visitor, url_of(root)) == set(), "until the worker was there"
    drain_stream()
    drain_stream()
    before = files_on(visitor, url_of(root))
    assert before
    assert all(opens(visitor, one) for one in before)
    close(alice, bob, root, reply_id)
    for _ in range(3):
        drain_stream()
    assert files_on(visitor, url_of(root)) == set()
    assert not any(opens(visitor, one) for one in before)
    assert broken_invariants() == {}


def test_a_thread_opened_again_shows_the_photos_of_its_replies_at_other_addresses(
    alice, bob, root, drain_stream
):
    answer(bob, root, photo(bob))
    visitor = Client()
    change_audience(by=alice, post_id=root.post_id, audience=Audience.FRIENDS)
    for _ in range(3):
        drain_stream()
    assert files_on(visitor, url_of(root)) == set()
    change_audience(by=alice, post_id=root.post_id, audience=Audience.EVERYONE)
    for _ in range(3):
        drain_stream()
    assert files_on(visitor, url_of(root))
    assert broken_invariants() == {}


def test_the_copy_in_the_thread_follows_descriptions_and_edits(alice, bob, root, drain_stream):
    one = photo(bob, "x" * 300)
    reply_id = answer(bob, root, one, content="Short")
    describe_photos(by=bob, post_id=reply_id, descriptions={one: "y" * 300})
    assert says(alice, root) == [["y" * 300]]
    edit_post(by=bob, post_id=reply_id, content="é" * 1000, version=1)
    drain_stream()
    drain_stream()
    assert broken_invariants() == {}


def test_a_deleted_reply_takes_its_photos_along_and_leaves_its_place_bare(
    alice, bob, root, drain_stream
):
    reply_id = answer(bob, root, photo(bob))
    answer(alice, Pointer(reply_id, bob.user_id))
    place = get(Post, keys.post(bob.user_id, reply_id))
    delete_post(by=bob, post_id=reply_id)
    for _ in range(3):
        drain_stream()
    assert list(list_places(bob.user_id)) == []
    assert get(Reply, keys.reply_place(place.root_id, place.path)).photos is None
    assert broken_invariants() == {}


def test_a_reply_with_photos_is_among_its_authors_media(alice, bob, root):
    reply_id = answer(bob, root, photo(bob, "A heron"))
    assert [card.post_id for card in list_media(bob.card, viewer=alice).items] == [reply_id]


def send_story(browser: Client, extra=None, **form: object):
    form = {"nonce": secrets.token_urlsafe(16), "content": "One"} | form
    address = form.pop("address", "/posts")
    return browser.post(address, form, **(extra or {}))


# Photos in the further posts of a story: each post has its own, and all are published together or not at all.


def names(page: Html, name: str) -> list[str]:
    return [one["value"] for one in page.all(name=name)]


@BOTH
def test_each_post_of_a_story_shows_its_own_photos(alice, log_in, drain_stream, extra):
    first, second = photo(alice), photo(alice)
    form = {
        "photo": [first],
        "description": ["A"],
        "2-content": "",
        "2-photo": [second],
        "2-description": ["B"],
        "2-photos": [file()],
        "2-descriptions": ["C"],
        "3-content": "Three",
    }
    response = send_story(log_in(alice), extra, **form)
    assert response.status_code == (200 if extra else 302)
    drain_stream()
    root = photo_of(alice, first).post_id
    page = Client().get(f"/@alice/posts/{root}").content.decode()
    places = [page.index(f'alt="{letter}"') for letter in "ABC"]
    assert places == sorted(places)
    assert len({photo_of(alice, one).post_id for one in (first, second)}) == 2
    assert broken_invariants() == {}


def test_ten_posts_with_four_photos_each_are_one_transaction(alice, drain_stream):
    of_each = [[photo(alice) for _ in range(MOST_PHOTOS)] for _ in range(MOST_POSTS)]
    parts = [Part(f"Post {n}", photos=tuple(one)) for n, one in enumerate(of_each[1:], 2)]
    publish_post(by=alice, content="Post 1", nonce="n", photos=of_each[0], parts=parts)
    drain_stream()
    assert len(contents(alice)) == MOST_POSTS
    assert all(photo_of(alice, one).post_id for some in of_each for one in some)
    assert broken_invariants() == {}


def test_the_same_story_twice_is_one_and_with_other_photos_another(alice):
    one, other = photo(alice), photo(alice)
    form = {"by": alice, "content": "One", "nonce": "form"}
    first = publish_post(**form, parts=[Part("Two", photos=(one,))])
    assert publish_post(**form, parts=[Part("Two", photos=(one,))]) == first
    assert publish_post(**form, parts=[Part("Two", photos=(other,))]) != first


def test_a_photo_that_is_gone_refuses_the_whole_story(alice):
    used, free = photo(alice), photo(alice)
    post_photos(alice, used)
    for gone in (used, ids.new_id()):
        parts = [Part("Two", photos=(gone,))]
        with pytest.raises(CannotAttach) as refusal:
            publish_post(by=alice, content="One", nonce="n", photos=[free], parts=parts)
        assert refusal.value.photo_ids == (gone,)
    assert contents(alice) == ["Look"]


@BOTH
def test_a_refusal_stands_beside_the_post_and_all_photos_are_kept(alice, log_in, extra):
    first, used, free = photo(alice), photo(alice), photo(alice)
    post_photos(alice, used)
    form = {"photo": [first], "2-content": "Two", "2-photo": [used, free]}
    response = send_story(log_in(alice), extra, **form, **{"2-description": ["", "Free"]})
    assert response.status_code == 422
    page = Html(response)
    assert (names(page, "photo"), names(page, "2-photo")) == ([first], [free])
    notes = [one.text for one in page.all(class_="photos-note") if one.text]
    assert len(notes) == 1
    assert page.value("2-content") == "Two"


def test_a_fifth_photo_of_a_further_post_and_the_same_in_two_are_told(alice, log_in):
    mine = [photo(alice) for _ in range(4)]
    response = send_story(
        log_in(alice), **{"2-content": "Two", "2-photo": mine, "2-photos": [file()]}
    )
    assert response.status_code == 422
    assert names(Html(response), "2-photo") == mine
    response = send_story(
        log_in(alice), photo=mine[:1], **{"2-content": "Two", "2-photo": mine[:1]}
    )
    assert response.status_code == 422
    assert "only once" in response.content.decode()
    assert contents(alice) == []


def test_without_script_photos_are_moved_and_the_story_grows_with_them(alice, log_in):
    one, other = photo(alice, "One"), photo(alice, "Other")
    browser = log_in(alice)
    form = {"2-content": "Two", "2-photo": [one, other], "2-description": ["One", "Other"]}
    moved = Html(
        send_story(browser, address="/posts/photos", **form, **{"2-arrange": f"later {one}"})
    )
    assert names(moved, "2-photo") == [other, one]
    assert names(moved, "photo") == []
    left = Html(
        send_story(browser, address="/posts/photos", **form, **{"2-arrange": f"remove {one}"})
    )
    assert names(left, "2-photo") == [other]
    files = {"2-photos": [file()], "2-descriptions": ["New"]}
    grown = Html(send_story(browser, add="1", **form, **files))
    assert names(grown, "2-photo")[:2] == [one, other]
    assert [one.text for one in grown.all(name="2-description")] == ["One", "Other", "New"]
    assert grown.value("3-content") == ""
    assert grown.all("textarea", name="3-descriptions")


def test_word_rules_read_descriptions_of_further_posts(alice, log_in):
    keep_site_rules(SiteRules(words=(Word("w1", "word", "heron", Effect.REFUSE, "spam", ""),)))
    one = photo(alice)
    form = {"2-content": "Two", "2-photo": [one], "2-description": ["A heron"]}
    assert send_story(log_in(alice), **form).status_code == 422
    with pytest.raises(PartRefused):
        publish_post(by=alice, content="One", nonce="n", parts=[Part("Two", photos=(one,))])
    assert list_posts(alice.card).items == []


def test_a_draft_keeps_the_photos_of_all_its_posts(alice, log_in, drain_stream):
    first, second = photo(alice), photo(alice)
    browser = log_in(alice)
    form = fields("One", photo=[first], **{"2-content": "", "2-photo": [second]})
    form["2-description"] = ["B"]
    assert autosave(browser, form)["status"] == 200
    (draft,) = drafts_of(alice)
    page = Html(browser.get(draft.url))
    assert (names(page, "photo"), names(page, "2-photo")) == ([first], [second])
    assert photo_of(alice, second).ttl is None
    drain_stream()
    assert browser.post("/posts", form | {"version": "1"}).status_code == 302
    drain_stream()
    assert photo_of(alice, second).post_id
    assert broken_invariants() == {}


@pytest.mark.parametrize("audience", SEEN_BY)
def test_each_reader_of_a_story_gets_addresses_that_only_they_can_use(
    alice,
    readers,  # noqa: F811
    audience,
):
    parts = [Part("Two", photos=(photo(alice),))]
    post_id = publish_post(by=alice, content="One", nonce="n", parts=parts, audience=audience)
    url = f"/@alice/posts/{post_id}"
    named = {kind: files_on(browser, url) for kind, browser in readers.items()}
    assert {kind for kind, files in named.items() if files} == SEEN_BY[audience]
    for owner, files in named.items():
        for address in files:
            can = {kind for kind, browser in readers.items() if opens(browser, address)}
            assert can == (set(readers) if audience == Audience.EVERYONE else {owner})
