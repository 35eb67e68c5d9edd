"""Small faults, each of which a player would notice, and the tests that catch them."""
