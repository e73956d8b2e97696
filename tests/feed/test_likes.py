"""The like button: one like per person, counted by the worker, and spread over partitions."""

import pytest
from django.test import Client

from accounts.models import CROSSING, PULLED, UserInfo
from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from accounts.sessions import get_viewer, hash_secret
from accounts.sign_in.writes import sign_in
from feed.cards.reads import get_post
from feed.likes.models import Like, like_shard
from feed.likes.reads import SHARDS, get_like_count, like_partitions, list_likers
from feed.likes.writes import like_post, unlike_post
from feed.posts.models import LikeCount, Post
from feed.publishing.writes import delete_post, publish_post
from socialsite.streams.shards import Stream
from socialsite.table import change, fetch, get, ids, keys, query, row
from socialsite.table.ids import new_id
from tests.conftest import HTMX, post
from tests.streams.crowd import crowd
from tests.web.html import Html

ON, OFF = {"on": "1"}, {"on": "0"}


@pytest.fixture
def post_id(alice) -> str:
    return post(alice)


def press(browser: Client, post_id: str, form: dict[str, str], **extra):
    return browser.post(f"/@alice/posts/{post_id}/like", form, **extra)


def stored(liker, post_id: str) -> list[str]:
    wanted = [keys.like(post_id, liker.user_id), keys.like_trace(liker.user_id, post_id)]
    return [raw["type"]["S"] for raw in fetch(wanted, consistent=True).values()]


def test_liking_is_one_transaction_of_the_like_and_its_trace(alice, bob, post_id, requests_of):
    with requests_of() as requests:
        like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    assert requests.operations == ["TransactWriteItems"]
    puts = [action["Put"]["Item"] for action in requests.made[0].parameters["TransactItems"]]
    assert [put["type"]["S"] for put in puts] == ["Like", "LikeTrace"]
    assert [(put["PK"]["S"], put["SK"]["S"]) for put in puts] == [
        keys.like(post_id, bob.user_id),
        keys.like_trace(bob.user_id, post_id),
    ]


def test_unliking_is_one_transaction_of_the_same_two(alice, bob, post_id, requests_of):
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    with requests_of() as requests:
        unlike_post(by=bob, post_id=post_id)
    assert requests.operations == ["TransactWriteItems"]
    assert len(requests.made[0].parameters["TransactItems"]) == 2
    assert stored(bob, post_id) == []


def test_pressing_leads_back_to_the_post(alice, bob, post_id, log_in):
    response = press(log_in(bob), post_id, ON)
    assert (response.status_code, response["Location"]) == (302, f"/@alice/posts/{post_id}")
    assert stored(bob, post_id) == ["Like", "LikeTrace"]


def test_pressing_over_htmx_answers_the_button_with_the_like_counted(alice, bob, post_id, log_in):
    response = press(log_in(bob), post_id, ON, headers=HTMX)
    page = Html(response)
    assert page.elements[0]["class"] == "like"
    button = page.one("button")
    assert (button["aria-pressed"], button["value"]) == ("true", "0")
    assert page.one(class_="like-count").text == "1 like"


def test_liking_twice_counts_once(alice, bob, post_id, log_in, drain_stream):
    browser = log_in(bob)
    press(browser, post_id, ON)
    page = Html(press(browser, post_id, ON, headers=HTMX))
    assert page.one("button")["aria-pressed"] == "true"
    drain_stream()
    assert get_like_count(post_id) == 1
    assert len(list(query(keys.likes(post_id)))) == 1
    assert Html(press(browser, post_id, ON, headers=HTMX)).one(class_="like-count").text == "1 like"


def test_taking_it_back_twice_counts_once(alice, bob, carol, post_id, log_in, drain_stream):
    for viewer in (bob, carol):
        press(log_in(viewer), post_id, ON)
    for _ in range(2):
        page = Html(press(log_in(bob), post_id, OFF, headers=HTMX))
        assert page.one("button")["aria-pressed"] == "false"
    drain_stream()
    assert get_like_count(post_id) == 1
    assert stored(bob, post_id) == []
    assert stored(carol, post_id) == ["Like", "LikeTrace"]


def test_the_count_in_the_answer_is_never_below_zero(alice, bob, post_id, log_in):
    """The like is there, the worker has not counted it yet, and it is taken back."""
    browser = log_in(bob)
    press(browser, post_id, ON)
    page = Html(press(browser, post_id, OFF, headers=HTMX))
    assert page.one(class_="like-count").text == "0 likes"


