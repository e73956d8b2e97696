"""Keeps the bands by which a perceptual hash on the list is found, and deletes hashes that nothing holds."""

from socialsite.blocked_pictures.models import BlockedBand, BlockedPicture
from socialsite.blocked_pictures.reads import HashKind, bands_of
from socialsite.streams import Change, Ledger, on
from socialsite.table import (
    ALWAYS,
    Check,
    Delete,
    Moved,
    TableError,
    Upsert,
    WriteAction,
    access_pattern,
    fetch,
    row,
    transact,
    write_optimistically,
)


@on(BlockedPicture, "INSERT", "MODIFY", "REMOVE")
def keep_bands(change: Change, ledger: Ledger) -> None:
    """Enters a perceptual hash in its bands, or takes it out when nothing holds it any more, and then deletes the hash.
    As `settle`. Safe to run twice, and late: what the hash is now decides, not what the record says."""
    entry = change.item
    assert isinstance(entry, BlockedPicture)
    old = change.old
    is_as_before = isinstance(old, BlockedPicture) and bool(old.holders) == bool(entry.holders)
    if is_as_before and change.new is not None:
        return  # another holder of the same hash
    ledger.note_effect()
    settle(entry)


@access_pattern
def settle(entry: BlockedPicture) -> None:
    """Makes the bands of a hash say what its item says. Safe to repeat.

    One consistent BatchGetItem, 1 read unit, and one TransactWriteItems. For a perceptual hash it writes the 16 bands
    on condition that what was read still holds, 34 write units. One that nothing holds is deleted with it, 2 otherwise.
    """
    write_optimistically(lambda: _settle(entry))


def _settle(entry: BlockedPicture) -> None:
    raw = fetch([entry.key], consistent=True).get(entry.key)
    is_held = bool(raw and row(BlockedPicture, raw).holders)
    bands: list[WriteAction] = []
    if entry.kind == HashKind.PDQ:
        one = {entry.value}
        hashes = BlockedBand.hashes
        changed = hashes.add(one) if is_held else hashes.delete(one)
        bands = [
            Upsert(BlockedBand, key, [changed], ALWAYS, TableError) for key in bands_of(entry.value)
        ]
    holders = BlockedPicture.holders
    if raw and not is_held:
        transact(*bands, Delete(entry.key, holders.does_not_exist(), otherwise=Moved))
    elif bands:
        as_read = holders.exists() if is_held else holders.does_not_exist()
        transact(*bands, Check(entry.key, as_read, Moved))
