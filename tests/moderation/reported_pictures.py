"""What tests of reported profiles share: people with pictures, and the files that everyone sees."""

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from accounts.models import UserInfo
from accounts.people.cards import Kind, files_of
from accounts.people.viewer import Viewer
from accounts.profile.writes import new_name
from socialsite.table import change, keys


def give_pictures(person: Viewer, *kinds: Kind) -> dict[str, str]:
    """Gives the person new pictures of these kinds, of both if none is named; returns their names."""
    names = {str(kind): new_name(kind) for kind in kinds or Kind}
    for name in names.values():
        for size, path in files_of(name).items():
            default_storage.save(path, ContentFile(f"RIFF {name} {size}".encode()))
    actions = [getattr(UserInfo, kind).set(name) for kind, name in names.items()]
    change(UserInfo, keys.user_info(person.user_id), actions)
    return names


def contents(name: str | None) -> list[str]:
    """What everyone sees of a picture: the content of each of its files, without those that are gone."""
    found = []
    for path in files_of(name).values():
        if default_storage.exists(path):
            with default_storage.open(path) as file:
                found.append(file.read().decode())
    return found
