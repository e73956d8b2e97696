"""What the audit log says of acts that are about the site as a whole, or that the law asks for: reading alone, legal
holds, data that the operator gave away, and slowing it down, counting it or asking it."""

from django.utils.translation import gettext_lazy as _

OF_THE_SITE = {
    "ask hold": _("%(by)s asked to keep what is known of %(person)s by law"),
    "confirm hold": _("%(by)s confirmed that what is known of %(person)s is kept by law"),
    "ask renewal": _("%(by)s asked to keep what is known of %(person)s by law for longer"),
    "renew hold": _("%(by)s confirmed that what is known of %(person)s is kept by law for longer"),
    "release hold": _("%(by)s ended that what is known of %(person)s is kept by law"),
    "take hold back": _("%(by)s took back the wish to keep what is known of %(person)s by law"),
    "view held case": _("%(by)s viewed the case about %(person)s, which is kept by law"),
    "export person": _("%(by)s wrote the data of %(person)s to a file"),
    "plan read-only": _("%(by)s let the site only be read"),
    "end read-only": _("%(by)s let everyone write again"),
    "slow down": _("%(by)s slowed the site down"),
    "speed up": _("%(by)s ended slowing the site down"),
    "count stored": _("%(by)s had everything in the table counted"),
    "open site vote": _("%(by)s put a question to the vote"),
    "end site vote": _("%(by)s ended a vote early"),
}