def test_each_sees_the_own_like_only(alice, bob, carol, post_id, log_in, drain_stream):
    press(log_in(bob), post_id, ON)
    drain_stream()
    for viewer, pressed in ((bob, "true"), (carol, "false")):
        page = Html(log_in(viewer).get(f"/@alice/posts/{post_id}"))
        assert page.one(id=f"like-button-{post_id}")["aria-pressed"] == pressed
        assert page.one(class_="like-count").text == "1 like"


def test_one_may_like_the_own_post(alice, post_id, log_in):
    assert press(log_in(alice), post_id, ON).status_code == 302
    assert stored(alice, post_id) == ["Like", "LikeTrace"]


def test_a_post_that_is_not_there_is_not_liked(alice, bob, post_id, log_in):
    browser, other = log_in(bob), new_id()
    for address in (
        f"/@alice/posts/{other}",
        f"/@bob/posts/{post_id}",
        f"/@not_there/posts/{post_id}",
    ):
        assert browser.post(f"{address}/like", ON).status_code == 404
        assert browser.post(f"{address}/like", ON, headers=HTMX).status_code == 404
    assert stored(bob, other) == stored(bob, post_id) == []


# Likes of a widely followed author's posts are spread over partitions; nobody notices.

not_on_moto = pytest.mark.engines(
    "embedded",
    "dynamodb-local",
    reason="moto copies a table for each transaction: many likes take minutes",
)


@pytest.fixture
def star(alice) -> Viewer:
    """Alice, whom very many follow."""
    return widely_followed(alice, PULLED)


@pytest.fixture
def loved(star, worker) -> str:
    """A post of hers."""
    post_id = post(star)
    worker.drain()
    return post_id


def widely_followed(author: Viewer, state: str) -> Viewer:
    change(UserInfo, keys.user_info(author.user_id), [UserInfo.reading.set(state)])
    return Viewer(author.user_id, "", get_user_info(author.user_id))


def like(fans: list[Viewer], post_id: str, author: Viewer) -> None:
    for fan in fans:
        like_post(by=fan, post_id=post_id, author_id=author.user_id, shards=SHARDS)


def shards_of(post_id: str, author: Viewer) -> int | None:
    found = get(Post, keys.post(author.user_id, post_id)).like_shards
    return None if found is None else int(found)


def likers_by_shard(post_id: str) -> list[list[str]]:
    return [
        [row(Like, raw).user_id for raw in query(partition, consistent=True)]
        for partition in like_partitions(post_id, SHARDS)[1:]
    ]


def count_writes(post_id: str) -> int:
    """How often the post's count was written after it was made, as the stream tells."""
    stream, found = Stream(), 0
    key = {"PK": {"S": keys.like_count(post_id).pk}, "SK": {"S": keys.like_count(post_id).sk}}
    for shard in stream.shards():
        iterator: str | None = stream.iterator(shard.shard_id, "")
        while iterator:
            records, iterator = stream.read(iterator)
            if not records:
                break
            found += sum(
                record["eventName"] == "MODIFY" and record["dynamodb"]["Keys"] == key
                for record in records
            )
    return found


@not_on_moto
@pytest.mark.parametrize(("state", "shards"), [("", None), (CROSSING, SHARDS), (PULLED, SHARDS)])
def test_a_post_says_over_how_many_partitions_its_likes_are_spread(alice, state, shards):
    author = widely_followed(alice, state) if state else alice
    assert shards_of(post(author), author) == shards


@not_on_moto
def test_a_signed_in_browser_of_a_widely_followed_person_publishes_so_too(star):
    secret = sign_in(user_id=star.user_id, browser="tests")
    viewer = get_viewer(star.user_id, hash_secret(secret))[0]
    post_id = publish_post(by=viewer, content="Hello", nonce=ids.new_id())
    assert shards_of(post_id, star) == SHARDS


@not_on_moto
def test_a_like_lies_in_the_partition_calculated_from_who_likes(star, loved):
    fans = crowd(20)
    like(fans, loved, star)
    expected = [
        [fan.user_id for fan in fans if like_shard(fan.user_id, SHARDS) == shard]
        for shard in range(SHARDS)
    ]
    assert likers_by_shard(loved) == expected
    assert sum(bool(people) for people in expected) > 1
    assert not list(query(keys.likes(loved)))


@not_on_moto
def test_liking_twice_is_one_like(star, bob, loved, worker):
    like([bob, bob], loved, star)
    worker.drain()
    assert get_like_count(loved) == 1


