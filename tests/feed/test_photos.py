"""Posts with photos: from the composer to the files, which show to those who may see the post."""

import re
import secrets
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import UserInfo
from feed.cards.reads import get_post, get_post_of_photos
from feed.composing.composer import take_photos
from feed.composing.forms import PartForm, PostForm, QuoteForm, ReplyForm
from feed.posts.content_checks import RefusedByRules, TooLarge
from feed.posts.models import Audience, Post, Withheld
from feed.profiles.reads import list_posts
from feed.publishing.changes import change_audience, edit_post, limit_past_posts
from feed.publishing.forms import POST_BYTES
from feed.publishing.photos import CLEAR_PHOTOS, CannotAttach, cut_evenly
from feed.publishing.stream import clear_photos_at_the_end
from feed.publishing.writes import SubmittedAndDeleted, delete_post, publish_post
from feed.timelines.models import MediaEntry
from moderation.cases.effects import Target, effects_of, effects_of_undoing
from moderation.models import ActionKind
from photos.files import list_places
from photos.models import Photo
from photos.reads import get_photos, list_album
from photos.writes import PhotoInUse, remove_photo
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.table import MOST_BYTES, change, fetch, get, ids, item_size, keys, transact
from socialsite.texts import shortened_to_bytes
from tests.accounts.pictures import camera_jpeg
from tests.conftest import HTMX, person, post
from tests.feed.scenes import clock_at, end_of, photo, post_photos
from tests.feed.test_publishing import contents
from tests.kept import keep_site_rules
from tests.looks import broken_invariants, due_items
from tests.moderation.cases import withhold
from tests.relations.scenes import befriend, lock_older_posts
from tests.together import meanwhile, together
from tests.web.html import Html


def photo_of(by, photo_id) -> Photo:
    return get(Photo, keys.photo(by.user_id, photo_id), consistent=True)


def test_a_post_shows_its_photos_in_their_order_with_their_descriptions(alice):
    first, second = photo(alice, "A heron"), photo(alice)
    card = get_post(post_photos(alice, second, first), alice.user_id, viewer=alice)
    assert [one.photo_id for one in card.photos] == [second, first]
    assert [one.says for one in card.photos] == ["Photo without description", "A heron"]
    assert card.photos[1].url == f"{card.url}/photos/2"


def test_a_photo_of_a_post_stays_and_one_of_none_goes_after_a_day(alice):
    used, unused = photo(alice), photo(alice)
    post_id = post_photos(alice, used)
    assert photo_of(alice, used).post_id == post_id
    assert photo_of(alice, used).ttl is None
    assert photo_of(alice, unused).ttl is not None


def test_a_post_with_a_photo_needs_no_words(alice):
    card = get_post(post_photos(alice, content=""), alice.user_id, viewer=alice)
    assert card.html == ""
    assert len(card.photos) == 1


def test_a_photo_of_someone_else_is_refused_and_so_is_one_that_another_post_shows(alice, bob):
    of_bob, used, free = photo(bob), photo(alice), photo(alice)
    post_photos(alice, used)
    for refused in (of_bob, used, ids.new_id()):
        with pytest.raises(CannotAttach) as refusal:
            post_photos(alice, free, refused)
        assert refusal.value.photo_ids == (refused,)
    assert photo_of(alice, free).post_id is None


def test_an_expired_photo_is_refused(alice):
    old = photo(alice)
    gone = [Photo.ttl.set(utc_now() - timedelta(minutes=1))]
    change(Photo, keys.photo(alice.user_id, old), gone)
    with pytest.raises(CannotAttach):
        post_photos(alice, old)


def test_the_same_form_is_the_same_post_and_other_photos_are_another(alice):
    one, other = photo(alice), photo(alice)
    form = {"by": alice, "content": "Look", "nonce": "form"}
    first = publish_post(**form, photos=[one])
    assert publish_post(**form, photos=[one]) == first
    assert publish_post(**form, photos=[other]) != first


