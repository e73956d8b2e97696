"""The people whom letters reach: their address, readable for a moment, and how they like to be written to."""

from dataclasses import dataclass

from accounts.encryption.emails import decrypt_email
from accounts.models import Credentials, UserInfo, UserSettings
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.row import row
from socialsite.web.preferences import parse


@dataclass(frozen=True, slots=True)
class Recipient:
    """A person with the address that a letter goes to. `language` and `time_zone` are empty if they never chose."""

    user_id: str
    handle: str
    address: str
    language: str = ""
    time_zone: str = ""
    epoch: int = 0


@access_pattern
def find_recipient(user_id: str, *, at: str = "") -> Recipient | None:
    """Returns a person with their own address, or with the one given by `at`. None if the account or the address is
    gone.

    One BatchGetItem of UserInfo, UserSettings and Credentials, consistent: 3 read units.
    """
    info_key, settings_key = keys.user_info(user_id), keys.user_settings(user_id)
    credentials_key = keys.credentials(user_id)
    found = fetch([info_key, settings_key, credentials_key], consistent=True)
    if info_key not in found or credentials_key not in found:
        return None
    own = row(Credentials, found[credentials_key])
    if not own.email and not at:
        return None
    chosen = parse(row(UserSettings, found.get(settings_key, {})).preferences)
    return Recipient(
        user_id,
        handle=row(UserInfo, found[info_key]).handle,
        address=at or decrypt_email(own.email, user_id=user_id),
        language=chosen.language if chosen else "",
        time_zone=chosen.time_zone if chosen else "",
        epoch=int(own.epoch),
    )
