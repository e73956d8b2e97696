"""The whole conduct: other posts of the person whom a case is about, or a whole thread, taken into the case."""
