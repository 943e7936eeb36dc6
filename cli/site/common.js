// More than two operands: from the left, in every order, and all at once by the rule of the system (`RuleSet::common`).
"use strict";

(() => {
    const { data, model } = Explorer;
    const kinds = new Map(data.dtypes.map((dtype) => [dtype.name, dtype.kind]));
    /** The order of kinds that NumPy looks at. */
    const HEIGHTS = { bool: 0, unsigned: 1, signed: 1, float: 2, complex: 2 };

    /** The operand of the next operation: of rank zero if the operands are scalars and not both weak. */
    function next(result, lhs, rhs) {
        const scalars = lhs.class !== "dimensioned" && rhs.class !== "dimensioned";
        const zeroDim = lhs.class === "zero-dim" || rhs.class === "zero-dim";
        const kind = model.isWeak(result) ? "weak" : scalars && zeroDim ? "zero-dim" : "dimensioned";
        return { dtype: result.replace("*", ""), class: kind };
    }

    /** The steps of `a + b + c`, from the left. The last step has no result if the rules leave it undefined. */
    function chain(name, op, operands) {
        const steps = [];
        let lhs = operands[0];
        for (const rhs of operands.slice(1)) {
            const cell = model.apply(name, op, lhs, rhs);
            const result = cell.result && next(cell.result, lhs, rhs);
            steps.push({ lhs, rhs, cell, result });
            if (!result) break;
            lhs = result;
        }
        return steps;
    }

    /** All orders of operands that differ. */
    function orders(operands) {
        if (operands.length < 2) return [operands];
        const firsts = new Map(operands.map((one, index) => [model.write(one), index]));
        return [...firsts.values()].flatMap((index) =>
            orders(operands.toSpliced(index, 1)).map((rest) => [operands[index], ...rest]));
    }

    /** The common operand of a list, found as the system does; null if a step is undefined. */
    function common(name, operands) {
        return RULES[model.system(name).common](name, operands);
    }

    const RULES = {
        folded: fold,
        "around-highest"(name, operands) {
            const highest = operands.reduce((one, other) => (height(other) > height(one) ? other : one));
            const around = operands.map((other) => {
                const { promoted } = model.apply(name, model.PROMOTE, highest, other);
                return promoted && { dtype: promoted.replace("*", ""), class: model.isWeak(promoted) ? "weak" : "dimensioned" };
            });
            return fold(name, around);
        },
        "by-class"(name, operands) {
            const ofClass = (kind) => operands.filter((one) => one.class === kind);
            const folded = (list) => (list.length > 0 ? [fold(name, list)] : []);
            const scalars = folded([...folded(ofClass("zero-dim")), ...folded(ofClass("weak"))]);
            return fold(name, [...folded(ofClass("dimensioned")), ...scalars]);
        },
    };

    /** A strong operand is above a weak one of its kind. */
    function height(one) {
        return 2 * HEIGHTS[kinds.get(one.dtype)] + (one.class === "weak" ? 0 : 1);
    }

    /** Promotes from the left. The first operand promotes with itself, which can narrow it. A step without a result gives null. */
    function fold(name, operands) {
        return operands.reduce((lhs, rhs) => {
            const promoted = lhs && rhs && model.apply(name, model.PROMOTE, lhs, rhs).promoted;
            return promoted && next(promoted, lhs, rhs);
        }, operands[0]);
    }

    Explorer.several = { chain, orders, common };
})();
