"""What people type when they take their data or leave, one file per page."""
