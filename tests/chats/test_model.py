"""Private messages against a plain model: three people do by chance what people do, the worker falls behind, is
restarted and gets records again. At each look everyone reads what the model says, no message is there twice or lost
after it was answered, and the badges say what has not been read."""

import random
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field, replace

import pytest

from accounts.people.viewer import Viewer
from chats.badges import note_for_others
from chats.models import Message, State
from chats.writes import CannotWrite, accept_chat, delete_message, read_messages, refuse_chat
from socialsite.table import NotFound, ids, keys
from tests.chats.scenes import texts, write
from tests.chats.test_messages import bell
from tests.looks import broken_invariants

STEPS = 60
Pair = tuple[str, str]  # whose, with whom


@dataclass
class Model:
    said: dict[str, list[tuple[str, str, str]]] = field(default_factory=lambda: defaultdict(list))
    states: dict[Pair, str] = field(default_factory=dict)
    agreed: set[Pair] = field(default_factory=set)
    came: dict[Pair, str] = field(default_factory=dict)
    read: dict[Pair, str] = field(default_factory=dict)
    rings: set[Pair] = field(default_factory=set)
    waiting: list[Message] = field(default_factory=list)  # for the worker

    def takes(self, by: str, to: str) -> bool:
        """Whether a message arrives, as a request or at once."""
        has_agreed = (to, by) in self.agreed or self.states.get((to, by)) == State.IN
        return has_agreed or (to, by) not in self.states

    def sent(self, message: Message, to: str, text: str) -> None:
        by = message.author_id
        self.said[message.chat_id].append((message.message_id, by, text))
        if self.states.get((by, to)) == State.ASKED:
            self.agreed.add((by, to))
            self.rings.discard((by, to))
        is_known = (to, by) in self.agreed
        self.states.setdefault((to, by), State.IN if is_known else State.ASKED)
        self.states[by, to] = State.IN
        self.waiting.append(message)

    def works(self) -> None:
        """The worker notes what waits, in its order."""
        for message in self.waiting:
            by = message.author_id
            to = keys.other_of_pair(message.chat_id, by)
            if self.states[to, by] == State.REFUSED:
                continue
            self.came[to, by] = message.message_id
            if message.message_id > self.read.get((to, by), ""):
                self.rings.add((to, by))
        self.waiting = []


@dataclass
class Play:
    people: list[Viewer]
    chance: random.Random
    model: Model = field(default_factory=Model)
    sent: list[tuple[Message, Viewer, Viewer, str, str]] = field(default_factory=list)

    def two(self) -> tuple[Viewer, Viewer]:
        one, other = self.chance.sample(self.people, 2)
        return replace(one, waiting=bell(one)), other

    def send(self) -> None:
        by, to = self.two()
        text, nonce = f"{len(self.sent)}", ids.new_id()
        if not self.model.takes(by.user_id, to.user_id):
            with pytest.raises(CannotWrite):
                write(by, to, text, nonce=nonce)
            return
        message = write(by, to, text, nonce=nonce).message
        self.model.sent(message, to.user_id, text)
        self.sent.append((message, by, to, text, nonce))

    def send_again(self) -> None:
        """The same form, as after an answer that was lost."""
        if self.sent:
            _message, by, to, text, nonce = self.sent[-1]
            with suppress(CannotWrite):
                assert write(by, to, text, nonce=nonce).message is None

    def read(self) -> None:
        by, other = self.two()
        pair, chat_id = (by.user_id, other.user_id), keys.pair(by.user_id, other.user_id)
        if said := self.model.said[chat_id]:
            read_messages(by=by, chat_id=chat_id, up_to=said[-1][0])
            if pair in self.model.states:
                self.model.read[pair] = said[-1][0]
            self.model.rings.discard(pair)

    def answer(self) -> None:
        by, other = self.two()
        pair, chat_id = (by.user_id, other.user_id), keys.pair(by.user_id, other.user_id)
        accepts = self.chance.random() < 0.6
        if self.model.states.get(pair) != State.ASKED:
            return
        (accept_chat if accepts else refuse_chat)(by=by, chat_id=chat_id)
        self.model.states[pair] = State.IN if accepts else State.REFUSED
        if accepts:
            self.model.agreed.add(pair)
        self.model.rings.discard(pair)

    def delete(self) -> None:
        if not self.sent:
            return
        message, by, *_ = self.chance.choice(self.sent)
        delete_message(by=by, chat_id=message.chat_id, message_id=message.message_id)
        said = self.model.said[message.chat_id]
        self.model.said[message.chat_id] = [
            (one, author, "" if one == message.message_id else text) for one, author, text in said
        ]

    def look(self) -> None:
        for by in self.people:
            for other in self.people:
                if by is other:
                    continue
                said = self.model.said[keys.pair(by.user_id, other.user_id)]
                assert texts(by, other) == [text for _, _, text in said]
            waiting = bell(by)
            rings = {name for user_id, name in self.model.rings if user_id == by.user_id}
            assert {*waiting.chats, *waiting.chat_requests} == rings
            assert not {*waiting.chats} & {*waiting.chat_requests}


@pytest.mark.parametrize("seed", range(4))
def test_everyone_reads_what_the_model_says(seed, alice, bob, carol, drain_stream):
    play = Play([alice, bob, carol], random.Random(seed))
    steps = [play.send] * 5 + [play.read] * 3 + [play.answer] * 2 + [play.send_again, play.delete]
    for _step in range(STEPS):
        play.chance.choice(steps)()
        if play.chance.random() < 0.3:
            drain_stream()
            play.model.works()
            if play.sent and play.chance.random() < 0.5:  # it was restarted, and gets records again
                for message, *_ in play.chance.choices(play.sent, k=3):
                    with suppress(NotFound):
                        note_for_others(message)
            play.look()
    drain_stream()
    play.model.works()
    play.look()
    assert broken_invariants() == {}