def test_the_same_form_after_its_post_was_deleted_says_so(alice, drain_stream):
    one = photo(alice)
    form = {"by": alice, "content": "Look", "nonce": "form", "photos": [one]}
    delete_post(by=alice, post_id=publish_post(**form))
    drain_stream()
    with pytest.raises(SubmittedAndDeleted):
        publish_post(**form)


def test_of_eight_posts_that_want_the_same_photo_one_gets_it(alice):
    wanted = photo(alice)
    tries = together(*[lambda: post_photos(alice, wanted) for _ in range(8)])
    assert sum(isinstance(one, str) for one in tries) == 1
    assert sum(isinstance(one, CannotAttach) for one in tries) == 7
    assert (
        len(list(fetch([keys.post(alice.user_id, one) for one in tries if isinstance(one, str)])))
        == 1
    )


def test_a_deleted_post_takes_its_photos_their_files_and_its_pointer_along(alice, drain_stream):
    one = photo(alice)
    post_id = post_photos(alice, one)
    assert list(list_places(alice.user_id))
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    drain_stream()
    gone = [keys.photo(alice.user_id, one), keys.media_entry(alice.user_id, post_id)]
    assert fetch(gone, consistent=True) == {}
    assert list(list_places(alice.user_id)) == []


def test_photos_of_a_post_that_ends_by_itself_end_with_it(alice, drain_stream):
    one = photo(alice)
    post_photos(alice, one, expires_in="1h")
    drain_stream()
    do_due(now=utc_now() + timedelta(minutes=50))
    assert photo_of(alice, one)
    for _ in range(2):
        do_due(now=utc_now() + timedelta(minutes=70))
    drain_stream()
    assert list(list_places(alice.user_id)) == []
    assert list_album(alice).items == []


def test_an_audit_knows_that_photos_of_an_ended_post_may_go_before_it(alice, drain_stream):
    post_id = post_photos(alice, expires_in="1h")
    drain_stream()
    with clock_at(end_of(alice, post_id)):
        assert broken_invariants() == {}
        (due,) = (one for one in due_items() if one.kind == CLEAR_PHOTOS)
        clear_photos_at_the_end(due)
        drain_stream()
        assert list(list_places(alice.user_id)) == []
        assert broken_invariants() == {}


def test_a_post_with_photos_stays_within_four_kilobytes_by_shorter_copies(alice):
    photos = [photo(alice, letter * 900) for letter in "abcd"]
    card = get_post(post_photos(alice, *photos, content="x" * 900), alice.user_id, viewer=alice)
    assert {len(one.alt.encode()) for one in card.photos} == {300}
    more = [photo(alice, letter * 900) for letter in "abcd"]
    post_id = post_photos(alice, *more, content="é" * 1000, warning="w" * 100)
    raw = fetch([keys.post(alice.user_id, post_id)])[keys.post(alice.user_id, post_id)]
    assert item_size(raw) <= MOST_BYTES
    short = get_post(post_id, alice.user_id, viewer=alice).photos
    assert all(40 <= len(one.alt.encode()) <= 300 and one.alt.endswith("…") for one in short)


def test_a_post_that_has_no_room_for_photos_is_refused(alice):
    photos = [photo(alice, letter * 900) for letter in "abcd"]
    with pytest.raises(TooLarge):
        post_photos(alice, *photos, content="𝒙" * 870)


def test_texts_are_cut_evenly_and_short_ones_stay():
    assert [len(one) for one in cut_evenly(["a", "b" * 500, "c" * 500], 201)] == [1, 98, 98]
    assert shortened_to_bytes("Ein Bär 🐻‍❄️ im Schnee", 20).startswith("Ein Bär")
    assert len(shortened_to_bytes("👩‍👩‍👧" * 30, 100).encode()) <= 100


def test_a_post_of_media_has_a_pointer(alice):
    post_id = post_photos(alice)
    entry = get(MediaEntry, keys.media_entry(alice.user_id, post_id))
    assert (entry.post_id, entry.author_id) == (post_id, alice.user_id)
    assert get(Post, keys.post(alice.user_id, post_id)).photos[0].public_secret


