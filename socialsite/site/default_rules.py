"""The rules that a site has until it writes its own, and the words for "something else"."""

from django.utils.translation import gettext_lazy as _

URGENT, SERIOUS, MINOR = 1, 2, 3
OTHER = "other"  # as a reason that no rule names

SEVERITIES = {
    "violence": URGENT,
    "illegal": URGENT,
    "harassment": SERIOUS,
    "sexual": SERIOUS,
    "impersonation": SERIOUS,
    "spam": MINOR,
}
TITLES = {
    "violence": _("No violence or threats"),
    "illegal": _("Nothing illegal"),
    "harassment": _("No harassment or hate"),
    "sexual": _("No sexual content without a warning"),
    "impersonation": _("Don’t pretend to be someone else"),
    "spam": _("No spam"),
    OTHER: _("Something else"),
}
REASONS = {
    "violence": _("Violence or threats"),
    "illegal": _("Something illegal"),
    "harassment": _("Harassment or hate"),
    "sexual": _("Sexual content without a warning"),
    "impersonation": _("Pretending to be someone else"),
    "spam": _("Spam"),
    OTHER: _("Something else"),
}
TEXTS = {
    "violence": _("Don’t threaten anyone, and don’t call for violence or praise it."),
    "illegal": _("Don’t post or offer anything that’s against the law."),
    "harassment": _(
        "Don’t harass people, and don’t put anyone down for where they come from, what "
        "they believe, who they love or who they are."
    ),
    "sexual": _("Nobody should see nudity or sex unless they’ve chosen to look."),
    "impersonation": _("Don’t pose as another person, a company or the staff of this site."),
    "spam": _("Don’t advertise over and over, scam people or post the same thing everywhere."),
}  # fmt: skip
