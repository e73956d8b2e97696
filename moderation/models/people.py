"""What staff list and note about people, besides cases. Shape and keys only."""

from pynamodb.attributes import UnicodeAttribute

from socialsite.table.item import Item


class PersonEntry(Item, discriminator="PersonEntry"):
    """A pointer to a person, in the list of those who signed up in a month, or of those who are restricted. The latter
    ends with the restriction."""

    user_id = UnicodeAttribute()


class PersonNote(Item, discriminator="PersonNote"):
    """In a person's partition: a moderator's note about them, for other moderators. It loses its moderator when that
    account is erased."""

    user_id = UnicodeAttribute()
    note_id = UnicodeAttribute()
    moderator_id = UnicodeAttribute(null=True)
    text = UnicodeAttribute(attr_name="content")
