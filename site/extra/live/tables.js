"use strict";
// Tables as people have them, read as `labelaudit agree` reads them, and refused where it
// refuses. Words of names (NAMES), reasons (WHY) and KINDS of files are the command's:
// the builder writes them, names.js. What takes options is left to the command.

/** Why a table is not read; columns that may be left out, or that are raters after all. */
class Refused extends Error {
  constructor(message, leave = [], raters = leave) {
    super(message);
    Object.assign(this, { leave, raters });
  }
}

const Tables = (() => {
  const MARKS = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" };
  const NUMBER = /^[-+]?\d+([.,]\d*)?$/;
  const [FEW_ROWS, FEW_PAIRS, MOST_COLUMNS, CHANCE] = [5, 10, 50, 0.001];
  const ROLES = ["item", "rater", "label"];
  const LONG = "If each row is a judgment, call the columns item, rater and label.";
  const WIDE = "If each row is an item, it needs a column for each rater.";

  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const largest = (numbers) => numbers.reduce((a, b) => Math.max(a, b), 0);
  const least = (numbers) => numbers.reduce((a, b) => Math.min(a, b), Infinity);
  const share = (list, test) => (list.length ? list.filter(test).length / list.length : 0);
  const given = (cells) => cells.filter((cell) => cell !== "");
  const counted = (list) => {
    const found = new Map();
    for (const one of list) found.set(one, (found.get(one) ?? 0) + 1);
    return found;
  };
  const twice = (list) => {
    const seen = new Set();
    return list.find((one) => seen.size === seen.add(one).size);
  };
  const pairs = (list) => list.flatMap((a, k) => list.slice(k + 1).map((b) => [a, b]));
  const named = (name) => (name === "" ? "without a name" : `"${name}"`);
  /** A reason of the command's, filled in. */
  const because = (why, told) => WHY[why].replace(/\{(\w+)[^}]*\}/g, (_, key) => told[key]);
  const listed = (names) => names.map(named).join(", ");

  // Words by which names tell what they are ------------------------------------------------

  const folded = (text) => text.toLowerCase().replaceAll("\u00DF", "ss").normalize("NFKD").replace(/\p{M}/gu, "");
  const memory = new Map();
  const words = (kind) => {
    if (!memory.has(kind)) {
      const told = Object.values(NAMES[kind]).flatMap((line) => line.split(/\s+/));
      memory.set(kind, new Set(given(told).map(folded)));
    }
    return memory.get(kind);
  };
  /** Whether a word of a name is one of these; letters of it, in tongues without spaces. */
  const called = (name, kind) => {
    const spaced = folded(name.replace(/([a-z])(?=[A-Z])/g, "$1 "));
    const tokens = spaced.match(/[\p{L}\p{Nl}\p{No}]+/gu) ?? [];
    const known = words(kind);
    const wide = (word) => [...word].length > 1 && /[^\x00-\x7F]/.test(word) && spaced.includes(word);
    return known.has(tokens.join("")) || tokens.some((word) => known.has(word)) || [...known].some(wide);
  };
  const isCalled = (name, kind) => words(kind).has(folded(name).replace(/[^\p{L}\p{N}]/gu, ""));
  const isOther = (name) => words("times").has(folded(name)) || words("whole").has(folded(name)) || called(name, "other");
  /** Why a column by its name is hardly a rater's, or nothing. */
  const noRater = (name) => {
    if (called(name, "gold") || isCalled(name, "right")) return "gold";
    if (isOther(name)) return "other";
    return ["model", "label"].find((kind) => isCalled(name, kind)) ?? "";
  };
  /** Whether it is one of these names and what is said beside a label: ann_conf. */
  const isBeside = (name, names) => names.some((one) => {
    const rest = name.slice(one.length);
    return one && rest && name.startsWith(one) && /^([^\p{L}\p{N}]|[A-Z])/u.test(rest)
      && (called(rest, "beside") || called(rest, "other"));
  });

  // Texts, rows, columns -------------------------------------------------------------------

  /** The text of a file; what is no text is refused. */
  const decoded = (bytes) => {
    const start = [...bytes.slice(0, 6)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const kind = Object.keys(KINDS).find((begin) => start.startsWith(begin));
    if (kind) throw new Refused(`The file is ${KINDS[kind]}: save it as CSV (UTF-8).`);
    if (start.startsWith("1f8b")) throw new Refused("The file is packed: unpack it first. The command reads it as it is.");
    const wide = ["fffe", "feff"].find((begin) => start.startsWith(begin));
    const code = { fffe: "utf-16le", feff: "utf-16be" }[wide] ?? "utf-8";
    let text;
    try {
      text = new TextDecoder(code, { fatal: true }).decode(bytes);
    } catch {
      throw new Refused(`The file is not ${wide ? "UTF-16" : "UTF-8"}: save it as CSV (UTF-8).`);
    }
    if (text.includes("\0")) throw new Refused("The file has a zero byte: save it as CSV (UTF-8).");
    return text;
  };

  /** Rows of cells, with the line where each begins: quotes as in RFC 4180. */
  const parsed = (text, mark, line) => {
    const end = mark.replace(/[\\^$.*+?()[\]{}|]/, "\\$&");
    const blanks = mark === " " ? "" : " *";
    const quoted = new RegExp(`${blanks}"([^"]*(?:""[^"]*)*)"(${end}|\\r\\n?|\\n|$)`, "y");
    const plain = new RegExp(`${blanks}([^${end}\\r\\n]*)(${end}|\\r\\n?|\\n|$)`, "y");
    const opens = new RegExp(`${blanks}"`, "y");
    const breaks = (part) => part.match(/\r\n?|\n/g)?.length ?? 0;
    const rows = [];
    let row = { line, cells: [] };
    let at = 0;
    while (at < text.length || row.cells.length) {
      opens.lastIndex = at;
      const form = opens.test(text) ? quoted : plain;
      form.lastIndex = at;
      const found = form.exec(text);
      if (!found) {
        const open = new RegExp(`${blanks}"[^"]*(?:""[^"]*)*$`, "y");
        open.lastIndex = at;
        throw new Refused(`Line ${line}: ${open.test(text) ? "a quoted cell begins and never ends"
          : "text after a quoted cell (a quote inside one is doubled)"}.`);
      }
      row.cells.push((form === quoted ? found[1].replaceAll('""', '"') : found[1]).trim());
      line += breaks(found[0]);
      at = form.lastIndex;
      if (found[2] === mark) continue;
      rows.push(row);
      row = { line, cells: [] };
    }
    return rows.filter(({ cells }) => cells.some(Boolean));
  };

  /** What separates cells, and where to begin: as a first line sep=; says, or the header. */
  const separator = (text) => {
    const said = /^[\s"]*sep=(.)"? *(\r\n?|\n|$)/i.exec(text.slice(0, 20));
    if (said) return [said[1], said[0].length, said[0].match(/\r\n?|\n/g)?.length ?? 0];
    const bare = text.slice(0, 131072).replace(/(^|[,;\t|]) *"[^"]*(?:""[^"]*)*"/gm, "$1quoted");
    const header = bare.split(/\r\n?|\n/).find((line) => /[^,;\t|\s"]/.test(line)) ?? "";
    const often = (mark) => header.split(mark).length;
    return [Object.keys(MARKS).reduce((a, b) => (often(b) > often(a) ? b : a)), 0, 0];
  };

  /** Names of columns, and rows of cells with their lines; "" where there is none. */
  const rowsOf = (source) => {
    const text = source.replace(/^\uFEFF/, "");
    if (/^\s*[[{](?![\p{L}_][\p{L}\p{N}_ -]*[\]}])/u.test(text)) {
      throw new Refused("This is JSON, which the command reads, and this page does not.");
    }
    const [mark, from, skipped] = separator(text);
    const [head, ...rows] = parsed(text.slice(from), mark, 1 + skipped);
    if (!rows.length) throw new Refused("The table needs a row of names and a row for each item.");
    const used = (cells) => cells.findLastIndex(Boolean) + 1;
    const width = largest([head, ...rows].map(({ cells }) => Math.min(used(cells), head.cells.length)));
    if (width < 2) throw new Refused("The first row needs commas, semicolons, tabs or bars between its names.");
    const names = head.cells.slice(0, width);
    for (const { cells, line } of rows) {
      if (used(cells) <= width && cells.length > width) cells.length = width;
      if (cells.length !== width) {
        throw new Refused(`Line ${line} has ${cells.length} cells where the first has ${width} `
          + `(cells are separated by ${MARKS[mark] ?? `"${mark}"`} here).`);
      }
      const odd = cells.find((cell) => /^[[{].*[\]}]$/s.test(cell) && holds(cell));
      if (odd) throw new Refused(`Line ${line}: "${odd}" is a list or an object, which the command reads, and this page does not.`);
    }
    const again = twice(names);
    if (again !== undefined) throw new Refused(`Two columns are called ${named(again)}.`.replace("called without", "without"));
    return { names, rows };
  };
  const holds = (cell) => [cell, cell.replaceAll("'", '"')].some((text) => {
    try {
      return typeof JSON.parse(text) === "object";
    } catch {
      return false;
    }
  });

  const form = (text) => text.replace(/[\p{L}]+/gu, "a").replace(/\d+/g, "0").replace(/a([^\p{L}\p{N}_]+a)+/gu, "a a");
  /** Whether names of columns look like a first row of them. */
  const likeData = (names, rows) => {
    if (!names.every(Boolean) || !rows.length) return false;
    const again = names.map((name, k) => rows.some((row) => row[k] === name));
    if (again.every(Boolean) && names.length > 1) return true;
    const alike = share(given(rows.map((row) => row[0])), (cell) => form(cell) === form(names[0]));
    const rest = again.slice(1);
    if (rest.length && ((alike >= 0.5 && rest.some(Boolean)) || (alike >= 0.2 && rest.every(Boolean)))) return true;
    const inTurn = [0, 1].some((first) => names.every((name, k) => name === `${k + first}`));
    return !inTurn && names.every((name) => NUMBER.test(name)) && share(given(rows.flat()), (cell) => NUMBER.test(cell)) > 0.9;
  };

  // One row per judgment -------------------------------------------------------------------

  /** Columns of items, raters and labels where a row may be a judgment, or nothing. */
  const longRows = (names, columns) => {
    const n = columns[0].length;
    const sizes = columns.map((column) => new Set(column).size);
    const all = names.map((_, k) => k).filter((k) => sizes[k] < n && columns[k].every(Boolean)).slice(0, MOST_COLUMNS);
    const who = all.filter((k) => called(names[k], "rater"));
    const alike = new Map(all.map((k) => [k, sum([...counted(columns[k]).values()].map((m) => (m / n) ** 2))]));
    const key = (ks) => columns[0].map((_, i) => JSON.stringify(ks.map((k) => columns[k][i])));
    const size = (...ks) => new Set(key(ks)).size;
    const varies = (k, items) => {
      const cells = columns[k];
      const number = cells.every((cell) => NUMBER.test(cell));
      const again = sizes[k] < n || (number && cells.some((cell) => /[.,]/.test(cell)));
      const own = new Map();
      cells.forEach((cell, i) => own.set(items[i], (own.get(items[i]) ?? new Set()).add(cell)));
      return again && !isOther(names[k]) && [...own.values()].some((set) => set.size > 1);
    };
    const both = pairs(all);
    const found = [];
    for (const pair of both) {
      const [item, rater] = [...pair].sort((a, b) => who.includes(a) - who.includes(b) || sizes[b] - sizes[a]);
      const hits = (n * (n - 1)) / 2 * alike.get(item) * alike.get(rater);
      const sure = who.length === 1 ? pair.includes(who[0]) : both.length * Math.exp(-hits) < CHANCE;
      const enough = least([sizes[item], sizes[rater]]) > 1 && sizes[item] * sizes[rater] >= n;
      if (sure && enough && size(item, rater) === n) found.push([hits, [item], rater]);
    }
    found.sort((a, b) => b[0] - a[0]);
    if (who.length === 1) { // columns that name an item together
      const free = all.filter((k) => k !== who[0] && !called(names[k], "label")).slice(0, 8);
      const several = [...free.map((k) => [k]), ...pairs(free)]
        .filter((items) => size(...items) <= 0.85 * n && size(...items, who[0]) === n);
      found.push(...several.map((items) => [0, items, who[0]]));
    }
    for (const [, items, rater] of found) {
      const rest = names.some((_, k) => !items.includes(k) && k !== rater && varies(k, key(items)));
      if (rest) return { item: items.map((k) => names[k]).join(", "), rater: names[rater] };
    }
    return null;
  };

  const long = (names, rows, places, notes) => {
    const [item, rater, label] = places;
    for (const { cells, line } of rows) {
      const k = [item, rater].find((place) => cells[place] === "");
      if (k !== undefined) throw new Refused(`Line ${line}: ${names[k]} is missing.`);
    }
    for (const mark of [",", ";", "|"]) {
      const of = (k) => rows.map(({ cells }) => cells[k].split(mark).length - 1);
      const [who, what] = [of(rater), of(label)];
      if (share(who, Boolean) > 0.5 && `${who}` === `${what}`) {
        throw new Refused(`Cells of "${names[rater]}" and "${names[label]}" hold several judgments, which the command reads by --split.`);
      }
    }
    const items = [...new Set(rows.map(({ cells }) => cells[item]))];
    const raters = [...new Set(rows.map(({ cells }) => cells[rater]))];
    const at = [items, raters].map((all) => new Map(all.map((name, k) => [name, k])));
    const table = items.map(() => raters.map(() => ""));
    const judged = rows.filter(({ cells }) => cells[label] !== "");
    const pair = ({ cells }) => JSON.stringify([cells[item], cells[rater]]);
    if (new Set(judged.map(pair)).size < judged.length) anotherKey(names, rows, places);
    let again = 0;
    for (const { cells } of judged) {
      const row = table[at[0].get(cells[item])];
      const k = at[1].get(cells[rater]);
      if (row[k] !== "" && row[k] !== cells[label]) {
        throw new Refused(`${cells[rater]} judged ${cells[item]} twice; the command has --repeats.`);
      }
      again += row[k] !== "";
      row[k] = cells[label];
    }
    if (again) notes.push(`Judgments that repeat an earlier one, counted once: ${again}.`);
    for (const name of raters) {
      const why = noRater(name);
      if (["gold", "model", "other"].includes(why)) notes.push(`Rater "${name}" ${WHY[why]}: if it is no person's, delete its rows.`);
    }
    const shared = table.filter((row) => given(row).length > 1);
    const look = raters.map((_, k) => given(shared.map((row) => row[k])));
    const lone = raters.length > MOST_COLUMNS ? undefined : alone(look).find((k) => look[k].length >= FEW_PAIRS);
    if (lone !== undefined) {
      throw new Refused(`Rater "${raters[lone]}" shares no label with most others: write the same labels alike, or delete its rows.`);
    }
    return { raters, items, rows: table };
  };

  /** Refuse judgments that repeat where other columns tell items apart. */
  const anotherKey = (names, rows, [item, rater, label]) => {
    const free = names.map((_, k) => k).filter((k) => ![item, rater, label].includes(k)).slice(0, 20);
    for (const more of [...free.map((k) => [k]), ...pairs(free)]) {
      const size = (...ks) => new Set(rows.map(({ cells }) => JSON.stringify(ks.map((k) => cells[k])))).size;
      if (size(item, rater, ...more) === rows.length && size(item, ...more) <= 0.85 * rows.length) {
        throw new Refused(`Raters judged items twice, each time with another ${listed(more.map((k) => names[k]))}: `
          + "if these columns name an item together, the command takes them by --item.");
      }
    }
  };

  // One row per item -----------------------------------------------------------------------

  /** Columns (their cells) that share no label with most others; of numbers only few differ. */
  const alone = (columns) => {
    const own = columns.map((column) => [...new Set(given(column))]);
    const number = own.map((labels) => labels.every((label) => NUMBER.test(label)));
    const n = largest(columns.map((column) => column.length));
    if (2 * own.filter((labels, k) => number[k] && 2 * labels.length > n).length > own.length) return [];
    const group = columns.map((_, k) => k);
    const root = (k) => (group[k] === k ? k : (group[k] = root(group[k])));
    const first = new Map();
    own.forEach((labels, k) => labels.forEach((label) => {
      if (first.has(label)) group[root(k)] = root(first.get(label));
      else first.set(label, k);
    }));
    const size = new Map();
    own.forEach((labels, k) => {
      const told = size.get(root(k)) ?? { columns: 0, rank: 0, k: root(k) };
      told.columns += labels.length > 0;
      told.rank += (labels.length > 0) + !number[k] / (own.length + 1);
      size.set(root(k), told);
    });
    const main = [...size.values()].reduce((a, b) => (b.rank > a.rank ? b : a), { rank: -1 });
    return group.map((_, k) => k).filter((k) => own[k].length && (root(k) !== main.k || main.columns <= 1));
  };

  const WHOLE = /^\d{1,12}(\.0)?$/;
  const whole = (cells) => (cells.every((cell) => cell === "" || WHOLE.test(cell)) ? cells.map((cell) => Number(cell)) : null);
  const COUNTS = "if they count judgments, the command takes them by --counts";

  /** How many last rows are called sums, means and the like, or have sums. */
  const foot = (items, rows) => {
    const names = items.slice(2).reverse();
    const n = names.findIndex((name) => !called(name, "sums"));
    if (n !== 0 && names.length) return n < 0 ? names.length : n;
    const last = whole(rows.at(-1));
    const above = rows.slice(0, -1).map(whole);
    if (rows.length < 4 || !last || !last.some(Boolean) || !above.every(Boolean)) return 0;
    const more = last.length > 1 && largest(last) > largest(above.flat());
    return Number(more && last.every((total, k) => total === sum(above.map((row) => row[k]))));
  };

  /** Refuse tables of counts: a square one, rows that add up, shares. */
  const noCounts = (names, items, rows) => {
    const columns = (table, k) => table.map((row) => row[k]);
    const known = new Set(items.map(folded));
    const shared = names.filter((name) => known.has(folded(name)));
    const most = Math.max(items.length, names.length);
    const numbers = shared.every((name) => /^\d+$/.test(name));
    if (shared.length >= Math.max(2, most * (numbers ? 1 : 0.75)) && whole(rows.flat())) {
      throw new Refused(`Rows and columns have the same names (${listed(shared)}), as in a table of two raters, which the command takes by --table.`, [], names);
    }
    const body = rows.slice(0, rows.length - foot(items, rows));
    const kept = names.map((_, k) => k).filter((k) => rows.some((row) => row[k]) && whole(columns(body, k)));
    const table = body.map((row) => kept.map((k) => Number(row[k])));
    if (kept.length > 1 && table.length && table.some((row) => row.some((v) => v !== table[0][0]))) addsUp(names, kept, table);
    const texts = rows.flat().map((cell) => (cell || "0").replace(/^[% ]+|[% ]+$/g, "").replace(",", "."));
    if (rows.length >= FEW_ROWS && texts.every((text) => NUMBER.test(text))) {
      const values = rows.map((_, i) => names.map((_, k) => Number(texts[i * names.length + k])));
      const off = names.length * 0.5 * 10 ** -largest(texts.map((text) => (text.split(".")[1] ?? "").length)) + 1e-9;
      const differ = values.flat().every((v) => v >= 0) && values.some((row) => `${row}` !== `${values[0]}`);
      const total = [1, 100].find((all) => values.every((row) => Math.abs(sum(row) - all) <= off) && values.flat().some((v) => v % all));
      if (differ && total) throw new Refused(`Columns add up to ${total} in every row, as shares of judgments do; the command takes counts, by --counts.`, [], names);
    }
    const totals = kept.map((_, k) => sum(columns(table, k)));
    const spread = table.length && least(table.flat()) === 0 && largest(table.flat()) > 1;
    if (spread && kept.length === names.length && kept.length >= Math.max(4, table.length + 1) && totals.every((t) => t === totals[0])) {
      throw new Refused("Each column adds up to the same number, as where judgments are counted with items in columns.", [], names);
    }
    const likely = kept.map((_, k) => k).filter((k) => !noRater(names[kept[k]]));
    if (spread && likely.length > 1 && rows.length >= FEW_PAIRS && likely.length === names.filter((name) => !noRater(name)).length) {
      const part = table.map((row) => likely.map((k) => row[k]));
      const sums = part.map(sum);
      const variance = (v) => sum(v.map((x) => (x - sum(v) / v.length) ** 2)) / v.length;
      if (sums.every(Boolean) && variance(sums) < 0.3 * sum(likely.map((_, k) => variance(columns(part, k)))) && likely.length < names.length) {
        throw new Refused(`Where one of ${listed(likely.map((k) => names[kept[k]]))} is large the others are small: ${COUNTS}.`, [], names);
      }
    }
  };
  const addsUp = (names, kept, table) => {
    const of = new Map(kept.map((_, k) => [`${table.map((row) => row[k])}`, k]));
    const own = kept.map((_, k) => table.every((row) => 2 * row[k] === sum(row)));
    const all = kept.map((_, k) => k);
    const parts = [all.filter((k) => !own[k]), all];
    if (all.length > 2 && all.length <= MOST_COLUMNS) parts.push(...all.map((one) => all.filter((k) => k !== one)));
    for (const part of parts.filter((one) => one.length > 1)) {
      const rows = table.map((row) => part.map((k) => row[k]));
      const sums = rows.map(sum);
      const told = listed(part.map((k) => names[kept[k]]));
      const full = sums.filter(Boolean).length > 2 && part.filter((_, k) => rows.some((row) => row[k])).length > 1;
      const total = of.get(`${sums}`);
      if (full && largest(sums) > 1 && total !== undefined && !part.includes(total)) {
        throw new Refused(`Column "${names[kept[total]]}" is the sum of ${told} in every row: ${COUNTS}.`, [names[kept[total]]], names);
      }
      if (sums[0] && sums.every((s) => s === sums[0]) && rows.some((row) => `${row}` !== `${rows[0]}`)) {
        const others = part.length < all.length;
        const spans = least(rows.flat()) === 0 && largest(rows.flat()) === sums[0] && sums[0] > 1;
        const one = part.length < 3 || others ? rows.length + 1 : FEW_PAIRS;
        if (rows.length >= (sums[0] === 1 ? one : (spans ? 4 : 5) + 3 * others)) {
          throw new Refused(`${told} add up to ${sums[0]} in every row, as judgments counted by label do: ${COUNTS}.`, [], names);
        }
      }
    }
  };

  /** Why columns (their cells) are hardly a rater's by their names or values. */
  const byThemselves = (names, columns) => {
    const [who, what] = [["rater", "label"], ["label", "rater"]].map(([kind, other]) => (
      names.filter((name) => called(name, kind) && !called(name, other))));
    const paired = who.length === what.length && who.length > 1 ? who : []; // rater1, label1
    const inColumns = counted(columns.flatMap((column) => [...new Set(given(column))]));
    const free = columns.map((column) => {
      const cells = given(column);
      const different = new Set(cells).size;
      const own = cells.filter((cell) => inColumns.get(cell) === 1).length;
      const text = share(cells, (cell) => /\S\s+\S/.test(cell)) >= 0.5;
      return cells.length > FEW_ROWS && Math.min(different, own) >= 0.8 * cells.length && (text ? "text" : "different");
    });
    const measured = free.every((kind) => kind === "different"); // as numbers of all raters may be
    return names.map((name, k) => {
      const why = (paired.includes(name) && "rater") || noRater(name) || (isBeside(name, names) && "beside");
      return why || (free[k] === "text" && "text") || (!measured && free[k]) || "";
    });
  };

  /** A column that says what the others do already, as of a majority, and why. */
  const computed = (columns) => {
    const n = columns[0].length;
    if (columns.length < 3 || columns.length > MOST_COLUMNS) return null;
    const rows = columns[0].map((_, i) => columns.map((column) => column[i]));
    const without = (row, c) => row.filter((_, k) => k !== c);
    const enough = rows.some((row) => largest([...counted(given(row)).values()]) > 2) ? 2 : 1;
    const follows = (c, left) => {
      let [hits, judged] = [0, 0];
      for (const row of rows) {
        if (left === undefined && hits < judged) break;
        const votes = counted(given(row.filter((_, k) => k !== c && k !== left)));
        const best = largest([...votes.values()]);
        const top = [...votes].filter(([, m]) => m === best);
        if (top.length === 1 && best >= enough && row[c] !== "") {
          judged += 1;
          hits += top[0][0] === row[c];
        }
      }
      return [hits, judged];
    };
    for (let c = 0; c < columns.length; c += 1) {
      const [hits, judged] = follows(c);
      if (hits === judged && judged >= FEW_PAIRS) {
        const others = columns.map((_, k) => k).filter((k) => columns[k].some((cell, i) => cell !== columns[c][i]));
        const shares = others.map((k) => follows(k, c)).filter(([, m]) => m).map(([h, m]) => h / m);
        const most = shares.length ? largest(shares) : 1;
        if (most ** (columns.length === 3 ? judged / 2 : judged) < CHANCE) return [c, "majority"];
      }
    }
    const once = (most, m) => m >= FEW_ROWS && (most / m) ** m < CHANCE;
    const full = rows.filter((row) => row.every(Boolean));
    for (let c = columns.length - 1; c >= 0; c -= 1) {
      const judged = (row) => without(row, c).every(Boolean);
      const differ = (row) => new Set(without(row, c)).size > 1;
      const filled = rows.filter((row) => row[c] !== "");
      if (filled.length >= FEW_ROWS && filled.every((row) => judged(row) && differ(row))
        && share(rows, differ) ** filled.length < CHANCE) return [c, "settles"];
      const told = counted(full.map((row) => JSON.stringify([differ(row), row[c]])));
      const kinds = [...told.keys()].map((key) => JSON.parse(key));
      if (kinds.length === 2 && kinds[0][0] !== kinds[1][0] && kinds[0][1] !== kinds[1][1]
        && once(largest([...told.values()]), full.length)) return [c, "same"];
    }
    const values = full.slice(0, 1000).map((row) => row.map(Number));
    if (n < FEW_ROWS || values.length < FEW_ROWS || !values.flat().every(Number.isFinite)) return null;
    const middle = (list) => {
      const [half, sorted] = [list.length / 2, [...list].sort((a, b) => a - b)];
      return (sorted[Math.ceil(half) - 1] + sorted[Math.floor(half)]) / 2;
    };
    const order = columns.map((_, k) => k).reverse();
    for (const c of columns.length === 3 ? order : []) {
      const gaps = values.map((row) => { const [a, b] = without(row, c); return a - b; });
      const most = largest([...counted(values.map((row) => row[c])).values()]);
      const same = [(g) => g, (g) => -g, Math.abs].some((of) => values.every((row, i) => row[c] === of(gaps[i])));
      if (same && once(most, values.length)) return [c, "difference"];
    }
    for (const [why, of] of [["mean", (list) => sum(list) / list.length], ["median", middle]]) {
      const near = order.map((c) => {
        const digits = largest(full.map((row) => (row[c].split(".")[1] ?? "").length));
        const some = values.filter((row) => new Set(without(row, c)).size > 1);
        const hits = some.filter((row) => Math.abs(of(without(row, c)) - row[c]) <= 0.5 * 10 ** -digits + 1e-9);
        return { c, n: some.length, share: hits.length / Math.max(some.length, 1) };
      });
      for (const { c, n: size, share: hit } of near) {
        const unlike = near.filter(({ c: k }) => values.some((row) => row[k] !== row[c]));
        if (hit === 1 && size >= FEW_ROWS && largest(unlike.map((one) => one.share)) ** size < CHANCE) return [c, why];
      }
    }
    return null;
  };

  /** Refuse columns that are hardly raters'. */
  const noRaters = (names, columns, numbered, known, notes) => {
    const suspects = new Map();
    byThemselves(names, columns).forEach((why, k) => { if (why && !known.has(names[k])) suspects.set(k, why); });
    const apart = () => names.map((_, k) => k).filter((k) => !suspects.has(k));
    const rest = apart().length > 1 ? apart() : names.map((_, k) => k);
    let lone = alone(rest.map((k) => columns[k])).map((k) => rest[k]);
    const filled = rest.filter((k) => columns[k].some(Boolean)).length;
    const judgments = rest.length < names.length && [...suspects.values()].includes("label");
    if (lone.length === filled && filled > 1 && !judgments) {
      const words = rest.some((k) => columns[k].some((cell) => cell && !NUMBER.test(cell)));
      const full = columns[0].filter((_, i) => names.every((__, k) => columns[k][i])).length;
      const enough = numbered || full >= (rest.length > 2 ? FEW_ROWS : FEW_PAIRS);
      if (words && enough && !known.size) {
        throw new Refused(`${listed(rest.map((k) => names[k]))} have no label in common. ${LONG}`, [], rest.map((k) => names[k]));
      }
      lone = [];
    }
    for (const k of lone) {
      const many = numbered || given(columns[k]).length >= FEW_ROWS;
      if (many && !known.has(names[k])) suspects.set(k, suspects.get(k) ?? "alone");
      else notes.push(`Column "${names[k]}" shares no label with most others: is it a rater?`);
    }
    const left = apart();
    const found = computed(left.map((k) => columns[k]));
    if (found && !known.has(names[left[found[0]]])) suspects.set(left[found[0]], found[1]);
    if (!suspects.size) return;
    const others = listed(apart().map((k) => names[k])) || "others";
    const reason = (why) => (why === "different" ? "has nearly as many different values as rows"
      : because(why, { rest: others }));
    const whys = [...suspects].map(([k, why]) => `column ${named(names[k])} ${reason(why)}`);
    const more = [...suspects.values()].some((why) => ["label", "rater"].includes(why)) ? ` ${LONG}` : "";
    throw new Refused(`Not read, since ${whys.join(", and ")}.${more}`, [...suspects.keys()].map((k) => names[k]));
  };

  const wide = (names, rows, known, notes) => {
    const columns = names.map((_, k) => rows.map(({ cells }) => cells[k]));
    const found = known.size ? null : longRows(names, columns);
    if (found) {
      const why = called(found.rater, "rater") ? "by its name says who judged"
        : `is there at most once with each "${found.item}"`;
      throw new Refused(`Column "${found.rater}" ${why}, so each row may be a judgment. ${LONG} ${WIDE}`, [found.rater]);
    }
    let [first, at] = [names.findIndex((name) => folded(name) === "item"), names.map((_, k) => k)];
    const different = (k) => twice(given(columns[k])) === undefined;
    const inTurn = (cells) => cells.every((cell, k) => k === 0 || Number(cell) - Number(cells[k - 1]) === 1);
    const cells = new Set(given(columns.slice(2).flat()));
    const own = names.length > 3 && different(1) && !columns[1].some((cell) => cells.has(cell));
    if (names[0] === "" && own && different(0) && columns[0].every((cell) => /^\d*$/.test(cell))) {
      at = at.slice(1); // as pandas and R number rows
      notes.push("The first column has no name and numbers the rows.");
    }
    const calledItem = first >= 0;
    if (!calledItem) [first] = at;
    const times = isCalled(names[first], "times") && !inTurn(columns[first]) && columns[first].every((cell) => cell && Number.isFinite(Number(cell)));
    const numbered = known.has(names[first]) || times || !(different(first) || calledItem);
    let items = columns[first];
    if (isCalled(names[first], "people") || (!numbered && isCalled(names[first], "rater"))) {
      throw new Refused(`Column "${names[first]}" by its name says who answered or when: each row must be an item, and each column a rater's.`);
    }
    if (numbered) {
      items = rows.map((_, k) => `${k + 1}`);
      notes.push(`No column names the items, since "${names[first]}" has values more than once: rows are numbered.`);
    } else {
      at = at.filter((k) => k !== first);
      const none = rows.find(({ cells }) => cells[first] === "");
      if (none) throw new Refused(`Line ${none.line}: ${names[first] || "the item"} is missing.`);
      const again = twice(items);
      if (again !== undefined) throw new Refused(`Item ${again} is in several rows. ${LONG}`);
    }
    const empty = at.filter((k) => !columns[k].some(Boolean));
    const full = at.filter((k) => !empty.includes(k));
    if (empty.length && full.length > 1) {
      notes.push(`Columns without any entry count as no rater's: ${listed(empty.map((k) => names[k]))}.`);
      at = full;
    }
    const raters = at.map((k) => names[k]);
    if (raters.length < 2) throw new Refused(`The table has one column beside the items, and agreement needs two raters. ${LONG}`);
    const table = rows.map(({ cells }) => at.map((k) => cells[k]));
    if (!known.size) noCounts(raters, numbered ? [] : items, table);
    noRaters(raters, at.map((k) => columns[k]), numbered, known, notes);
    const end = numbered ? 0 : foot(items, table);
    if (end) notes.push(`Sums or means seem to stand at the end (${listed(items.slice(-end))}): delete what is no item.`);
    return { raters, items, rows: table };
  };

  const without = (left, { names, rows }) => {
    const kept = names.map((_, k) => k).filter((k) => !left.has(names[k]));
    return {
      names: kept.map((k) => names[k]),
      rows: rows.map(({ line, cells }) => ({ line, cells: kept.map((k) => cells[k]) })),
    };
  };

  /** Raters, items, and rows of labels ("" where there is none), and what to say of them.

  left: columns to leave out; known: columns that are raters' whatever they are called
  */
  const read = (source, left = new Set(), known = new Set()) => {
    const { names, rows } = without(left, rowsOf(source));
    const again = rows.filter(({ cells }) => cells.every((cell, k) => cell === names[k]));
    const cells = rows.filter((row) => !again.includes(row));
    const headless = likeData(names, cells.map((row) => row.cells));
    if (headless || (again.length && !cells.length)) {
      throw new Refused(`Its columns are called ${listed(names)}, which looks like a first row of data: put names above it, such as item, ann, ben.`);
    }
    const notes = left.size ? [`Left out: ${listed([...left])}.`] : [];
    if (again.length) notes.push(`Rows that repeat the header are left out: ${again.length}.`);
    const find = (name) => {
      const same = names.map((_, k) => k).filter((k) => folded(names[k]) === name);
      return names.includes(name) ? names.indexOf(name) : same.length === 1 ? same[0] : -1;
    };
    const places = ROLES.map(find);
    if (places[1] < 0 && places[0] >= 0 && places[2] >= 0) {
      const who = names.map((_, k) => k).filter((k) => !places.includes(k) && called(names[k], "rater"));
      if (who.length === 1) [places[1]] = who;
      if (who.length === 1) notes.push(`Raters are those of column "${names[who[0]]}".`);
    }
    const absent = ROLES.filter((_, k) => places[k] < 0);
    if (absent.length === 0) return { ...long(names, cells, places, notes), notes };
    if (absent.length === 1 && !known.size) {
      const others = places.slice(1).filter((place) => place >= 0).map((place) => names[place]);
      throw new Refused(`No column is called ${absent[0]}. ${LONG} ${WIDE}`, others);
    }
    return { ...wide(names, cells, known, notes), notes };
  };

  // Labels that may be none ----------------------------------------------------------------

  const CODES = [-1, -8, -9, -88, -99, -999, -9999, 9, 77, 88, 99, 998, 999, 9999];
  /** Labels, of how many each, that may mean that there is none. */
  const doubtful = (often) => {
    const all = sum([...often.values()]);
    const texts = [...often.keys()].filter((label) => NAMES.missing.texts.includes(label.toLowerCase()));
    const values = new Map([...often.keys()].filter((label) => label !== "" && Number.isFinite(Number(label))).map((label) => [label, Number(label)]));
    const usual = [...new Set(values.values())].filter((value) => !CODES.includes(value)).sort((a, b) => a - b);
    const codes = [...values.keys()].filter((label) => CODES.includes(values.get(label)) && often.get(label) <= 0.5 * all);
    if (!usual.length) return [...texts, ...(often.size > 2 ? codes : [])];
    const [low, high] = [usual[0], usual.at(-1)];
    const gap = usual.length > 1 ? largest(usual.slice(1).map((value, k) => value - usual[k])) : 1;
    const far = codes.filter((label) => {
      const value = values.get(label);
      const rare = often.get(label) <= 0.1 * all || (value === -1 && low >= 0 && high >= 2);
      return (rare && (low - value >= gap || value - high > gap)) || Math.max(low - value, value - high) > 3 * gap;
    });
    return [...texts, ...far];
  };

  return { read, decoded, counted, doubtful };
})();
