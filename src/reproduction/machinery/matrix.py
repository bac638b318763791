"""The fast tests with other versions and on other processors: what `make matrix` runs.

lowest: the lowest versions that pyproject.toml allows; newest: the newest there
are; avx2 and pre-avx2: the processors of other machines, simulated; the rest: the
lock on other Pythons. Environments lie in .venv-matrix/, logs in output/matrix/.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import time
import tomllib
import xml.etree.ElementTree
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from . import paths, surroundings

LOWEST = "3.11"  # of pyproject's requires-python
PYTHONS = ("3.12", "3.13")
PROCESSORS = ("avx2", "pre-avx2")
NAMES = ("lowest", "newest", *PROCESSORS, *(f"python{v}" for v in PYTHONS))

# Not the fast ones: they start kernels and clusters.
SLOW = ("tests/notebooks", "tests/sweeps")


class MissingError(Exception):
    """This machine lacks what an environment needs."""


class FailedError(Exception):
    """An environment could not be set up."""


@dataclass(frozen=True)
class Result:
    """How the tests went in one environment; said where they did not run."""

    name: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    said: str = ""

    def __str__(self) -> str:
        if self.said:
            return f"{self.name:<11} {self.said}"
        return (
            f"{self.name:<11} {self.passed} passed, {self.failed} failed,"
            f" {self.skipped} skipped in {self.seconds:.0f} s"
        )


def interpreter(version: str) -> Path:
    """A Python of this version: the running one, on PATH, or one that uv knows.

    Raises MissingError where there is none.
    """
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return Path(sys.executable)
    # pyenv's commands need to be told which of its Pythons is meant.
    variables = os.environ | {"PYENV_VERSION": version}
    found = [
        shutil.which(f"python{version}", path=folder)
        for folder in os.get_exec_path()
        if folder
    ]
    ask = "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)"
    for python in filter(None, found):
        told = _told([python, "-c", ask], variables)
        if told.startswith(f"{version} "):
            return Path(told.partition(" ")[2])
    uv = shutil.which("uv")
    told = _told([uv, "python", "find", version], variables) if uv else ""
    if not told:
        raise MissingError(f"skipped: there is no python{version} on PATH")
    return Path(told)


def _told(command: list[str], variables: dict[str, str]) -> str:
    """What a command prints; nothing where it fails."""
    try:
        done = subprocess.run(
            command, env=variables, capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return "" if done.returncode else done.stdout.strip()


def bounds(lowest: bool) -> list[str]:
    """What pyproject.toml asks for, extras included; if lowest, just its bounds."""
    project = tomllib.loads(
        (paths.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    )["project"]
    asked = [*project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        asked += extra
    return [one.replace(">=", "==") if lowest else one for one in dict.fromkeys(asked)]


def install(name: str, version: str, asked: Iterable[str], log: Path) -> Path:
    """Set up .venv-matrix/NAME with what is asked for; its Python.

    Raises MissingError without that version of Python, FailedError where pip fails.
    """
    base = interpreter(version)
    folder = paths.MATRIX / name
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    uv = shutil.which("uv")
    first = [uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", python]
    print(f"{name}: setting up {folder.relative_to(paths.ROOT)} ...", flush=True)
    ours = [*pip, "--no-deps", "--no-build-isolation", "-e", paths.ROOT]
    with log.open("wb") as file:

        def runs(command: list[str | Path]) -> bool:
            done = subprocess.run(command, stdout=file, stderr=file, check=False)
            return done.returncode == 0

        if not (
            runs([base, "-m", "venv", "--clear", folder])
            and ((uv and runs([*first, *asked])) or runs([*pip, *asked]))
            and runs(ours)
        ):
            raise FailedError(f"failed: it cannot be set up, see {log}")
    return python


def processor(name: str, python: Path) -> dict[str, str]:
    """Variables with which numpy, OpenBLAS and glibc compute as an older one.

    Raises MissingError where this machine cannot.
    """
    if platform.machine().lower() not in ("x86_64", "amd64"):
        raise MissingError(f"skipped: {platform.machine()} cannot simulate it")
    # numpy refuses names that it or the machine does not have.
    ask = (
        "from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__\n"
        "print(*(n for n in __cpu_dispatch__ if __cpu_features__[n]))"
    )
    has = _told([str(python), "-c", ask], dict(os.environ)).split()
    if not {"X86_V3", "AVX2"} & {*has}:
        raise MissingError("skipped: this processor has no AVX2 itself")
    off = [n for n in has if n.startswith(("X86_V4", "AVX512"))]
    variables = {"OPENBLAS_CORETYPE": "Haswell"}
    if name == "pre-avx2":
        off += [n for n in has if n in ("X86_V3", "AVX2", "FMA3", "F16C")]
        variables["OPENBLAS_CORETYPE"] = "Nehalem"
        variables["GLIBC_TUNABLES"] = "glibc.cpu.hwcaps=-AVX2,-FMA"
    return variables | {"NPY_DISABLE_CPU_FEATURES": " ".join(off)}


def tests(name: str, python: Path, variables: dict[str, str], log: Path) -> Result:
    """Run the fast tests; what they print goes to the log."""
    report = log.with_suffix(".xml")
    command = [python, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile"]
    command += [f"--ignore={one}" for one in SLOW]
    command += [f"--junitxml={report}", "tests", "src/labelaudit"]
    report.unlink(missing_ok=True)
    print(f"{name}: testing ...", flush=True)
    begin = time.perf_counter()
    with log.open("ab") as file:
        subprocess.run(
            command,
            cwd=paths.ROOT,
            env=os.environ | variables | {"PYTHONDONTWRITEBYTECODE": "1"},
            stdout=file,
            stderr=file,
            check=False,
        )
    seconds = time.perf_counter() - begin
    if not report.exists():
        raise FailedError(f"failed: the tests did not run, see {log}")
    suite = xml.etree.ElementTree.parse(report).getroot()[0]
    ran, failures, errors, skipped = (
        int(suite.attrib[key]) for key in ("tests", "failures", "errors", "skipped")
    )
    failed = failures + errors
    return Result(name, ran - failed - skipped, failed, skipped, seconds)


def run(name: str) -> Result:
    """One environment, from set-up to result."""
    log = paths.MATRIX_LOGS / f"{name}.txt"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.unlink(missing_ok=True)
    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    variables: dict[str, str] = {}
    try:
        if name in PROCESSORS:
            python = Path(sys.executable)
            variables = processor(name, python)
        elif name == "lowest":
            python = install(name, LOWEST, bounds(lowest=True), log)
        elif name == "newest":
            python = install(name, running, bounds(lowest=False), log)
        else:
            lock = ["--require-hashes", "-r", str(paths.ROOT / "requirements.lock")]
            python = install(name, name.removeprefix("python"), lock, log)
        result = tests(name, python, variables, log)
    except MissingError as error:
        return Result(name, said=str(error))
    except FailedError as error:
        return Result(name, failed=1, said=str(error))
    if result.failed:
        text = log.read_text(encoding="utf-8", errors="replace")
        print(text[text.rfind("short test summary") :])
    return result


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m reproduction.machinery.matrix", description=__doc__
    )
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES)
    results = []
    for name in parser.parse_args().only:
        results.append(run(name))
        print(results[-1], flush=True)
    print("", *results, sep="\n")
    return 1 if any(result.failed for result in results) else 0


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
