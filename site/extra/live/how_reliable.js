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

  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const squares = (counts) => sum([...counts.values()].map((n) => n * n));
  const count = (labels) => {
    const found = new Map();
    for (const label of labels) found.set(label, (found.get(label) ?? 0) + 1);
    return found;
  };
  const given = (labels) => labels.filter((label) => label !== "");
  const whole = (n) => n.toLocaleString("en");
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const text = (x) => (Number.isNaN(x) ? "undefined" : x.toFixed(3).replace("-", "\u2212"));

  /** Names of raters and items, and rows of labels, "" where there is none. */
  const read = (source) => {
    const lines = source.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/).filter((line) => line.trim());
    if (lines.length < 2) throw Error("The table needs a row of names and a row for each item.");
    if (source.includes('"')) {
      throw Error("A cell is in quotes, which this page does not read; the command does.");
    }
    const mark = ["\t", ";", ","].find((sign) => lines[0].includes(sign));
    if (!mark) throw Error("The first row needs commas, semicolons or tabs between its names.");
    const [names, ...cells] = lines.map((line) => line.split(mark).map((cell) => cell.trim()));
    const odd = cells.findIndex((row) => row.length !== names.length);
    if (odd >= 0) {
      throw Error(`Row ${odd + 2} has ${cells[odd].length} cells where the first has ${names.length}.`);
    }
    const places = ["item", "rater", "label"].map((name) => names.indexOf(name));
    if (places.includes(-1)) {
      return { raters: names.slice(1), items: cells.map((row) => row[0]), rows: cells.map((row) => row.slice(1)) };
    }
    const long = cells.map((row) => places.map((place) => row[place]));
    const [items, raters] = [0, 1].map((k) => [...new Set(long.map((row) => row[k]))]);
    const at = [items, raters].map((all) => new Map(all.map((name, k) => [name, k])));
    const rows = items.map(() => raters.map(() => ""));
    for (const [item, rater, label] of long) {
      const row = rows[at[0].get(item)];
      const k = at[1].get(rater);
      if (row[k] !== "") throw Error(`${rater} judged ${item} twice; the command has --repeats.`);
      row[k] = label;
    }
    return { raters, items, rows };
  };

  /** Observed agreement, and chance and value by coefficient; NaN: undefined. */
  const agreement = (raters, rows) => {
    const q = new Set(given(rows.flat())).size;
    const kept = rows.filter((row) => given(row).length >= 2);
    const labels = given(kept.flat());
    const n = labels.length;
    const all = squares(count(labels)) / n ** 2;
    const own = raters.map((_, k) => given(kept.map((row) => row[k])));
    const apart = sum(kept.map((row) => {
      const judged = given(row);
      return (judged.length ** 2 - squares(count(judged))) / (judged.length - 1);
    }));
    const observed = 1 - apart / n;
    const chance = {
      "Bennett's S": 1 / q,
      "Fleiss' kappa": all,
      "Krippendorff's alpha": (all * n - 1) / (n - 1),
      "Janson and Olsson's iota": (all * n ** 2 - sum(own.map((one) => squares(count(one)))))
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

  let table;
  let before = [];
  const tell = () => {
    const { raters, rows } = table;
    const { q, n, observed, found, items } = agreement(raters, rows);
    if (items === 0) throw Error("No item has two judgments: there is nothing to agree on.");
    said.textContent = `${whole(items)} items with two judgments or more, ${raters.length} raters, `
      + `${whole(n)} judgments, ${q} labels; two judgments of an item agree in ${percent(observed)}.`;
    if (found.some(({ value }) => Number.isNaN(value))) {
      said.textContent += " Undefined: chance alone would agree on everything.";
    }
    values.replaceChildren(...found.map(({ name, expected, value }, k) => {
      const row = line(cell("th", name), cell("td", text(expected)), cell("td", text(value)),
        cell("td", before.length ? text(before[k]) : ""));
      Object.assign(row.dataset, { value, expected });
      return row;
    }));
    foot.replaceChildren(line(cell("th", "agrees with the others"), ...raters.map((_, k) => {
      const share = withOthers(k, rows);
      return cell("td", Number.isNaN(share) ? "" : percent(share));
    })));
    before = found.map(({ value }) => value);
  };

  const show = (source) => {
    before = [];
    for (const part of [head, body, foot, values]) part.replaceChildren();
    note.textContent = "";
    try {
      table = read(source);
      tell();
    } catch (error) {
      said.textContent = error.message;
      return;
    }
    const { raters, items, rows } = table;
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
    const notes = [];
    if (rows.length > SHOWN) notes.push(`The first ${SHOWN} of ${whole(rows.length)} items are shown; all are counted.`);
    if (labels.length > 20) notes.push(`${labels.length} different labels: is each column a rater's?`);
    note.textContent = notes.join(" ");
  };

  area.addEventListener("input", () => show(area.value));
  root.querySelector("[type=file]").addEventListener("change", async (event) => {
    area.value = await event.target.files[0].text();
    show(area.value);
  });
  show(area.value);
}
