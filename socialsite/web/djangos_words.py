"""Django's own sentences that people see here. They are only listed, so that `make messages` collects them.

Our catalogs come before Django's, so these sentences get the tone of the site. Those of the password rules would not be
translated at all, because their app is not installed. A test fails when Django changes one.
"""

from django.utils.translation import gettext_noop, ngettext_lazy

gettext_noop("This field is required.")
gettext_noop("Enter a valid email address.")
gettext_noop("Enter a valid value.")
gettext_noop("Select a valid choice. %(value)s is not one of the available choices.")
ngettext_lazy(
    "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
    "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
    "limit_value",
)

gettext_noop("No file was submitted. Check the encoding type on the form.")
gettext_noop("No file was submitted.")
gettext_noop("The submitted file is empty.")

ngettext_lazy(
    "This password is too short. It must contain at least %d character.",
    "This password is too short. It must contain at least %d characters.",
)
gettext_noop("This password is entirely numeric.")
