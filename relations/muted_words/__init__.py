"""Words, phrases and tags that a person does not want to read."""
