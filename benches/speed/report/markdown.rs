//! The tables in Markdown.

use std::fmt::Write;

use super::Report;
use super::bars::Line;

impl Report {
    /// The times of each case, in Markdown.
    pub(crate) fn summary(&self) -> String {
        let mut text = String::from(
            "| workload | size | by hand | into | new | best other library, new |\n\
             | --- | ---: | ---: | ---: | ---: | --- |\n",
        );
        for case in &self.cases {
            let time = |time: Option<f64>| time.map_or(String::new(), microseconds);
            let peer = self.best_peer(case, "fresh", 1).map(|peer| {
                let (who, isa) = (&peer.who, &peer.isa);
                format!("{} {who} ({isa})", microseconds(peer.least))
            });
            line(
                &mut text,
                &[
                    format!("{} {}", case.workload, case.case),
                    size(case.size),
                    time(self.limit(case)),
                    time(self.into(case)),
                    time(self.fresh(case, 1).map(|(time, _)| time)),
                    peer.unwrap_or_default(),
                ],
            );
        }
        text
    }

    /// All tables, in Markdown.
    pub(crate) fn to_markdown(&self) -> String {
        let bars = self.bars();
        let mut text = String::from("| bar | met | worst |\n| --- | ---: | --- |\n");
        for bar in &bars {
            let met = bar.lines.iter().filter(|line| line.is_met()).count();
            let excess = |line: &&Line| (line.ours - line.granted) / (line.most * line.limit);
            let worst = bar
                .lines
                .iter()
                .max_by(|a, b| excess(a).total_cmp(&excess(b)));
            let worst = worst.map_or("not measured".into(), |line| {
                format!(
                    "{} {} {}: {:.2}",
                    line.case.workload,
                    line.case.case,
                    size(line.case.size),
                    line.ratio()
                )
            });
            line(
                &mut text,
                &[
                    bar.title.into(),
                    format!("{} of {}", met, bar.lines.len()),
                    worst,
                ],
            );
        }
        text += "\nMeasured on and with:\n\n";
        for about in &self.about {
            writeln!(text, "- {about}").expect("a string takes all");
        }
        for bar in &bars {
            write!(
                text,
                "\n### {}\n\n{} Times in microseconds.\n\n",
                bar.title, bar.text
            )
            .expect("a string takes all");
            let heads = [
                "workload",
                "size",
                "built for",
                "threads",
                "way",
                bar.against,
                "which",
                "ours",
                "ratio",
                "bar",
                "",
            ];
            line(&mut text, &heads.map(String::from));
            text += "| --- | ---: | --- | ---: | --- | ---: | --- | ---: | ---: | ---: | --- |\n";
            for each in &bar.lines {
                let Line {
                    case,
                    isa,
                    threads,
                    way,
                    against,
                    limit,
                    ours,
                    most,
                    granted,
                } = each;
                let granted = if *granted > 0.0 {
                    format!(" + {granted} ns")
                } else {
                    String::new()
                };
                line(
                    &mut text,
                    &[
                        format!("{} {}", case.workload, case.case),
                        size(case.size),
                        isa.clone(),
                        threads.to_string(),
                        (*way).into(),
                        microseconds(*limit),
                        against.clone(),
                        microseconds(*ours),
                        format!("{:.2}", each.ratio()),
                        format!("{most:.2}{granted}"),
                        if each.is_met() {
                            "met".into()
                        } else {
                            "**not met**".into()
                        },
                    ],
                );
            }
        }
        text
    }
}

fn line(text: &mut String, cells: &[String]) {
    writeln!(text, "| {} |", cells.join(" | ")).expect("a string takes all");
}

pub(crate) fn size(size: u64) -> String {
    let digits = size.to_string();
    let groups = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

fn microseconds(nanoseconds: f64) -> String {
    match nanoseconds {
        ..1e3 => format!("{:.3}", nanoseconds / 1e3),
        1e3..1e5 => format!("{:.1}", nanoseconds / 1e3),
        _ => size(integer(nanoseconds / 1e3)),
    }
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "of a positive time"
)]
fn integer(time: f64) -> u64 {
    time.round() as u64
}
