"""Streams of apps, which `manage.py run_live` holds (`notifications/live/streams.py`): what it asks before it begins."""
