"""Polls, photos and scheduled posts among what people do: the rules of the machine that are about composing."""

from contextlib import suppress
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, multiple, rule

from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from feed.cards.reads import get_post
from feed.composing.composition import Composition
from feed.composing.reads import ScheduledCard
from feed.composing.writes import ScheduledGone, delete_scheduled, reschedule_post
from feed.polls.models import PollWish
from feed.polls.writes import vote
from feed.posts.models import Audience
from feed.publishing.changes import change_audience
from feed.publishing.writes import publish_post
from photos.reads import list_album
from photos.writes import PhotoInUse, remove_photo
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import Moved, ids, keys, query
from tests.feed.scenes import all_scheduled, photo, schedule, votes_counted
from tests.model.expectations import Model, insist

ANSWERS = ("Tea", "Coffee", "Water")


class Composing(RuleBasedStateMachine):
    """Each rule does one thing to the site and to the model. `compare_composing` looks at both."""

    model: Model

    people = Bundle("people")
    posts = Bundle("posts")
    polls = Bundle("polls")
    photos = Bundle("photos")
    plans = Bundle("plans")

    def __init__(self) -> None:
        super().__init__()
        self.votes: dict[str, dict[str, int]] = {}  # by post and voter
        self.free: dict[str, str] = {}  # photos of no post, with their owners
        self.shown: dict[str, str] = {}  # photos of posts, with the posts
        self.planned: dict[str, str] = {}  # texts of scheduled posts, by id
        self.texts = 0

    # Polls

    @rule(target=polls, author=people)
    def ask(self, author: str) -> str:
        nonce, poll = ids.new_id(), PollWish(ANSWERS, "1w", change=True)
        post_id = insist(
            lambda: publish_post(by=_known(author), content="?", nonce=nonce, poll=poll)
        )
        self.model.publish(author, nonce, post_id)
        self.votes[post_id] = {}
        return post_id

    @rule(voter=people, post_id=polls, place=st.integers(0, len(ANSWERS) - 1))
    def vote_or_change(self, voter: str, post_id: str, place: int) -> None:
        author = self.model.author_of[post_id]
        if voter == author:
            return
        by = _known(voter)

        def action() -> None:
            poll = get_post(post_id, author, viewer=by).poll
            assert poll
            vote(by=by, post_id=post_id, author_id=author, poll=poll, places=[place])

        insist(action)
        self.votes[post_id][voter] = place

    @rule(target=posts, post_id=consumes(polls))
    def the_poll_is_a_post_like_others(self, post_id: str) -> str:
        """From now on it can be liked, reposted and deleted."""
        return post_id

    # Photos

    @rule(target=photos, owner=people)
    def send_a_photo(self, owner: str) -> str:
        before = {one.photo_id for one in insist(lambda: list_album(Viewer(owner))).items}
        insist(lambda: photo(_known(owner)))
        for one in insist(lambda: list_album(Viewer(owner))).items:
            if one.photo_id not in before:  # two, if an answer was lost
                self.free[one.photo_id] = owner
        return max(one for one in self.free if self.free[one] == owner)

    @rule(target=posts, owner=people, closes=st.booleans())
    def send_and_show_a_photo(self, owner: str, closes: bool) -> Any:
        post_id = self._show(self.send_a_photo(owner))
        if closes:
            self.close_and_open_again(post_id)
        return post_id

    @rule(target=posts, photo_id=consumes(photos))
    def show_a_photo(self, photo_id: str) -> Any:
        return self._show(photo_id)

    def _show(self, photo_id: str) -> Any:
        owner = self.free.pop(photo_id, "")
        if not owner:
            return multiple()
        nonce = ids.new_id()
        form = {"content": "Look", "nonce": nonce, "photos": [photo_id]}
        post_id = insist(lambda: publish_post(by=_known(owner), **form))
        self.model.publish(owner, nonce, post_id)
        self.shown[photo_id] = post_id
        with suppress(PhotoInUse):
            insist(lambda: remove_photo(by=Viewer(owner), photo_id=photo_id))
        return post_id

    @rule(photo_id=consumes(photos))
    def remove_a_photo(self, photo_id: str) -> None:
        if owner := self.free.pop(photo_id, ""):
            insist(lambda: remove_photo(by=Viewer(owner), photo_id=photo_id))

    @rule(post_id=posts)
    def close_and_open_again(self, post_id: str) -> None:
        author = self.model.author_of[post_id]
        for audience in (Audience.ONLY_ME, Audience.EVERYONE):
            insist(
                lambda to=audience: change_audience(by=_known(author), post_id=post_id, audience=to)
            )  # type: ignore[misc]

    # Scheduled posts

    @rule(target=plans, author=people, hours=st.integers(1, 4))
    def plan_a_post(self, author: str, hours: int) -> tuple[str, str]:
        self.texts += 1
        content = f"Planned {self.texts}"
        before = {one.slot.scheduled_id for one in self._waiting(author)}
        insist(lambda: schedule(_known(author), hours=hours, content=content))
        for one in self._waiting(author):
            if one.slot.scheduled_id not in before:  # two, if an answer was lost
                self.planned[one.slot.scheduled_id] = content
        return author, one.slot.scheduled_id

    @rule(plan=plans, hours=st.integers(0, 3))
    def change_a_plan(self, plan: tuple[str, str], hours: int) -> None:
        if card := self._card(*plan):
            self.texts += 1
            changed = Composition(content=f"Planned {self.texts}")
            with suppress(ScheduledGone):
                insist(
                    lambda: reschedule_post(
                        by=_known(plan[0]),
                        slot=card.slot,
                        version=card.version,
                        composition=changed,
                        publish_at=card.slot.publish_at + timedelta(hours=hours),
                        zone="UTC",
                    )
                )
                self.planned[plan[1]] = changed.content

    @rule(plan=consumes(plans))
    def give_a_plan_up(self, plan: tuple[str, str]) -> None:
        if card := self._card(*plan):
            with suppress(Moved):
                insist(
                    lambda: delete_scheduled(
                        by=Viewer(plan[0]), slot=card.slot, version=card.version
                    )
                )
                del self.planned[plan[1]]

    @rule(plan=consumes(plans))
    def the_time_of_plans_comes(self, plan: tuple[str, str]) -> None:
        """All of them are published; what met a fault at a later look of the clock."""
        for look in range(40):
            insist(lambda hours=10 + look: do_due(utc_now() + timedelta(hours=hours)))  # type: ignore[misc]
            if not any(map(self._waiting, self.model.accounts)):
                break
        for user_id, account in self.model.accounts.items():
            for raw in insist(lambda who=user_id: [*query(keys.posts(who), consistent=True)]):  # type: ignore[misc]
                text = raw.get("content", {}).get("S", "")
                if text.startswith("Planned") and raw["post_id"]["S"] not in account.posts:
                    assert text in self.planned.values(), "published, and not twice"
                    self.planned = {k: v for k, v in self.planned.items() if v != text}
                    self.model.publish(user_id, raw["post_id"]["S"], raw["post_id"]["S"])
        assert not self.planned, "none is lost"

    def compare_composing(self) -> None:
        for post_id, voters in self.votes.items():
            if post_id in self.model.author_of:
                expected = {f"votes{place}": 0 for place in voters.values()}
                for place in voters.values():
                    expected[f"votes{place}"] += 1
                assert votes_counted(post_id) == expected | (
                    {"voters": len(voters)} if voters else {}
                )
        for user_id in self.model.accounts:
            there = {one.photo_id: one for one in list_album(Viewer(user_id)).items}
            mine = {one for one, owner in self.free.items() if owner == user_id}
            living = {
                one: post_id
                for one, post_id in self.shown.items()
                if self.model.author_of.get(post_id) == user_id
            }
            assert there.keys() == mine | living.keys()
            for photo_id, post_id in living.items():
                assert there[photo_id].post_id == post_id
                assert there[photo_id].public_secret, "everyone may see the post"
        waiting = [one for user_id in self.model.accounts for one in self._waiting(user_id)]
        assert {one.slot.scheduled_id: one.composition.content for one in waiting} == self.planned

    def _waiting(self, author: str) -> list[ScheduledCard]:
        return insist(lambda: all_scheduled(Viewer(author)))

    def _card(self, author: str, scheduled_id: str) -> ScheduledCard | None:
        cards = self._waiting(author)
        return next((one for one in cards if one.slot.scheduled_id == scheduled_id), None)


def _known(user_id: str) -> Viewer:
    return Viewer(user_id, "", insist(lambda: get_user_info(user_id)))
