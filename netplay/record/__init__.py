"""What a match is: signed entries, their meaning, chance, and the file of them."""
