"""Was this form of sign-up sent before, so that only its answer was lost?"""

from datetime import timedelta

from accounts.encryption.emails import normalize_email
from accounts.services.addresses.own_address import find_wished_address
from accounts.services.sign_in import WrongPassword, check_password, find_account
from accounts.signing_in.slow_guesses import password_lanes
from socialsite.clock import utc_now
from socialsite.table import ids
from socialsite.web.bounds.limits import LimitReached
from socialsite.web.bounds.slowdown import give_back, take_turn

JUST_SIGNED_UP = timedelta(hours=1)


def who_just_signed_up(*, handle: str, email: str, password: str, address: str) -> str:
    """Returns the id of an account with all three that is at most an hour old and has still to confirm its
    address, empty if there is none.

    The password counts as a try at the sign-in page does, so this tells nobody more than that. An older account is not
    asked, or people who try for a taken handle would slow down the sign-in of its owner. Costs what `find_account`
    costs, and for a new account what the lanes and its address cost. After too many tries nobody is asked any more.
    """
    found = find_account(handle)
    if not found.user_id or utc_now() - ids.time_of(found.user_id) > JUST_SIGNED_UP:
        return ""
    lanes = password_lanes(handle, address=address, browser_id="")
    try:
        take_turn(lanes)
        check_password(found, password)
    except (LimitReached, WrongPassword):
        return ""
    give_back(lanes)
    is_same = normalize_email(find_wished_address(found.user_id)) == normalize_email(email)
    return found.user_id if is_same and not found.has_second_factor else ""
