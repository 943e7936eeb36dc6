"""The address has the state of the page, and cannot do harm."""

import random
import unittest

from browser import BrowserTest

HOSTILE = [
    "rules=<img src=x onerror=alert(1)>",
    "rules=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
    "view=javascript:alert(1)",
    "view=__proto__", "__proto__=table", "constructor=x", "rules=constructor", "op=toString",
    "cell=u8,<script>alert(1)</script>", "cell=u8,u8,u8", "cell=,",
    "operands=" + ",".join(["f32"] * 7), "operands=", "operands=f32**", "operands=zero-dim",
    "lhs=weak&lhs=weak", "q=" + "x" * 81, "%", "q=%E0%A4%A", "=", "&&&x", "x" * 5000, "rules=jax%00", "rules=JAX", "rules",
]


class State(BrowserTest):
    def test_links_restore_the_view(self):
        page = self.open()
        steps = {"rules": "torch", "op": "Divide", "lhs": "weak", "rhs": "zero-dim", "dtypes": "all"}
        for name, value in steps.items():
            page.locator(f"#{name}").select_option(value)
        page.locator("tbody tr").nth(3).locator("td").nth(4).click()
        for view in ["table", "compare", "several", "search", "lattice"]:
            with self.subTest(view=view):
                page.locator(f"#views a[href*='view={view}']" if view != "table" else "#views li:first-child a").click()
                self.assertEqual(page.locator("#views a[aria-current]").count(), 1)
                other = self.open(page.url.partition("#")[2])
                self.assertEqual(other.locator("#notice").inner_text(), "")
                for part in ["#settings select", "#view", "#explanation"]:
                    read = lambda one: [(each.inner_text(), each.input_value() if "select" in part else "") for each in one.locator(part).all()]
                    self.assertEqual(read(other), read(page))

    def test_the_history_goes_back(self):
        page = self.open()
        page.locator("#rules").select_option("numpy")
        page.locator("#op").select_option("Power")
        page.go_back()
        self.assertEqual((page.locator("#rules").input_value(), page.locator("#op").input_value()), ("numpy", "Add"))
        page.go_back()
        self.assertEqual(page.locator("#rules").input_value(), "jax")

    def test_operands_can_be_changed_and_moved(self):
        page = self.open("view=several&operands=f16,bf16")
        page.locator("#add").click()
        page.locator("#dtype3").select_option("i8")
        page.locator("#class3").select_option("weak")
        page.get_by_label("Move left operand 3").click()
        self.assertIn("operands=f16,i8*,bf16", page.url)
        page.get_by_label("Remove operand 1").click()
        self.assertIn("operands=i8*,bf16", page.url)

    def test_hostile_addresses_are_ignored_with_a_notice(self):
        page = self.open()
        elements = page.evaluate("document.querySelectorAll('script, img, iframe').length")
        for fragment in HOSTILE:
            with self.subTest(fragment=fragment[:60]):
                self.go(page, fragment)
                self.assertIn("was ignored", page.locator("#notice").inner_text())
                self.assertGreater(page.locator(".grid td").count(), 100)
                self.assertEqual(page.evaluate("document.querySelectorAll('script, img, iframe').length"), elements)
                self.assertLess(len(page.locator("#notice").inner_text()), 300)
                self.go(page, "")
                self.assertEqual(page.locator("#notice").inner_text(), "")
        # A page that opens with one, and a question, which may be any text.
        self.assertIn("was ignored", self.open("rules=<b>").locator("#notice").inner_text())
        self.go(page, "view=search&q=%3Cimg src%3Dx onerror%3Dalert(1)%3E")
        self.assertIn("<img", page.locator("#view h2").inner_text())
        self.assertEqual(page.evaluate("document.querySelectorAll('script, img, iframe').length"), elements)

    def test_any_address_gives_a_state_that_can_be_shown(self):
        """Addresses of parts by chance: the page draws each, and the address of its state is without faults."""
        page, chance = self.open(), random.Random(3)
        pieces = ["view", "rules", "op", "cell", "operands", "q", "dtypes", "lhs", "=", "=", "&", "&", ",", "%", "%2C", "*", ":zero-dim", "+", "#", "\0", "<", '"',
                  "several", "compare", "search", "lattice", "all", "weak", "jax", "torch", "Sum", "promote", "Add", "f32", "i8", "u64", "f8e5m2"]
        for _ in range(300):
            fragment = "".join(chance.choices(pieces, k=chance.randint(1, 12)))
            again = page.evaluate("""fragment => {
                history.replaceState(null, '', '#' + fragment);
                dispatchEvent(new HashChangeEvent('hashchange'));
                return Explorer.state.parse(Explorer.state.link({}).slice(1)).faults;
            }""", fragment)
            self.assertEqual(again, [], fragment)
            self.assertEqual(page.locator("#views a[aria-current]").count(), 1, fragment)

    def test_markup_cannot_run_scripts(self):
        """Should text ever become markup by mistake, the page's policy still lets none of it run or load."""
        page = self.open()
        refused = page.evaluate("""() => new Promise(done => {
            addEventListener('securitypolicyviolation', event => done(event.violatedDirective));
            document.getElementById('view').innerHTML = '<img src=x onerror="window.ran = true">';
            setTimeout(() => done('nothing refused'), 2000);
        })""")
        self.assertIn(refused, ["img-src", "script-src-attr"])
        self.assertIsNone(page.evaluate("window.ran ?? null"))
        self.messages.clear()  # the refusal is written to the console

    def test_one_global(self):
        page = self.open()
        # A `const` of a script is not a property of the window, so nothing may be added to it.
        added = "Object.keys(window).filter(name => !names.includes(name))"
        self.assertEqual(page.evaluate("typeof Explorer"), "object")
        frame = "(() => { const f = document.createElement('iframe'); document.body.append(f); const names = Object.keys(f.contentWindow); f.remove(); return " + added + "; })()"
        self.assertEqual(page.evaluate(frame), [])


if __name__ == "__main__":
    unittest.main()
