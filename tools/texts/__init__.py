"""The window's texts in its languages: found in the sources, kept as gettext files."""
