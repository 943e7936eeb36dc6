// The state of the page, which the address has after its #, so that each view has a link.
//
// Addresses come from strangers. A part is used only if it is in a list of this page's own names; all else is ignored with a notice.
"use strict";

(() => {
    const { data, model } = Explorer;
    const DEFAULTS = {
        view: "table", rules: "jax", other: "torch", op: "Add", lhs: "dimensioned", rhs: "dimensioned", dtypes: "common",
        cell: "", operands: "f16,bf16,i8", q: "",
    };
    const LONGEST_ADDRESS = 2000;
    const LONGEST_QUERY = 80;
    const MOST_OPERANDS = 6;

    const oneOf = (names) => (value) => names.includes(value);
    const rules = oneOf(data.systems.map((system) => system.name));

    /** Whether each part of the state may have a value. */
    const ADMITS = {
        view: oneOf(["table", "compare", "several", "lattice", "search"]),
        rules,
        other: rules,
        op: oneOf(model.operations.map((operation) => operation.name)),
        lhs: oneOf(model.CLASSES),
        rhs: oneOf(model.CLASSES),
        dtypes: oneOf(["common", "all"]),
        cell: (value) => value === "" || (value.split(",").length <= 2 && value.split(",").every(oneOf(model.dtypes))),
        operands: (value) => operandsOf(value) !== null,
        q: (value) => value.length <= LONGEST_QUERY,
    };

    /** The operands of a list such as `f16,i64*,f32:zero-dim`; null if the list has a fault. */
    function operandsOf(list) {
        const operands = list.split(",").map((text) => model.operand(text));
        return operands.length > MOST_OPERANDS || operands.includes(null) ? null : operands;
    }

    /** The state that an address stands for, and what was wrong with it. */
    function parse(fragment) {
        const state = { ...DEFAULTS };
        const faults = [];
        if (fragment.length > LONGEST_ADDRESS) {
            return { state, faults: [`it is longer than ${LONGEST_ADDRESS} characters`] };
        }
        const seen = new Set();
        for (const part of fragment.split("&").filter((one) => one !== "")) {
            const [name, ...rest] = part.split("=");
            const value = decoded(rest.join("="));
            if (!Object.hasOwn(ADMITS, name)) {
                faults.push(`there is no setting “${shortened(name)}”`);
            } else if (seen.has(name)) {
                faults.push(`“${name}” is there twice`);
            } else if (value === null || !ADMITS[name](value)) {
                faults.push(`“${name}” cannot be “${shortened(value ?? rest.join("="))}”`);
            } else {
                state[name] = value;
            }
            seen.add(name);
        }
        return { state, faults };
    }

    function decoded(text) {
        try {
            return decodeURIComponent(text.replaceAll("+", "%20"));
        } catch {
            return null; // a stray %
        }
    }

    function shortened(text) {
        return text.length > 40 ? `${text.slice(0, 40)}…` : text;
    }

    /** The address of a state: the parts that differ from the defaults. */
    function address(state) {
        const parts = Object.keys(DEFAULTS).filter((name) => state[name] !== DEFAULTS[name]);
        // Commas and the like may stand in a fragment, and are easier to read there.
        const encoded = (text) => encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":");
        return `#${parts.map((name) => `${name}=${encoded(state[name])}`).join("&")}`;
    }

    let current = { ...DEFAULTS };
    let draw = () => {};

    /** The address of the current state with some parts changed: the `href` of a link. */
    function link(changes) {
        return address({ ...current, ...changes });
    }

    /** Goes to another view, which the browser's history keeps. */
    function go(changes) {
        history.pushState(null, "", link(changes));
        read();
    }

    /** Notes a detail in the address, such as the selected cell, without drawing the page again. */
    function note(changes) {
        current = { ...current, ...changes };
        history.replaceState(null, "", address(current));
    }

    function read() {
        const { state, faults } = parse(location.hash.slice(1));
        current = state;
        draw(state, faults);
    }

    /** Draws the state of the address now and whenever it changes. */
    function start(drawing) {
        draw = drawing;
        window.addEventListener("hashchange", read);
        read();
    }

    Explorer.state = { start, go, note, link, parse, operandsOf, MOST_OPERANDS, get current() { return current; } };
})();