# A form with photos: files and photos that were there before, four at most. What is refused keeps text and
# photos.

embedded_alone = pytest.mark.engines("embedded", reason="looks at forms, which no engine changes")


def file(name: str = "me.jpg", content: bytes = b"") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content or camera_jpeg())


@embedded_alone
@pytest.mark.parametrize("form", [PostForm, QuoteForm, ReplyForm, PartForm])
def test_the_bytes_of_a_text_are_counted_by_its_own_limit_and_not_by_that_of_a_photo(form):
    assert form.most_bytes == POST_BYTES < form.photo_bytes


def send(browser: Client, **form: object):
    form = {"nonce": secrets.token_urlsafe(16), "content": "Look"} | form
    return browser.post("/posts", form)


def newest(alice):
    return list_posts(alice.card, viewer=alice).items[0]


def tiles(answer) -> list[str]:
    return [tile.photo_id for tile in answer.context["form"].tiles]


@embedded_alone
def test_files_are_posted_in_their_order_with_their_descriptions(alice, log_in):
    answer = send(log_in(alice), photos=[file(), file()], descriptions=["One", "Two"])
    assert answer.status_code == 302
    assert [one.says for one in newest(alice).photos] == ["One", "Two"]


@embedded_alone
def test_photos_that_were_there_come_first_and_take_what_is_said_now(alice, log_in):
    one, other = photo(alice, "Before"), photo(alice, "Kept")
    send(
        log_in(alice),
        photo=[other, one],
        description=["Kept", "Now"],
        photos=[file()],
        descriptions=["New"],
    )
    assert [shown.says for shown in newest(alice).photos] == ["Kept", "Now", "New"]
    assert [shown.alt for shown in get_photos(alice, [one])] == ["Now"]


@embedded_alone
def test_a_photo_alone_is_a_post_and_nothing_at_all_is_none(alice, log_in):
    assert send(log_in(alice), content="", photo=[photo(alice)]).status_code == 302
    answer = send(log_in(alice), content="")
    assert answer.status_code == 422
    assert "Write something first." in answer.content.decode()


@embedded_alone
def test_a_fifth_photo_is_told_and_text_and_the_first_four_are_kept(alice, log_in):
    mine = [photo(alice) for _ in range(3)]
    answer = send(log_in(alice), photo=mine, photos=[file(), file()])
    assert answer.status_code == 422
    form = answer.context["form"]
    assert form.errors["photos"] == ["A post has room for 4 photos. We kept the first 4."]
    assert Html(answer).value("content") == "Look"
    assert tiles(answer)[:3] == mine
    assert len(tiles(answer)) == 4


@embedded_alone
def test_six_files_are_told_too_and_not_a_bad_request(alice, log_in):
    answer = send(log_in(alice), photos=[file() for _ in range(6)])
    assert answer.status_code == 422
    assert len(tiles(answer)) == 4


@embedded_alone
def test_files_stay_as_photos_when_something_else_is_refused(alice, log_in):
    answer = send(log_in(alice), content="x" * 1001, photos=[file()], descriptions=["One"])
    assert answer.status_code == 422
    (tile,) = answer.context["form"].tiles
    assert (tile.description, tile.error) == ("One", "")
    assert tile.preview_url.startswith("/pm/")
    assert [one.photo_id for one in list_album(alice).items] == [tile.photo_id]
    again = send(log_in(alice), photo=[tile.photo_id], description=["One"])
    assert again.status_code == 302


