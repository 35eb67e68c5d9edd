"""What setuptools cannot be told in pyproject.toml."""

from setuptools import setup

setup(
    cffi_modules=["build_kernel.py:ffi"],
    # One wheel for every Python from 3.11 on.
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
