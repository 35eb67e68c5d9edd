"""Whole matches on a simulated network and disk, under a virtual clock, from a seed."""
