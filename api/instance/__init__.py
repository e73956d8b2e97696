"""What clients ask of a site at their start."""
