"""What staff do about illegal pictures: the list of blocked ones, with its imports and exports, cases about people who
try to upload one, how reported pictures are looked at, and what the law of each country asks for."""
