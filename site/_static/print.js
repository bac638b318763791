"use strict";
// On paper nothing can be unfolded: answers are open there, and closed again after.
{
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("article details:not([open]):not(.hide)")];
    closed.forEach((answer) => { answer.open = true; });
  });
  addEventListener("afterprint", () => {
    closed.forEach((answer) => { answer.open = false; });
  });
}
