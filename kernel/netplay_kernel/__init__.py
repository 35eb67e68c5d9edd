"""Finds words for Netplay's computer players, in C; see kernel.c."""

from netplay_kernel._kernel import ffi, lib

__all__ = ["ffi", "lib"]
