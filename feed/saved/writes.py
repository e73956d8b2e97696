"""Saving a post to read later, and creating, renaming and deleting a folder, of which only the name is written. Only
the person's own shelf is written, so nobody learns of it.

The item among all saved posts decides: it says where the post is saved, and every change happens on condition that it
is as it was read. The item among those of a folder is a copy of it, written and deleted in the same transaction.
"""

from pynamodb.expressions.condition import Condition

from accounts.models import UserSettings
from accounts.people.viewer import Viewer
from accounts.profile.writes import Names, change_names
from feed.saved.models import SavedPost
from feed.saved.reads import MOST_FOLDERS, find_folder
from socialsite.clock import utc_now
from socialsite.table import (
    AlreadyExists,
    Change,
    Create,
    Delete,
    Erase,
    Moved,
    NotFound,
    Put,
    TableError,
    WriteAction,
    access_pattern,
    as_model,
    fetch,
    ids,
    keys,
    transact,
    write_optimistically,
)


@access_pattern
def save_post(
    *, by: Viewer, post_id: str, author_id: str, folder_id: str = "", note: str = ""
) -> None:
    """Saves a post in a folder (none if empty) with a note. If it is saved, moves it there and replaces the note. Safe
    to repeat. The caller has checked that the viewer may see the post.

    One BatchGetItem consistent, 1 read unit, and one TransactWriteItems: 2 write units, 4 in a folder, 6 when moved
    from one to another; a long note adds to each. Two windows that save at once leave one of the two states, never
    both. Frozen people may save: others see nothing of it. Raises `Conflict`.
    """

    def attempt() -> None:
        old = _find(by, post_id)
        saved = {
            "user_id": by.user_id,
            "post_id": post_id,
            "author_id": author_id,
            "saved_at": old.saved_at if old else utc_now().isoformat(timespec="microseconds"),
            "folder": folder_id,
            "note": note,
        }
        actions: list[WriteAction] = [
            Change(
                SavedPost,
                old.key,
                [
                    SavedPost.folder.set(folder_id) if folder_id else SavedPost.folder.remove(),
                    SavedPost.note.set(note) if note else SavedPost.note.remove(),
                ],
                _is_still(old),
                otherwise=Moved,
            )
            if old
            else Create(SavedPost.new(**saved), otherwise=Moved)
        ]
        if old and old.folder and old.folder != folder_id:
            actions.append(_copy_of(old))
        if folder_id:
            actions.append(Put(SavedPost.new(**saved, among=folder_id)))
        transact(*actions)

    write_optimistically(attempt)


@access_pattern
def remove_saved_post(*, by: Viewer, post_id: str) -> None:
    """Removes a post from the saved ones, with its note. Safe to repeat.

    One BatchGetItem consistent, 1 read unit, and one TransactWriteItems of one or two deletes, 2 or 4 write units.
    Raises `Conflict`.
    """

    def attempt() -> None:
        old = _find(by, post_id)
        if old is None:
            return
        copy = [_copy_of(old)] if old.folder else []
        transact(Delete(old.key, _is_still(old), otherwise=Moved), *copy)

    write_optimistically(attempt)


def _find(by: Viewer, post_id: str) -> SavedPost | None:
    key = keys.saved_post(by.user_id, post_id)
    raw = fetch([key], consistent=True).get(key)
    return as_model(SavedPost, raw) if raw else None


def _is_still(old: SavedPost) -> Condition:
    """The condition that it is where it was. It may have been removed and saved again since, so its time counts too."""
    same_time = SavedPost.saved_at == old.saved_at
    if old.folder:
        return same_time & (SavedPost.folder == old.folder)
    return same_time & SavedPost.folder.does_not_exist()


def _copy_of(old: SavedPost) -> Erase:
    return Erase(keys.saved_post(old.user_id, old.post_id, old.folder or ""))


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