@embedded_alone
def test_without_a_script_photos_are_moved_and_taken_out_before_the_text_is_judged(alice, log_in):
    browser, too_long = log_in(alice), "x" * 1001
    plain = Html(browser.get("/posts/new"))
    assert plain.all("input", type="file", name="photos")
    assert len(plain.all("textarea", name="descriptions")) == 4
    files = {"photos": [file(), file(), file()], "descriptions": ["one", "two", "three"]}
    one, two, three = tiles(send(browser, content=too_long, **files))
    form = {"content": too_long, "description": ["one", "two", "three"]}

    def arranged(wish: str, *photo_ids: str) -> Html:
        answer = browser.post("/posts/photos", form | {"photo": photo_ids, "arrange": wish})
        assert answer.status_code == 200
        page = Html(answer)
        assert page.value("content") == too_long
        assert page.all(role="alert") == []
        return page

    moved = arranged(f"earlier {three}", one, two, three)
    assert [each["value"] for each in moved.all(name="photo")] == [one, three, two]
    said = [each.text for each in moved.all(name="description")]
    assert said[-3:] == ["one", "three", "two"]  # the first is for what the script adds
    assert len(moved.all("textarea", name="descriptions")) == 1  # room for a fourth
    pictures = [each.attributes.get("src", "") for each in moved.all("img")]
    private = [address for address in pictures if address.startswith("/pm/")]
    assert [browser.get(address).status_code for address in private] == [200, 200, 200]
    left = arranged(f"remove {one}", one, three, two)
    assert [each["value"] for each in left.all(name="photo")] == [three, two]
    sent = {"photo": [three, two], "description": ["three", "two"]}
    send(browser, **sent, photos=[file()], descriptions=["new"])
    assert [each.says for each in newest(alice).photos] == ["three", "two", "new"]


@embedded_alone
def test_a_file_that_is_no_photo_is_told_by_its_name_and_the_others_are_kept(alice, log_in):
    answer = send(log_in(alice), photos=[file("notes.txt", b"no picture"), file()])
    assert answer.status_code == 422
    assert answer.context["form"].errors["photos"][0].startswith("notes.txt: This isn’t a photo")
    assert len(tiles(answer)) == 1


@embedded_alone
def test_the_same_photo_twice_is_refused(alice, log_in):
    one = photo(alice)
    answer = send(log_in(alice), photo=[one, one])
    assert answer.status_code == 422
    assert tiles(answer) == [one]


@embedded_alone
def test_a_photo_of_someone_else_a_used_one_and_no_id_are_refused(alice, bob, log_in):
    used, free = photo(alice), photo(alice)
    post_photos(alice, used)
    for refused in (photo(bob), used, "../../etc", "0" * 26):
        answer = send(log_in(alice), photo=[free, refused])
        assert answer.status_code == 422, refused
        assert answer.context["form"].errors["photos"]
        assert tiles(answer) == [free]


@embedded_alone
def test_a_description_that_is_too_long_stays_and_says_so(alice, log_in):
    one = photo(alice, "Before")
    answer = send(log_in(alice), photo=[one], description=["x" * 2001])
    assert answer.status_code == 422
    (tile,) = answer.context["form"].tiles
    assert tile.description == "x" * 2001
    assert "2000" in tile.error
    assert get_photos(alice, [one])[0].alt == "Before"


@embedded_alone
def test_a_post_that_was_deleted_says_so_though_its_photos_are_gone(alice, log_in, drain_stream):
    one, nonce = photo(alice), secrets.token_urlsafe(16)
    send(log_in(alice), photo=[one], nonce=nonce)
    delete_post(by=alice, post_id=newest(alice).post_id)
    answer = send(log_in(alice), photo=[one], nonce=nonce)
    assert answer.status_code == 422


@embedded_alone
def test_word_filters_read_descriptions(alice, log_in):
    keep_site_rules(SiteRules(words=(Word("w1", "word", "heron", Effect.REFUSE, "spam", ""),)))
    answer = send(log_in(alice), photo=[photo(alice)], description=["A heron"])
    assert answer.status_code == 422


@embedded_alone
def test_a_further_post_of_a_story_has_its_own_photos(alice, rf):
    one, other = photo(alice), photo(alice)
    form = PostForm(
        rf.post(
            "/", {"photo": [one], "2-photo": [other], "2-description": ["Two"], "2-content": "x"}
        ).POST,
        prefix="2",
    )
    take_photos(form, by=alice)
    assert [(tile.photo_id, tile.description) for tile in form.tiles] == [(other, "Two")]


# What photos show can be said after posting, and an edited text takes the room that it needs.


