"""Finds broken links in a folder of HTML pages."""

import html.parser
import pathlib
import urllib.parse


class Page(html.parser.HTMLParser):
    """The anchors and the relative links of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name in ("href", "src") and not urllib.parse.urlsplit(value).scheme:
                self.links.append(value)


def broken(folder):
    """Complaints about links that lead nowhere, and the number of relative links."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in pathlib.Path(folder).rglob("*.html")}
    complaints, links = [], 0
    for path, page in pages.items():
        for link in page.links:
            links += 1
            file, anchor = urllib.parse.urldefrag(link)
            target = (path.parent / urllib.parse.unquote(file)).resolve() if file else path
            where = path.relative_to(pathlib.Path(folder).resolve())
            if not target.exists():
                complaints.append(f"{where}: the link {link} leads nowhere")
            elif anchor and target in pages and urllib.parse.unquote(anchor) not in pages[target].anchors:
                complaints.append(f"{where}: {file or where} has no anchor #{anchor}")
    return complaints, links
