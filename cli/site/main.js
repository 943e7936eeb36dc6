// Draws the view that the address names: its settings, its content, and a notice if a part of the address was ignored.
"use strict";

(() => {
    const { data, dom, explain, model, state, views } = Explorer;
    const { element, choice } = dom;

    const VIEWS = [
        ["table", "One system"], ["compare", "Two systems"], ["several", "Several operands"], ["lattice", "Lattices"], ["search", "Search"],
    ];
    const lists = {
        rules: data.systems.map(({ name, version }) => [name, `${name}  (${version})`]),
        op: model.operations.map((operation) => [operation.name, explain.operationName(operation)]),
        classes: model.CLASSES.map((one) => [one, one]),
        dtypes: [["common", "without 8-bit floats"], ["all", "all"]],
    };
    /** The settings of each view. */
    const SETTINGS = {
        table: ["rules", "op", "lhs", "rhs", "dtypes"],
        compare: ["rules", "other", "op", "lhs", "rhs", "dtypes"],
        several: ["rules", "op"],
        lattice: ["rules"],
        search: [],
    };

    function setting(current, name) {
        const change = (value) => {
            // The cell stays selected where the table changes, and another choice of dtypes forgets it.
            state.go(name === "dtypes" ? { dtypes: value, cell: "" } : { [name]: value });
            document.getElementById(name)?.focus();
        };
        const labels = {
            rules: "System", other: "Beside", op: "Operation", dtypes: "Dtypes",
            lhs: model.operation(current.op).isBinary ? "Left operand" : "Operand", rhs: "Right operand",
        };
        const list = name === "other" ? lists.rules : name === "lhs" || name === "rhs" ? lists.classes : lists[name];
        return choice(name, labels[name], list, current[name], change);
    }

    function settings(current) {
        const names = SETTINGS[current.view].filter((name) => name !== "rhs" || model.operation(current.op).isBinary);
        dom.fill("settings", names.map((name) => setting(current, name)));
    }

    function navigation(current) {
        dom.fill("views", VIEWS.map(([view, text]) => element("li", {},
            element("a", { href: state.link({ view }), "aria-current": view === current.view && "page" }, text))));
    }

    function notice(faults) {
        dom.fill("notice", faults.length === 0 ? [] : [
            element("strong", {}, "A part of the address was ignored: "),
            // A hostile address can have hundreds.
            `${faults.slice(0, 3).join("; ")}${faults.length > 3 ? `; and ${faults.length - 3} more` : ""}.`,
        ]);
    }

    /** The order of a rule set's operands as a drawing, which the command made: each stands above those that promote to it. */
    function lattice({ rules: name }) {
        const drawing = new DOMParser().parseFromString(Explorer.lattices[name], "image/svg+xml").documentElement;
        dom.fill("view", element("figure", {},
            element("figcaption", {}, drawing.querySelector("title").textContent), document.importNode(drawing, true)));
        dom.fill("explanation", element("h2", {}, name),
            element("p", {}, "A line leads up from an operand to one that it promotes to. Weak operands are dashed."),
            element("p", {}, "Source: ", explain.source(name)));
    }
    views.lattice = lattice;

    function draw(current, faults) {
        navigation(current);
        settings(current);
        notice(faults);
        dom.say("");
        document.getElementById("question").value = current.q;
        views[current.view](current);
        document.title = `${VIEWS.find(([view]) => view === current.view)[1]} · Supremum explorer`;
    }

    document.getElementById("search").addEventListener("submit", (event) => {
        event.preventDefault();
        state.go({ view: "search", q: document.getElementById("question").value.slice(0, 80) });
    });
    document.getElementById("version").textContent = data.library;
    state.start(draw);
    // Tests measure the time until here.
    performance.mark("interactive");
})();
