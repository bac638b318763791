"use strict";
// Four kinds of plan for choices that were computed in advance (PLANS, plans.js), and
// the single plan for batches of any size.
{
  const root = document.getElementById("designer");
  const form = root.querySelector("form");
  const head = root.querySelector("thead");
  const body = root.querySelector("tbody");
  const note = root.querySelector("#note");
  const said = root.querySelector("#said");
  const drawn = root.querySelector("#drawn");
  const next = root.querySelector("#next");
  const command = root.querySelector("#command");
  const COLOURS = {
    single: "#222222", double: "#0077BB", sequential: "#EE7733", optimal: "#33BBEE",
  };
  const DASHES = { single: "", double: "7 3", sequential: "2 3", optimal: "" };
  const keys = Object.keys(PLANS).map((key) => key.split(" ").map(Number));
  const percent = (rate) => `${Number((100 * rate).toPrecision(4))} %`;
  const whole = (n) => Math.round(n).toLocaleString("en");

  const upTo = (errors) => ["no error", "1 error or none"][errors] ?? `${errors} errors or fewer`;

  const unique = (list) => [...new Set(list)];
  const QUESTIONS = [
    ["good batch: errors at most", unique(keys.map((k) => k[0])), percent, 0.02],
    ["bad batch: errors at least", unique(keys.map((k) => k[1])), percent, 0.05],
    ["good rejected, bad accepted: at most", unique(keys.map((k) => `${k[2]} ${k[3]}`)),
      (pair) => pair.split(" ").map((r) => percent(Number(r))).join(" and "), "0.05 0.1"],
  ];
  const LOTS = unique(keys.map((k) => k[4]));
  const selects = QUESTIONS.map(([name, values, text, start]) => {
    const label = document.createElement("label");
    label.append(`${name} `);
    const select = document.createElement("select");
    select.setAttribute("aria-label", name);
    for (const value of values) {
      const option = new Option(text(value), value, false, value === start);
      select.append(option);
    }
    label.append(select);
    form.append(label);
    return select;
  });
  form.insertAdjacentHTML("beforeend", `<label>labels in the batch <input type="number"
    min="10" max="1000000" step="1" value="5000" list="lots"></label><datalist id="lots">${
  LOTS.map((lot) => `<option>${lot}</option>`).join("")}</datalist>`);
  const size = form.querySelector("input");

  const logs = [0]; // of the factorials
  const log = (n) => {
    while (logs.length <= n) logs.push(logs.at(-1) + Math.log(logs.length));
    return logs[n];
  };
  const choose = (n, k) => log(n) - log(k) - log(n - k);
  /** P(X <= c): at most so many are wrong of n from a batch of which d are. */
  const atMost = (c, n, d, lot) => {
    let sum = 0;
    for (let x = Math.max(0, n + d - lot); x <= Math.min(c, n, d); x += 1) {
      sum += Math.exp(choose(d, x) + choose(lot - d, n - x) - choose(lot, n));
    }
    return Math.min(sum, 1);
  };
  /** The errors that a rate means in a batch, halves to even. */
  const errors = (rate, lot) => {
    const exact = (Math.round(rate * 1e6) * lot) / 1e6;
    const rounded = Math.round(exact);
    return exact % 1 === 0.5 && rounded % 2 ? rounded - 1 : rounded;
  };
  /** The smallest sample, with its c, that keeps both risks: see la.single_plan. */
  const single = (good, bad, alpha, beta, lot) => {
    const [few, many] = [good, bad].map((rate) => errors(rate, lot));
    if (few === many) return { none: "too small" };
    const near = 1 + 1e-9; // so that a risk of exactly what is allowed is kept
    for (let c = 0, n = 1; ; c += 1) {
      let top = lot;
      while (n < top) {
        const middle = Math.floor((n + top) / 2);
        if (atMost(c, middle, many, lot) <= beta * near) top = middle;
        else n = middle + 1;
      }
      const producer = 1 - atMost(c, n, few, lot);
      if (producer <= alpha * near) {
        return { most: n, accept: c, asn: [n, n], producer, consumer: atMost(c, n, many, lot) };
      }
    }
  };
  /** As in PLANS, for a batch of any size. */
  const computed = (good, bad, alpha, beta, lot) => {
    const plan = single(good, bad, alpha, beta, lot);
    if (plan.none) return { plans: { single: plan } };
    const counts = Array.from({ length: 41 }, (_, k) => errors((k * bad) / 20, lot));
    plan.oc = counts.map((d) => atMost(plan.accept, plan.most, d, lot));
    plan.curve = counts.map(() => plan.most);
    return { rates: counts.map((d) => d / lot), plans: { single: plan } };
  };

  /** Three to six round numbers from 0 to top. */
  const ticks = (top) => {
    const power = 10 ** Math.floor(Math.log10(top));
    const step = [0.2, 0.5, 1, 2].map((s) => s * power).find((s) => top / s < 6);
    return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, k) => k * step);
  };

  /** A curve panel as SVG: lines over rates, with two upright lines at p_a and p_r. */
  const panel = (title, x, curves, top, format, levels) => {
    const [w, h, l, t, b, r] = [365, 290, 54, 52, 44, 24];
    const right = Math.max(...x);
    const px = (v) => l + (v / right) * (w - l - r);
    const py = (v) => h - b - (v / top) * (h - t - b);
    const grid = ticks(top)
      .map((v) => `<line x1="${l}" x2="${w - r}" y1="${py(v)}" y2="${py(v)}" stroke="#e6e6e6"/>`
        + `<text x="${l - 6}" y="${py(v) + 4}" text-anchor="end">${format(v)}</text>`)
      .join("")
      + ticks(right)
        .map((v) => `<text x="${px(v)}" y="${h - b + 18}" text-anchor="middle">${percent(v)}</text>`)
        .join("");
    const marks = levels
      .map(([rate, name]) => `<line x1="${px(rate)}" x2="${px(rate)}" y1="${t}" y2="${h - b}" stroke="#6e6e6e" stroke-dasharray="2 3"/>`
        + `<text x="${px(rate)}" y="${t - 5}" text-anchor="middle">${name}</text>`)
      .join("");
    const lines = curves
      .map(([kind, y]) => `<polyline fill="none" stroke-width="2" stroke="${COLOURS[kind]}" stroke-dasharray="${DASHES[kind]}" points="${
        x.map((v, k) => `${px(v).toFixed(1)},${py(y[k]).toFixed(1)}`).join(" ")}"/>`)
      .join("");
    return `<svg viewBox="0 0 ${w} ${h}" width="${w}" role="img" aria-label="${title}" font-size="14" fill="#222">`
      + `<text x="${l}" y="16" font-weight="600">${title}</text>${grid}${marks}${lines}`
      + `<text x="${(l + w) / 2}" y="${h - 4}" text-anchor="middle">true error rate of the batch</text></svg>`;
  };

  const draw = () => {
    const [good, bad, risks] = selects.map((select) => select.value);
    const lot = size.value;
    const [alpha, beta] = risks.split(" ").map(Number);
    const known = PLANS[[good, bad, risks, lot].join(" ")];
    const apart = PLANS[[good, bad, risks, LOTS[0]].join(" ")];
    const fits = /^\d+$/.test(lot) && size.checkValidity();
    const found = fits && apart
      && (known ?? computed(Number(good), Number(bad), alpha, beta, Number(lot)));
    head.replaceChildren();
    body.replaceChildren();
    note.textContent = "";
    drawn.replaceChildren();
    const option = (name, rate) => `--${name} ${percent(rate).replace(" ", "")}`;
    const parts = [".venv/bin/labelaudit plan", option("p-a", good), option("p-r", bad),
      option("alpha", alpha), option("beta", beta), `--lot-size ${lot}`];
    command.innerHTML = parts.map((part) => `<span>${part}</span>`).join(" ");
    command.hidden = !found;
    next.hidden = !found;
    if (!found) {
      said.textContent = fits
        ? "Bad must be at least 1.75 times as bad as good here: "
          + "choose a higher bad or a lower good error rate."
        : "Labels in the batch: a whole number from 10 to 1,000,000, without points or commas, such as 5000.";
      return;
    }
    const plans = Object.entries(found.plans);
    const single = found.plans.single;
    said.textContent = single.none ? "No single sample tells them apart." :
      `To tell ${percent(good)} from ${percent(bad)} in a batch of ${whole(lot)}, a single `
      + `sample checks ${whole(single.most)} and accepts the batch with `
      + `${upTo(single.accept)}.`;
    head.innerHTML = `<tr><td></td>${plans
      .map(([kind]) => `<th><span style="color:${COLOURS[kind]}">\u25A0</span> ${kind}</th>`)
      .join("")}</tr>`;
    const risk = (value, allowed) => `${percent(value)}${value > allowed * 1.0001 ? " *" : ""}`;
    const ROWS = [
      ["checks at most", (plan) => whole(plan.most)],
      ["on average, good batch", (plan) => plan.asn[0]],
      ["on average, bad batch", (plan) => plan.asn[1]],
      ["good batch rejected", (plan) => risk(plan.producer, alpha)],
      ["bad batch accepted", (plan) => risk(plan.consumer, beta)],
    ];
    body.innerHTML = ROWS
      .map(([name, text]) => `<tr><th>${name}</th>${plans
        .map(([, plan]) => `<td>${plan.none ? "none" : text(plan)}</td>`).join("")}</tr>`)
      .join("");
    const notes = [];
    if (plans.some(([, plan]) => plan.none)) notes.push("none: the batch is too small.");
    if (body.textContent.includes("*")) notes.push("* more than promised.");
    if (!known) {
      notes.push(`The other kinds are here for ${LOTS.map(whole).join(", ")} labels.`);
    }
    note.textContent = notes.join(" ");
    const drawable = plans.filter(([, plan]) => !plan.none);
    if (drawable.length === 0) return;
    const levels = [[Number(good), "good"], [Number(bad), "bad"]];
    const top = Math.max(...drawable.flatMap(([, plan]) => plan.curve));
    drawn.innerHTML =
      panel("Probability that the batch is accepted", found.rates,
        drawable.map(([kind, plan]) => [kind, plan.oc]), 1, percent, levels)
      + panel("Checks on average", found.rates,
        drawable.map(([kind, plan]) => [kind, plan.curve]), top, whole, levels);
  };

  form.addEventListener("input", draw);
  draw();
}
