"""The parts of the site, and to which of them a page belongs: site/_toc.yml."""

from fnmatch import fnmatch
from functools import cache

import yaml

from . import paths


@cache
def parts() -> dict[str, list[str]]:
    """Each part's caption, and its pages' paths: as they are, or what they match."""
    text = (paths.SITE / "_toc.yml").read_text(encoding="utf-8")
    return {
        part["caption"]: [path for page in part["chapters"] for path in page.values()]
        for part in yaml.safe_load(text)["parts"]
    }


def part(stem: str) -> str:
    """The part that a page of notebooks/ belongs to."""
    path = f"{paths.NOTEBOOKS.name}/{stem}"
    for caption, listed in parts().items():
        if any(fnmatch(path, name) for name in listed):
            return caption
    known = ", ".join(name for listed in parts().values() for name in listed)
    raise ValueError(f"{path} belongs to no part of the site, which has {known}")
