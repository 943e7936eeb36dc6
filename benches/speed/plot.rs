//! The plot: times for large arrays, by hand, with the library and with the best other library.

use std::fmt::Write;

use crate::report::markdown::size;
use crate::report::{Case, Report};

const WIDTH: f64 = 900.0;
const LABELS: f64 = 210.0;
const TOP: f64 = 64.0;
const BAR: f64 = 8.0;
const GROUP: f64 = 4.0 * BAR + 9.0;
/// The ends of the axis in nanoseconds, as powers of ten.
const DECADES: std::ops::RangeInclusive<i32> = 5..=9;

/// The ways that are drawn for each case: the position of the name at the top, and the colour.
const SERIES: [(&str, f64, &str); 4] = [
    ("loop by hand (limit)", 10.0, "#9aa5b1"),
    ("Supremum into an output", 170.0, "#1f77b4"),
    ("Supremum, new result", 355.0, "#8fbfe0"),
    ("best other library, new result", 520.0, "#e07b39"),
];

pub(crate) fn svg(report: &Report) -> String {
    let is_shown =
        |case: &&Case| case.size == 1 << 24 || case.workload == "W10" && case.size == 1_024;
    let cases: Vec<&Case> = report.cases().iter().filter(is_shown).collect();
    let height = (1..cases.len()).fold(TOP + GROUP, |height, _| height + GROUP) + 30.0;
    let mut svg = String::new();
    let mut put = |text: String| {
        svg.write_str(&text)
            .and_then(|()| svg.write_char('\n'))
            .expect("a string takes all")
    };
    put(format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">"#
    ));
    put(format!(
        r##"<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>"##
    ));
    let elements = size(1 << 24);
    put(format!(
        r#"<text x="10" y="20" font-size="15">Milliseconds for {elements} elements (matrix products: 1,024 rows), one thread</text>"#
    ));
    for (name, x, colour) in SERIES {
        put(format!(
            r#"<rect x="{x}" y="32" width="12" height="12" fill="{colour}"/>"#
        ));
        put(format!(r#"<text x="{}" y="42">{name}</text>"#, x + 17.0));
    }
    for decade in DECADES {
        let x = position(10_f64.powi(decade));
        put(format!(
            r##"<path d="M{x:.1} {TOP}V{}" stroke="#dddddd"/>"##,
            height - 22.0
        ));
        let label = 10_f64.powi(decade - 6);
        put(format!(
            r#"<text x="{x:.1}" y="{}" text-anchor="middle">{label}</text>"#,
            height - 8.0
        ));
    }
    let mut top = TOP;
    for case in cases {
        let label = format!("{} {}", case.workload, case.case).replace('>', "&gt;");
        put(format!(
            r#"<text x="{}" y="{}" text-anchor="end">{label}</text>"#,
            LABELS - 8.0,
            top + 2.5 * BAR
        ));
        let fresh = report.fresh(case, 1).map(|(time, _)| time);
        let peer = report.best_peer(case, "fresh", 1);
        let times = [
            report.limit(case),
            report.into(case),
            fresh,
            peer.map(|row| row.least),
        ];
        let mut y = top;
        for (time, (.., colour)) in times.into_iter().zip(SERIES) {
            if let Some(time) = time {
                let width = position(time) - LABELS;
                put(format!(
                    r#"<rect x="{LABELS}" y="{y}" width="{width:.1}" height="{BAR}" fill="{colour}"/>"#
                ));
            }
            y += BAR;
        }
        if let Some(peer) = peer {
            let (x, y) = (position(peer.least) + 4.0, top + 4.0 * BAR - 0.5);
            put(format!(
                r##"<text x="{x:.1}" y="{y}" font-size="9" fill="#555555">{}</text>"##,
                peer.who
            ));
        }
        top += GROUP;
    }
    put("</svg>".into());
    svg
}

/// The position of a time on the logarithmic axis.
fn position(nanoseconds: f64) -> f64 {
    let [first, last] = [*DECADES.start(), *DECADES.end()].map(f64::from);
    let part = (nanoseconds.log10() - first) / (last - first);
    LABELS + part.clamp(0.0, 1.0) * (WIDTH - LABELS - 40.0)
}
