"""Says what a release still lacks: `python -m tools.release check [--tag v1.2.0]`."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tools.release import about, notices

VERSION_OF_RULES: Final = re.compile(r"^    version=(\d+),", re.MULTILINE)
VERSIONS: Final = re.compile(r"^VERSIONS: Final = \(([\d, ]+)\)", re.MULTILINE)
LINK: Final = "netplay/peering/link.py"
VECTORS: Final = "tests/vectors/messages.json"
FOREIGN: Final = (".otf", ".ttf", ".graph", ".tiers")
"""Files that others have made, or that are made of theirs."""


def missing(tag: str | None, root: Path = about.ROOT) -> Iterator[str]:
    """Yield what is missing, one line each; nothing if the release can be made.

    Args:
        tag: That the release has, or will have; None for the one that fits.
        root: The sources.
    """
    yield from named(tag, root)
    for look in (translated, counted, kept, signing, licensed, pinned):
        yield from look(root)
    if git(root, "status", "--porcelain", "--untracked-files=no"):
        yield "changes that are not committed"


def git(root: Path, *words: str) -> str:
    """Return what git says, empty if it fails."""
    done = subprocess.run(
        ["git", *words], cwd=root, check=False, capture_output=True, text=True
    )
    return done.stdout.strip() if done.returncode == 0 else ""


def named(tag: str | None, root: Path) -> Iterator[str]:
    """Look at what everybody reads first."""
    version = about.version(root)
    if tag is not None and tag != f"v{version}":
        yield f"the tag {tag} names another version than {version}"
    if not about.changes(version, root):
        yield f"CHANGELOG.md has no section {version} (what was Unreleased)"
    told = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    if not told["project"].get("urls", {}).get("Homepage"):
        yield "pyproject.toml names no Homepage in [project.urls]"
    for name, value in told["tool"]["netplay"].items():
        if "example" in value:
            yield f"pyproject.toml: {name} in [tool.netplay] is still an example's"


def translated(root: Path) -> Iterator[str]:
    """Look whether all languages are whole, and compiled."""
    from tools.texts import catalogue, found  # noqa: PLC0415 (babel is for developers)

    template = catalogue.template(found.texts())
    wanted = set(catalogue.said(template))
    for language in catalogue.LANGUAGES:
        place = root / "client/assets/locale" / language / "LC_MESSAGES/netplay.po"
        kept = catalogue.read(place, language)
        whole = {text for text, forms in catalogue.said(kept).items() if all(forms)}
        if untold := wanted - whole:
            yield f"{language}: {len(untold)} texts are not translated"
        fresh = catalogue.renewed(language, template, kept)
        if place.with_suffix(".mo").read_bytes() != catalogue.compiled(fresh):
            yield f"{language}: netplay.mo is older than netplay.po"


def counted(root: Path) -> Iterator[str]:
    """Look whether what other versions must know of was given another number."""
    versions = VERSIONS.search((root / LINK).read_text("utf-8"))
    assert versions is not None
    newest = max(map(int, re.findall(r"\d+", versions[1])))
    if f"\n| version | {newest} |\n" not in (root / "protocol.md").read_text("utf-8"):
        yield f"protocol.md does not name version {newest} of the protocol"
    last = git(root, "describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^")
    if not last:
        return
    before = git(root, "show", f"{last}:{LINK}")
    if versions[0] in before and git(root, "diff", "--name-only", last, "--", VECTORS):
        yield f"messages have changed since {last}, their version has not"
    for place in sorted((root / "tests/rules/golden").glob("*.json")):
        rules = f"rules/{place.stem}/__init__.py"
        was = VERSION_OF_RULES.search(git(root, "show", f"{last}:{rules}"))
        now = VERSION_OF_RULES.search((root / rules).read_text("utf-8"))
        same = was is not None and now is not None and was[1] == now[1]
        if same and git(root, "diff", "--name-only", last, "--", str(place)):
            yield f"{place.stem} folds otherwise than in {last} under the same version"


def kept(root: Path) -> Iterator[str]:
    """Look whether a home of this version is kept for later ones, and those before."""
    folder, version = root / "tests" / "homes", about.version(root)
    if not (folder / f"{version}.zip").exists():
        yield f"tests/homes has no home of {version}: python -m tools.release home"
    for tag in git(root, "tag", "--list", "v*").split():
        gone = tag.removeprefix("v")
        if gone != version and not (folder / f"{gone}.zip").exists():
            yield f"tests/homes has lost the home of {gone}"


def signing(root: Path) -> Iterator[str]:
    """Look whether notices of security releases could be signed."""
    text = (root / "netplay" / "finding" / "news.py").read_text("utf-8")
    if '\nRELEASE_KEY: Final = ""\n' in text:
        yield "finding/news.py names no RELEASE_KEY: python -m tools.release key"


def licensed(root: Path) -> Iterator[str]:
    """Look whether it is known whose everything is."""
    reuse = shutil.which("reuse", path=f"{Path(sys.executable).parent}:/usr/bin")
    if reuse is None:
        yield "reuse is not installed: nobody has looked at the licences"
    else:
        words = [reuse, "lint", "--lines"]
        done = subprocess.run(
            words, cwd=root, check=False, capture_output=True, text=True
        )
        yield from done.stdout.splitlines()
    told = (root / "REUSE.toml").read_text("utf-8")
    patterns = re.findall(r'"([^"\n]+)"', told)
    for name in git(root, "ls-files").splitlines():
        own = [one for one in patterns if one != "**" and Path(name).match(one)]
        if name.endswith(FOREIGN) and not own:
            yield f"REUSE.toml does not say whose {name} is"
    yield from (
        f"bundled.toml does not say whose {one} is" for one in notices.unlisted()
    )


def pinned(root: Path) -> Iterator[str]:
    """Look whether packages are built with versions that were tried."""
    pins = (root / "constraints.txt").read_text("utf-8").lower().replace("_", "-")
    told = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    for need in told["project"]["dependencies"]:
        name = re.split(r"[^\w.-]", need, maxsplit=1)[0].lower()
        if f"\n{name}==" not in pins:
            yield f"constraints.txt has no version of {name}"
