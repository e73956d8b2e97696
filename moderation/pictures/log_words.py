"""What the audit log says of illegal pictures and of the list of blocked ones. `moderation/audit_log/reads.py` has the
rest of its words."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Mapping[str, Promise] = {
    "remove": _("%(by)s removed illegal pictures by %(person)s"),
    "undo remove": _("%(by)s restored removed pictures by %(person)s"),
    "import blocked pictures": _("%(by)s imported a list of blocked pictures"),
    "export blocked pictures": _("%(by)s exported the list of blocked pictures"),
    "unblock picture": _("%(by)s took a picture off the list of blocked pictures"),
    "keep hashes": _("%(by)s kept the hashes of pictures by %(person)s"),
    "change procedure": _("%(by)s changed what to do about illegal pictures"),
}
PUBLIC: Mapping[str, Promise] = {
    "remove": _("Illegal pictures were removed"),
    "undo remove": _("Removed pictures were restored"),
}
DETAILS: Mapping[str, Promise] = {
    "pictures": _("Pictures"),
    "hashes": _("Hashes"),
    "hash": _("Hash"),
    "country": _("Country"),
    "looks_before_pause": _("Pictures before a break"),
}
