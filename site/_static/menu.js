"use strict";
// A side menu that closes gives the focus back to the button that opens it.
addEventListener("DOMContentLoaded", () => {
  for (const kind of ["primary", "secondary"]) {
    const buttons = [...document.querySelectorAll(`.${kind}-toggle`)];
    const back = () => buttons.find((button) => button.checkVisibility())?.focus();
    document.getElementById(`pst-${kind}-sidebar-modal`)
      ?.addEventListener("close", () => setTimeout(back));
  }
});
