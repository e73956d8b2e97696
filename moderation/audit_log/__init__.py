"""The audit log as people read it: month by month with names for staff, and the public one for everyone."""
