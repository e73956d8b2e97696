"""What muted words do to each list of posts and to notifications: where × hide or fold × kind of text."""

from itertools import product

import pytest

from feed.likes.writes import like_post
from feed.posts.reads import Pointer
from feed.publishing.writes import publish_post
from feed.saved.writes import save_post
from feed.sharing.writes import repost
from relations.follows.writes import follow
from relations.lists.writes import add_to_list, create_list
from relations.muted_words.reads import forget_muted_words
from relations.muted_words.words import MutedWord, Where
from relations.muted_words.writes import mute_word, unmute_word
from relations.own_choices.writes import favourite, subscribe
from socialsite.table import ids
from tests.conftest import post
from tests.feed.scenes import answer, ask, photo, post_photos, quoted_by
from tests.feed.timelines import authors, fill_home
from tests.notifications.told import badge, read_page
from tests.web.html import Html

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")

EVERYWHERE, HOME, NOTIFICATIONS = Where
OWN = {"/@alice/likes", "/saved", "/search?in=liked&q=election", "/@bob/posts/{text}",
       "/search?tab=posts&q=election"}  # fmt: skip
AT_HOME = {"/", "/favourites", "/lists/{list}"}
MET = {
    "/": {"text", "tag", "warning", "poll", "photo", "quote", "carols"},
    "/favourites": {"text", "tag", "warning", "poll", "photo", "quote", "carols"},
    "/lists/{list}": {"text", "tag", "warning", "poll", "photo", "quote", "carols"},
    "/search?tab=posts&q=election": {"text", "tag", "warning", "poll", "carols"},
    "/local": {"text", "tag", "warning", "poll", "photo", "quote", "carols"},
    "/@bob": {"text", "tag", "warning", "poll", "photo", "quote", "carols"},
    "/@bob/media": {"photo"},
    "/@bob/replies": {"reply"},
    "/tags/election": {"tag"},
    "/@carol/posts/{carols}/quotes": {"quote"},
    "/@carol/posts/{asked}": {"reply"},
    "/@alice/likes": {"text"},
    "/saved": {"text"},
    "/search?in=liked&q=election": {"text"},
    "/@bob/posts/{text}": {"text"},
}


@pytest.fixture
def posts(alice, bob, carol, drain_stream) -> dict[str, str]:
    """Posts that have the word election, each in another kind of text, in lists of Alice's; one that has not, and one
    of her own. Carol's post comes home as Bob's repost."""
    follow(by=alice, user_id=bob.user_id)
    favourite(by=alice, user_id=bob.user_id)
    bakers = create_list(by=alice, name="Bakers")
    add_to_list(by=alice, list_id=bakers, user_id=bob.user_id)
    drain_stream()
    carols, asked = post(carol, "Election"), post(carol, "What is new?")
    made = {
        "carols": carols,
        "text": post(bob, "The ÉLECTION!"),
        "tag": post(bob, "#Election2 #election"),
        "warning": publish_post(by=bob, content="x", warning="election", nonce=ids.new_id()),
        "poll": ask(bob, ("Election", "None")),
        "photo": post_photos(bob, photo(bob, "A poster of the election")),
        "quote": quoted_by(bob, carol, carols),
        "reply": answer(bob, carol, asked, "The election"),
        "plain": post(bob, "Elections"),
        "own": post(alice, "My election"),
        "asked": asked,
        "list": bakers,
    }
    repost(by=bob, post=Pointer(carols, carol.user_id))
    like_post(by=alice, post_id=made["text"], author_id=bob.user_id)
    save_post(by=alice, post_id=made["text"], author_id=bob.user_id)
    drain_stream()
    return made


def shown(browser, address: str) -> dict[str, bool]:
    """The posts on a page, each with whether it is folded."""
    found, is_folded = {}, False
    for one in Html(browser.get(address)).elements:
        classes = one.attributes.get("class", "").split()
        if "muted-by" in classes:
            is_folded = True
        elif one.tag == "article" and "post" in classes:
            found[one["id"].removeprefix("post-")] = is_folded
            is_folded = False
    return found


