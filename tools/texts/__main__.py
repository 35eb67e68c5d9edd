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
    template = catalogue.template(found.texts())
    LOCALE.mkdir(parents=True, exist_ok=True)
    place = LOCALE / f"{NAME}.pot"
    template = catalogue.renewed("", template, catalogue.read(place))
    place.write_bytes(catalogue.written(template))
    for language in catalogue.LANGUAGES:
        folder = LOCALE / language / "LC_MESSAGES"
        folder.mkdir(parents=True, exist_ok=True)
        place = folder / f"{NAME}.po"
        known = catalogue.read(place, language)
        fresh = catalogue.renewed(language, template, known)
        place.write_bytes(catalogue.written(fresh))
        place.with_suffix(".mo").write_bytes(catalogue.compiled(fresh))
        said = catalogue.said(fresh)
        missing = [text[0] for text, forms in said.items() if not all(forms)]
        print(f"{language}: {len(said)} texts, {len(missing)} to translate")
        for text in missing:
            print(f"  {text}")


if __name__ == "__main__":
    main()
