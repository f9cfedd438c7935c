"""A headless Chromium, where there is one: what a page's document is after its scripts ran."""
import html.parser
import pathlib
import shutil
import subprocess

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


class Element:
    def __init__(self, tag, attributes):
        self.tag, self.attributes, self.text = tag, attributes, ""


class Document(html.parser.HTMLParser):
    """Elements by id, and how many of each tag stand below an element with an id."""
    EMPTY = {"meta", "input", "br", "link", "img"}

    def __init__(self, text):
        super().__init__()
        self.by_id, self.below, self.open = {}, {}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        element = Element(tag, dict(attributes))
        for outer in self.open:
            if "id" in outer.attributes:
                key = outer.attributes["id"], tag
                self.below[key] = self.below.get(key, 0) + 1
        if "id" in element.attributes:
            self.by_id[element.attributes["id"]] = element
        if tag not in self.EMPTY:
            self.open.append(element)
        if tag == "html":
            self.by_id["html"] = element

    def handle_endtag(self, tag):
        while self.open and self.open.pop().tag != tag:
            pass

    def handle_data(self, data):
        for element in self.open:
            element.text += data

    def count(self, inside, tag):
        return self.below.get((inside, tag), 0)

    def shown(self, name):
        return name in self.by_id and "hidden" not in self.by_id[name].attributes

    def number(self, name, attribute):
        """A data attribute as a number, -1 where there is none."""
        element = self.by_id.get(name)
        return int(element.attributes.get("data-" + attribute, -1)) if element else -1


class Browser:
    """`program` is None where there is no browser."""

    def __init__(self, work):
        self.program = next(filter(None, map(shutil.which, NAMES)), None)
        self.profile = pathlib.Path(work) / "browser"

    def load(self, page, address="", size="1920,1080"):
        command = [self.program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={self.profile}",
                   f"--window-size={size}", "--virtual-time-budget=5000", "--dump-dom", pathlib.Path(page).resolve().as_uri() + "#" + address]
        done = subprocess.run(command, capture_output=True, timeout=300)
        if done.returncode != 0:
            raise RuntimeError(f"{self.program} ended with {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}")
        return Document(done.stdout.decode("utf-8", errors="replace"))
