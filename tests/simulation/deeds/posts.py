"""Posts, answers, likes, reposts, quotes, polls, saved posts."""

from collections.abc import Callable
from typing import Any

from feed.cards.reads import get_post
from feed.likes.writes import like_post, unlike_post
from feed.polls.models import PollWish
from feed.polls.writes import vote
from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.publishing.changes import change_audience, edit_post
from feed.publishing.writes import delete_post, publish_post
from feed.saved.writes import remove_saved_post, save_post
from feed.sharing.writes import quote, repost, take_repost_back
from feed.threads.writes import reply
from socialsite.table import NotFound, keys
from tests.simulation.clockwork import clock
from tests.simulation.deeds import deed
from tests.simulation.deeds.casting import a_post, known, someone
from tests.simulation.model import Person, Post
from tests.simulation.world import Deed, World

LENGTHS = {"1h": 3600.0, "1d": 86_400.0, "1w": 7 * 86_400.0}
ANSWERS = ("Tea", "Coffee", "Water")
WORDS = ("apples", "books", "cats", "doors", "eggs", "#spring", "#news", "tea", "rain")


def text_of(world: World, who: Person) -> str:
    """A text with a word that nobody else ever wrote."""
    own = f"w{who.number}x{world.chance.getrandbits(40):x}"
    who.words.add(own)
    return f"{own} {' '.join(world.chance.choices(WORDS, k=3))}"


def nonce_of(world: World) -> str:
    return f"{world.chance.getrandbits(110):022x}"[:22]


@deed(110)
def publishes(world: World) -> Deed | None:
    if not (one := someone(world)):
        return None
    text, nonce = text_of(world, one), nonce_of(world)
    (audience,) = world.chance.choices(
        (
            Audience.EVERYONE,
            Audience.FOLLOWERS,
            Audience.FRIENDS,
            Audience.CIRCLE,
            Audience.ONLY_ME,
        ),
        (12, 4, 3, 2, 1),
    )
    circle = ""
    if audience is Audience.CIRCLE:
        if not one.circles:
            return None
        circle = world.chance.choice(sorted(one.circles))
    expires = world.chance.choice(sorted(LENGTHS)) if world.chance.random() < 0.15 else ""
    asks = world.chance.random() < 0.12
    poll = PollWish(ANSWERS, "1d", change=True) if asks else None
    began = clock.now

    def act() -> str:
        return publish_post(
            by=known(one),
            content=text,
            nonce=nonce,
            audience=audience,
            circle=circle,
            expires_in=expires,
            poll=poll,
        )

    def done(post_id: str) -> None:
        ends = began + LENGTHS[expires] if expires else None
        post = Post(post_id, one.user_id, text, 0, audience, circle, ends=ends, poll=asks)
        world.model.publish(post)

    refused = unless_published(world, one, text, done)
    return Deed("publish", one.user_id, act, done, refused=refused)


def unless_published(
    world: World, one: Person, text: str, done: Callable[[str], None]
) -> Callable[[BaseException], None]:
    """An earlier try may have published it, whose reply was lost. A later one is refused, as the author was frozen
    meanwhile."""

    def look(_: BaseException) -> None:
        partition = keys.posts(one.user_id)
        for (pk, _sk), raw in world.engine.items.items():
            if pk == partition and raw.get("content") == {"S": text}:
                done(raw["post_id"]["S"])

    return look


def _about(
    world: World,
    name: str,
    one: Person,
    post: Post,
    act: Callable[[], Any],
    done: Callable[[Any], None],
    *,
    unsure: Callable[[], None] | None = None,
    refused: Callable[[BaseException], None] | None = None,
) -> Deed:
    return Deed(
        name,
        one.user_id,
        act,
        done,
        touches=(("post", post.post_id),),
        unsure=unsure,
        refused=refused,
    )


