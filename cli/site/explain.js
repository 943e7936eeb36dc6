// What a cell means: its result, verdict and source, and a value that is lost. The same facts as `supremum explain`.
"use strict";

(() => {
    const { model, purpose, state } = Explorer;
    const { element } = Explorer.dom;

    /** The expression of an operation and its operands, as `u8 + bf16`. */
    function expression(op, lhs, rhs) {
        const { members, isBinary } = model.operation(op);
        const symbol = members[0];
        if (!isBinary) return /^\W/.test(symbol) ? symbol + model.write(lhs) : `${symbol}(${model.write(lhs)})`;
        if (op === model.PROMOTE) return `${model.write(lhs)}, ${model.write(rhs)}`;
        if (/^\W/.test(symbol)) return `${model.write(lhs)} ${symbol} ${model.write(rhs)}`;
        return `${symbol}(${model.write(lhs)}, ${model.write(rhs)})`;
    }

    /** The operands and the operation as arguments of the command. */
    function question(op, lhs, rhs) {
        const { members, isBinary } = model.operation(op);
        const quoted = (word) => (/^[\w:+./%@=-]+$/.test(word) ? word : `'${word}'`);
        const words = !isBinary ? [members[0], model.write(lhs)]
            : op === model.PROMOTE ? [model.write(lhs), model.write(rhs)] : [model.write(lhs), members[0], model.write(rhs)];
        return words.map(quoted).join(" ");
    }

    /** The verdict of a cell as a phrase. */
    function verdict(cell) {
        const { word } = model.VERDICTS[cell.verdict];
        if (cell.verdict === "undefined") return word;
        if (cell.verdict === "refused") return `refused: ${cell.detail}`;
        return cell.detail ? `${word} of ${cell.detail}` : word;
    }

    /** The values that a promotion loses, as `i64 16777217 becomes f32 16777216`. Weak operands are judged by their value. */
    function lost(op, cell, lhs, rhs) {
        if (!cell.promoted || cell.verdict === "lossless" || cell.verdict === "unjudged") return [];
        const strong = [lhs, rhs].filter((one) => one.class !== "weak").map((one) => one.dtype);
        return [...new Set(strong)].flatMap((dtype) => {
            const witness = model.witness(dtype, cell.promoted);
            return witness ? [`${dtype} ${witness.value} becomes ${cell.promoted.replace("*", "")} ${witness.becomes}`] : [];
        });
    }

    /** The cell as one sentence, for screen readers and for the results of a search. */
    function sentence(name, op, lhs, rhs) {
        const cell = model.apply(name, op, lhs, rhs);
        const about = `${expression(op, lhs, rhs)} under ${name}`;
        if (!cell.result) return `${about}: ${whyUndefined(op, cell)}`;
        const values = lost(op, cell, lhs, rhs).map((value) => `; ${value}`).join("");
        return `${about}: ${cell.result}${model.isWeak(cell.result) ? " (weak)" : ""}${judged(cell)}${values}`;
    }

    /** The verdict as the end of a sentence; nothing for one operand. */
    function judged(cell) {
        return cell.verdict === "unjudged" ? "" : `, ${verdict(cell)}`;
    }

    function whyUndefined(op, cell) {
        if (cell.promoted) return `undefined on ${cell.promoted}`;
        return model.operation(op).isBinary ? "no common dtype" : "undefined";
    }

    /** The rule set's version and source, as a link. */
    function source(name) {
        const { version, url } = model.system(name);
        return url ? element("a", { href: url, rel: "external" }, version) : version ?? "these rules";
    }

    /** The facts of a cell, as pairs of term and description. */
    function facts(name, op, lhs, rhs) {
        const cell = model.apply(name, op, lhs, rhs);
        const result = cell.result
            ? [element("strong", { class: "result" }, cell.result), model.isWeak(cell.result) ? " weak: it yields to the dtype of the next tensor" : ""]
            : [element("strong", {}, whyUndefined(op, cell))];
        const list = [["Result", result]];
        if (cell.result && cell.promoted !== cell.result && model.operation(op).isBinary) {
            list.push(["Operands become", [cell.promoted]]);
        }
        if (cell.result && cell.verdict !== "unjudged") {
            const { sign, meaning } = model.VERDICTS[cell.verdict];
            const mark = sign && element("span", { class: `sign ${cell.verdict}`, "aria-hidden": "true" }, sign);
            list.push(["Verdict", [mark, verdict(cell), element("span", { class: "meaning" }, meaning)]]);
        }
        const values = lost(op, cell, lhs, rhs);
        if (values.length > 0) {
            list.push([values.length > 1 ? "Lost values" : "A lost value", values.map((value) => element("code", {}, value))]);
        }
        const wayOut = model.operation(op).isBinary && purpose.wayOut(name, op, lhs, rhs);
        if (wayOut) list.push(["Way out", [`${wayOut} is the smallest dtype that holds every value of both`]]);
        const by = model.entry(name, op).promoted_by;
        if (by && by !== name) {
            list.push(["Promoted by", [element("a", { href: state.link({ rules: by, op: model.PROMOTE }) }, by)]]);
        }
        list.push(["Source", [source(name)]]);
        return list;
    }

    /** The explanation of a cell under one or two rule sets. */
    function explanation(names, op, lhs, rhs) {
        const described = (pairs) => pairs.map(([term, description]) =>
            element("div", {}, element("dt", {}, term), element("dd", {}, description)));
        const lists = names.map((name) => {
            const lines = purpose.lines(name, op, lhs, rhs).map(([library, line]) => [library, element("code", {}, line)]);
            const onPurpose = lines.length > 0 && element("details", { class: "purpose", open: true },
                element("summary", {}, "To get it on purpose"), element("dl", {}, described(lines)));
            return element("section", { class: "facts" }, element("h3", {}, name), element("dl", {}, described(facts(name, op, lhs, rhs))), onPurpose);
        });
        const everywhere = element("a", { href: state.link({ view: "search", q: expression(op, lhs, rhs) }) }, "Ask all systems");
        const command = element("code", {}, `supremum explain ${names[0]} ${question(op, lhs, rhs)}`);
        return [
            element("h2", {}, expression(op, lhs, rhs)), ...lists,
            element("p", {}, everywhere), element("p", { class: "meaning" }, "In a terminal:", command),
        ];
    }

    /** How a group of operations is shown: `Floor divide: // %`, with its operators, or else some of its functions. */
    function operationName({ name, members }) {
        if (name === model.PROMOTE) return "The common dtype alone";
        const words = name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
        const operators = members.filter((member) => /^\W/.test(member));
        const shown = operators.length > 0 ? operators : members.slice(0, 3);
        return `${words[0].toUpperCase()}${words.slice(1)}: ${shown.join(" ")}`;
    }

    /** The signs of all verdicts and what they mean. */
    function legend() {
        const entries = Object.entries(model.VERDICTS).filter(([kind]) => kind !== "unjudged").map(([kind, { sign, word, meaning }]) =>
            element("div", {},
                element("dt", {}, element("span", { class: `swatch ${kind}`, "aria-hidden": "true" }, sign), word),
                element("dd", {}, meaning)));
        entries.push(element("div", {},
            element("dt", {}, element("span", { class: "swatch", "aria-hidden": "true" }, "*"), "weak"),
            element("dd", {}, "it yields to the dtype of the next tensor, as literals do")));
        return element("details", { class: "legend", open: true }, element("summary", {}, "Signs"), element("dl", {}, entries));
    }

    Explorer.explain = { expression, verdict, lost, sentence, explanation, operationName, legend, source };
})();
