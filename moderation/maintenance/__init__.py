"""When the site is only read: by whom that is announced, begun and ended. What it means is in
`socialsite/site_settings/read_only.py`."""
