// The tables of the rule sets: what an operation makes of operands. The command wrote them into data.js, in the form that
// docs/explorer-json.md describes; here they are looked up.
"use strict";

(() => {
    const { data } = Explorer;
    const CLASSES = ["dimensioned", "zero-dim", "weak"];
    /** How an operand is written, here and in the command. */
    const SUFFIXES = { dimensioned: "", "zero-dim": ":zero-dim", weak: "*" };
    /** The common dtype without an operation, which is an entry in the list of operations here. */
    const PROMOTE = "promote";
    /** Each kind of verdict: the sign that the command has for it too, a word, and a sentence. */
    const VERDICTS = {
        lossless: { sign: "", word: "lossless", meaning: "every value of both operands is a value of the result" },
        "loses-precision": { sign: "~", word: "loses precision", meaning: "some values round" },
        "loses-range": { sign: "!", word: "loses range", meaning: "some values overflow, or lose their sign or imaginary part" },
        accepted: { sign: "+", word: "accepted", meaning: "values can be lost, and the rules accept that" },
        refused: { sign: "#", word: "refused", meaning: "the rules refuse the promotion for a reason of their own" },
        unjudged: { sign: "", word: "not judged", meaning: "one operand promotes with none" },
        undefined: { sign: "–", word: "undefined", meaning: "there is no common dtype, or no such operation on it" },
    };

    const dtypes = data.dtypes.map((dtype) => dtype.name);
    const systems = new Map(data.systems.map((system) => [system.name, system]));
    const positions = new Map(data.operands.map((operand, position) => [operand.class + operand.dtype, position]));
    const operations = [
        { name: PROMOTE, members: [","], isBinary: true },
        ...data.systems[0].operations.map(({ name, members, promotions }) => ({ name, members, isBinary: promotions !== undefined })),
    ];

    /** The operand that a text such as `f32*` stands for; null if it is none. */
    function operand(text) {
        const kind = CLASSES.findLast((one) => SUFFIXES[one] !== "" && text.endsWith(SUFFIXES[one])) ?? "dimensioned";
        const dtype = text.slice(0, text.length - SUFFIXES[kind].length);
        return dtypes.includes(dtype) ? { dtype, class: kind } : null;
    }

    function write(one) {
        return one.dtype + SUFFIXES[one.class];
    }

    function system(name) {
        return systems.get(name);
    }

    function operation(name) {
        return operations.find((one) => one.name === name);
    }

    /** The table, the results and the promoting rules of an operation under a rule set. Without an operation the promotion is the result. */
    function entry(name, op) {
        const found = system(name);
        return op === PROMOTE ? { promotions: found.promotions } : found.operations.find((one) => one.name === op);
    }

    /**
     * What an operation makes of its operands: `promoted` and `result`, the names of dtypes with a star if they are weak, or null
     * where the rules leave them undefined; the kind of the verdict on the promotion; and its detail, the dtype that loses values
     * or the reason. An operation on one operand promotes nothing, so its verdict is `unjudged`.
     */
    function apply(name, op, lhs, rhs) {
        const { promotions, results } = entry(name, op);
        let cell = { to: lhs.dtype + (lhs.class === "weak" ? "*" : ""), verdict: "unjudged" };
        if (promotions !== undefined) {
            const row = data.tables[promotions][positions.get(lhs.class + lhs.dtype)];
            cell = data.cells[data.rows[row][positions.get(rhs.class + rhs.dtype)]];
        }
        const promoted = cell?.to ?? null;
        const result = promoted && results !== undefined ? data.results[results][promoted] ?? null : promoted;
        return { promoted, result, verdict: result ? cell.verdict : "undefined", detail: cell?.loses ?? cell?.reason ?? null };
    }

    /** Whether the name of a result is that of a weak one. */
    function isWeak(result) {
        return result.endsWith("*");
    }

    /** The dtypes that the rules know: those that promote with themselves. */
    function known(name) {
        return dtypes.filter((dtype) => {
            const one = { dtype, class: "dimensioned" };
            return apply(name, PROMOTE, one, one).promoted !== null;
        });
    }

    /** A value of a dtype that is lost in another one: `{ value, becomes }`, or undefined if there is none. */
    function witness(from, to) {
        return data.losses[from]?.[to.replace("*", "")];
    }

    Explorer.model = {
        CLASSES, PROMOTE, VERDICTS, dtypes, operations,
        operand, write, system, operation, entry, apply, isWeak, known, witness,
    };
})();
