"""The staff: roles, navigation, what waits for them and whom it is told, and the overview in numbers."""
