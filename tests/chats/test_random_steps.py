"""People who write, read, delete, ask, refuse, block and mute in any order, beside a simple model of it: each sees what
they should, once, and badges and marks say what they have not read. The worker dies in between, and records come again.

100 steps for each seed, always the same; two of the seeds a run, and all with `FAULTS=long`.
"""

import random
from collections import Counter
from dataclasses import dataclass, field, replace

import pytest

from accounts.people.viewer import Viewer
from chats.models import ChatEntry, State
from chats.own_entries.writes import mute_chat
from chats.reads import get_chat
from chats.writes import (
    CannotWrite,
    accept_chat,
    delete_message,
    read_messages,
    refuse_chat,
    send_message,
)
from relations.blocks.writes import block, unblock
from socialsite.streams.worker import Worker
from socialsite.table import NotFound, fetch, ids, keys, row
from tests.chats.scenes import knows
from tests.chats.test_groups import group_of
from tests.chats.test_messages import bell
from tests.injected.faults import share
from tests.looks import broken_invariants
from tests.streams.records import Record, handle_all, unread

STEPS = 100
ORDINARY = (*["send"] * 6, "read", "read", "delete", "same form", "work", "worker dies")
SELDOM = ("accept", "refuse", "block", "unblock", "unblock", "mute", "unmute", "records again")


@dataclass
class Said:
    """A message of the model."""

    by: str
    message_id: str
    text: str  # empty once it is deleted


@dataclass
class Talk:
    """A conversation of the model: its messages in order, and how each stands to it."""

    chat_id: str
    people: list[Viewer]
    said: list[Said] = field(default_factory=list)
    state: dict[str, State] = field(default_factory=dict)
    agreed: set[str] = field(default_factory=set)
    read: dict[str, str] = field(default_factory=dict)
    muted: set[str] = field(default_factory=set)
    rung: set[str] = field(default_factory=set)  # whose badge counts it
    last: dict[str, str] = field(default_factory=dict)  # the newest message that each knows of
    came: dict[str, str] = field(default_factory=dict)  # of someone else
    past: dict[str, dict[str, str]] = field(default_factory=dict)  # authors of what went past each
    waiting: list[tuple[Said, frozenset[str]]] = field(default_factory=list)  # for the worker

    @property
    def is_pair(self) -> bool:
        return keys.is_pair(self.chat_id)


