"use strict";
// Five coefficients of agreement for a table of two raters and two labels.

// What each calls agreement by chance; p, q: the raters' shares of A, n: items.
const CHANCE = {
  "Bennett's S": () => 1 / 2,
  "Scott's pi": ({ mean }) => mean ** 2 + (1 - mean) ** 2,
  "Cohen's kappa": ({ p, q }) => p * q + (1 - p) * (1 - q),
  // Two of all 2 n labels, without putting the first one back.
  "Krippendorff's alpha": ({ mean, n }) =>
    1 - (4 * n * mean * (1 - mean)) / (2 * n - 1),
  "Gwet's AC1": ({ mean }) => 2 * mean * (1 - mean),
};

/** Observed agreement, and chance and value by coefficient; NaN: undefined. */
function agreement(aa, ab, ba, bb) {
  const n = aa + ab + ba + bb;
  const observed = (aa + bb) / n;
  const p = (aa + ab) / n;
  const q = (aa + ba) / n;
  const shares = { p, q, mean: (p + q) / 2, n };
  const found = {};
  for (const [name, chance] of Object.entries(CHANCE)) {
    const expected = chance(shares);
    const room = 1 - expected;
    const value = room > 1e-12 ? (observed - expected) / room : NaN;
    found[name] = { expected, value };
  }
  return { n, observed, found };
}

{
  const root = document.getElementById("two-by-two");
  const form = root.querySelector("form");
  const inputs = [...form.querySelectorAll("input")];
  const body = root.querySelector("tbody");
  const said = root.querySelector("#said");
  const text = (number) =>
    Number.isNaN(number) ? "undefined" : number.toFixed(3).replace("-", "\u2212");

  const bar = (from, to, colour) => {
    const [left, right] = [from, to].map((x) => 100 * Math.min(Math.max(x, 0), 1));
    const width = Math.max(right - left, 0);
    return `<i style="left:${left}%;width:${width}%;background:${colour}"></i>`;
  };

  const draw = () => {
    const cells = inputs.map((input) => input.valueAsNumber);
    const bad = inputs.find((input) => !input.checkValidity() || input.value === "");
    if (bad) {
      const name = bad.closest("label").firstChild.data.trim();
      said.textContent = `"${name}" must be a whole number from 0 to 1,000,000.`;
      body.replaceChildren();
      return;
    }
    const { n, observed, found } = agreement(...cells);
    if (n === 0) {
      said.textContent = "No items: there is nothing to agree on.";
      body.replaceChildren();
      return;
    }
    const share = (100 * observed).toFixed(1);
    const items = n.toLocaleString("en");
    said.textContent = `They agree on ${share} % of ${items} items.`;
    body.innerHTML = Object.entries(found)
      .map(([name, { expected, value }]) => {
        const why = Number.isNaN(value)
          ? ' title="chance alone would agree on everything: 0 / 0"'
          : "";
        const bars = bar(0, Math.min(expected, observed), "#BBBBBB")
          + bar(expected, observed, "#0077BB") + bar(observed, expected, "#EE7733");
        return (
          `<tr data-value="${value}" data-expected="${expected}"><th>${name}</th>` +
          `<td>${text(expected)}</td><td${why}>${text(value)}</td>` +
          `<td class="bars" aria-hidden="true"><span>${bars}</span></td></tr>`
        );
      })
      .join("");
    if (Object.values(found).some(({ value }) => Number.isNaN(value))) {
      said.textContent +=
        " Undefined: only one label is used, so chance alone would agree on everything.";
    }
  };

  form.addEventListener("input", draw);
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const button of root.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      button.dataset.cells.split(",").forEach((value, k) => { inputs[k].value = value; });
      draw();
    });
  }
  draw();
}
