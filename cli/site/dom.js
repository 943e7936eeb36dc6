// Elements of the page. Text always goes in as text, never as HTML, so nothing from the address can become markup.
"use strict";

(() => {
    /**
     * Makes an element. `attributes` with a function are event listeners; those that are null or false are left out.
     * Children are elements or text; null is left out.
     */
    function element(tag, attributes = {}, ...children) {
        const made = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes)) {
            if (typeof value === "function") {
                made.addEventListener(name, value);
            } else if (value !== null && value !== false) {
                made.setAttribute(name, value === true ? "" : value);
            }
        }
        made.append(...children.flat().filter((child) => child !== null && child !== false));
        return made;
    }

    /** A label above a select. `options` are pairs of value and text; `change` gets the new value. */
    function choice(id, label, options, selected, change) {
        const select = element("select", { id, change: () => change(select.value) });
        for (const [value, text] of options) {
            select.append(element("option", { value, selected: value === selected }, text));
        }
        return element("div", { class: "choice" }, element("label", { for: id }, label), select);
    }

    /** The name of a dtype, which may break behind the digits of an 8-bit float: `f8e4m3` `b11fnuz`. */
    function breakable(name) {
        const [, start, end] = name.match(/^(f8e\dm\d)(.+)$/) ?? [];
        return end ? [start, element("wbr"), end] : [name];
    }

    /** Text that only screen readers have. */
    function hidden(text) {
        return element("span", { class: "hidden" }, text);
    }

    /** Replaces the children of the element with that id. */
    function fill(id, ...children) {
        document.getElementById(id).replaceChildren(...children.flat().filter((child) => child !== null && child !== false));
    }

    /** Has a screen reader say a sentence. */
    function say(sentence) {
        document.getElementById("live").textContent = sentence;
    }

    Explorer.dom = { element, choice, breakable, hidden, fill, say };
})();
