// The search: a question such as `u8 + bf16 torch`. It answers for the rule sets that it names, or for all of them.
"use strict";

(() => {
    const { aliases, data, dom, explain, model, state } = Explorer;
    const { element } = dom;

    /** Splits a question at spaces, commas, brackets and around operators, which may stand without spaces. */
    function words(question) {
        const operators = model.operations.flatMap(({ members }) => members).filter((member) => /^\W/.test(member));
        const longestFirst = operators.toSorted((one, other) => other.length - one.length);
        const found = [];
        for (const piece of question.toLowerCase().split(/[\s,()]+/).filter((one) => one !== "")) {
            // A star or a class behind a dtype makes an operand of it.
            if (model.operand(canonical(piece))) {
                found.push(piece);
                continue;
            }
            const operator = longestFirst.find((one) => piece.includes(one));
            if (!operator || piece === operator) {
                found.push(piece);
                continue;
            }
            const at = piece.indexOf(operator);
            found.push(...words(piece.slice(0, at)), operator, ...words(piece.slice(at + operator.length)));
        }
        return found;
    }

    /** The name that this page has for a dtype's name in the systems, as `f32` for `float32`. */
    function canonical(word) {
        const [, name, suffix] = word.match(/^([^*:]*)(.*)$/);
        return (Object.hasOwn(aliases, name) ? aliases[name] : name) + suffix;
    }

    /** What the words of a question name. */
    function understand(question) {
        const found = { operands: [], op: null, rules: [], unknown: [] };
        for (const word of words(question)) {
            const operand = model.operand(canonical(word));
            const operation = model.operations.find(({ name, members }) => name.toLowerCase() === word || members.includes(word));
            const rules = data.systems.filter(({ name, version }) => name === word || (version ?? "").toLowerCase().split(" ").includes(word));
            if (operand) found.operands.push(operand);
            else if (operation) found.op = operation.name;
            else if (rules.length > 0) found.rules.push(...rules.map((one) => one.name));
            else if (!["in", "under", "and", "with", "of"].includes(word)) found.unknown.push(word);
        }
        return found;
    }

    function search({ q }) {
        dom.fill("explanation", explain.legend());
        if (q.trim() === "") {
            return dom.fill("view", element("p", {}, "Write operands, an operation and systems, such as ", example("u8 + bf16"), ", ",
                example("i64 * f32 torch"), " or ", example("sum i8"), "."));
        }
        const { operands, op, rules, unknown } = understand(q);
        const unclear = unknown.length > 0 ? element("p", { class: "unknown" }, `Not understood: ${unknown.join(", ")}.`) : null;
        const asked = rules.length > 0 ? data.systems.filter((one) => rules.includes(one.name)) : data.systems;
        dom.fill("view", element("h2", {}, q), unclear, answers(operands, op, asked.map((one) => one.name)));
    }

    const example = (q) => element("a", { href: state.link({ view: "search", q }) }, q);

    /** The answers of rule sets to what a question names. */
    function answers(operands, op, names) {
        const operation = op ?? (operands.length === 1 ? null : model.PROMOTE);
        if (operands.length === 0) return links("Tables", names.map((name) => [name, { view: "table", rules: name, op: op ?? model.PROMOTE }]));
        if (operation === null) {
            const [{ dtype }] = operands;
            return links(`Tables with ${dtype}`, names.map((name) => [name, { view: "table", rules: name, cell: `${dtype},${dtype}` }]));
        }
        if (operands.length > 2 && model.operation(operation).isBinary) {
            const list = operands.slice(0, state.MOST_OPERANDS).map(model.write).join(",");
            return links("Several operands", names.map((name) => [name, { view: "several", rules: name, op: operation, operands: list }]));
        }
        const [lhs, rhs = lhs] = operands;
        const cell = model.operation(operation).isBinary ? `${lhs.dtype},${rhs.dtype}` : lhs.dtype;
        return table(names.map((name) => [name, operation, lhs, rhs, state.link({
            view: "table", rules: name, op: operation, lhs: lhs.class, rhs: rhs.class, cell, q: "",
        })]));
    }

    function links(title, list) {
        return element("div", {}, element("h3", {}, title), element("ul", { class: "links" },
            list.map(([text, changes]) => element("li", {}, element("a", { href: state.link({ q: "", ...changes }) }, text)))));
    }

    /** One row for each rule set. */
    function table(rows) {
        return element("div", { class: "scroller" }, element("table", { class: "plain" },
            element("caption", { class: "hidden" }, "The answer of each rule set"),
            element("thead", {}, element("tr", {}, ["Rules", "Result", "Verdict", "Lost values"].map((heading) => element("th", { scope: "col" }, heading)))),
            element("tbody", {}, rows.map(([name, op, lhs, rhs, href]) => {
                const cell = model.apply(name, op, lhs, rhs);
                const { sign } = model.VERDICTS[cell.verdict];
                return element("tr", {},
                    element("th", { scope: "row" }, element("a", { href }, name)),
                    element("td", { class: "result" }, cell.result ?? "–"),
                    element("td", {}, cell.result && sign && element("span", { class: `sign ${cell.verdict}`, "aria-hidden": "true" }, sign),
                        explain.verdict(cell)),
                    element("td", {}, cell.result ? explain.lost(op, cell, lhs, rhs).map((value) => element("code", {}, value)) : ""));
            }))));
    }

    Explorer.views.search = search;
})();
