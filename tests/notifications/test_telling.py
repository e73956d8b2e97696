"""Whoever tells somebody something knows the kind alone: which channels carry it, and who may switch it off, is
declared with the kind."""

import pytest

from accounts.mail.delivery import Letters
from accounts.notices import NEW_SIGN_IN, PASSWORD_CHANGED
from feed.notices import LIKE
from moderation.notices import CASES_WAIT, DECISION, RAISED_LETTER
from notifications.delivery import Notifications
from notifications.forms import NotificationsForm
from socialsite import telling
from socialsite.discovery import discover
from socialsite.table import keys
from socialsite.telling import Cause, OptOut, Telling, channel, kind, kind_of, kinds, tell


@pytest.fixture
def all_kinds():
    discover("notices")
    discover("delivery")
    discover("stream")  # those of privacy stand with what causes them
    return list(telling._kinds.values())


def test_each_kind_is_carried_by_a_channel(all_kinds):
    assert len(all_kinds) > 25
    for one in all_kinds:
        assert [make for carries, make in telling._channels if carries(one)], one.name


def test_a_line_of_the_inbox_has_an_icon_and_a_sentence():
    assert len({one.code for one in kinds()}) == len(kinds()) == 24
    for one in kinds():
        assert one.icon
        assert kind_of(one.code) is one


def test_two_kinds_have_neither_a_name_nor_a_code_together():
    with pytest.raises(ValueError, match="another kind"):
        kind("like")
    with pytest.raises(ValueError, match="another kind"):
        kind("another", LIKE.code)


def test_what_happens_to_an_account_cannot_be_switched_off(all_kinds):
    everything = {str(one) for one in OptOut}
    for one in (PASSWORD_CHANGED, NEW_SIGN_IN, DECISION):
        assert one.is_wanted(everything)
    assert not LIKE.is_wanted({"likes"})
    assert not CASES_WAIT.is_wanted({"cases"})
    of_cases = CASES_WAIT, RAISED_LETTER
    assert all(one.switch is None for one in all_kinds if one.by_letter and one not in of_cases)


def test_each_switch_of_a_kind_stands_in_the_settings():
    form = NotificationsForm(opted_out=(), is_staff=True)
    assert {one.switch for one in kinds() if one.switch} <= set(form.fields)


def test_the_bell_and_letters_each_carry_their_own(monkeypatch):
    cause = Cause("bob", keys.like("post", "bob", 1), "post", ("post", "alice"))
    [bell] = tell("alice", LIKE, cause)._by_channel.values()
    [letters] = tell("alice", PASSWORD_CHANGED)._by_channel.values()
    assert isinstance(bell, Notifications)
    assert isinstance(letters, Letters)
    assert bell.size == 2
    assert letters.size == 1


def test_a_further_channel_is_one_registration(monkeypatch):
    discover("delivery")
    monkeypatch.setattr(telling, "_channels", telling._channels.copy())
    pushed = []

    @channel(carries=lambda kind: kind.by_letter and kind.switch is None)
    class Push:
        size = 0

        def add(self, user_id, kind, cause):
            pushed.append((user_id, kind))

        def merge(self, other): ...

        def actions(self):
            return []

    both = Telling().add("alice", NEW_SIGN_IN, Cause(facts={"browser": "", "network": ""}))
    assert len(both.actions()) == 1
    tell("alice", LIKE, Cause("bob", keys.user_info("bob")))
    assert pushed == [("alice", NEW_SIGN_IN)]