class Site:
    """Does each step to the site and to the model, and compares them."""

    def __init__(self, seed: int, people: list[Viewer], group: str, joined: dict[str, str]) -> None:
        self.chance = random.Random(seed)
        self.people = people
        self.worker = Worker()
        alice, bob, carol = people
        self.talks = [
            Talk(keys.pair(one.user_id, other.user_id), [one, other])
            for one, other in ((alice, bob), (alice, carol))
        ]
        ids_of_all = [one.user_id for one in people]
        of_group = Talk(group, people, read=joined, state=dict.fromkeys(ids_of_all, State.IN))
        self.talks.append(of_group)
        self.blocked: set[tuple[str, str]] = set()
        self.follows = {(one.user_id, alice.user_id) for one in (bob, carol)}
        self.hidden: set[str] = set()  # messages that went past someone because of a block
        self.done: Counter[str] = Counter()
        self.sent: list[tuple[Viewer, Talk, str, str]] = []  # forms that were sent
        self.old: list[Record] = []  # records

    def is_blocked(self, one: str, other: str) -> bool:
        return bool({(one, other), (other, one)} & self.blocked)

    def step(self) -> None:
        deed = self.chance.choice((*ORDINARY * 2, *SELDOM))
        talk = self.chance.choice(self.talks)
        by = self.chance.choice(talk.people)
        getattr(self, deed.replace(" ", "_"))(by, talk)
        self.done[deed] += 1

    # What people do

    def send(self, by: Viewer, talk: Talk) -> None:
        text, nonce = f"Number {self.done.total()}", ids.new_id()
        expected = self.may_send(by, talk)
        try:
            sent = send_message(by=self.fresh(by), chat_id=talk.chat_id, text=text, nonce=nonce)
        except CannotWrite:
            assert not expected
            return
        assert expected, "it was sent where it may not be"
        assert sent.message
        self.sent.append((by, talk, text, nonce))
        said = Said(by.user_id, sent.message.message_id, text)
        assert not talk.said or said.message_id > talk.said[-1].message_id
        talk.said.append(said)
        talk.last[by.user_id] = said.message_id
        others = [one for one in talk.people if one.user_id != by.user_id]
        talk.waiting.append((said, frozenset(one.user_id for one in others)))
        if talk.is_pair:
            if talk.state.get(by.user_id) == State.ASKED:
                talk.agreed.add(by.user_id)
                talk.rung.discard(by.user_id)
            first = State.IN if self.knows_at_once(by, others[0], talk) else State.ASKED
            talk.state.setdefault(others[0].user_id, first)
            talk.state[by.user_id] = State.IN

    def may_send(self, by: Viewer, talk: Talk) -> bool:
        if not talk.is_pair:
            return True
        (other,) = [one for one in talk.people if one.user_id != by.user_id]
        if self.is_blocked(by.user_id, other.user_id):
            return False
        agreed = other.user_id in talk.agreed or talk.state.get(other.user_id) == State.IN
        return agreed or talk.state.get(other.user_id) is None

    def knows_at_once(self, by: Viewer, other: Viewer, talk: Talk) -> bool:
        return (other.user_id, by.user_id) in self.follows or other.user_id in talk.agreed

    def same_form(self, by: Viewer, talk: Talk) -> None:
        if self.sent:
            by, talk, text, nonce = self.sent[-1]
            sent = send_message(by=self.fresh(by), chat_id=talk.chat_id, text=text, nonce=nonce)
            assert sent.message is None

    def read(self, by: Viewer, talk: Talk) -> None:
        shown = self.shown(by, talk)
        if not shown:
            return
        up_to = get_chat(by, talk.chat_id, consistent=True).newest
        assert up_to >= shown[-1].message_id
        read_messages(by=self.fresh(by), chat_id=talk.chat_id, up_to=up_to)
        if talk.state.get(by.user_id):
            talk.read[by.user_id] = max(up_to, talk.read.get(by.user_id, ""))
        talk.rung.discard(by.user_id)

    def delete(self, by: Viewer, talk: Talk) -> None:
        if mine := [one for one in talk.said if one.by == by.user_id]:
            said = self.chance.choice(mine)
            delete_message(by=by, chat_id=talk.chat_id, message_id=said.message_id)
            said.text = ""

    def accept(self, by: Viewer, talk: Talk) -> None:
        if talk.state.get(by.user_id) == State.ASKED:
            self.work()
            accept_chat(by=self.fresh(by), chat_id=talk.chat_id)
            talk.state[by.user_id] = State.IN
            talk.agreed.add(by.user_id)
            talk.rung.discard(by.user_id)

    def refuse(self, by: Viewer, talk: Talk) -> None:
        self.work()
        try:
            refuse_chat(by=self.fresh(by), chat_id=talk.chat_id)
        except NotFound:
            assert talk.state.get(by.user_id) not in (State.ASKED, State.REFUSED)
            return
        talk.state[by.user_id] = State.REFUSED
        talk.rung.discard(by.user_id)

    def block(self, by: Viewer, talk: Talk) -> None:
        other = self.chance.choice([one for one in talk.people if one.user_id != by.user_id])
        self.work()
        block(by=by, user_id=other.user_id)
        self.blocked.add((by.user_id, other.user_id))
        self.follows -= {(by.user_id, other.user_id), (other.user_id, by.user_id)}
        for pair in self.talks[:2]:
            if {one.user_id for one in pair.people} == {by.user_id, other.user_id}:
                pair.rung.clear()
        self.work()

    def unblock(self, by: Viewer, talk: Talk) -> None:
        for one, other in sorted(self.blocked):
            unblock(by=next(who for who in self.people if who.user_id == one), user_id=other)
        self.blocked.clear()

    def mute(self, by: Viewer, talk: Talk, *, length: str = "always") -> None:
        self.work()
        try:
            mute_chat(by=by, chat_id=talk.chat_id, length=length)
        except NotFound:
            assert by.user_id not in talk.state
            return
        (talk.muted.add if length else talk.muted.discard)(by.user_id)

    def unmute(self, by: Viewer, talk: Talk) -> None:
        self.mute(by, talk, length="")

    # What the worker does

    def work(self, *_: object) -> None:
        self.old += unread()
        self.worker.drain()
        self.worker_has_worked()

    def worker_has_worked(self) -> None:
        for talk in self.talks:
            for said, others in talk.waiting:
                for one in others:
                    if self.is_blocked(one, said.by) or talk.state[one] == State.REFUSED:
                        self.hidden.add(said.message_id)
                        talk.past.setdefault(one, {})[said.message_id] = said.by
                        continue
                    talk.came[one] = said.message_id
                    talk.last[one] = max(said.message_id, talk.last.get(one, ""))
                    if one not in talk.muted and talk.read.get(one, "") < said.message_id:
                        talk.rung.add(one)
            talk.waiting.clear()

    def worker_dies(self, by: Viewer, talk: Talk) -> None:
        """After it has handled everything, and before it says so: another one begins where it began."""
        self.worker.give_up()
        records = unread()
        handle_all(records)
        self.old += records
        self.worker = Worker()
        self.work()

    def records_again(self, by: Viewer, talk: Talk) -> None:
        self.work()
        again = {_message_of(one): one for one in self.old}
        handle_all([again[one] for one in again.keys() - self.hidden - {""}])

    def fresh(self, one: Viewer) -> Viewer:
        return replace(one, waiting=bell(one))

    # What each sees

    def shown(self, by: Viewer, talk: Talk) -> list[Said]:
        if talk.is_pair and self.is_blocked(*(one.user_id for one in talk.people)):
            return []
        return [one for one in talk.said if not self.is_blocked(by.user_id, one.by)]

    def compare(self) -> None:
        self.work()
        for talk in self.talks:
            for one in talk.people:
                self.compare_one(one, talk)
        assert broken_invariants() == {}

    def compare_one(self, one: Viewer, talk: Talk) -> None:
        self.note_late(one, talk)
        page = get_chat(one, talk.chat_id, consistent=True)
        texts = [card.text for card in page.messages if not card.line]
        assert texts == [said.text for said in self.shown(one, talk)][-len(texts) or None :]
        waiting = bell(one)
        assert not {*waiting.chats} & {*waiting.chat_requests}  # else the badge counts it twice
        named = {*waiting.chats, *waiting.chat_requests}
        other = "" if not talk.is_pair else keys.other_of_pair(talk.chat_id, one.user_id)
        assert ((other or talk.chat_id) in named) == (one.user_id in talk.rung), one.handle
        key = keys.chat_entry(one.user_id, talk.chat_id)
        raw = fetch([key], consistent=True).get(key)
        assert (raw is not None) == (one.user_id in talk.state)
        if raw is None:
            return
        entry = row(ChatEntry, raw)
        assert entry.state == talk.state[one.user_id]
        assert entry.read == talk.read.get(one.user_id, "")
        if talk.last.get(one.user_id):
            assert entry.last == talk.last[one.user_id]
        if talk.came.get(one.user_id):
            assert entry.came == talk.came[one.user_id]

    def note_late(self, one: Viewer, talk: Talk) -> None:
        """What went past someone because of a block comes after all if its record comes again when that has ended."""
        key, me = keys.chat_entry(one.user_id, talk.chat_id), one.user_id
        came = row(ChatEntry, fetch([key], consistent=True).get(key, {})).came
        if came > talk.came.get(me, "") and came in talk.past.get(me, ()):
            talk.came[me], talk.last[me] = came, max(came, talk.last.get(me, ""))
            if me not in talk.muted and talk.read.get(me, "") < came:
                talk.rung.add(me)


def _message_of(record: Record) -> str:
    """The message that a record says was sent, empty if it says something else."""
    new = record["dynamodb"].get("NewImage", {})
    is_message = record["eventName"] == "INSERT" and new.get("type") == {"S": "Message"}
    return new["message_id"]["S"] if is_message else ""


@pytest.mark.parametrize("seed", share(range(6), one_of=3, salt="steps of conversations"))
def test_everyone_sees_what_the_model_says(seed, alice, bob, carol, monkeypatch):
    monkeypatch.setattr("chats.writes.BURST", 1_000)
    knows(bob, alice)
    knows(carol, alice)
    group = group_of(alice, bob, carol)
    joined = {one.user_id: get_chat(one, group).standing.own.read for one in (alice, bob, carol)}
    site = Site(seed, [alice, bob, carol], group, joined)
    site.compare()
    for number in range(STEPS):
        site.step()
        if number % 10 == 9:
            site.compare()
    site.compare()
    assert sum(len(talk.said) for talk in site.talks) > STEPS / 10, site.done
