"""Impersonation: the account that someone is said to pretend to be, shown beside theirs."""
