"""The epoch of an account: a number that goes up whenever all earlier sign-ins end.

It stands in Credentials, where it is read together with the password. UserSettings and each SignIn hold a copy, as
every page reads these two anyway. So a sign-in with the old password that is written a moment after the change of
password is refused, and would be over even if it were not.
"""

from pynamodb.expressions.condition import Condition

from accounts.models import Credentials, SignIn, UserSettings
from socialsite.table.reading import RawItem
from socialsite.table.row import row


def is_of_epoch(sign_in: RawItem, settings: RawItem) -> bool:
    """Whether a raw SignIn belongs to the present epoch, which the raw UserSettings hold."""
    return row(SignIn, sign_in).epoch == row(UserSettings, settings).epoch


def in_epoch(model: type[Credentials] | type[UserSettings], epoch: int) -> Condition:
    """Returns the condition that the account is still in this epoch. Accounts begin in epoch 0, which is not
    written."""
    return model.epoch == epoch if epoch else model.epoch.does_not_exist()