@not_on_moto
def test_a_like_taken_back_leaves_nothing(star, bob, loved, worker):
    like([bob], loved, star)
    unlike_post(by=bob, post_id=loved, shards=SHARDS)
    worker.drain()
    assert likers_by_shard(loved) == [[] for _ in range(SHARDS)]
    assert not list(query(keys.like_trace(bob.user_id, loved).pk))
    assert get_like_count(loved) == 0


@not_on_moto
def test_whether_i_like_it_is_known_on_every_card(star, bob, carol, loved):
    like([bob], loved, star)
    assert get_post(loved, star.user_id, viewer=bob).liked
    assert not get_post(loved, star.user_id, viewer=carol).liked


@not_on_moto
def test_the_button_likes_and_unlikes_a_spread_post(star, bob, loved, log_in, worker):
    browser = log_in(bob)
    address = f"/@alice/posts/{loved}/like"
    browser.post(address, {"on": "1"}, headers=HTMX)
    worker.drain()
    assert (get_like_count(loved), len(list_likers(loved, shards=SHARDS).items)) == (1, 1)
    browser.post(address, {"on": "0"}, headers=HTMX)
    worker.drain()
    assert (get_like_count(loved), len(list_likers(loved, shards=SHARDS).items)) == (0, 0)


@not_on_moto
def test_the_page_of_likers_lists_all_shards_in_order_over_its_pages(star, bob, loved, log_in):
    fans = crowd(25)
    like(fans, loved, star)
    browser = log_in(bob)
    first = Html(browser.get(f"/@alice/posts/{loved}/likers"))
    second = Html(browser.get(first.link("next")))
    names = [f"/@x{fan.user_id.lower()}" for fan in fans]
    assert [name for name in names if first.all("a", href=name)] == names[:20]
    assert [name for name in names if second.all("a", href=name)] == names[20:]


@not_on_moto
def test_the_count_is_the_number_of_likes_over_all_shards(star, loved, worker):
    fans = crowd(30)
    like(fans, loved, star)
    worker.drain()
    for fan in fans[:4]:
        unlike_post(by=fan, post_id=loved, shards=SHARDS)
    worker.drain()
    assert get_like_count(loved) == 26


@not_on_moto
def test_the_count_is_written_once_in_a_step_of_the_worker_whatever_the_number_of_likes(
    star, loved, worker
):
    like(crowd(40), loved, star)
    worker.step()
    assert (get_like_count(loved), count_writes(loved)) == (40, 1)
    like(crowd(40), loved, star)
    worker.step()
    assert (get_like_count(loved), count_writes(loved)) == (80, 2)


@not_on_moto
def test_likes_that_cancel_out_write_no_count(star, bob, loved, worker):
    like([bob], loved, star)
    unlike_post(by=bob, post_id=loved, shards=SHARDS)
    worker.step()
    assert count_writes(loved) == 0


@not_on_moto
@pytest.mark.parametrize("spread", [False, True])
def test_deleting_the_post_clears_every_shard_and_every_trace(alice, worker, spread):
    author = widely_followed(alice, PULLED) if spread else alice
    post_id = post(author)
    fans = crowd(20)
    shards = SHARDS if spread else 0
    for fan in fans:
        like_post(by=fan, post_id=post_id, author_id=author.user_id, shards=shards)
    worker.drain()
    delete_post(by=author, post_id=post_id)
    worker.drain()
    assert not any(list(query(part)) for part in like_partitions(post_id, shards))
    assert not any(list(query(keys.like_trace(fan.user_id, post_id).pk)) for fan in fans)
    with pytest.raises(Exception, match="LikeCount"):
        get(LikeCount, keys.like_count(post_id))


@not_on_moto
@pytest.mark.parametrize("shards", [0, SHARDS])
def test_a_like_that_crossed_the_deletion_is_cleared_though_another_ones_end_evens_it_out(
    alice, bob, carol, worker, shards
):
    author = widely_followed(alice, PULLED) if shards else alice
    post_id = post(author)
    like = {"post_id": post_id, "author_id": author.user_id, "shards": shards}
    like_post(by=carol, **like)
    worker.drain()
    delete_post(by=author, post_id=post_id)
    worker.step()
    like_post(by=bob, **like)
    worker.drain()
    assert not any(list(query(part)) for part in like_partitions(post_id, shards))
    assert not list(query(keys.like_trace(bob.user_id, post_id).pk))
