"""Creating, renaming and deleting a folder of saved posts. Only its name is written (`feed/shelf/folders.py`)."""

from accounts.models import UserSettings
from accounts.services.change_names import Names, change_names
from accounts.viewer import Viewer
from feed.shelf.folders import MOST_FOLDERS, find_folder
from socialsite.table import ids
from socialsite.table.errors import AlreadyExists, NotFound, TableError
from socialsite.table.meter import access_pattern


class TooManyFolders(TableError):
    """The person has as many folders as they can have."""


class FolderExists(AlreadyExists):
    """Another folder of the person has this name."""


class NoSuchFolder(NotFound):
    """The person has no folder with this id."""


@access_pattern
def create_folder(*, by: Viewer, name: str) -> str:
    """Creates an empty folder and returns its id, or the id of the folder that has the name. Raises `TooManyFolders`.

    One GetItem and one UpdateItem, 1 read unit and 1 write unit per KB of settings.
    """
    new = ids.new_id()

    def add(names: Names) -> Names:
        if find_folder(names, name):
            return names
        if len(names) >= MOST_FOLDERS:
            raise TooManyFolders
        return names | {new: name}

    return find_folder(change_names(by.user_id, add, attribute=UserSettings.folders), name)


@access_pattern
def rename_folder(*, by: Viewer, folder_id: str, name: str) -> None:
    """Gives a folder another name; its posts stay. Raises `NoSuchFolder`, `FolderExists`.

    One GetItem and one UpdateItem, 1 read unit and 1 write unit per KB of settings.
    """

    def rename(names: Names) -> Names:
        if folder_id not in names:
            raise NoSuchFolder(folder_id)
        if find_folder(names, name) not in ("", folder_id):
            raise FolderExists(name)
        return names | {folder_id: name}

    change_names(by.user_id, rename, attribute=UserSettings.folders)


@access_pattern
def delete_folder(*, by: Viewer, folder_id: str) -> None:
    """Forgets a folder. Its posts stay saved, without a folder. Safe to repeat.

    One GetItem and one UpdateItem, 1 read unit and 1 write unit per KB of settings, however many posts are in it.
    """

    def without(names: Names) -> Names:
        return {one: name for one, name in names.items() if one != folder_id}

    change_names(by.user_id, without, attribute=UserSettings.folders)
