"""The edition and word list of a demonstration, built once for all tests."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from netplay.demo.show import Files, make_files
from rules import lexicon

LONGEST = 5
"""Letters of a word: enough words for a match, and for several pieces of a file."""


@cache
def _built() -> tuple[bytes, bytes]:
    """Build them: short English words and one more; all would take seconds a node."""
    own = lexicon.find(lexicon.shipped()["english"])
    short = {word for word in own.words() if len(word) <= LONGEST}
    with TemporaryDirectory() as folder:
        few = Path(folder) / "few.graph"
        few.write_bytes(lexicon.build(own.alphabet, short, own.folds))
        files = make_files("networdz", Path(folder), words_name=str(few))
        return Path(files.edition).read_bytes(), Path(files.words).read_bytes()


def demo_files(folder: Path) -> Files:
    """Write them into a folder of a test's own."""
    files = Files(str(folder / "demo.toml"), str(folder / "demo.graph"))
    for path, data in zip(files, _built(), strict=True):
        Path(path).write_bytes(data)
    return files
