"""What a person keeps for themselves, in `u#<id>#shelf`: saved posts, in folders, with private notes."""
