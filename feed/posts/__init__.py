"""Posts: their items, where they stand, who may see them, and what every change of one holds to."""
