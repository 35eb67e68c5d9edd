"""Makes the notices of all that a package bundles, from what is there when it is built.

Each package of Python's brings its own licence, Python its own, and each library of the
system the one that the distribution keeps of it.  Only libraries that lie in other
packages' wheels say nothing: `bundled.toml` tells of those.
"""

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final

from tools.release import about

FILE: Final = "THIRD-PARTY-NOTICES.txt"
HERE: Final = Path(__file__).parent
LICENCES: Final = HERE / "licences"
RULE: Final = "=" * 78
PAGE: Final = re.compile(r"(licen[sc]e|copying|notice)", re.IGNORECASE)
NATIVE: Final = re.compile(r"\.(so|dylib|dll|pyd)(\.|$)", re.IGNORECASE)
ABOUT_DEBIAN: Final = Path("/usr/share/doc")


def text(binaries: Iterable[tuple[str, str]]) -> tuple[str, list[str]]:
    """Return the notices of a build.

    Args:
        binaries: Name in the build and path here of each library and module in it.

    Returns:
        The text, and the libraries of which nobody knows the licence.
    """
    parts: list[tuple[str, str]] = [
        ("Netplay's own data", _own()),
        ("Python", _python()),
    ]
    parts += [
        (f"{one.name} {one.version}", _terms(one)) for one in bundled(about.NEEDS)
    ]
    known, unknown = _libraries(binaries)
    parts += sorted(known.items())
    for name in sorted(set(" AND ".join(_ids()).split(" AND "))):
        parts.append(
            (f"The licence {name}", (LICENCES / f"{name}.txt").read_text("utf-8"))
        )
    head = f"{about.NAME} is under {about.LICENCE}. It is shipped with these parts:"
    names = "\n".join(f"  - {title}" for title, _text in parts)
    body = "".join(
        f"\n{RULE}\n{title}\n{RULE}\n\n{told.strip()}\n" for title, told in parts
    )
    return f"{head}\n\n{names}\n{body}", unknown


def unlisted() -> list[str]:
    """Return the libraries in the wheels installed here that `bundled.toml` lacks."""
    files = [str(file) for one in bundled(about.NEEDS) for file in one.files or []]
    inside = [file for file in files if re.match(r"[^/]+\.(libs|dylibs)/", file)]
    return [file for file in inside if _listed(Path(file).name) is None]


def bundled(needs: Iterable[str]) -> list[Distribution]:
    """Return the packages of Python's that others need, and theirs, by name."""
    found: dict[str, Distribution] = {}
    waiting = list(needs)
    while waiting:
        need = waiting.pop()
        name = re.split(r"[^\w.-]", need.strip(), maxsplit=1)[0]
        key = name.lower().replace("_", "-")
        if key in found or "extra ==" in need:
            continue
        try:
            found[key] = distribution(name)
        except PackageNotFoundError:  # of another system, or another Python
            continue
        waiting += found[key].requires or []
    return [found[key] for key in sorted(found)]


def _terms(one: Distribution) -> str:
    """Return how a package is licensed, and the text of that."""
    told = one.metadata.json  # of lists where a field may stand twice
    kinds = [kind for kind in told.get("classifier", ()) if kind.startswith("License")]
    named = "; ".join(kind.rpartition(" :: ")[2] for kind in kinds)
    short = str(told.get("license_expression") or told.get("license") or named)
    lines = [f"Licence: {(short or 'see below').splitlines()[0]}"]
    urls = [url.rpartition(", ")[2] for url in told.get("project_url", ())]
    home = told.get("home_page") or next(iter(urls), "")
    lines += [f"Home: {home}"] if home else []
    for file in sorted(one.files or [], key=str):
        if ".dist-info/" in str(file) and PAGE.search(file.name):
            lines += [
                "",
                Path(str(file.locate())).read_text("utf-8", "replace").strip(),
            ]
        elif "sboms/" in str(file):
            lines += ["", *_parts(json.loads(Path(str(file.locate())).read_bytes()))]
    return "\n".join(lines)


