"""Letters as tests have them come: asked for, due, sent; and news of which they tell."""

from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives

from accounts.mail.choices import DAILY, LetterChoice, Regular, choose_letters
from accounts.models import UserSettings
from accounts.people.viewer import Viewer
from feed.likes.writes import like_post
from relations.follows.writes import follow
from relations.own_choices.writes import favourite
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import do_due
from socialsite.table import create, fetch, keys, row, write_batch
from tests.chats.scenes import write
from tests.conftest import post
from tests.feed.scenes import answer
from tests.looks import due_items


def wish(person: Viewer, **choice) -> None:
    """Asks for letters, as the form does."""
    choose_letters(by=person, choice=LetterChoice(**{"digest": DAILY, **choice}), zone="UTC")


def planned(person: Viewer, kind: Regular = Regular.DIGEST) -> list[Due]:
    """What is planned for someone, however far away."""
    return [due for due in due_items(kind) if due.subject == person.user_id]


NOW, DAY = timedelta(0), timedelta(days=1)


def let_come(person: Viewer, kind: Regular = Regular.DIGEST, *, at: timedelta = NOW) -> None:
    """The time of someone's letter has come. `at` is how far from now that is."""
    [due] = planned(person, kind)
    moment = utc_now() + at
    facts = {**due.facts, "planned": moment.isoformat()}
    come = Due.new(kind=due.kind, moment=min(moment, utc_now()), subject=due.subject, facts=facts)
    write_batch(deletes=[due.key])
    create(come)


def letters(
    person: Viewer, kind: Regular = Regular.DIGEST, *, at: timedelta = NOW
) -> list[EmailMultiAlternatives]:
    """The time of someone's letter has come; what went out."""
    mail.outbox.clear()
    let_come(person, kind, at=at)
    do_due()
    return list(mail.outbox)


def choice_of(person: Viewer) -> LetterChoice:
    own = keys.user_settings(person.user_id)
    return LetterChoice.from_kept(row(UserSettings, fetch([own], consistent=True)[own]).letters)


def like(by: Viewer, post_id: str, author: Viewer) -> None:
    like_post(by=by, post_id=post_id, author_id=author.user_id)


@pytest.fixture
def news(alice, bob, carol, drain_stream) -> dict[str, str]:
    """Alice asked for a letter. Then Bob answered her, and wrote to her; Carol, her favourite, posted, and so did Bob,
    whom she follows, to Carol's liking."""
    mine = post(alice, "Who is there?")
    follow(by=alice, user_id=bob.user_id)
    favourite(by=alice, user_id=carol.user_id)
    drain_stream()
    wish(alice)
    answer(bob, alice, mine, "Secret words of an answer")
    write(bob, alice, "Secret words of a message")
    starred, liked = post(carol, "From a favourite"), post(bob, "Liked by many")
    drain_stream()
    like(carol, liked, bob)
    drain_stream()
    return {"mine": mine, "starred": starred, "liked": liked}