def says(alice, post_id) -> list[str]:
    return [one.alt for one in get_post(post_id, alice.user_id, viewer=alice).photos]


def test_descriptions_are_shown_and_changed_in_the_post_and_in_the_photos(alice, log_in):
    one, other = photo(alice, "Before"), photo(alice)
    address = f"/@alice/posts/{(post_id := post_photos(alice, one, other))}"
    browser = log_in(alice)
    page = Html(browser.get(f"{address}/descriptions"))
    assert [page.value(name) for name in (one, other)] == ["Before", ""]
    long = "A heron. " * 60
    form = {one: "", other: long}
    for _ in range(2):  # sent again, it changes nothing more
        assert browser.post(f"{address}/descriptions", form).status_code == 302
    assert says(alice, post_id)[0] == ""
    assert 0 < len(says(alice, post_id)[1].encode()) <= 300
    whole = get_post_of_photos(post_id, alice.user_id, viewer=alice)
    assert [shown.alt for shown in whole.photos] == ["", long.strip()]
    card = browser.post(f"{address}/descriptions", {one: "Now", other: ""}, headers=HTMX)
    assert Html(card).one("article")["id"] == f"post-{post_id}"
    assert says(alice, post_id) == ["Now", ""]


def test_nobody_describes_the_photos_of_others_or_of_a_post_without(alice, bob, log_in):
    one = photo(alice, "Before")
    post_id = post_photos(alice, one)
    form, address = {one: "Changed"}, f"/@alice/posts/{post_id}/descriptions"
    assert Client().post(address, form)["Location"].startswith("/login")
    for handle in ("alice", "bob"):
        other = log_in(bob).post(f"/@{handle}/posts/{post_id}/descriptions", form)
        assert other.status_code == 404
    assert log_in(alice).get(f"/@alice/posts/{post(alice)}/descriptions").status_code == 404
    assert says(alice, post_id) == ["Before"]


def test_a_description_meets_the_word_filters_and_a_withheld_post_waits(alice, log_in):
    one = photo(alice, "Before")
    post_id = post_photos(alice, one)
    address = f"/@alice/posts/{post_id}/descriptions"
    for effect, status in ((Effect.REFUSE, 422), (Effect.HOLD, 409)):
        keep_site_rules(SiteRules(words=(Word("w1", "word", "heron", effect, "spam", ""),)))
        answer = log_in(alice).post(address, {one: "A heron"})
        assert answer.status_code == status
        assert Html(answer).value(one) == "A heron"
    keep_site_rules(SiteRules())
    withhold(alice, post_id, Withheld.HIDDEN)
    assert log_in(alice).post(address, {one: "Now"}).status_code == 409
    assert says(alice, post_id) == ["Before"]


def test_a_text_that_grows_takes_the_room_of_the_copies(alice):
    photos = [photo(alice, letter * 300) for letter in "abcd"]
    post_id = post_photos(alice, *photos)
    edit_post(by=alice, post_id=post_id, content="é" * 1000, version=1)
    short = says(alice, post_id)
    assert all(40 <= len(one.encode()) < 300 for one in short)
    whole = get_post_of_photos(post_id, alice.user_id, viewer=alice)
    assert [one.alt for one in whole.photos] == [letter * 300 for letter in "abcd"]


def test_a_post_with_photos_can_lose_its_words_and_another_cannot(alice, log_in):
    with_photos, without = post_photos(alice), post(alice)
    for post_id, status in ((with_photos, 302), (without, 422)):
        address = f"/@alice/posts/{post_id}/edit"
        sent = log_in(alice).post(address, {"content": "", "version": "1"})
        assert sent.status_code == status


def test_a_post_that_is_shown_to_others_is_judged_with_its_descriptions(alice):
    keep_site_rules(SiteRules(words=(Word("w1", "word", "heron", Effect.REFUSE, "spam", ""),)))
    post_id = post_photos(alice, photo(alice, "A heron"), audience=Audience.ONLY_ME)
    with pytest.raises(RefusedByRules):
        change_audience(by=alice, post_id=post_id, audience=Audience.EVERYONE)


