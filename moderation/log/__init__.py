"""The audit log as it is written, and whether it is whole. `audit_log/` shows it."""
