"""What the theme's pages lack: light icons, landmarks, corners of tables."""

import base64
import re
from pathlib import Path

ICONS = "fa-solid-900.woff2"
LANDMARK = 'role="complementary" aria-label="Pages of this site"'

MENDED = (
    # All icons there are, as drawings: 1.5 MB on every page, for a font of 0.2 MB.
    (r"<script[^>]*/fontawesome\.js[^>]*></script>\s*", ""),
    (r'(<div id="pst-primary-sidebar")', rf"\1 {LANDMARK}"),
    (r"<th([^>]*)>(<p></p>)?</th>", r"<td\1></td>"),  # an empty cell is no header
)


def mend(html: Path) -> None:
    """Mend built pages, in their folder."""
    for page in html.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for wrong, right in MENDED:
            text = re.sub(wrong, right, text)
        page.write_text(text, encoding="utf-8")
    # A browser may refuse a font of its own file to a page that comes from no server.
    font = next(html.rglob(ICONS)).read_bytes()
    inline = f"data:font/woff2;base64,{base64.b64encode(font).decode()}"
    for sheet in (html / "_static" / "styles").glob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        found = re.sub(rf"url\([^)]*{ICONS}[^)]*\)", f"url({inline})", text)
        sheet.write_text(found, encoding="utf-8")