def _parts(told: dict[str, Any]) -> Iterator[str]:
    """Yield what is compiled into a package, as its bill of materials says."""
    yield "It contains:"
    for part in told.get("components", []):
        terms = " and ".join(
            each.get("expression") or each.get("license", {}).get("id", "")
            for each in part.get("licenses") or []
        )
        yield f"  - {part['name']} {part.get('version', '')} {terms}".rstrip()


def _own() -> str:
    """Return the licences of fonts, word lists and tables."""
    pages = [
        page
        for folder in ("client", "netplay", "rules")
        for page in (about.ROOT / folder).rglob("*.txt")
        if PAGE.search(page.name) or page.name == "MPL-2.0.txt"
    ]
    told = (
        f"{one.relative_to(about.ROOT)}:\n\n{one.read_text('utf-8').strip()}"
        for one in sorted(pages)
    )
    return "\n\n".join(told)


def _python() -> str:
    """Return Python's own licence, which names what else is in it."""
    for place in (
        Path(sysconfig.get_path("stdlib")) / "LICENSE.txt",
        Path(sys.base_prefix) / "LICENSE.txt",
        ABOUT_DEBIAN / f"python3.{sys.version_info.minor}" / "copyright",
    ):
        if place.exists():
            return place.read_text("utf-8")
    raise SystemExit("tools.release: this Python comes without its licence")


def _libraries(binaries: Iterable[tuple[str, str]]) -> tuple[dict[str, str], list[str]]:
    """Return the notices of libraries in C, by name, and those that have none."""
    known: dict[str, str] = {}
    unknown: list[str] = []
    for name, path in sorted(binaries):
        place = Path(path)
        if not NATIVE.search(place.name) or _is_covered(place):
            continue
        one = _listed(place.name)
        if one is not None:
            lines = (f"Licence: {one['licence']}", one["by"], f"Home: {one['home']}")
            known[one["name"]] = "\n".join(lines)
        elif (page := _of_debian(place)) is not None:
            known[page.parent.name] = page.read_text("utf-8")
        else:
            unknown.append(name)
    return known, unknown


def _is_covered(place: Path) -> bool:
    """Tell whether a file is a part of Python, or of a package with its own licence."""
    if any(part.endswith((".libs", ".dylibs")) for part in place.parts):
        return False
    if "site-packages" in place.parts:  # Windows' wheels keep libraries beside modules
        return _listed(place.name) is None
    prefix = Path(sys.base_prefix).resolve()
    own = prefix != Path("/usr") and place.resolve().is_relative_to(prefix)
    return own or "lib-dynload" in place.parts or place.name.startswith("libpython")


def _tables() -> list[dict[str, Any]]:
    told = tomllib.loads((HERE / "bundled.toml").read_text("utf-8"))
    tables: list[dict[str, Any]] = told["library"]
    return tables


def _ids() -> list[str]:
    return [str(one["licence"]) for one in _tables()]


def _listed(file: str) -> dict[str, Any] | None:
    """Return what is known of a library in a wheel by the name of its file."""
    stem = file.lower().removeprefix("lib")
    for one in _tables():
        if any(stem.startswith(start.lower()) for start in one["files"]):
            return one
    return None


def _of_debian(place: Path) -> Path | None:
    """Return the notices of the package of Debian's that a library belongs to."""
    if not shutil.which("dpkg-query"):
        return None
    for path in (place, place.resolve()):
        for name in (str(path), str(path).removeprefix("/usr"), f"/usr{path}"):
            words = ["dpkg-query", "-S", name]
            told = subprocess.run(words, capture_output=True, text=True, check=False)
            page = ABOUT_DEBIAN / told.stdout.partition(":")[0] / "copyright"
            if told.returncode == 0 and page.exists():
                return page
    return None
