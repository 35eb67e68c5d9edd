"""The edition and word list of a demonstration, built once for all tests."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from netplay.demo.show import Files, make_files


@cache
def _built() -> tuple[bytes, bytes]:
    """Build them: all English words and one more, which takes two seconds."""
    with TemporaryDirectory() as folder:
        files = make_files("networdz", Path(folder))
        return Path(files.edition).read_bytes(), Path(files.words).read_bytes()


def demo_files(folder: Path) -> Files:
    """Write them into a folder of a test's own."""
    files = Files(str(folder / "demo.toml"), str(folder / "demo.graph"))
    for path, data in zip(files, _built(), strict=True):
        Path(path).write_bytes(data)
    return files
