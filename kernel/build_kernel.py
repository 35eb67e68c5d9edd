"""Build the kernel: what Python is told of it is its header, as it stands."""

from pathlib import Path

from cffi import FFI

FOLDER = Path(__file__).parent / "netplay_kernel"

ffi = FFI()
ffi.cdef((FOLDER / "kernel.h").read_text("utf-8"))
ffi.set_source(
    "netplay_kernel._kernel",
    '#include <stdint.h>\n#include "kernel.h"',
    sources=["netplay_kernel/kernel.c"],
    include_dirs=["netplay_kernel"],
)

if __name__ == "__main__":
    ffi.compile(verbose=True)
