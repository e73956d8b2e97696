"""Are the data of earlier code, and not brought up since? The start of the site and `audit` say so, with the one
command that does it: `manage.py upgrade`."""

from socialsite.table import NotFound, change, get, keys
from socialsite.table.data_state import DATA_VERSION
from socialsite.table.models import DataState

DUE = (
    "These data were written by earlier code. Pages work, but counts and lists may lack what was added since. "
    "Stop the site, run `make upgrade` (`manage.py upgrade`), then start it again."
)


def is_upgrade_due() -> bool:
    """Whether the data were never brought up to this version: one consistent GetItem, 1 read unit.

    `DataState.version` does not tell, as every start of newer code raises it so that earlier code keeps off.
    """
    try:
        upgraded = get(DataState, keys.data_state(), consistent=True).upgraded
    except NotFound:
        return False
    return int(upgraded or 0) < DATA_VERSION


def note_upgraded() -> None:
    """Notes that all data are of this version. 1 write unit."""
    change(DataState, keys.data_state(), [DataState.upgraded.set(DATA_VERSION)])
