"""Push for apps (`notifications/push/apps.py`)."""
