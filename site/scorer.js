// What a search lists first: pages to use and to learn from, before fine print and code.
const FIRST = new RegExp(
  "^(plan_designer|two_by_two|notebooks/(your_labels|audit|start_here|glossary|teach"
  + "|may_a|sweep_01|artstein2007_0[36]|klie2024_05))",
);
const LAST = /^(reference|entries|gallery|notebooks\/(ledger|README|\w+_fine_print))/;
var Scorer = {
  score: ([page, , , , score]) => score + 8 * FIRST.test(page) - 8 * LAST.test(page),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
