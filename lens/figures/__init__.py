"""What a page costs: against its budget, and in other designs."""
