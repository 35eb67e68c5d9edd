"""Making the word lists in rules/words from Debian's packages."""
