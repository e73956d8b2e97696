"""What of lists goes with an account: the person's own lists, and their places in those of others."""

from accounts.erasing import Handled, Leaver, erases, first_of
from relations.lists.writes import listings_of, take_out_of_list
from relations.models import Listing, PersonList
from socialsite.table import key_of, keys, row, write_batch

AT_ONCE = 25


@erases("lists")
def erase_lists(leaver: Leaver) -> Handled:
    """Deletes the person's next lists with the listings of those in them, and takes the person out of the next lists of
    others. Two Queries; 1 write unit for each listing and each KB of a list, and 6 for a list of someone else, as
    `take_out_of_list`."""
    own = first_of(keys.person_lists(leaver.user_id), AT_ONCE)
    for raw in own:
        found = row(PersonList, raw)
        listings = listings_of(leaver.user_id, found.list_id, found.members)
        write_batch(deletes=[*listings, key_of(raw)])
    places = first_of(keys.listings(leaver.user_id), AT_ONCE)
    for raw in places:
        listing = row(Listing, raw)
        take_out_of_list(owner_id=listing.owner_id, list_id=listing.list_id, user_id=leaver.user_id)
    return Handled(lists=len(own) + len(places))
