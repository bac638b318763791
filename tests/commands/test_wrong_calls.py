"""Wrong calls of plan, estimate, verdict and agree: one table.

What is wrong with a file is for tests/files, with a sweep for tests/sweeps.
"""

import pytest

STRICT = "--p-a .01 --p-r .03 --alpha .01 --beta .05"
CLOSE = "plan --p-a 1% --p-r 1.1% --alpha 1% --beta 1%"
APART = "--p-a and --p-r must be far enough apart"
LOT = f"plan {STRICT} --lot-size 300"
BATCHES = f"plan {STRICT} --sheet s.csv --items week1.csv"
JUDGE = "estimate --half-width .05 --items week1.csv --judge"
RATES = ["%", "2%%", "2%x", "two%", "''", "2,5%", "nan", "-0.1", "inf"]
GO_TOGETHER = "--no-header and --columns go together"
NO_LIMIT = ["alpha>=0.5", "krippendorff_alpha>0.5", "gwet_ac1<=0.5", "", "gwet_ac1"]
SECOND = "exclude each other: a second collection is joined on items"

WRONG = [
    ("--hlep", "labelaudit: --hlep is no option of it; did you mean --help?"),
    ("plna", "'plna' is none of plan, estimate, verdict, agree, sweep; did you mean"),
    ("plan --p-r .03 --alpha .01 --beta .05", "are required: --p-a"),
    ("plan --p-a .02", "are required: --p-r, --alpha, --beta labelaudit plan --help"),
    (f"plan --p-a .03 {STRICT[10:]}", "plan: --p-r must be greater than --p-a"),
    (f"plan {STRICT} --lot-size 0", "'0' is no whole number from 1 to 10,000,000"),
    (f"plan {STRICT} --lot-size -5", "'-5' is no whole number from 1"),
    (f"plan {STRICT} --lot-size 10000001", "is no whole number from 1 to 10,000,000"),
    (f"plan {STRICT} --lot-size 3,000", "'3,000' is no whole number from 1 to"),
    (f"plan {STRICT} --lot-size 1.000.000", "'1.000.000' is no whole number"),
    (f"plan {STRICT} --lot 5", "--lot is no option of it; did you mean --lot-size?"),
    (f"plan {STRICT} 5", "'5' stands where nothing is expected"),
    (f"plan {STRICT} --lot-size 10", "--lot-size must be large enough to tell --p-a"),
    (f"{LOT} --lot-size 300", "--lot-size is given twice; give it once"),
    (f"plan {STRICT} --items a.csv --item My ID", "with a space stands in quotes"),
    (f"plan {STRICT} --kind duoble", "optimal; did you mean double?"),
    (f"plan {STRICT} --item id", "--item goes with --items"),
    (f"plan {STRICT} --batch week", "--batch goes with --items"),
    (f"plan {STRICT} --seed 0", "--seed goes with --sheet"),
    (f"plan {STRICT} --semicolons", "--semicolons goes with --sheet"),
    (f"plan {STRICT} --sheet s.csv --seed 1", "nothing is drawn from a process"),
    (f"{LOT} --force", "--force goes with --sheet"),
    (f"{LOT} --sheet -", "--sheet is -, which is no name of a file"),
    (
        f"{CLOSE} --lot-size 99999 --kind optimal",
        f"{APART} for at most 8,000,000 pairs",
    ),
    (f"{CLOSE} --kind double", "hours, got --p-a 0.01 --p-r 0.011"),
    (f"plan {STRICT} --items table.txt", "has no column 'item'; its columns: id, text"),
    (f"plan {STRICT} --inspectors 2", "--inspectors goes with --sheet"),
    (f"plan {STRICT} --sheet x.csv --overlap .1", "--overlap goes with --inspectors"),
    (f"plan {STRICT} --rate .1", "--rate is no option of it"),
    ("plan --p-a 2% --p-r 5% --alpha 0 --beta .1", "such as --alpha 0.001"),
    ("plan --p-a 2% --p-r 5% --alpha .1 --beta 0", "such as --beta 0.001"),
    ("plan --p-a .01 --p-r 1 --alpha .1 --beta .1", "--p-r is 1, which is 100 %; 1 %"),
    *((f"plan --p-a {one}", "one is written 0.02 or 2%") for one in RATES),
    ("plan --p-a 2", "one is written 0.02 or 2%"),
    ("plan --p-a 2.5", "one is written 0.025 or 2.5%"),
    (f"{LOT} --sheet s.csv --seed -1", "'-1' is no whole number of at least 0"),
    (f"{LOT} --sheet s.csv --inspectors 1", "'1' is no whole number from 2 to 1,000"),
    (f"{LOT} --sheet s.csv --inspectors 999", "steps to deal out; give fewer"),
    (f"{BATCHES} tiny.csv", "batch 'tiny': 3 items are too few to tell"),
    (f"{BATCHES} sub/week1.csv", "would be written to the same file as 'week1'"),
    (f"{BATCHES} --batch none", "has no column 'none', which --batch names"),
    (f"{BATCHES} --batch source", "its source is missing"),
    (f"{BATCHES} week2.csv --inspectors 2", "--inspectors deals out one batch"),
    (f"{BATCHES} --batch label --inspectors 2", "--inspectors deals out one batch"),
    (f"{BATCHES} --lot-size 300", "not allowed with argument"),
    (f"{BATCHES} --sheet none/s.csv", "--sheet is given twice"),
    (f"plan {STRICT} --sheet none/s.csv", "there is no folder none"),
    (f"plan {STRICT} --items s.csv", "cannot read s.csv: No such file"),
    ("estimate", "required: --half-width"),
    ("estimate --half-width .6", "--half-width must be above 0"),
    ("estimate --half-width 0", "such as --half-width 0.01"),
    ("estimate --half-width .1 --p-a .1", "--p-a is no option"),
    ("estimate --half-width .1 --confidence 1", "--confidence must be a number"),
    ("estimate --half-width .1 --rate 2 --lot-size 9", "one is written 0.02 or 2%"),
    ("estimate --half-width .1 --lot-size 9 --judge a=b", "--judge goes with --items"),
    (f"{JUDGE} label", "'label' is not COL=VALUE"),
    (f"{JUDGE} =fine", "'=fine' is not COL=VALUE"),
    (f"{JUDGE} model=TRUE", "--judge names the column 'model', which the items do not"),
    (f"{JUDGE} label=yes", "no item has 'yes' in the column 'label'"),
    (f"{JUDGE} note=1", "a spreadsheet writes '1' and '01' in the column"),
    ("verdict", "required: SHEET"),
    ("verdict x --wrong-words a", "'a' is not two different words"),
    ("verdict x --wrong-words no,NO", "'no,NO' is not two different words"),
    ("agree r.csv --raters ''", "--raters: '' is a list of nothing"),
    ("agree none.csv", "labelaudit agree: cannot read none.csv: No such file"),
    ("agree r.csv --distance far", "'far' is none of nominal, ordinal"),
    ("agree none.csv --report none/r.html", "there is no folder none"),  # said first
    ("agree none.csv --report .", "--report . is a folder"),
    ("agree r.csv --no-header", GO_TOGETHER),
    ("agree r.csv --columns a,b", GO_TOGETHER),
    ("agree r.csv --table --second r.csv", f"--table and --second {SECOND}"),
    ("agree r.csv --times a --second r.csv", f"--times and --second {SECOND}"),
    ("agree r.csv --split , --sets ,", "--split and --sets must differ"),
    ("agree r.csv --sets ''", "--sets must be a text that separates"),
    ("agree r.csv --split ''", "--split must be a text that separates"),
    ("agree r.csv --distance masi", "say by --sets"),
    ("agree r.csv --distance interval --sets ';'", "take nominal, jaccard or masi"),
    ("agree r.csv --split '\\t'", "got '\\\\t'; a tab is typed as $'\\t'"),
    ("agree r.csv --where -x=1", "what begins with - is joined by =, as --where=-x=1"),
    ("agree r.csv --force", "--force writes over a file, and none is written"),
    ("agree r.csv --consensus -", "--consensus is -, which is no name of a file"),
    ("agree r.csv --epsilon 0", "--epsilon is about a model: --model names its"),
    ("agree r.csv --model-test t", "--model-test is about a model"),
    ("agree r.csv --model bot --epsilon 1", "epsilon must be a number from 0"),
    ("agree r.csv --model robot", "has no column 'robot'"),
    ("agree r.csv --model item --item item", "each needs its own"),
    ("agree r.csv --model a --raters a,b", "--raters and --model are both the column"),
    (
        "agree none.csv --require krippendorff_alpha=80",  # said first
        "krippendorff_alpha=80: 80 is more than 1, and no coefficient is; 80 % is 0.8",
    ),
    *((f"agree r.csv --require '{one}'", "--require takes NAME=X") for one in NO_LIMIT),
]


@pytest.mark.parametrize(("line", "words"), WRONG)
def test_a_wrong_call_is_refused(folder, refused, line, words):
    (folder / "sub").mkdir()
    (folder / "sub" / "week1.csv").write_bytes((folder / "week1.csv").read_bytes())
    (folder / "table.txt").write_text("id\ttext\n1\tone\n2\ttwo\n")
    refused(words, line)
