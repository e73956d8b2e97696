"""Sentences of the audit log about what staff do for people and about reporters, which is no decision by a rule. All
others stand in `reads.py`."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

OF_CARE: Mapping[str, str | Promise] = {
    "secure": _("%(by)s secured the account of %(person)s"),
    "hide secured": ngettext_lazy(
        "%(by)s hid %(posts)d post that may not be by %(person)s",
        "%(by)s hid %(posts)d posts that may not be by %(person)s",
        "posts",
    ),
    "undo secure": _("%(by)s no longer keeps the account of %(person)s secured"),
    "mute reports": _("%(by)s muted the reports of %(person)s"),
    "unmute reports": _("%(by)s heard the reports of %(person)s again"),
}
