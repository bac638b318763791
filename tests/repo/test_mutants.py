"""What `make mutants` does around mutmut."""

from reproduction.machinery import mutants

SOURCE = """\
class A:
    @property
    def f(self):
        return 1

    def g(self):
        return 1


def g():
    return 1
"""


def test_properties_are_written_as_mutmut_can_change_them():
    found = mutants.undecorated(SOURCE).splitlines()
    assert found[1:5] == [
        "",
        "    def f(self):",
        "        return 1",
        "    f = property(f)",
    ]
    assert found[5:] == SOURCE.splitlines()[5:]
    exec(mutants.undecorated(SOURCE), scope := {})
    assert scope["A"]().f == 1


def test_a_change_is_found_where_it_lies():
    diff = [
        "@@ -1,2 +1,2 @@",
        " def f(self):",
        "-        return 1",
        "+        return 2",
    ]
    assert mutants.changed(diff, "-") == ["return 1"]
    assert mutants.changed(diff, "+") == ["return 2"]
    assert mutants.place(SOURCE, "m.a.xǁAǁf__mutmut_1", "return 1") == 4
    assert mutants.place(SOURCE, "m.a.xǁAǁg__mutmut_2", "return 1") == 7
    assert mutants.place(SOURCE, "m.a.x_g__mutmut_1", "return 1") == 11


def test_what_is_mutated_is_there():
    files = mutants.mutated(mutants.paths.ROOT)
    assert len(files) > 20
    assert {"evaluation.py", "coefficients.py", "errors.py"} <= {f.name for f in files}
