"""Kernels forked from one warm process are as if Python had been started for them."""

import json
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from reproduction.machinery import forked, notebooks, paths, warm

pytest.importorskip("ipykernel")
from jupyter_client.manager import start_new_kernel

STATE = """
import gc, json, locale, os, random, signal, sys, threading, warnings
import matplotlib.pyplot as plt, numpy as np, pandas as pd
from labelaudit import *
from reproduction.machinery import run
ours = {name for name in globals() if not name.startswith("_i")}
module = sys.modules["__main__"]
options = pd.describe_option(_print_desc=False)
signals = (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGPIPE)
print(json.dumps({
    "filters": sorted(map(str, warnings.filters)),
    "rcParams": {name: str(value) for name, value in plt.rcParams.items()},
    "figures": plt.get_fignums(),
    "pandas": options,
    "numpy": [str(np.geterr()), str(np.get_printoptions())],
    "path": sys.path,
    "arguments": sys.argv[0],
    "flags": str(sys.flags),
    "python": sys.executable,
    "folder": os.getcwd(),
    "threads": sorted(thread.name for thread in threading.enumerate()),
    "signals": [str(signal.getsignal(each)) for each in signals],
    "names": sorted(ours),
    "main": [module.__name__, getattr(module, "__file__", None)],
    "locale": [str(locale.getlocale()), sys.stdout.encoding],
    "gc": gc.get_threshold(),
    "leads its session": os.getsid(0) == os.getpid(),
    "variables": {k: v for k, v in os.environ.items() if not k.startswith("JPY_")},
}))
"""


@pytest.fixture(scope="module")
def here():
    """A warm process of their own: the other tests may be done with theirs."""
    if not warm.possible():
        pytest.skip("kernels are not forked here")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(warm.ADDRESS, raising=False)
        with warm.kernels():
            warm.use()
            yield
    warm.use()


class Kernel:
    """A kernel for one test."""

    def __init__(self, **given):
        self.manager, self.client = start_new_kernel(kernel_name="python3", **given)
        self.process = self.manager.provisioner.process
        self.forked = isinstance(self.process, warm.Forked)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def says(self, code):
        said = []
        self.client.execute_interactive(
            code,
            timeout=120,
            stop_on_error=False,  # else an older kernel drops what is asked next
            output_hook=lambda m: said.append(m["content"]),
        )
        return "".join(part.get("text", part.get("ename", "")) for part in said)


def test_a_forked_kernel_is_in_the_state_of_an_ordinary_one(
    here, tmp_path, monkeypatch
):
    with Kernel(cwd=str(tmp_path)) as kernel:
        assert kernel.forked
        forked = json.loads(kernel.says(STATE))
        first = kernel.says("print(random.random(), np.random.random())")
    address = os.environ[warm.ADDRESS]
    with Kernel(cwd=str(tmp_path)) as kernel:
        assert "NameError" in kernel.says("STATE")
        kernel.says("import random, numpy as np")
        second = kernel.says("print(random.random(), np.random.random())")
    assert not set(first.split()) & set(second.split())
    monkeypatch.delenv(warm.ADDRESS)
    with Kernel(cwd=str(tmp_path)) as kernel:
        assert not kernel.forked
        ordinary = json.loads(kernel.says(STATE))
    assert forked["variables"].pop(warm.ADDRESS) == address
    assert forked["folder"] == str(tmp_path)
    for name, value in ordinary.items():
        assert forked[name] == value, name


def test_a_kernel_is_interrupted_dies_and_is_seen_to(here):
    with Kernel() as kernel:
        pid = int(kernel.says("import os, signal, time; print(os.getpid())"))
        assert pid == kernel.process.pid
        said = kernel.says("os.kill(os.getpid(), signal.SIGINT); time.sleep(60)")
        assert said == "KeyboardInterrupt"
        assert kernel.process.poll() is None
        kernel.client.execute("os._exit(3)")
        assert kernel.process.wait() == kernel.process.poll() == 3
        assert not kernel.manager.is_alive()
        assert not psutil.pid_exists(pid)
    with Kernel() as kernel:
        pid = kernel.process.pid
    assert not psutil.pid_exists(pid)


