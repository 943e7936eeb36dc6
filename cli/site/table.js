// The table of one rule set, and two rule sets side by side.
"use strict";

(() => {
    const { dom, explain, grid, model } = Explorer;
    const { element } = dom;
    const FLOAT8 = /^f8/;

    /** The dtypes that a view shows: those that one of the rule sets knows, without 8-bit floats unless they are asked for. */
    function shown(state, names) {
        const cell = state.cell.split(",");
        const all = state.dtypes === "all" || cell.some((dtype) => FLOAT8.test(dtype));
        const known = names.flatMap((name) => model.known(name));
        return model.dtypes.filter((dtype) => known.includes(dtype) && (all || !FLOAT8.test(dtype)));
    }

    const operands = (state, row, column) => [{ dtype: row, class: state.lhs }, { dtype: column, class: state.rhs }];

    /** The parts of a grid that both views share. Operations on one operand have a single column. */
    function drawn(state, names, caption, content) {
        const rows = shown(state, names);
        const binary = model.operation(state.op).isBinary;
        const columns = binary ? rows : ["result"];
        const pair = (row, column) => operands(state, row, binary ? column : row);
        const [row, column] = state.cell.split(",");
        return grid({
            caption, rows, columns,
            content: (row, column) => content(pair(row, column)),
            selected: [row, binary ? column : "result"],
            show(row, column, isSelected) {
                const [lhs, rhs] = pair(row, column);
                dom.fill("explanation", explain.explanation(names, state.op, lhs, rhs));
                if (isSelected && document.activeElement?.closest(".grid")) {
                    dom.say(names.map((name) => explain.sentence(name, state.op, lhs, rhs)).join(". "));
                }
            },
        });
    }

    /** What a cell shows: its result, with the sign of the verdict for the eye and the verdict's words for screen readers. */
    function answer(cell) {
        const kind = cell.verdict;
        const { sign } = model.VERDICTS[kind];
        const parts = cell.result ? dom.breakable(cell.result) : [];
        if (sign) parts.push(element("span", { class: "sign", "aria-hidden": "true" }, sign));
        if (kind !== "lossless" && kind !== "unjudged") parts.push(dom.hidden(` ${explain.verdict(cell)}`));
        return { kind, parts };
    }

    function headline(state, names) {
        const { lhs, rhs, op } = state;
        const classes = model.operation(op).isBinary ? (lhs === rhs ? `${lhs} operands` : `${lhs} with ${rhs} operands`) : `${lhs} operands`;
        return `${names.join(" and ")} · ${explain.operationName(model.operation(op))} · ${classes}`;
    }

    /** Brings the cell that a link names into sight. */
    function reveal(state) {
        if (state.cell) document.querySelector("td[aria-selected]").scrollIntoView({ block: "nearest", inline: "nearest" });
    }

    /** One rule set. */
    function table(state) {
        const names = [state.rules];
        dom.fill("view",
            drawn(state, names, headline(state, names), ([lhs, rhs]) => {
                const { kind, parts } = answer(model.apply(state.rules, state.op, lhs, rhs));
                return { kind, children: parts };
            }),
            explain.legend());
        reveal(state);
    }

    /** Two rule sets: where they agree the cell has one answer, faintly; else both, above one another, and a bar at the side. */
    function compare(state) {
        const names = [state.rules, state.other];
        const same = (one, other) => one.result === other.result && one.verdict === other.verdict;
        let [differences, results] = [0, 0];
        const table = drawn(state, names, headline(state, names), ([lhs, rhs]) => {
            const cells = names.map((name) => model.apply(name, state.op, lhs, rhs));
            const answers = cells.map(answer);
            if (same(...cells)) return { kind: "agree", children: answers[0].parts };
            differences += 1;
            if (cells[0].result !== cells[1].result) results += 1;
            return {
                kind: "differ",
                children: [dom.hidden("differs: "), ...answers.map(({ kind, parts }, index) =>
                    element("div", { class: kind }, dom.hidden(`${names[index]} `), parts))],
            };
        });
        const others = differences - results;
        const count = differences === 0 ? "No cell differs." : `${differences} cells differ: ${results} in the result, ${others} in the verdict alone.`;
        dom.fill("view",
            element("p", { class: "count" }, count, ` Above stands ${names[0]}, below ${names[1]}; a bar marks a difference.`),
            table, explain.legend());
        reveal(state);
    }

    Explorer.views = { table, compare };
})();
