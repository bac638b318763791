"""The fast tests with other versions and on other processors: `make matrix`.

Environments lie in .venv-matrix/; a Python that is not there is skipped.
"""

import os
import platform
import sys
import tomllib
from pathlib import Path

import nox

nox.options.envdir = ".venv-matrix"
nox.options.default_venv_backend = "uv|venv"

# What starts kernels and clusters is slow.
TESTS = ["tests", "src/labelaudit", "--ignore=tests/notebooks", "--ignore=tests/sweeps"]
FAST = ["-m", "reproduction.machinery.surroundings", "-m", "pytest", "-q", "-n", "2"]
FAST += TESTS
HAS = """
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
print(*(name for name in __cpu_dispatch__ if __cpu_features__[name]))
"""


def versions(session: nox.Session, *asked: str) -> None:
    """Test with what is asked for."""
    session.install(*asked)
    session.install("--no-deps", "--no-build-isolation", "-e", ".")
    session.run("python", *FAST)


def bounds() -> list[str]:
    """What pyproject.toml asks for, extras included."""
    project = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
    return sum(project["optional-dependencies"].values(), project["dependencies"])


@nox.session(python="3.11")
def lowest(session: nox.Session) -> None:
    """The lowest versions that pyproject.toml allows."""
    versions(session, *(one.replace(">=", "==") for one in bounds()))


@nox.session
def newest(session: nox.Session) -> None:
    """The newest versions there are."""
    versions(session, *bounds())


@nox.session(python=["3.12", "3.13"])
def locked(session: nox.Session) -> None:
    """The lock on other Pythons."""
    versions(session, "--require-hashes", "-r", "requirements.lock")


@nox.session(venv_backend="none")
@nox.parametrize("name", ["avx2", "pre-avx2"], ids=["avx2", "pre-avx2"])
def processor(session: nox.Session, name: str) -> None:
    """As numpy, OpenBLAS and glibc compute on an older processor."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        session.skip(f"{platform.machine()} cannot simulate it")
    has = session.run(sys.executable, "-c", HAS, silent=True).split()
    if not {"X86_V3", "AVX2"} & {*has}:
        session.skip("this processor has no AVX2 itself")
    off = ("X86_V4", "AVX512")
    variables = {"OPENBLAS_CORETYPE": "Haswell"}
    if name == "pre-avx2":
        off += ("X86_V3", "AVX2", "FMA3", "F16C")
        variables["OPENBLAS_CORETYPE"] = "Nehalem"
        variables["GLIBC_TUNABLES"] = "glibc.cpu.hwcaps=-AVX2,-FMA"
    # numpy refuses names that it or the machine does not have.
    names = " ".join(one for one in has if one.startswith(off))
    variables |= {"NPY_DISABLE_CPU_FEATURES": names}
    session.run(sys.executable, *FAST, env=os.environ | variables)