def test_another_environment_gets_an_ordinary_kernel(here, tmp_path):
    """What is read when Python starts cannot be changed after a fork."""
    changed = os.environ | {"PYTHONPATH": str(tmp_path), "MARK": "1"}
    command = [*warm.ORDINARY, "-f", "none.json"]
    assert warm.fork(command, {"env": changed}) is None
    assert warm.fork(["bash", "-m", "kernel"], {"env": dict(os.environ)}) is None
    with Kernel(env=os.environ | {"MARK": "1"}) as kernel:
        assert kernel.forked
        assert kernel.says("import os; print(os.environ['MARK'])") == "1\n"


def test_without_the_warm_process_kernels_are_ordinary(here, tmp_path, monkeypatch):
    monkeypatch.setenv(warm.ADDRESS, str(tmp_path / "gone"))
    assert warm.fork([*warm.ORDINARY, "-f", "none.json"], {}) is None
    monkeypatch.delenv(warm.ADDRESS)
    monkeypatch.setenv("MPLBACKEND", "svg")
    with warm.kernels():
        assert warm.ADDRESS not in os.environ
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not warm.possible()


LEFT = """
import os, sys, time
from reproduction.machinery import warm
from jupyter_client.manager import start_new_kernel
with warm.kernels():
    warm.use()
    manager, client = start_new_kernel(kernel_name="python3")
    assert isinstance(manager.provisioner.process, warm.Forked)
    client.execute("import subprocess; subprocess.Popen(['sleep', '600'])")
    client.execute("import time; time.sleep(600)")
    print(manager.provisioner.process.pid, flush=True)
    time.sleep(600)
"""


def test_nobody_is_left_when_whoever_asked_is_killed(here):
    alone = {k: v for k, v in os.environ.items() if k != warm.ADDRESS}
    with subprocess.Popen(
        [sys.executable, "-c", LEFT], env=alone, stdout=subprocess.PIPE, text=True
    ) as driver:
        kernel = psutil.Process(int(driver.stdout.readline()))
        server = kernel.parent()
        end = time.monotonic() + 60
        while not kernel.children() and time.monotonic() < end:
            time.sleep(0.05)
        family = [kernel, server, *kernel.children()]
        assert len(family) == 3
        assert server.ppid() == driver.pid
        driver.send_signal(signal.SIGKILL)
        _, alive = psutil.wait_procs(family, timeout=60)
        assert not alive


def test_a_notebook_gives_the_same_from_both(here, tmp_path, monkeypatch):
    stem, made = "lim2022_01_two_kappas", []
    for name in ("forked", "ordinary"):
        folder = tmp_path / name
        (folder / "figures").mkdir(parents=True)
        monkeypatch.setenv(paths.FIGURES_VARIABLE, str(folder / "figures"))
        if name == "ordinary":
            monkeypatch.delenv(warm.ADDRESS)
        assert notebooks.execute(stem, folder).error == ""
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        made.append({str(p.relative_to(folder)): p.read_bytes() for p in files})
    assert len(made[0]) > 1
    assert made[0] == made[1]


def test_no_port_is_given_to_two_who_ask(tmp_path, monkeypatch):
    monkeypatch.setattr(forked, "PORTS", (21_000, 21_060))
    both = forked.Ports(), forked.Ports()
    for one in both:
        one.folder = tmp_path
    given = [one.find_available_port("127.0.0.1") for _ in range(10) for one in both]
    assert len(set(given)) == 20
    both[0].folder = tmp_path / "gone"
    assert both[0].find_available_port("127.0.0.1") in range(21_000, 21_060)
