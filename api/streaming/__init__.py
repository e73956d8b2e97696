"""Streams, which `manage.py run_live` holds (`notifications/live/streams.py`): what is asked before one begins."""
