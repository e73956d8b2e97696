"""A person's folders of saved posts.

`UserSettings.folders` holds their names by id, as it does for circles, so they come with the viewer and cost no call. A
saved post holds the folder's id. So a new name touches no saved post, and neither does deleting a folder, however many
posts are in it: an id without a name is no folder, and its posts are saved without one.
"""

from typing import NamedTuple

from accounts.viewer import Viewer
from socialsite.texts.unseen import isolated

MOST_FOLDERS = 20
LONGEST_FOLDER = 30  # characters


class Folder(NamedTuple):
    folder_id: str
    name: str


def folders_of(viewer: Viewer) -> tuple[Folder, ...]:
    """Returns the viewer's folders in the order of their names."""
    folders = (Folder(folder_id, isolated(name)) for folder_id, name in viewer.folder_names)
    return tuple(sorted(folders, key=lambda folder: (folder.name.casefold(), folder.folder_id)))


def folder_of(viewer: Viewer, folder_id: str) -> Folder | None:
    """Returns one of the viewer's folders, None if they have none with this id."""
    return next((one for one in folders_of(viewer) if one.folder_id == folder_id), None)


def find_folder(names: dict[str, str], name: str) -> str:
    """Returns the id of the folder with this name, whatever its case; empty if there is none."""
    folded = name.casefold()
    return next((one for one, other in names.items() if other.casefold() == folded), "")
