"use strict";
// Plain tables: a row for each item with a column for each rater, or a row for each
// judgment. Some of what is doubtful is refused, with what to do; the command reads more,
// and sees more. Words of names (NAMES, NEAR), reasons (WHY) and KINDS of files are the
// command's: the builder writes them, names.js.

/** Why a table is not read; columns that may be left out, or that are raters after all. */
class Refused extends Error {
  constructor(message, leave = [], raters = leave) {
    super(message);
    Object.assign(this, { leave, raters });
  }
}

const Tables = (() => {
  const MARKS = { ";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas" }; // of as many the first
  const QUOTED = /(^|[,;\t|]) *"(?:[^"]|"")*"/gm;
  const ROLES = ["item", "rater", "label"];
  const FEW = 4; // rows, of which too little is seen
  const LONG = "If each row is a judgment, call the columns item, rater and label.";
  const WIDE = "If each row is an item, call the column of their names item; every other column is then a rater's.";

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
  const named = (name) => (name === "" ? "without a name" : `"${name}"`);
  const listed = (names) => names.map(named).join(", ");
  /** A reason of the command's, filled in. */
  const because = (why, told) => WHY[why].replace(/\{(\w+)[^}]*\}/g, (_, key) => told[key]);

  // Words by which names tell what they are ------------------------------------------------

  const folded = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  const words = (kind) => new Set(given(Object.values(NAMES[kind]).flatMap((line) => line.split(/\s+/))).map(folded));
  /** Whether a word of a name is one of these; letters of it, in tongues without spaces. */
  const called = (name, kind) => {
    const spaced = folded(name.replace(/(?<=[a-z])(?=[A-Z])|(?<=\d)[A-Z]+(?=\d)/g, " "));
    const tokens = spaced.match(/[\p{L}\p{Nl}\p{No}]+/gu) ?? [];
    const wide = (word) => [...word].length > 1 && /[^\x00-\x7F]/.test(word) && spaced.includes(word);
    const known = words(kind);
    return known.has(tokens.join("")) || tokens.some((word) => known.has(word)) || [...known].some(wide);
  };
  /** Why a name by itself is hardly a rater's, or nothing. */
  const noRater = (name) => {
    const told = folded(name);
    const is = (kind) => words(kind).has(told.replace(/[^\p{L}\p{N}]/gu, ""));
    if (called(name, "gold") || is("right")) return "gold";
    if (name === "" || called(name, "other") || ["times", "whole"].some((kind) => words(kind).has(told))) return "other";
    return is("label") ? "label" : "";
  };
  /** The same of several names: some words say so only where so many are left without them,
  words of right labels where not all names say something. */
  const noRaters = (names, left) => {
    const own = names.map(noRater);
    const sure = own.every(Boolean) ? own.map((why) => (why === "gold" ? "" : why)) : own;
    const near = (name) => Object.keys(NEAR).find((why) => NEAR[why].some((kind) => called(name, kind)))
      ?? (words("either").has(folded(name).replace(/[^\p{L}\p{N}]/gu, "")) ? "gold" : "");
    const all = names.map((name, k) => sure[k] || near(name));
    return all.filter((why) => !why).length >= left ? all : sure;
  };

  // Texts, rows, columns -------------------------------------------------------------------

  /** The text of a file; what is no text is refused. */
  const decoded = (bytes) => {
    const start = [...bytes.slice(0, 6)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const kind = Object.keys(KINDS).find((begin) => start.startsWith(begin));
    if (kind) throw new Refused(`The file is ${KINDS[kind]}: save it as CSV (UTF-8).`);
    const wide = { fffe: "utf-16le", feff: "utf-16be" }[start.slice(0, 4)];
    try {
      return new TextDecoder(wide ?? "utf-8", { fatal: true }).decode(bytes);
    } catch {
      throw new Refused(`The file is not ${wide ? "UTF-16" : "UTF-8"}: save it as CSV (UTF-8).`);
    }
  };

  /** Rows of cells, with the line where each begins: quotes as in RFC 4180. */
  const parsed = (text, mark) => {
    const form = new RegExp(` *(?:"([^"]*(?:""[^"]*)*)"|((?! *")[^${mark}\\r\\n]*))[ ]*(\\${mark}|\\r\\n?|\\n|$)`, "y");
    const rows = [];
    let [at, line] = [0, 1];
    let row = { line, cells: [] };
    while (at < text.length || row.cells.length) {
      form.lastIndex = at;
      const found = form.exec(text);
      if (!found) throw new Refused(`Line ${line}: a quote that does not enclose its cell (one inside a cell is doubled).`);
      row.cells.push((found[1]?.replaceAll('""', '"') ?? found[2]).trim());
      line += found[0].match(/\r\n?|\n/g)?.length ?? 0;
      at = form.lastIndex;
      if (found[3] === mark) continue;
      rows.push(row);
      row = { line, cells: [] };
    }
    return rows.filter(({ cells }) => cells.some(Boolean));
  };

  /** Names of columns, and rows of cells with their lines; "" where there is none. */
  const rowsOf = (source) => {
    const said = source.match(/^\uFEFF?(?:sep=([,;\t|])(?:\r\n?|\n))?/i);
    const text = source.slice(said[0].length);
    if (/^\s*[[{]/.test(text)) throw new Refused("This looks like JSON, which the command reads, and this page does not.");
    const lines = text.replace(QUOTED, "$1quoted").split(/\r\n?|\n/).filter((line) => /[^\s",;|]/.test(line));
    const often = (mark, line = lines[0] ?? "") => line.split(mark).length - 1;
    const alike = (mark) => often(mark) > 0 && lines.every((line) => often(mark, line) === often(mark));
    const better = (a, b) => alike(b) - alike(a) || often(b) - often(a);
    const mark = said[1] ?? Object.keys(MARKS).reduce((a, b) => (better(a, b) > 0 ? b : a));
    if (!often(mark)) throw new Refused("The first row needs commas, semicolons, tabs or bars between its names.");
    const [head, ...rows] = parsed(text, mark);
    const used = (cells) => cells.findLastIndex(Boolean) + 1;
    const width = [head, ...rows].reduce((most, { cells }) => Math.max(most, Math.min(used(cells), head.cells.length)), 0);
    for (const { cells, line } of rows) {
      if (used(cells) <= width && cells.length > width) cells.length = width;
      if (cells.length !== width) {
        const other = Object.keys(MARKS).find((one) => one !== mark && head.cells.join("").includes(one));
        const way = other ? `; if ${MARKS[other]} are meant, write a first line above: sep= and a ${MARKS[other].slice(0, -1)}` : "";
        throw new Refused(`Line ${line} has ${cells.length} cells where the first has ${width} (cells are separated by ${MARKS[mark]} here${way}).`);
      }
    }
    const names = head.cells.slice(0, width);
    const header = rows.find(({ cells }) => `${cells}`.toLowerCase() === `${names}`.toLowerCase());
    if (header) throw new Refused(`Line ${header.line} repeats the first: delete it.`);
    const again = twice(names.map((name) => ROLES.find((role) => role === folded(name)) ?? name));
    if (again !== undefined) throw new Refused(`Two columns are called ${named(again)}.`.replace("called without", "without"));
    if (!rows.length) throw new Refused("The table needs a row of names and a row for each item.");
    return { names, rows };
  };

  // Judgments ------------------------------------------------------------------------------

  /** Refuse cells, of some columns, that may hold several judgments. */
  const single = (rows, columns) => {
    const several = rows.find(({ cells }) => columns.some((k) => /[,;|]|^[[{].*[\]}]$/s.test(cells[k])));
    if (several) throw new Refused(`Line ${several.line}: a cell may hold several judgments, which the command can take apart, and this page cannot. If it is one, write it without commas, semicolons, bars and brackets.`);
  };

  const long = (names, rows, [item, rater, label], notes) => {
    single(rows, [rater, label]);
    const column = (k) => [...new Set(rows.map(({ cells }) => cells[k]))];
    const [items, raters] = [column(item), column(rater)];
    const [of, by] = [items, raters].map((all) => new Map(all.map((name, k) => [name, k])));
    const table = items.map(() => raters.map(() => ""));
    for (const { cells, line } of rows) {
      const empty = [item, rater].find((place) => cells[place] === "");
      if (empty !== undefined) throw new Refused(`Line ${line}: ${names[empty]} is missing.`);
      const [row, k] = [table[of.get(cells[item])], by.get(cells[rater])];
      if (cells[label] === "") continue;
      if (row[k] !== "") {
        throw new Refused(`Line ${line}: ${cells[rater]} judged ${cells[item]} twice. The command has --repeats, and --item for several columns that name an item.`);
      }
      row[k] = cells[label];
    }
    const whys = noRaters(raters, 1);
    const odd = whys.findIndex(Boolean);
    if (odd >= 0) throw new Refused(`Rater "${raters[odd]}" ${because(whys[odd], {})}: delete the rows, or write another name.`);
    const judging = raters.filter((_, k) => table.some((row) => row[k] !== ""));
    if (judging.length < 2 || judging.length === raters.length) return { raters, items, rows: table };
    notes.push(`Without any label, and so no rater: ${listed(raters.filter((name) => !judging.includes(name)))}.`);
    return { raters: judging, items, rows: table.map((row) => judging.map((name) => row[by.get(name)])) };
  };

  /** As others have them, where pandas wrote 1.0 for 1 since the column lacks one. */
  const withoutPoints = (columns) => {
    const all = (column, form) => given(column).every((cell) => form.test(cell));
    const pointed = columns.map((column) => all(column, /^-?\d+\.0$/));
    const own = columns.filter((_, k) => !pointed[k]);
    if (!own.length || !own.every((column) => all(column, /^-?\d+$/))) return columns;
    return columns.map((column, k) => (pointed[k] && column.includes("") ? column.map((cell) => cell.replace(/\.0$/, "")) : column));
  };

  const wide = (names, rows, item, known, notes) => {
    const others = names.map((_, k) => k).filter((k) => k !== item);
    const filled = others.filter((k) => rows.some(({ cells }) => cells[k] !== ""));
    const at = filled.length > 1 ? filled : others;
    const empty = others.filter((k) => !at.includes(k)).map((k) => `column ${named(names[k])}`);
    if (empty.length) notes.push(`Without any entry, and so no rater's: ${empty.join(", ")}.`);
    if (at.length < 2) throw new Refused(`The table has one column beside the items, and agreement needs two raters. ${LONG}`);
    const items = rows.map(({ cells }) => cells[item]);
    const none = rows.find(({ cells }) => cells[item] === "");
    if (none) throw new Refused(`Line ${none.line}: ${names[item]} is missing.`);
    const again = twice(items);
    if (again !== undefined) throw new Refused(`Item ${again} is in several rows. ${LONG}`);
    const raters = at.map((k) => names[k]);
    const told = at.map((k) => rows.map(({ cells }) => cells[k]));
    const whole = withoutPoints(told);
    const points = raters.filter((_, k) => whole[k] !== told[k]);
    if (points.length) notes.push(`1.0 and the like are read as 1 in ${listed(points)}, as others have it.`);
    const table = rows.map((_, row) => whole.map((column) => column[row]));
    const columns = whole.map(given);
    const inColumns = counted(columns.flatMap((column) => [...new Set(column)]));
    const whys = noRaters(raters, 2);
    const why = (name, k) => {
      const [cells, others] = [columns[k], listed(raters.filter((one) => one !== name))];
      const own = cells.filter((cell) => inColumns.get(cell) === 1).length;
      if (known.has(name)) return "";
      if (whys[k]) return because(whys[k], { rest: others });
      if (cells.length <= FEW) return "";
      if (Math.min(new Set(cells).size, own) >= 0.8 * cells.length) return "has nearly as many different values as rows";
      return own === cells.length ? because("alone", { rest: others }) : "";
    };
    const odd = raters.map((name, k) => [name, why(name, k)]).filter(([, reason]) => reason);
    if (odd.length) {
      const told = odd.map(([name, reason]) => `column ${named(name)} ${reason}`);
      throw new Refused(`Not read, since ${told.join(", and ")}.`, odd.map(([name]) => name));
    }
    single(rows, at);
    if (!known.size && raters.every((name) => items.includes(name))) {
      throw new Refused("Its rows and columns have the same names, as in a table of two raters, which the command takes by --table.", [], raters);
    }
    const sums = table.map((row) => row.reduce((sum, cell) => sum + Number(/^\d+$/.test(cell) ? cell : NaN), 0));
    const differ = table.some((row) => `${row}` !== `${table[0]}`);
    const numbers = new Set(table.flat().map(Number));
    const clear = numbers.has(0) && [...numbers].some((number) => number > 1);
    const enough = FEW + 1 - clear - (clear && numbers.has(sums[0])); // fewer where counts are clear
    if (!known.size && rows.length >= enough && differ && sums.every((sum) => sum === sums[0])) {
      throw new Refused(`Every row adds up to ${sums[0]}, as where judgments are counted by label: such tables are the command's, by --counts.`, [], raters);
    }
    return { raters, items, rows: table };
  };

  /** Raters, items, and rows of labels ("" where there is none), and what to say of them.

  left: columns to leave out; known: columns that are raters' whatever they are called
  */
  const read = (source, left = new Set(), known = new Set()) => {
    const all = rowsOf(source);
    const kept = all.names.map((_, k) => k).filter((k) => !left.has(all.names[k]));
    const names = kept.map((k) => all.names[k]);
    const rows = all.rows.map(({ line, cells }) => ({ line, cells: kept.map((k) => cells[k]) }));
    const notes = left.size ? [`Left out: ${listed([...left])}.`] : [];
    const places = ROLES.map((role) => names.findIndex((name) => folded(name) === role));
    const [item, , label] = places;
    if (item < 0) throw new Refused(`No column is called item. ${WIDE} ${LONG}`);
    if (places[1] < 0 && label >= 0) {
      const who = names.filter((name) => called(name, "rater"));
      if (who.length === 1) {
        places[1] = names.indexOf(who[0]);
        notes.push(`Raters are those of column "${who[0]}".`);
      }
    }
    const absent = ROLES.filter((_, k) => places[k] < 0);
    if (absent.length === 0) return { ...long(names, rows, places, notes), notes };
    const leave = names.length > 3 ? [names[Math.max(places[1], label)]] : []; // two others may be raters'
    if (absent.length === 1) throw new Refused(`No column is called ${absent[0]}. ${LONG} ${WIDE}`, leave, []);
    return { ...wide(names, rows, item, known, notes), notes };
  };

  /** Labels that are words for none. */
  const doubtful = (often) => [...often.keys()].filter((one) => NAMES.missing.texts.includes(one.toLowerCase()));

  return { read, decoded, counted, doubtful, given };
})();
