"""Reading and writing gettext's files by Babel: .pot and .po in text, .mo in bytes."""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages import mofile, pofile
from babel.messages.catalog import Catalog
from typing_extensions import override

from tools.texts.found import Text

LANGUAGES: Final = ("fr", "de", "es", "ru")
"""Those that the texts are translated to."""


class Catalogue(Catalog):
    """Babel's, without what changes each time one is written: dates and versions."""

    def __init__(self, language: str = "") -> None:
        """Begin with no texts.

        Args:
            language: What they are translated to; empty for the template.
        """
        super().__init__(language or None, header_comment="", fuzzy=False)

    @property
    @override
    def mime_headers(self) -> list[tuple[str, str]]:
        """The lines before the texts."""
        lines = [
            ("Project-Id-Version", "netplay"),
            ("Language", str(self.locale or "")),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=UTF-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]
        return [*lines, ("Plural-Forms", self.plural_forms)] if self.locale else lines


def template(texts: Iterable[Text]) -> Catalogue:
    """Return the catalogue of texts that nobody has translated."""
    found = Catalogue()
    for text in texts:
        one, *more = text
        found.add((one, *more) if more else one)
    return found


def renewed(language: str, texts: Catalogue, known: Catalog) -> Catalogue:
    """Return the catalogue of a language: new texts are empty, old ones are gone.

    What was known stays in its order, so that a change shows what it changes; a new
    text comes behind the one that is before it in the template.

    Args:
        language: Its name; empty for the template itself.
        texts: The template.
        known: What has been translated.
    """
    wanted = [message.id for message in texts if message.id]
    there = {message.id for message in known} & set(wanted)
    order = [message.id for message in known if message.id in there]
    at = 0
    for text in wanted:
        if text in there:
            at = order.index(text) + 1
        else:
            order.insert(at, text)
            at += 1
    fresh = Catalogue(language)
    for text in order:
        old = known.get(text)
        fresh.add(text, old.string if old and old.id == text else "")
    return fresh


def read(path: Path, language: str = "") -> Catalog:
    """Return what a .po file holds; nothing if there is none."""
    if not path.exists():
        return Catalogue(language)
    with path.open("rb") as file:
        return pofile.read_po(file, language or None)


def written(catalogue: Catalogue) -> bytes:
    """Return a .po file, a line for each text, so that changes are read with ease."""
    file = BytesIO()
    for message in catalogue:
        message.flags.clear()  # a test compares placeholders; no editor has to
    pofile.write_po(file, catalogue, width=0, ignore_obsolete=True)
    return file.getvalue().strip(b"\n") + b"\n"


def compiled(catalogue: Catalogue) -> bytes:
    """Return a .mo file; what is not translated is left out."""
    file = BytesIO()
    mofile.write_mo(file, catalogue)
    return file.getvalue()


def said(catalogue: Catalog) -> dict[Text, tuple[str, ...]]:
    """Return each text's translation, one or a form for each plural."""
    return {
        _forms(message.id): _forms(message.string)
        for message in catalogue
        if message.id
    }


def _forms(text: object) -> tuple[str, ...]:
    """Return the forms of a text, as Babel has it: one form, or several."""
    return tuple(map(str, text)) if isinstance(text, (tuple, list)) else (str(text),)
