"""Saving a post to read later: only the person's own shelf is written, so nobody learns of it.

The item among all saved posts decides: it says where the post is saved, and every change happens on condition that it
is as it was read. The item among those of a folder is a copy of it, written and deleted in the same transaction.
"""

from pynamodb.expressions.condition import Condition

from accounts.viewer import Viewer
from feed.models import SavedPost
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.actions import Change, Create, Delete, Erase, Put, WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.meter import access_pattern
from socialsite.table.reading import as_model, fetch
from socialsite.table.writing import transact


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

    write_as_read(attempt)


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

    write_as_read(attempt)


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
