"""What the tests of the explorer share: a headless Chromium, the site, and the command that wrote it.

scripts/site_check sets the environment: CHROMIUM, SUPREMUM (the command), SITE (the folder of the site) and AXE (axe.js, or nothing).
"""

import csv
import json
import os
import subprocess
import unittest
from pathlib import Path

from playwright.sync_api import sync_playwright

SITE = Path(os.environ["SITE"])
VIEWS = ["table", "compare", "several", "lattice", "search"]


def supremum(*arguments):
    """What the command prints."""
    return subprocess.run([os.environ["SUPREMUM"], *arguments], check=True, capture_output=True, text=True).stdout


def rows(*arguments):
    """The lines of a table as the command gives it in CSV."""
    return list(csv.DictReader(supremum("table", *arguments, "--format", "csv").splitlines()))


DOCUMENT = json.loads(supremum("table", "--format", "json"))
SYSTEMS = [system["name"] for system in DOCUMENT["systems"]]


class BrowserTest(unittest.TestCase):
    """A test with a browser. What the page writes to the console, and errors of its scripts, fail it."""

    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        # A container's root has no sandbox for the browser.
        cls.browser = cls.playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def open(self, fragment="", **options):
        """A new page of the explorer, from the file system."""
        page = self.browser.new_context(viewport={"width": 1280, "height": 800}, **options).new_page()
        messages = self.messages = []
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on("dialog", lambda dialog: (messages.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: None if request.url.startswith(("file:", "data:", "about:")) else messages.append(request.url))
        self.addCleanup(lambda: (page.context.close(), self.assertEqual(messages, [])))
        page.goto(f"{(SITE / 'index.html').as_uri()}#{fragment}")
        return page

    @staticmethod
    def go(page, fragment):
        """Follows a link within the page."""
        page.evaluate("fragment => new Promise(done => { addEventListener('hashchange', done, { once: true }); location.hash = fragment; })", fragment)

    @staticmethod
    def facts(page):
        """The explanation: terms to descriptions, of the first rule set in it."""
        return page.evaluate("""() => Object.fromEntries([...document.querySelectorAll('#explanation .facts')][0]
            ? [...document.querySelector('#explanation .facts').querySelectorAll(':scope > dl > div')]
                .map(one => [one.children[0].textContent, one.children[1].innerText]) : [])""")