def test_lists_fold_or_leave_out_what_has_a_muted_word(alice, log_in, posts):
    browser = log_in(alice)
    addresses = {one: one.format(**posts) for one in MET}
    before = {one: shown(browser, addresses[one]) for one in MET}
    for one, kinds in MET.items():
        assert {posts[kind] for kind in kinds} <= before[one].keys(), one
        assert not any(before[one].values()), one
    for where, folds in product(Where, (True, False)):
        mute_word(by=alice, word=MutedWord("Election", where, folds))
        for one, kinds in MET.items():
            expected = before[one]
            if where == EVERYWHERE or (where == HOME and one in AT_HOME):
                met = {posts[kind] for kind in kinds}
                stays = folds or one in OWN
                expected = {id_: id_ in met for id_ in before[one] if stays or id_ not in met}
            assert shown(browser, addresses[one]) == expected, (one, where, folds)
    unmute_word(by=alice, word="Election")
    assert shown(browser, "/local") == before["/local"]


def test_a_tag_is_muted_without_its_word(alice, log_in, posts):
    mute_word(by=alice, word=MutedWord("#election", folds=False))
    left = shown(log_in(alice), "/@bob")
    assert posts["tag"] not in left
    assert posts["text"] in left


def test_a_line_says_which_word_it_is_and_opens_without_scripts(alice, log_in, posts):
    mute_word(by=alice, word=MutedWord("<election>", folds=True))
    page = Html(log_in(alice).get(f"/@bob/posts/{posts['text']}"))
    fold = page.one("details", class_="muted-by")
    assert fold.text.startswith("Muted: <election>")
    assert "open" not in fold.attributes
    assert "The ÉLECTION!" in fold.text


def test_an_answer_to_what_is_left_out_stays_below_a_line(alice, bob, carol, log_in, posts):
    below = answer(carol, bob, posts["reply"], "I see")
    mute_word(by=alice, word=MutedWord("election", folds=False))
    page = Html(log_in(alice).get(f"/@carol/posts/{posts['asked']}"))
    assert below in page.post_ids()
    assert page.one("p", id=f"post-{posts['reply']}").text == "This post has a word you’ve muted."
    head = Html(log_in(alice).get(f"/@carol/posts/{below}"))
    assert head.one("p", id=f"post-{posts['reply']}").text == "This post has a word you’ve muted."


@pytest.mark.parametrize(("where", "folds"), product(Where, (True, False)))
def test_notifications_fold_or_leave_out_what_has_a_muted_word(
    alice, bob, log_in, drain_stream, where, folds
):
    favourite(by=alice, user_id=bob.user_id)
    subscribe(by=alice, user_id=bob.user_id)
    mention = post(bob, "@alice the election")
    drain_stream()
    mute_word(by=alice, word=MutedWord("election", where, folds))
    browser = log_in(alice)
    assert badge(browser).startswith("2")  # the bell cannot know
    acts = where != HOME
    page = Html(browser.get("/notifications"))
    sentences = [one.text for one in page.all("p", class_="note-text")]
    assert len(sentences) == (0 if acts and not folds else 2)
    assert shown(browser, "/notifications") == ({mention: acts} if folds or not acts else {})
    lines = [one.text for one in page.all("a", class_="note-post")]
    if sentences:
        assert lines == (["Muted: election"] if acts else ["@alice the election"])
    read_page(browser)
    assert badge(browser) == ""


def test_visitors_and_others_see_all(alice, bob, client, log_in, posts):
    mute_word(by=alice, word=MutedWord("election", folds=False))
    for browser in (client, log_in(bob)):
        assert posts["text"] in shown(browser, "/local")


@capacity
def test_home_takes_as_many_calls_and_half_a_unit_more_once(alice, log_in, requests_of):
    fill_home(alice, authors(20))
    browser = log_in(alice)
    mute_word(by=alice, word=MutedWord("election"))
    forget_muted_words()
    for units in ([2, 0.5, 40.5], [2, 0.5, 40]):
        with requests_of() as requests:
            browser.get("/")
        assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]
        assert requests.units == units