@deed(45)
def answers(world: World) -> Deed | None:
    if not (one := someone(world)):
        return None
    own = world.chance.random() < 0.2
    if not (post := a_post(world, one, own=own)):
        return None
    text, nonce = text_of(world, one), nonce_of(world)

    def act() -> str:
        to = Pointer(post.post_id, post.author, post.root, "")
        card = get_post(post.post_id, post.author, viewer=known(one))
        assert card
        return reply(by=known(one), to=to, content=text, nonce=nonce)

    def done(post_id: str) -> None:
        root = post.root or post.post_id
        answer = Post(post_id, one.user_id, text, 0, root=root, reply_to=post.post_id)
        world.model.publish(answer)
        if post.is_gone or post.ends:
            world.model.unsure_posts.add(post_id)

    refused = unless_published(world, one, text, done)
    return _about(world, "answer", one, post, act, done, refused=refused)


def after_a_late_press(world: World, one: Person, post: Post) -> Callable[[], None]:
    """What someone presses while a call of an earlier press of theirs is still on its way may come before it."""

    def mark() -> None:
        others = world.touching.get(("post", post.post_id), ())
        if any(other.who == one.user_id and other.late_until > clock.now for other in others):
            world.model.unsure_likes.add((one.user_id, post.post_id))

    return mark


@deed(100)
def likes(world: World) -> Deed | None:
    if not (one := someone(world)) or not (post := a_post(world, one)):
        return None

    def act() -> None:
        by = known(one)
        card = get_post(post.post_id, post.author, viewer=by)
        like_post(by=by, post_id=post.post_id, author_id=post.author, shards=card.like_shards)

    def done(_: Any) -> None:
        if not post.is_gone:
            world.model.likes[post.post_id].add(one.user_id)

    return _about(
        world,
        "like",
        one,
        post,
        act,
        done,
        unsure=after_a_late_press(world, one, post),
        refused=lambda _: world.model.unsure_likes.add((one.user_id, post.post_id)),
    )


@deed(20)
def unlikes(world: World) -> Deed | None:
    liked = [
        (who, post_id)
        for post_id, people in world.model.likes.items()
        for who in sorted(people)
        if not world.model.people[who].busy and world.model.people[who].is_here
    ]
    if not liked:
        return None
    who, post_id = world.chance.choice(liked)
    one, post = world.model.people[who], world.model.posts[post_id]

    def act() -> None:
        by = known(one)
        try:
            shards = get_post(post_id, post.author, viewer=by).like_shards
        except NotFound:
            shards = 0
        unlike_post(by=by, post_id=post_id, shards=shards)

    def done(_: Any) -> None:
        if post_id in world.model.likes:
            world.model.likes[post_id].discard(who)

    unsure = after_a_late_press(world, one, post)
    return _about(world, "unlike", one, post, act, done, unsure=unsure)


@deed(30)
def reposts(world: World) -> Deed | None:
    if not (one := someone(world)) or not (post := a_post(world, one)):
        return None
    if post.audience or post.root:
        return None

    def done(_: Any) -> None:
        if not post.is_gone:
            world.model.reposts[post.post_id].add(one.user_id)

    def act() -> None:
        card = get_post(post.post_id, post.author, viewer=known(one))
        if not card.can_be_reposted:
            raise NotFound("only posts for everyone are reposted")
        repost(by=known(one), post=Pointer(post.post_id, post.author))

    return _about(
        world,
        "repost",
        one,
        post,
        act,
        done,
        unsure=after_a_late_press(world, one, post),
        refused=lambda _: world.model.unsure_likes.add((one.user_id, post.post_id)),
    )


@deed(8)
def takes_a_repost_back(world: World) -> Deed | None:
    reposted = [
        (who, post_id)
        for post_id, people in world.model.reposts.items()
        for who in sorted(people)
        if not world.model.people[who].busy and world.model.people[who].is_here
    ]
    if not reposted:
        return None
    who, post_id = world.chance.choice(reposted)
    one, post = world.model.people[who], world.model.posts[post_id]

    def done(_: Any) -> None:
        if post_id in world.model.reposts:
            world.model.reposts[post_id].discard(who)

    return _about(
        world,
        "take a repost back",
        one,
        post,
        lambda: take_repost_back(by=known(one), post_id=post_id),
        done,
        unsure=after_a_late_press(world, one, post),
    )


