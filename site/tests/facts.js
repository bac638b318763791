// What a reader of this page sees, as plain values.
async () => {
  const article = document.querySelector("article.bd-article") ?? document.body;
  if (window.MathJax?.startup) await MathJax.startup.promise;
  const folded = [...article.querySelectorAll("details")].map((d) => !d.open);
  article.querySelectorAll("details").forEach((d) => { d.open = true; });
  document.querySelectorAll("img").forEach((i) => { i.loading = "eager"; });
  await Promise.all([...document.images].map((i) => i.decode().catch(() => {})));

  const short = (e) => e.outerHTML.slice(0, 120);
  const box = (e) => e.getBoundingClientRect();
  const formulas = [...article.querySelectorAll("mjx-container")];
  const texts = [];
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest("script, style, mjx-container")) continue;
    texts.push({
      text: node.data.trim(),
      code: Boolean(parent.closest("pre, code")),
      small: Boolean(parent.closest("sup, sub")),
      size: parent.checkVisibility() ? parseFloat(getComputedStyle(parent).fontSize) : null,
    });
  }
  // What reaches over the edge of its column, other than in a box that scrolls.
  const scrolls = (e) => {
    for (let p = e.parentElement; p && p !== article; p = p.parentElement) {
      const how = getComputedStyle(p).overflowX;
      if (how === "auto" || how === "scroll") return true;
    }
    return false;
  };
  const edge = Math.min(innerWidth, box(article).right) + 1;
  const outside = [...article.querySelectorAll("*")].filter(
    (e) => box(e).width > 0 && box(e).right > edge
      && !e.closest("mjx-assistive-mml, svg") && !scrolls(e)
  );
  return {
    title: document.title,
    heading: document.querySelector("h1")?.innerText ?? "",
    folded,
    images: [...document.images].map((i) => ({
      html: short(i),
      drawn: i.complete && i.naturalWidth > 0 && box(i).width > 0,
      alt: i.alt.trim(),
      right: box(i.closest(".drawn") ?? i).right, // a wide one scrolls in its box
    })),
    sources: article.querySelectorAll(".math.notranslate").length,
    formulas: formulas.map((f) => ({
      html: f.textContent.slice(0, 120),
      sized: box(f.querySelector("svg")).width > 0 && box(f).height > 0,
      wrong: f.querySelector(
        "[data-mjx-error], [data-mml-node='merror'], merror, [fill='red'], [mathcolor='red']"
      ) !== null,
    })),
    texts,
    links: [...document.querySelectorAll("a[href]")].map((a) => a.href),
    scrollable: document.documentElement.scrollWidth,
    width: innerWidth,
    outside: outside.map(short),
  };
}
