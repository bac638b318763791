"""What every process of ours needs of its surroundings, and no HOME.

`python -m reproduction.machinery.surroundings ...` is `python ...` in them.
"""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

# One thread per process and no display: the same bytes on every run.
FIXED = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MPLBACKEND": "agg",
    "JUPYTER_PLATFORM_DIRS": "1",  # else Jupyter warns
    "PYTHONDONTWRITEBYTECODE": "1",  # nothing is written into the tree
}


def prepare(own_jupyter: bool = False) -> None:
    """Set the variables that kernels, workers and tests inherit.

    What matplotlib, IPython and Jupyter keep goes to a folder of this environment;
    where that cannot be written, to a temporary one. With own_jupyter the user's
    settings of Jupyter stay, as long as there is a home where Jupyter can write.
    """
    folder = _folder(Path(sys.prefix) / "home")
    os.environ |= FIXED
    home = os.path.expanduser("~")  # by HOME or by the list of users, or as it stands
    if home == "~":
        os.environ["HOME"] = str(folder)
    if not (own_jupyter and os.access(home, os.W_OK)):
        for name in ("CONFIG", "DATA", "RUNTIME"):
            os.environ[f"JUPYTER_{name}_DIR"] = str(folder / "jupyter" / name.lower())
    os.environ["IPYTHONDIR"] = str(folder / "ipython")
    os.environ["MPLCONFIGDIR"] = str(folder / "matplotlib")
    settings = folder / "ipython" / "profile_default" / "ipython_kernel_config.py"
    if not settings.exists():
        # Else each kernel prints a warning about its connection.
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text("c.IPKernelApp.log_level = 50\n", encoding="utf-8")
    if not list((folder / "matplotlib").glob("fontlist-*.json")):
        # Else each kernel builds it, and a notebook shows that.
        (folder / "matplotlib").mkdir(exist_ok=True)
        fonts = [sys.executable, "-c", "import matplotlib.font_manager"]
        subprocess.run(fonts, stderr=subprocess.DEVNULL, check=False)


def _folder(wanted: Path) -> Path:
    """The wanted folder, or a temporary one where it cannot be written."""
    with suppress(OSError):
        wanted.mkdir(exist_ok=True)
    if os.access(wanted, os.W_OK):
        return wanted
    temporary = Path(tempfile.mkdtemp(prefix="labelaudit-home-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return temporary


def main() -> None:
    prepare(own_jupyter=True)
    if sys.argv[1:]:  # else the folder is ready
        command = [sys.executable, *sys.argv[1:]]
        if os.access(sys.prefix, os.W_OK):
            os.execv(sys.executable, command)
        sys.exit(subprocess.call(command))  # after which a temporary folder goes


if __name__ == "__main__":
    main()
