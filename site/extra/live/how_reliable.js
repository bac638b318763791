"use strict";
// Coefficients of agreement for any raters and labels, where each label can be changed.
{
  const SHOWN = 20; // items whose labels can be pressed
  const root = document.getElementById("reliable");
  const [head, body, foot] = root.querySelectorAll(".labels > *");
  const values = root.querySelector(".coefficients tbody");
  const said = root.querySelector("#said");
  const note = root.querySelector("#note");
  const area = root.querySelector("textarea");

  const about = root.querySelector("#about");
  const seen = root.querySelector("#labels");
  const paper = root.querySelector("#paper");
  const ways = root.querySelector("#ways");
  const { counted, doubtful, given } = Tables;

  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const squares = (counts) => sum([...counts.values()].map((n) => n * n));
  const whole = (n) => n.toLocaleString("en");
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  /** Halves to even, as the command rounds. */
  const rounded = (x, digits) => {
    const [half, low] = [Math.abs(x * 2 ** (digits + 1)) % 2 === 1, Math.floor(x * 10 ** digits)];
    return (half ? (low + Math.abs(low % 2)) / 10 ** digits : x).toFixed(digits);
  };
  const text = (x, digits = 3) => (Number.isNaN(x) ? "undefined" : rounded(x, digits).replace("-", "\u2212"));

  /** Observed agreement, and chance and value by coefficient; NaN: undefined. */
  const agreement = (raters, rows) => {
    const q = new Set(given(rows.flat())).size;
    const kept = rows.filter((row) => given(row).length >= 2);
    const labels = given(kept.flat());
    const n = labels.length;
    const all = squares(counted(labels)) / n ** 2;
    const own = raters.map((_, k) => given(kept.map((row) => row[k])));
    const apart = sum(kept.map((row) => {
      const judged = given(row);
      return (judged.length ** 2 - squares(counted(judged))) / (judged.length - 1);
    }));
    const observed = 1 - apart / n;
    const chance = {
      "Bennett's S": 1 / q,
      "Fleiss' kappa": all,
      "Krippendorff's alpha": (all * n - 1) / (n - 1),
      "Janson and Olsson's iota": (all * n ** 2 - sum(own.map((one) => squares(counted(one)))))
        / (n ** 2 - sum(own.map((one) => one.length ** 2))),
      "Gwet's AC1": q > 1 ? (1 - all) / (q - 1) : 1,
    };
    const found = Object.entries(chance).map(([name, expected]) => {
      const room = 1 - expected;
      return { name, expected, value: room > 1e-12 ? (observed - expected) / room : NaN };
    });
    return { q, n, observed, found, items: kept.length };
  };

  /** How often a rater says what another says, of all pairs with an other's label. */
  const withOthers = (k, rows) => {
    const pairs = rows.filter((row) => row[k] !== "")
      .flatMap((row) => given(row.filter((_, other) => other !== k)).map((label) => label === row[k]));
    return pairs.filter(Boolean).length / pairs.length;
  };

  const cell = (kind, words) => {
    const made = document.createElement(kind);
    made.textContent = words;
    return made;
  };
  const line = (...cells) => {
    const made = document.createElement("tr");
    made.append(...cells);
    return made;
  };

  const ALPHA = "Krippendorff's alpha";
  const MOST = 30; // labels that are listed

  /** The labels with how many each, and which may be one, or none. */
  const list = (rows) => {
    const often = counted(given(rows.flat()));
    const sorted = [...often].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    const name = (label) => (/\d$/.test(label) ? `"${label}"` : label); // apart from its number
    const told = sorted.slice(0, MOST).map(([label, n]) => `${name(label)} ${whole(n)}`);
    if (sorted.length > MOST) told.push(`and ${whole(sorted.length - MOST)} more`);
    seen.replaceChildren(`Labels: ${told.join(", ")}.`);
    const spelled = new Map();
    for (const [label] of sorted) {
      const key = label.toLowerCase();
      spelled.set(key, [...(spelled.get(key) ?? []), label]);
    }
    const warnings = [...spelled.values()].filter((same) => same.length > 1)
      .map((same) => `${same.join(" and ")} differ by case only: are they one label?`);
    const none = doubtful(often);
    if (none.length) warnings.push(`${none.join(", ")}: may mean that there is no label; if so, empty such cells.`);
    for (const warning of warnings) seen.append(document.createElement("br"), cell("strong", warning));
  };

  let table;
  let before = [];
  let [left, known] = [new Set(), new Set()]; // names of columns: no raters', raters'
  const tell = () => {
    const { raters, rows } = table;
    const { q, n, observed, found, items } = agreement(raters, rows);
    if (items === 0) throw new Refused("No item has two judgments: there is nothing to agree on.");
    const k = found.findIndex(({ name }) => name === ALPHA);
    const { value: alpha, expected: chance } = found[k];
    said.textContent = `alpha ${text(alpha)}${before.length ? ` (before ${text(before[k])})` : ""}, `
      + `agreement ${(100 * observed).toFixed(0)} %`;
    about.textContent = `${whole(items)} items with two judgments or more, ${raters.length} raters, `
      + `${whole(n)} judgments, ${q} labels; two judgments of an item agree in ${percent(observed)}.`;
    if (found.some(({ value }) => Number.isNaN(value))) {
      about.textContent += " Undefined: chance alone would agree on everything.";
    }
    const dropped = rows.length - items;
    paper.textContent = `For a paper: ${whole(items)} items, ${raters.length} raters, ${whole(n)} judgments`
      + `${dropped ? ` (left out: ${whole(dropped)} with fewer than two)` : ""}; ${ALPHA} (nominal) ${text(alpha, 2)}, `
      + `observed agreement ${text(observed, 2)}, expected ${text(chance, 2)}; the interval comes from the command.`;
    list(rows);
    values.replaceChildren(...found.map(({ name, expected, value }, at) => {
      const row = line(cell("th", name), cell("td", text(expected)), cell("td", text(value)),
        cell("td", before.length ? text(before[at]) : ""));
      Object.assign(row.dataset, { value, expected });
      return row;
    }));
    foot.replaceChildren(line(cell("th", "agrees with the others"), ...raters.map((_, at) => {
      const share = withOthers(at, rows);
      return cell("td", Number.isNaN(share) ? "" : percent(share));
    })));
    before = found.map(({ value }) => value);
  };

  /** What is refused, and buttons by which columns are left out, or are raters'. */
  const refuse = ({ message, leave, raters }) => {
    said.textContent = `No coefficients. ${message}`;
    root.classList.add("refused");
    const press = (words, names, which) => {
      const button = cell("button", words);
      button.type = "button";
      button.addEventListener("click", () => {
        names.forEach((name) => which.add(name));
        show();
        said.focus();
      });
      return button;
    };
    const all = leave.length > 1 ? [leave] : [];
    const called = (name) => name || "the column without a name";
    ways.replaceChildren(
      ...[...all, ...leave.slice(0, 3).map((name) => [name])]
        .map((names) => press(`leave ${names.map(called).join(", ")} out`, names, left)),
      ...(raters.length ? [press(raters.length > 1 ? "these columns are raters'"
        : `${called(raters[0])} is a rater's`, raters, known)] : []),
    );
  };

  const show = () => {
    before = [];
    for (const part of [head, body, foot, values, about, seen, paper, ways]) part.replaceChildren();
    note.textContent = "";
    root.classList.remove("refused");
    try {
      table = Tables.read(area.value, left, known);
      tell();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refuse(error);
      return;
    }
    const { raters, items, rows, notes } = table;
    const labels = [...new Set(given(rows.flat()))].sort();
    head.replaceChildren(line(cell("th", "item"), ...raters.map((name) => cell("th", name))));
    body.replaceChildren(...rows.slice(0, SHOWN).map((row, i) => line(cell("th", items[i]), ...row.map((_, k) => {
      const button = cell("button", row[k] || "\u2013");
      const name = () => button.setAttribute("aria-label", `${button.textContent}, ${raters[k]} on ${items[i]}`);
      button.type = "button";
      name();
      button.addEventListener("click", () => {
        row[k] = labels[(labels.indexOf(row[k]) + 1) % labels.length];
        button.textContent = row[k];
        name();
        tell();
      });
      const held = document.createElement("td");
      held.append(button);
      return held;
    }))));
    if (rows.length > SHOWN) notes.push(`The first ${SHOWN} of ${whole(rows.length)} items are shown; all are counted.`);
    if (labels.length > 20) notes.push(`${labels.length} different labels: is each column a rater's?`);
    note.textContent = notes.join(" ");
  };

  /** Of a table that was not seen before. */
  const fresh = () => {
    [left, known] = [new Set(), new Set()];
    show();
  };
  area.addEventListener("input", fresh);
  root.querySelector("[type=file]").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    try {
      area.value = Tables.decoded(new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
      area.value = "";
      fresh();
      refuse(error);
      return;
    }
    fresh();
  });
  fresh();
}
