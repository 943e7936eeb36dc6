// Expressions that give a result with explicit conversions, in each library: the lines of `supremum explain`, made of the command's templates.
"use strict";

(() => {
    const { data, model, templates } = Explorer;
    const bare = (name) => name.replace("*", "");
    const sizes = new Map(data.dtypes.map(({ name, bits }) => [name, Math.ceil(bits / 8)]));

    /** What an operation makes of two tensors of one dtype. */
    function ofOneDtype(name, op, dtype) {
        const strong = { dtype, class: "dimensioned" };
        return model.apply(name, op, strong, strong).result;
    }

    /** The expression of one library. */
    function expression(language, name, op, lhs, rhs, promoted, result) {
        const rules = language.rules ?? name;
        const given = ofOneDtype(rules, op, promoted);
        if (!given) {
            return ofOneDtype(rules, model.PROMOTE, promoted) ? `has no such operation on ${promoted}` : `has no ${promoted}`;
        }
        const convert = (text, to) => language.conversions[to].replace("{a}", () => text);
        const operand = (one, text) => (one.dtype === promoted && one.class !== "weak" ? text : convert(text, promoted));
        const template = op === model.PROMOTE ? "{a}, {b}" : language.operations[op];
        let written = template.replace("{a}", () => operand(lhs, "a")).replace("{b}", () => operand(rhs, "b"));
        if (bare(given) !== result) written = convert(language.operators.includes(op) ? `(${written})` : written, result);
        return written + (language.remarked.some((dtype) => dtype === promoted || dtype === result) ? language.remark : "");
    }

    /** The smallest dtype that holds every value of both operands, where the rules have no promotion of them; else null. */
    function wayOut(name, op, lhs, rhs) {
        if (model.apply(name, op, lhs, rhs).promoted) return null;
        const holdsAll = model.dtypes.filter((to) =>
            ofOneDtype(name, op, to) && !model.witness(lhs.dtype, to) && !model.witness(rhs.dtype, to));
        return holdsAll.reduce((least, to) => (least === null || sizes.get(to) < sizes.get(least) ? to : least), null);
    }

    /** Pairs of library and line; none where nothing gives a result. */
    function lines(name, op, lhs, rhs) {
        const cell = model.apply(name, op, lhs, rhs);
        const promoted = cell.promoted ? bare(cell.promoted) : wayOut(name, op, lhs, rhs);
        const result = cell.promoted ? cell.result : promoted && ofOneDtype(name, op, promoted);
        if (!result) return [];
        return templates.map((language) => [language.library, expression(language, name, op, lhs, rhs, promoted, bare(result))]);
    }

    Explorer.purpose = { lines, wayOut };
})();
