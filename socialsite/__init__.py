"""The frame: settings and addresses, the table, its streams, the embedded engine, and what every page needs.

It imports none of the apps.
"""

import os

# Before any part of it is imported: Lambda imports a handler by its name, and with it the packages around it.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "socialsite.settings")
