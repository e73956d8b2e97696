"""What people and moderators do, one file per behaviour. What staff do is entered in the audit log with it."""
