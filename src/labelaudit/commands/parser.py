"""How a call is read: options are written whole, and what is wrong is said briefly."""

import argparse
import re
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import takewhile
from typing import Any, NoReturn

from .told import say

MORE_THAN_HALF = 0.51  # of two names is the same
# 80 columns at most; descriptions and examples stay as their files have them.
HELP = partial(argparse.RawDescriptionHelpFormatter, max_help_position=22, width=78)


class Parser(argparse.ArgumentParser):
    """Says what is wrong with a call in two lines, with the nearest name."""

    def __init__(self, **given: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=HELP, **given)
        self._negative_number_matcher = re.compile(r"-\.?\d")  # -1,0,1 is a value

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str], namespace: Any = None
    ) -> tuple[Any, list[str]]:
        known, seen = self._option_string_actions, set[str]()
        for one in takewhile(lambda one: one != "--", args):
            if self._subparsers and not one.startswith("-"):
                break  # what follows is the command's
            name = one.partition("=")[0]
            if name.startswith("--") and name not in known:
                self.error(f"{name} is no option of it{nearest(name, known)}")
            often = isinstance(known.get(name), argparse._AppendAction)
            if name in seen and known[name].nargs != 0 and not often:
                self.error(f"{name} is given twice; give it once")
            seen |= {name} & set(known)
        found, left = super().parse_known_args(args, namespace)
        if left:
            self.error(
                f"{left[0]!r} stands where nothing is expected; a list is one argument,"
                " with commas in it, and a name with a space stands in quotes"
            )
        return found, left

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = [str(name) for name in action.choices]
            said = f"{value!r} is none of {', '.join(names)}"
            raise argparse.ArgumentError(action, said + nearest(str(value), names))

    def _print_message(self, message: str, file: Any = None) -> None:
        print(message, end="", file=file)  # help that cannot be written is a failure

    def error(self, message: str) -> NoReturn:
        if message.endswith("expected one argument"):
            message += "; what begins with - is joined by =, as --where=-x=1"
        message = message.replace("ignored explicit argument", "takes no value, got")
        say(f"{self.prog}: {message.removeprefix('argument ')}")
        say(f"{self.prog} --help shows what it takes")
        raise SystemExit(2)


def nearest(name: str, names: Iterable[str]) -> str:
    """A question with the name that was meant, if one is near."""
    from difflib import get_close_matches  # only a wrong call waits for it

    options = {one.lstrip("-"): one for one in names}
    close = get_close_matches(name.lstrip("-"), options, 1, MORE_THAN_HALF)
    return f"; did you mean {options[close[0]]}?" if close else ""