# Photos that go, expire or are used while a post takes them: the post is refused, and nothing of it is written.

CLOSED = {"audience": "friends"}  # so that the first transaction is the one of the post


def expire(alice, photo_id):
    change(Photo, keys.photo(alice.user_id, photo_id), [Photo.ttl.set(utc_now() - timedelta(1))])


def remove(alice, photo_id):
    remove_photo(by=alice, photo_id=photo_id)


def use(alice, photo_id):
    post_photos(alice, photo_id, content="First", **CLOSED)


@pytest.mark.parametrize("happens", [expire, remove, use])
def test_a_photo_that_is_gone_at_the_moment_of_writing_refuses_the_post(alice, happens):
    stays, goes = photo(alice), photo(alice)
    with meanwhile(lambda: happens(alice, goes)) as happened, pytest.raises(CannotAttach) as told:
        post_photos(alice, stays, goes, content="Second", **CLOSED)
    assert happened
    assert told.value.photo_ids == (goes,)
    assert contents(alice) == (["First"] if happens is use else [])
    assert stays in [one.photo_id for one in list_album(alice).items if not one.post_id]


def test_a_photo_that_a_post_takes_while_it_is_removed_stays(alice, drain_stream):
    wanted = photo(alice)
    with meanwhile(lambda: use(alice, wanted)), pytest.raises(PhotoInUse):
        remove(alice, wanted)
    drain_stream()
    assert broken_invariants() == {}
    assert contents(alice) == ["First"]


# The files of a post's photos: everyone gets those of posts for everyone, and of other posts only those who may
# see the post, each by addresses of their own. Once a post is closed, the addresses of before lead nowhere.

FILES = re.compile(
    r"/p?m/[\w-]{22}/(?:\d+\.webp|share\.jpg)(?:\?e=\d+&(?:amp;)?s=[\w-]+(?:&(?:amp;)?o=\w+)?)?"
)


def files_on(browser: Client, address: str) -> set[str]:
    """The addresses of photos' files on a page, as a browser would fetch them."""
    text = browser.get(address).content.decode()
    return {one.replace("&amp;", "&") for one in FILES.findall(text)}


def opens(browser: Client, address: str) -> bool:
    return browser.get(address).status_code == 200


@pytest.fixture
def readers(alice, log_in):
    """Seven kinds of people who look at Alice's posts, each with their browser."""
    people = {kind: person(kind) for kind in ("stranger", "follower", "friend", "fan", "blocked")}
    follow(by=people["follower"], user_id=alice.user_id)
    befriend(alice, people["friend"])
    follow(by=people["fan"], user_id=alice.user_id)
    block(by=alice, user_id=people["blocked"].user_id)
    browsers = {kind: log_in(one) for kind, one in people.items()}
    return {"visitor": Client(), "author": log_in(alice), **browsers}


SEEN_BY = {
    Audience.EVERYONE: {"visitor", "author", "stranger", "follower", "friend", "fan"},
    Audience.FOLLOWERS: {"author", "follower", "fan"},
    Audience.FRIENDS: {"author", "friend"},
    Audience.ONLY_ME: {"author"},
}


@pytest.mark.parametrize("audience", SEEN_BY)
def test_each_reader_gets_addresses_that_only_they_can_use(alice, readers, audience):
    post_id = post_photos(alice, photo(alice), photo(alice), audience=audience)
    url = f"/@alice/posts/{post_id}"
    named = {kind: files_on(browser, url) for kind, browser in readers.items()}
    assert {kind for kind, files in named.items() if files} == SEEN_BY[audience]
    for owner, files in named.items():
        for address in files:
            can = {kind for kind, browser in readers.items() if opens(browser, address)}
            everyone = audience == Audience.EVERYONE
            assert can == (set(readers) if everyone else {owner}), (owner, address)


