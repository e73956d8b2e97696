"""The roof: commands, demo data, backup, production mode on one machine, invariants, reconcile, the worker's page."""
