"""Editing what your own profile says. Its pictures: `change_pictures.py`."""

from accounts.mentions import find_mentioned
from accounts.models import UserInfo
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change


@access_pattern
def edit_profile(
    *,
    by: Viewer,
    bio: str,
    name: str | None = None,
    location: str | None = None,
    gender: str | None = None,
) -> None:
    """Sets the name, bio, location and pronouns of the signed-in person. None leaves a value as it is. One UpdateItem,
    1 write unit, after a BatchGetItem if the bio mentions someone. Raises `Frozen`.

    The stream worker updates the directory later.
    """
    by.must_have_voice()
    actions = [UserInfo.name.set(name)] if name else []
    mentions = find_mentioned(bio)
    actions.append(
        UserInfo.mentions.remove() if mentions is None else UserInfo.mentions.set(mentions)
    )
    for attribute, value in (
        (UserInfo.bio, bio),
        (UserInfo.location, location),
        (UserInfo.gender, gender),
    ):
        if value is not None:
            actions.append(attribute.set(value) if value else attribute.remove())
    change(UserInfo, keys.user_info(by.user_id), actions)
