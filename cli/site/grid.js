// A grid of cells with a row and a column for each dtype. One cell at a time can have the focus (a roving tabindex); arrows, Home, End
// and Page Up and Down move it. The pointer previews a cell, focus selects it.
"use strict";

(() => {
    const { dom, state } = Explorer;
    const { element } = dom;

    /** How far a key moves: rows and columns, limited to the grid. */
    const MOVES = {
        ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
        Home: [0, -Infinity], End: [0, Infinity], PageUp: [-Infinity, 0], PageDown: [Infinity, 0],
    };

    /**
     * Makes a grid.
     *
     * `rows` and `columns` are names. `content(row, column)` gives a cell's class, its children and its text for screen
     * readers. `selected` is the pair of names that has the focus first; `show(row, column, isSelected)` explains a cell.
     */
    function grid({ caption, rows, columns, content, selected, show }) {
        const cells = rows.map((row) => columns.map((column) => {
            const { kind, children } = content(row, column);
            return element("td", { class: kind, tabindex: "-1" }, children);
        }));
        const table = element("table", { role: "grid", class: "grid" },
            element("caption", {}, element("span", {}, caption)),
            element("thead", {}, element("tr", {},
                element("th", { scope: "col", class: "corner" }, dom.hidden("left operand")),
                columns.map((column) => element("th", { scope: "col" }, dom.breakable(column))))),
            element("tbody", {}, rows.map((row, index) =>
                element("tr", {}, element("th", { scope: "row" }, dom.breakable(row)), cells[index]))));

        let [y, x] = [Math.max(0, rows.indexOf(selected[0])), Math.max(0, columns.indexOf(selected[1]))];
        mark();

        function mark() {
            table.querySelector("td[tabindex='0']")?.setAttribute("tabindex", "-1");
            table.querySelector("td[aria-selected]")?.removeAttribute("aria-selected");
            cells[y][x].setAttribute("tabindex", "0");
            cells[y][x].setAttribute("aria-selected", "true");
            show(rows[y], columns[x], true);
        }

        function find(target) {
            const cell = target.closest("td");
            const row = cell ? cells.findIndex((one) => one.includes(cell)) : -1;
            return row < 0 ? null : [row, cells[row].indexOf(cell)];
        }

        table.addEventListener("keydown", (event) => {
            const move = MOVES[event.key];
            if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            const limited = (at, length) => Math.min(Math.max(at, 0), length - 1);
            cells[limited(y + move[0], rows.length)][limited(x + move[1], columns.length)].focus();
        });
        table.addEventListener("focusin", (event) => {
            const found = find(event.target);
            if (!found) return;
            [y, x] = found;
            mark();
            state.note({ cell: columns.length > 1 ? `${rows[y]},${columns[x]}` : rows[y] });
        });
        table.addEventListener("click", (event) => event.target.closest("td")?.focus());
        table.addEventListener("pointerover", (event) => {
            const found = find(event.target);
            if (found && event.pointerType === "mouse") show(rows[found[0]], columns[found[1]], false);
        });
        table.addEventListener("pointerleave", () => show(rows[y], columns[x], false));
        return element("div", { class: "scroller" }, table);
    }

    Explorer.grid = grid;
})();
