"""Bring the window's catalogues up to date: `python -m tools.texts`.

Writes the template, adds new texts to each language's .po file (empty, to be
translated there), drops those that are no longer shown, and compiles the .mo files.
"""

from typing import Final

from tools.texts import catalogue, found

LOCALE: Final = found.ROOT / "client" / "assets" / "locale"
NAME: Final = "netplay"


def main() -> None:
    """Write all files and say what is still to be translated."""
    texts = found.texts()
    LOCALE.mkdir(parents=True, exist_ok=True)
    template = catalogue.write("", texts, {})
    (LOCALE / f"{NAME}.pot").write_text(template, encoding="utf-8")
    sentences = "".join(f"{each}\n" for each in found.phrases())
    (LOCALE / "phrases.txt").write_text(sentences, encoding="utf-8")
    for language in catalogue.PLURALS:
        folder = LOCALE / language / "LC_MESSAGES"
        folder.mkdir(parents=True, exist_ok=True)
        place = folder / f"{NAME}.po"
        known = catalogue.read(place.read_text("utf-8")) if place.exists() else {}
        fresh = catalogue.write(language, texts, known)
        place.write_text(fresh, encoding="utf-8")
        said = catalogue.read(fresh)
        place.with_suffix(".mo").write_bytes(catalogue.compiled(language, said))
        missing = [text[0] for text, forms in said.items() if not all(forms)]
        print(f"{language}: {len(said)} texts, {len(missing)} to translate")
        for text in missing:
            print(f"  {text}")


if __name__ == "__main__":
    main()
