"""A person's own lists of people, and starter packs: lists that others may see and follow."""