@deed(15)
def quotes(world: World) -> Deed | None:
    if not (one := someone(world)) or not (post := a_post(world, one)):
        return None
    if post.audience or post.root:
        return None
    text, nonce = text_of(world, one), nonce_of(world)

    def act() -> str:
        where = Pointer(post.post_id, post.author)
        return quote(by=known(one), post=where, content=text, nonce=nonce)

    def done(post_id: str) -> None:
        made = Post(post_id, one.user_id, text, 0, quote_of=post.post_id)
        world.model.publish(made)

    return _about(world, "quote", one, post, act, done)


@deed(20)
def votes(world: World) -> Deed | None:
    if not (one := someone(world)):
        return None
    polls = [
        post
        for post in list(world.model.posts.values())[-150:]
        if post.poll
        and post.author != one.user_id
        and not post.is_gone
        and world.model.may_see(one.user_id, post.post_id)
    ]
    if not polls:
        return None
    post, place = world.chance.choice(polls), world.chance.randrange(len(ANSWERS))

    def act() -> None:
        by = known(one)
        poll = get_post(post.post_id, post.author, viewer=by).poll
        assert poll
        vote(by=by, post_id=post.post_id, author_id=post.author, poll=poll, places=[place])

    def done(_: Any) -> None:
        post.votes[one.user_id] = place

    return _about(world, "vote", one, post, act, done)


@deed(22)
def saves(world: World) -> Deed | None:
    if not (one := someone(world)) or not (post := a_post(world, one)):
        return None

    def act() -> None:
        get_post(post.post_id, post.author, viewer=known(one))
        save_post(by=known(one), post_id=post.post_id, author_id=post.author)

    return _about(
        world,
        "save",
        one,
        post,
        act,
        lambda _: world.model.saves.add((one.user_id, post.post_id)),
    )


@deed(5)
def takes_from_saved(world: World) -> Deed | None:
    saved = [pair for pair in sorted(world.model.saves) if not world.model.people[pair[0]].busy]
    if not saved:
        return None
    who, post_id = world.chance.choice(saved)
    one, post = world.model.people[who], world.model.posts[post_id]
    if not one.is_here:
        return None
    return _about(
        world,
        "take from saved",
        one,
        post,
        lambda: remove_saved_post(by=known(one), post_id=post_id),
        lambda _: world.model.saves.discard((who, post_id)),
    )


@deed(14)
def edits(world: World) -> Deed | None:
    if not (one := someone(world)) or not (post := a_post(world, one, own=True)):
        return None
    text = text_of(world, one)

    def act() -> None:
        card = get_post(post.post_id, one.user_id, viewer=known(one))
        edit_post(by=known(one), post_id=post.post_id, content=text, version=card.version)

    def done(_: Any) -> None:
        post.text = text

    def refused(_: BaseException) -> None:
        world.model.unsure_posts.add(post.post_id)

    return _about(world, "edit", one, post, act, done, refused=refused)


@deed(10)
def changes_the_audience(world: World) -> Deed | None:
    if not (one := someone(world)) or not (post := a_post(world, one, own=True)):
        return None
    to = world.chance.choice(
        (Audience.EVERYONE, Audience.FOLLOWERS, Audience.FRIENDS, Audience.ONLY_ME)
    )

    def act() -> None:
        change_audience(by=known(one), post_id=post.post_id, audience=to)

    def done(_: Any) -> None:
        post.audience, post.circle, post.was_moved = to, "", True

    return _about(
        world,
        "change the audience",
        one,
        post,
        act,
        done,
        unsure=lambda: world.model.unsure_posts.add(post.post_id),
        refused=lambda _: world.model.unsure_posts.add(post.post_id),
    )


@deed(28)
def deletes(world: World) -> Deed | None:
    if not (one := someone(world)) or not (post := a_post(world, one, own=True, lately=300)):
        return None
    return _about(
        world,
        "delete",
        one,
        post,
        lambda: delete_post(by=known(one), post_id=post.post_id),
        lambda _: world.model.delete(post.post_id),
    )
