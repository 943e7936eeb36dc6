"""The page says what the rule sets say."""

import itertools
import random
import unittest
from urllib.parse import quote

from browser import DOCUMENT, SITE, SYSTEMS, VIEWS, BrowserTest, rows, supremum

WORDS = {"lossless": "lossless", "loses-precision": "loses precision of {loses}", "loses-range": "loses range of {loses}",
         "accepted": "accepted", "refused": "refused: {reason}"}
CELLS_OF_EACH = 20


class Content(BrowserTest):
    def test_every_system_opens_in_every_view(self):
        page = self.open()
        for system, view in itertools.product(SYSTEMS, VIEWS):
            with self.subTest(system=system, view=view):
                self.go(page, f"view={view}&rules={system}&q={quote('u8 + bf16 ' + system)}&dtypes=all")
                self.assertEqual(page.locator("#notice").inner_text(), "")
                self.assertIn(system, page.locator("main").inner_text())

    def test_cells_equal_the_rule_sets(self):
        """Twenty cells of each system, with operations and classes by chance, beside the command, which asks `RuleSet`."""
        page, chance, compared = self.open(), random.Random(21), 0
        operations = [one for one in DOCUMENT["systems"][0]["operations"] if "promotions" in one]
        for system in SYSTEMS:
            tables = [(chance.choice(operations)["name"], chance.choice(["dimensioned", "zero-dim", "weak"])) for _ in range(6)]
            pool = [(operation, kind, row) for operation, kind in tables for row in rows(system, "--op", operation, "--class", kind)]
            for operation, kind, row in chance.sample(pool, CELLS_OF_EACH):
                with self.subTest(system=system, operation=operation, row=row):
                    self.compare(page, system, operation, kind, row)
                    compared += 1
        self.assertEqual(compared, CELLS_OF_EACH * len(SYSTEMS))
        print(f"\n{compared} cells of {len(SYSTEMS)} systems equal RuleSet's answers")

    def compare(self, page, system, operation, kind, row):
        lhs, rhs = row["lhs"], row["rhs"].removeprefix("zero-dim ").removesuffix("*")
        self.go(page, f"rules={system}&op={operation}&rhs={kind}&cell={lhs},{rhs}&dtypes=all")
        facts, cell = self.facts(page), page.locator("td[aria-selected]")
        if row["result"] == "":
            self.assertIn("undefined", cell.inner_text())
            self.assertTrue(facts["Result"].startswith(("no common dtype", "undefined")), facts)
            return
        verdict = WORDS[row["verdict"]].format(**row)
        self.assertEqual(facts["Result"].split()[0], row["result"])
        self.assertIn(verdict, facts["Verdict"])
        self.assertTrue(cell.inner_text().startswith(row["result"]), cell.inner_text())
        self.assertIn("" if row["verdict"] == "lossless" else verdict, cell.text_content())
        values = facts.get("A lost value", facts.get("Lost values", ""))
        self.assertIn(f"{row['value']} becomes" if row["value"] else "", values)
        self.assertIn(f" {row['becomes']}" if row["becomes"] else "", values)

    def test_lines_on_purpose_are_those_of_the_command(self):
        """The page makes them of templates, the command of its own code: both are compared for cells by chance, and a way out."""
        page, chance, lines = self.open(), random.Random(22), 0
        operations = DOCUMENT["systems"][0]["operations"] + [{"name": "promote", "members": [None], "promotions": True}]
        # A page has the dtypes that promote with themselves.
        dtypes = {system: [row["lhs"] for row in rows(system) if row["lhs"] == row["rhs"] and row["result"]] for system in SYSTEMS}
        asked = [(system, chance.choice(operations), chance.choice(["", "", ":zero-dim", "*"]), *chance.choices(dtypes[system], k=2))
                 for system in chance.choices(SYSTEMS, k=150)]
        for system, operation, suffix, lhs, rhs in asked + [("array-api", operations[0], "", "u64", "i8")]:
            member, binary = operation["members"][0], "promotions" in operation
            words = [lhs, *filter(None, [member]), rhs + suffix] if binary else [member, lhs]
            kind = {"": "dimensioned", ":zero-dim": "zero-dim", "*": "weak"}[suffix]
            address = f"rules={system}&op={operation['name']}&rhs={kind}&cell={lhs}{',' + rhs if binary else ''}&dtypes=all"
            with self.subTest(words=words, system=system):
                self.go(page, address)
                shown = page.evaluate("""() => [...document.querySelectorAll('#explanation .purpose dl > div')]
                    .map(one => [one.children[0].textContent, one.children[1].textContent])""")
                printed = supremum("explain", system, *words).partition("on purpose:\n")[2].splitlines()
                printed = [line.strip().split(None, 1) for line in printed if line.startswith("    ")]
                self.assertEqual(shown, printed)
                lines += len(shown)
        self.assertGreater(lines, 300)
        print(f"\n{lines} lines on purpose are those of the command")

    def test_operations_on_one_operand_have_a_column(self):
        page = self.open()
        for row in rows("jax", "--op", "sum"):
            if not row["operand"].endswith("*"):
                self.go(page, f"op=Sum&cell={row['operand']}&dtypes=all")
                self.assertEqual(page.locator("td[aria-selected]").inner_text().strip(), row["result"])
        # Sums of u64 are i64 in PyTorch: nothing is said of values, as there is no promotion.
        self.go(page, "op=Sum&rules=torch&cell=u64")
        self.assertEqual(set(self.facts(page)), {"Result", "Source"})
        page.locator("td[aria-selected]").focus()
        self.assertEqual(page.locator("#live").text_content(), "sum(u64) under torch: i64")

    def test_differences_are_those_of_the_tables(self):
        page = self.open("view=compare&rules=numpy&other=torch&op=Multiply&dtypes=all")
        marked = page.evaluate("[...document.querySelectorAll('td.differ')].length")
        both = [{(row["lhs"], row["rhs"]): row for row in rows(system, "--op", "*")} for system in ("numpy", "torch")]
        shown = {name for answers in both for pair in answers for name in pair}
        answer = lambda row: (row or {}).get("result") and (row["result"], row["verdict"], row["loses"]) or None
        differ = sum(answer(both[0].get(pair)) != answer(both[1].get(pair)) for pair in itertools.product(shown, shown))
        self.assertGreater(differ, 100)
        self.assertEqual(marked, differ)

    def test_a_question_is_answered_for_every_system(self):
        page = self.open()
        page.locator("#question").fill("uint8*bfloat16")
        page.keyboard.press("Enter")
        answers = page.locator("#view tbody tr")
        self.assertEqual(answers.count(), len(SYSTEMS))
        jax = next(row for row in rows("jax", "--op", "*") if (row["lhs"], row["rhs"]) == ("u8", "bf16"))
        self.assertEqual(answers.nth(SYSTEMS.index("jax")).locator("td").first.inner_text(), jax["result"])
        page.locator("#question").fill("i64 + f32 xyz torch")
        page.keyboard.press("Enter")
        self.assertIn("Not understood: xyz", page.locator("#view").inner_text())
        page.locator("#view tbody a").first.click()
        self.assertEqual(page.locator("#rules").input_value(), "torch")
        self.assertIn("i64 16777217 becomes f32 16777216", page.locator("#explanation").inner_text())

    def test_several_operands_promote_as_the_command_says(self):
        """Every order, and all at once, for lists of operands by chance."""
        page, chance, orders = self.open(), random.Random(7), 0
        dtypes = [dtype["name"] for dtype in DOCUMENT["dtypes"]]
        # Two scalars make one of rank zero; NumPy takes the first float of the list as that of the highest kind.
        lists = [("torch", ["f32:zero-dim", "f64:zero-dim", "f16"]), ("numpy", ["u16", "f8e4m3fn", "f32"])]
        for system, _ in itertools.product(SYSTEMS, range(3)):
            lists.append((system, [chance.choice(dtypes) + chance.choice(["", "", ":zero-dim", "*"]) for _ in range(chance.choice([3, 4]))]))
        for system, operands in lists:
            answer = supremum("chain", system, *operands).splitlines()
            *chains, _, summary, at_once = answer
            with self.subTest(system=system, operands=operands):
                self.go(page, f"view=several&op=promote&rules={system}&operands={','.join(operands)}")
                results = {line.split("-> ")[-1].strip().removeprefix("zero-dim ") for line in chains}
                names = page.locator("#view table").last.locator("tbody th").all_inner_texts()
                counts = page.locator("#view table").last.locator("tbody td:nth-child(2)").all_inner_texts()
                self.assertEqual({name.split(" ")[0].removesuffix(":zero-dim") for name in names}, results, summary)
                self.assertEqual(sum(map(int, counts)), len(chains))
                at_once = at_once.partition(" gives ")[2].partition(":")[0].removeprefix("zero-dim ")
                self.assertEqual(page.locator("#at-once strong").inner_text().removesuffix(":zero-dim"), at_once)
                orders += len(chains)
        print(f"\n{orders} orders of operands have the command's results")

    def test_the_site_is_small(self):
        size = sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file())
        print(f"\nsite: {size:,} bytes")
        self.assertLess(size, 1_000_000)


if __name__ == "__main__":
    unittest.main()
