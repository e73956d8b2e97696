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
    "illegal": _("Nothing against the law"),
    "harassment": _("No harassment or hate"),
    "sexual": _("No sexual content without a warning"),
    "impersonation": _("Do not pretend to be somebody else"),
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
    "violence": _("Do not threaten anybody, and do not call for violence or praise it."),
    "illegal": _("Do not post or offer here what the law forbids."),
    "harassment": _(
        "Do not hound people, and do not degrade anybody for where they come from, what they believe, whom they love "
        "or how they are."
    ),
    "sexual": _("Nobody should come upon nudity or sex without having chosen to look."),
    "impersonation": _("Do not pose as another person, a company or the staff of this site."),
    "spam": _("Do not advertise over and over, cheat people, or post the same thing everywhere."),
}  # fmt: skip
