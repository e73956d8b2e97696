"""What a page asks to be read together with its viewer, and what is never shown of it."""

from django.test import RequestFactory

from accounts.middleware import read_people
from accounts.models import UserInfo
from accounts.sessions import sign_out
from socialsite.table import change, keys


def asked_by(browser):
    """A request of this browser, whose people were not read."""
    request = RequestFactory().get("/explore")
    request.session, request.resolver_match = browser.session, None
    read_people(request)
    return request


def test_it_comes_with_the_viewer_in_one_call(alice, log_in, measure):
    request = asked_by(log_in(alice))
    request.people.read_beside(keys.user_info)
    request.people.read_beside(keys.suggestions)
    with measure() as meter:
        beside = request.user.beside
    assert [call.operation for call in meter.calls] == ["BatchGetItem"]
    assert beside[keys.user_info(alice.user_id)] is not None
    assert beside[keys.suggestions(alice.user_id)] is None


def test_asked_too_late_nothing_comes(alice, log_in):
    request = asked_by(log_in(alice))
    assert request.user.handle == "alice"
    request.people.read_beside(keys.user_info)
    assert request.user.beside == {}


def test_nothing_comes_for_who_signed_out_or_was_suspended(alice, log_in):
    browser = log_in(alice)
    change(
        UserInfo,
        keys.user_info(alice.user_id),
        [UserInfo.suspended_until.set("9999-12-31T00:00:00+00:00")],
    )
    request = asked_by(browser)
    request.people.read_beside(keys.user_info)
    assert request.user.locked_out
    assert request.user.beside == {}
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.suspended_until.remove()])
    read = asked_by(browser)
    sign_out(by=read.user)
    request = asked_by(browser)
    request.people.read_beside(keys.user_info)
    assert not request.user.is_authenticated
    assert request.user.beside == {}
