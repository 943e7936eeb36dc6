// Several operands: the steps of `a + b + c` from the left, the common dtype that the system gives the list, and every other order.
"use strict";

(() => {
    const { dom, explain, model, state } = Explorer;
    const { chain, common, orders } = Explorer.several;
    const { element, choice } = dom;

    function several({ rules: name, op, operands: list }) {
        if (!model.operation(op).isBinary) {
            dom.fill("view", element("p", {}, "This operation has one operand. Choose one with two."));
            return dom.fill("explanation");
        }
        const operands = state.operandsOf(list);
        const steps = chain(name, op, operands);
        dom.fill("view",
            editor(operands),
            element("h2", {}, sum(op, operands), " from the left"),
            stepTable(name, op, steps),
            op === model.PROMOTE && atOnce(name, operands),
            element("h2", {}, "Every order"),
            orderTable(name, op, operands));
        dom.fill("explanation", explain.legend());
        dom.say(`${operands.map(model.write).join(", ")}: ${ending(steps, operands)}`);
    }

    /** Operands in a row, as `f16 + bf16 + i8`. */
    function sum(op, operands) {
        return operands.map(model.write).join(op === model.PROMOTE ? ", " : ` ${model.operation(op).members[0]} `);
    }

    /** The result of the last step, in writing. */
    function ending(steps, operands) {
        if (steps.length === 0) return model.write(operands[0]);
        const { result } = steps.at(-1);
        return result ? model.write(result) : "undefined";
    }

    /** The common dtype by the rule of the system, which need not go from the left. */
    function atOnce(name, operands) {
        const found = common(name, operands);
        return element("p", { id: "at-once" }, `${name} of all at once gives `,
            element("strong", { class: "result" }, found ? model.write(found) : "nothing"),
            `: ${AT_ONCE[model.system(name).common]}.`);
    }
    const AT_ONCE = {
        folded: "it promotes from the left",
        "around-highest": "it promotes an operand of the highest kind with each, then the results from the left",
        "by-class": "it promotes dimensioned, zero-dim and weak operands among themselves first",
    };

    /** Selects for each operand, with buttons that move and remove it. */
    function editor(operands) {
        const change = (changed, focus) => {
            state.go({ operands: changed.map(model.write).join(",") });
            document.getElementById(focus)?.focus();
        };
        const dtypes = model.dtypes.map((dtype) => [dtype, dtype]);
        const classes = model.CLASSES.map((one) => [one, one]);
        const items = operands.map((operand, index) => {
            const number = index + 1;
            const replaced = (part) => (value) => change(operands.with(index, { ...operand, [part]: value }), `${part}${number}`);
            const button = (text, label, disabled, changed, focus) => element("button", {
                type: "button", "aria-label": `${label} operand ${number}`, title: label, disabled, id: `${label}${number}`,
                click: () => change(changed(), focus),
            }, text);
            const moved = () => operands.toSpliced(index, 1).toSpliced(index - 1, 0, operand);
            return element("li", { class: "operand" },
                choice(`dtype${number}`, `Operand ${number}`, dtypes, operand.dtype, replaced("dtype")),
                choice(`class${number}`, `Class of operand ${number}`, classes, operand.class, replaced("class")),
                element("div", { class: "buttons" },
                    button("←", "Move left", index === 0, moved, `Move left${index}`),
                    button("✕", "Remove", operands.length === 1, () => operands.toSpliced(index, 1), "add")));
        });
        const add = element("button", {
            type: "button", id: "add", disabled: operands.length >= state.MOST_OPERANDS,
            click: () => change([...operands, { dtype: "f32", class: "dimensioned" }], `dtype${operands.length + 1}`),
        }, "Add an operand");
        return element("section", { "aria-label": "Operands" }, element("ol", { class: "operands" }, items), add);
    }

    function plainTable(caption, headings, rows) {
        return element("div", { class: "scroller" }, element("table", { class: "plain" },
            element("caption", { class: "hidden" }, caption),
            element("thead", {}, element("tr", {}, headings.map((heading) => element("th", { scope: "col" }, heading)))),
            element("tbody", {}, rows.map(([first, ...rest]) => element("tr", {},
                element("th", { scope: "row" }, first), rest.map((cell) => element("td", {}, cell)))))));
    }

    /** Where operands meet, step by step. */
    function stepTable(name, op, steps) {
        if (steps.length === 0) return element("p", {}, "Add a second operand.");
        return plainTable("Steps from the left", ["Step", "Result", "Verdict", "Lost values"], steps.map(({ lhs, rhs, cell, result }) => [
            explain.expression(op, lhs, rhs),
            result ? model.write(result) : "undefined",
            result ? [mark(cell.verdict), explain.verdict(cell)] : "",
            result ? explain.lost(op, cell, lhs, rhs).map((value) => element("code", {}, value)) : "",
        ]));
    }

    function mark(kind) {
        const { sign } = model.VERDICTS[kind];
        return sign ? element("span", { class: `sign ${kind}`, "aria-hidden": "true" }, sign) : "";
    }

    /** The results of all orders, each with the orders that give it. */
    function orderTable(name, op, operands) {
        const found = new Map();
        for (const order of orders(operands)) {
            const result = ending(chain(name, op, order), order);
            found.set(result, [...(found.get(result) ?? []), order]);
        }
        const own = ending(chain(name, op, operands), operands);
        const rows = [...found].map(([result, orders]) => [
            result === own ? `${result} (this order)` : result,
            String(orders.length),
            orders.slice(0, SHOWN).map((order) => element("a", {
                class: "order", href: state.link({ operands: order.map(model.write).join(",") }),
            }, sum(op, order))).concat(orders.length > SHOWN ? [`and ${orders.length - SHOWN} more`] : []),
        ]);
        const verdict = found.size === 1 ? "All orders give the same dtype." : `The order matters: it gives ${found.size} different results.`;
        return element("div", {}, element("p", { class: "count" }, verdict), plainTable("Results of all orders", ["Result", "Orders", "Such as"], rows));
    }
    const SHOWN = 6;

    Explorer.views.several = several;
})();
