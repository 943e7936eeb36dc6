"""The page can be used by keyboard and screen reader, in both themes, on a phone and on paper, at once."""

import os
import statistics
import unittest
from pathlib import Path

from browser import SITE, VIEWS, BrowserTest

# Rule sets whose tables have every verdict, and views with content.
STATES = [f"view={view}&rules={rules}&other=torch&q=i64%20%2B%20f32&cell=i64,f32" for view in VIEWS for rules in ("openvino", "torch")]


class Access(BrowserTest):
    @unittest.skipUnless(os.environ.get("AXE"), "axe-core is not here")
    def test_contrast_and_labels(self):
        rules = 0
        for theme in ["light", "dark"]:
            page = self.open(color_scheme=theme)
            page.evaluate(Path(os.environ["AXE"]).read_text(encoding="utf-8"))
            for state in STATES + ["dtypes=all&op=Sum", "dtypes=all", "view=several&operands=f16,i8*,f32:zero-dim", "rules=<b>"]:
                with self.subTest(theme=theme, state=state):
                    self.go(page, state)
                    found = page.evaluate("axe.run({ preload: false })")
                    faults = [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in found["violations"]]
                    self.assertEqual(faults, [])
                    rules = max(rules, len(found["passes"]))
        print(f"\naxe-core: no violations in {2 * (len(STATES) + 4)} pages, up to {rules} rules passed in one")

    def test_the_grid_is_walked_by_keyboard(self):
        page = self.open()
        focused = lambda: page.evaluate("document.activeElement.closest('tr')?.cells[0].textContent + ',' "
                                        "+ document.activeElement.closest('table')?.tHead.rows[0].cells[document.activeElement.cellIndex]?.textContent")
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.tagName") == "TD":
                break
        self.assertEqual(focused(), "bool,bool")
        for key, cell in [("ArrowRight", "bool,u8"), ("ArrowDown", "u8,u8"), ("End", "u8,c128"), ("ArrowRight", "u8,c128"), ("PageDown", "c128,c128"),
                          ("Home", "c128,bool"), ("ArrowLeft", "c128,bool"), ("PageUp", "bool,bool"), ("ArrowUp", "bool,bool")]:
            page.keyboard.press(key)
            self.assertEqual(focused(), cell, key)
            self.assertEqual(page.locator("td[tabindex='0']").count(), 1)
        page.keyboard.press("ArrowDown")
        self.assertIn("cell=u8,bool", page.url)
        self.assertEqual(page.locator("#explanation h2").inner_text(), "u8 + bool")
        self.assertEqual(page.locator("#live").text_content(), "u8 + bool under jax: u8, lossless")
        # Tab leaves the grid, and comes back to the same cell.
        page.keyboard.press("Tab")
        self.assertNotEqual(page.evaluate("document.activeElement.tagName"), "TD")
        page.keyboard.press("Shift+Tab")
        self.assertEqual(focused(), "u8,bool")

    def test_the_pointer_previews_a_cell(self):
        page = self.open("cell=i64,f32")
        heading = page.locator("#explanation h2")
        page.locator("tbody tr").first.locator("td").first.hover()
        self.assertEqual(heading.inner_text(), "bool + bool")
        page.locator("h1").hover()
        self.assertEqual(heading.inner_text(), "i64 + f32")

    def test_cells_have_headers_and_words(self):
        page = self.open("cell=i64,f32")
        self.assertEqual(page.get_by_role("grid").count(), 1)
        self.assertEqual(page.get_by_role("rowheader", name="i64", exact=True).count(), 1)
        self.assertEqual(page.get_by_role("columnheader", name="f32", exact=True).count(), 1)
        self.assertGreater(page.get_by_role("gridcell", name="f32 loses precision of i64").count(), 0)

    def test_no_page_scrolls_sideways_on_a_phone(self):
        page = self.open()
        page.set_viewport_size({"width": 375, "height": 700})
        for state in STATES + ["dtypes=all&cell=f8e4m3b11fnuz,c128", "x=" + "y" * 200, "view=search&q=" + "z" * 80, "view=several&operands=" + ",".join(["f8e4m3b11fnuz:zero-dim"] * 6)]:
            with self.subTest(state=state[:60]):
                self.go(page, state)
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 375)

    def test_paper_has_the_table_without_controls(self):
        page = self.open("cell=i64,f32")
        page.emulate_media(media="print", color_scheme="dark")
        self.assertFalse(page.locator("#settings").is_visible())
        self.assertTrue(page.locator("caption").is_visible())
        self.assertEqual(page.evaluate("getComputedStyle(document.body).colorScheme"), "light")

    def test_it_is_interactive_at_once(self):
        """From the start of the navigation until all is drawn and listens, each time in a new profile.

        On a machine that does other work too, the fastest load is the one that says what the page needs; it may take many to see it.
        """
        times, processor = [], []
        while len(times) < 11 or (min(times) >= 200 and len(times) < 60):
            page = self.open()
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            page.goto("about:blank")
            page.goto((SITE / "index.html").as_uri() + "#cell=i64,f32")
            times.append(page.evaluate("performance.getEntriesByName('interactive')[0].startTime"))
            metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
            processor.append(1000 * metrics["ScriptDuration"])
            page.context.close()
        print(f"\ninteractive after {min(times):.0f} ms at best, {statistics.median(times):.0f} ms in the median of {len(times)} loads; "
              f"scripts take {statistics.median(processor):.0f} ms of the processor")
        self.assertLess(min(times), 200)


if __name__ == "__main__":
    unittest.main()