def test_nobody_finds_the_private_files_of_an_open_post(alice, readers):
    post_id = post_photos(alice)
    stored = get(Post, keys.post(alice.user_id, post_id)).photos[0]
    for secret in (stored.secret, stored.public_secret):
        address = f"/pm/{secret}/480.webp"
        assert not any(opens(browser, address) for browser in readers.values())
    assert not any(opens(browser, f"/m/{stored.secret}/480.webp") for browser in readers.values())


def closed_by_audience(alice, post_id):
    change_audience(by=alice, post_id=post_id, audience=Audience.FRIENDS)
    return lambda: change_audience(by=alice, post_id=post_id, audience=Audience.EVERYONE)


def hidden_by_moderators(alice, post_id):
    target = Target(alice.user_id, (post_id,))
    transact(*effects_of(ActionKind.HIDE, target))
    return lambda: transact(*effects_of_undoing(ActionKind.HIDE, target))


def locked_with_older_posts(alice, post_id):
    lock_older_posts(alice)
    return lambda: lock_older_posts(alice, locked=False)


def limited_with_past_posts(alice, post_id):
    limit_past_posts(by=alice, audience=Audience.FOLLOWERS, count=1)
    return lambda: change_audience(by=alice, post_id=post_id, audience=Audience.EVERYONE)


def suspended(alice, post_id):
    key = keys.user_info(alice.user_id)
    end = utc_now() + timedelta(days=2)
    change(UserInfo, key, [UserInfo.suspended_until.set(end.isoformat(timespec="seconds"))])
    return lambda: change(UserInfo, key, [UserInfo.suspended_until.remove()])


@pytest.mark.parametrize(
    "close",
    [
        closed_by_audience,
        hidden_by_moderators,
        locked_with_older_posts,
        limited_with_past_posts,
        suspended,
    ],
)
def test_a_closed_post_has_no_public_files_and_opened_again_it_has_others(
    alice, drain_stream, close
):
    visitor, url = Client(), f"/@alice/posts/{(post_id := post_photos(alice))}"
    before = files_on(visitor, url)
    drain_stream()
    assert before
    assert all(opens(visitor, one) for one in before)
    open_again = close(alice, post_id)
    if close is not limited_with_past_posts:  # which the worker does
        assert files_on(visitor, url) == set()
    drain_stream()
    drain_stream()
    assert not any(opens(visitor, one) for one in before)
    open_again()
    drain_stream()
    after = files_on(visitor, url)
    assert after
    assert not after & before
    assert all(opens(visitor, one) for one in after)
    assert not any(opens(visitor, one) for one in before)


def test_the_files_of_a_deleted_post_open_for_nobody_once_the_worker_was_there(
    alice, readers, drain_stream
):
    post_id = post_photos(alice, audience=Audience.FOLLOWERS)
    url = f"/@alice/posts/{post_id}"
    named = {kind: files_on(readers[kind], url) for kind in ("author", "follower")}
    assert all(named.values())
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    drain_stream()
    assert not any(opens(readers[kind], one) for kind, files in named.items() for one in files)


def test_a_suspension_that_ends_brings_the_photos_back(alice, drain_stream):
    visitor, url = Client(), f"/@alice/posts/{(post_id := post_photos(alice))}"
    suspended(alice, post_id)
    drain_stream()
    key = keys.user_info(alice.user_id)
    past = utc_now() - timedelta(seconds=1)
    change(UserInfo, key, [UserInfo.suspended_until.set(past.isoformat(timespec="seconds"))])
    drain_stream()
    do_due(now=utc_now() + timedelta(days=3))
    drain_stream()
    assert files_on(visitor, url)


def test_a_post_opened_by_its_author_shows_photos_to_visitors_once_the_worker_was_there(
    alice, drain_stream
):
    visitor, url = Client(), None
    post_id = post_photos(alice, audience=Audience.ONLY_ME)
    url = f"/@alice/posts/{post_id}"
    change_audience(by=alice, post_id=post_id, audience=Audience.EVERYONE)
    assert visitor.get(url).status_code == 200
    assert files_on(visitor, url) == set()
    drain_stream()
    drain_stream()
    assert files_on(visitor, url)
    assert get_post(post_id, alice.user_id).photos[0].is_public
