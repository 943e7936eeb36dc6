//! The report: one table for each bar, and all times.

use std::fmt::Write;

use crate::results::{Results, Row, alone};

/// At and above this size outputs are larger than all caches.
const LARGE: u64 = 1 << 24;

/// The measurements of all programs.
pub(crate) struct Report {
    ours: Vec<Row>,
    peers: Vec<Row>,
    about: Vec<String>,
    /// The best instruction set that was measured.
    best: String,
    /// The workloads with their sizes, in order.
    cases: Vec<Case>,
}

#[derive(Clone, PartialEq)]
pub(crate) struct Case {
    pub(crate) workload: String,
    pub(crate) case: String,
    pub(crate) size: u64,
}

/// The time that a time is compared with.
struct Against<'a> {
    who: String,
    isa: &'a str,
    threads: u64,
    nanoseconds: f64,
}

/// A bar, and the ratio of each case to it.
struct Bar {
    title: &'static str,
    text: String,
    /// The heading of the column with the times that ours are compared with.
    against: &'static str,
    lines: Vec<Line>,
}

struct Line {
    case: Case,
    isa: String,
    threads: u64,
    way: &'static str,
    against: String,
    limit: f64,
    ours: f64,
    /// The greatest ratio of our time to the limit, and the nanoseconds that are allowed above it.
    most: f64,
    granted: f64,
}

impl Line {
    fn ratio(&self) -> f64 {
        self.ours / self.limit
    }

    fn is_met(&self) -> bool {
        self.ours <= self.most * self.limit + self.granted
    }
}

impl Report {
    pub(crate) fn new(ours: Results, peers: Vec<Results>) -> Self {
        let mut cases = Vec::new();
        for row in &ours.rows {
            let case = Case {
                workload: row.workload.clone(),
                case: row.case.clone(),
                size: row.size,
            };
            if !cases.contains(&case) {
                cases.push(case);
            }
        }
        let number = |case: &Case| case.workload[1..].parse::<u32>().unwrap_or(0);
        cases.sort_by(|a, b| (number(a), &a.case, a.size).cmp(&(number(b), &b.case, b.size)));
        let mut about = ours.about;
        let best = ours
            .rows
            .iter()
            .map(|row| row.isa.clone())
            .max()
            .unwrap_or_default();
        let mut rows = Vec::new();
        for peer in peers {
            about.extend(peer.about);
            rows.extend(peer.rows);
        }
        Self {
            ours: ours.rows,
            peers: rows,
            about,
            best,
            cases,
        }
    }

    /// The minimum time of one of our ways, or of a loop by hand.
    fn time(&self, case: &Case, way: &str, isa: &str, threads: u64) -> Option<f64> {
        let is_it = |row: &&Row| {
            row.way == way && row.isa == isa && row.threads == threads && of(row, case)
        };
        self.ours.iter().find(is_it).map(|row| row.least)
    }

    /// The limit: the faster of both loops by hand.
    pub(crate) fn limit(&self, case: &Case) -> Option<f64> {
        self.limit_on(case, &self.best)
    }

    fn limit_on(&self, case: &Case, isa: &str) -> Option<f64> {
        let times = ["limit", "streamed"].map(|way| self.time(case, way, isa, 1));
        times.into_iter().flatten().min_by(f64::total_cmp)
    }

    /// The faster of both ways to a new result.
    pub(crate) fn fresh(&self, case: &Case, threads: u64) -> Option<(f64, &'static str)> {
        let times = ["eager", "fused"].map(|way| (self.time(case, way, &self.best, threads), way));
        times
            .into_iter()
            .filter_map(|(time, way)| Some((time?, way)))
            .min_by(|a, b| a.0.total_cmp(&b.0))
    }

    pub(crate) fn into(&self, case: &Case) -> Option<f64> {
        self.time(case, "into", &self.best, 1)
    }

    pub(crate) fn best_peer(&self, case: &Case, way: &str, threads: u64) -> Option<&Row> {
        let is_it = |row: &&Row| row.way == way && row.threads == threads && of(row, case);
        self.peers
            .iter()
            .filter(is_it)
            .min_by(|a, b| a.least.total_cmp(&b.least))
    }

    pub(crate) fn cases(&self) -> &[Case] {
        &self.cases
    }

    fn isas(&self) -> Vec<String> {
        let mut isas: Vec<String> = self.ours.iter().map(|row| row.isa.clone()).collect();
        isas.sort();
        isas.dedup();
        isas.reverse();
        isas
    }

    fn line(
        &self,
        case: &Case,
        way: &'static str,
        ours: Option<f64>,
        most: f64,
        against: Against,
    ) -> Option<Line> {
        let Against {
            who,
            isa,
            threads,
            nanoseconds: limit,
        } = against;
        let (case, isa) = (case.clone(), isa.to_owned());
        Some(Line {
            case,
            isa,
            threads,
            way,
            against: who,
            limit,
            ours: ours?,
            most,
            granted: 0.0,
        })
    }

    /// Lines for the cases that have both times: one of our ways against another, or against a loop by hand.
    fn lines(
        &self,
        way: &'static str,
        against: &str,
        most: f64,
        wants: impl Fn(&Case) -> bool,
    ) -> Vec<Line> {
        let mut lines = Vec::new();
        for isa in self.isas() {
            for case in self.cases.iter().filter(|case| wants(case)) {
                lines.extend(self.time(case, against, &isa, 1).and_then(|nanoseconds| {
                    let against = Against {
                        who: against.into(),
                        isa: &isa,
                        threads: 1,
                        nanoseconds,
                    };
                    self.line(case, way, self.time(case, way, &isa, 1), most, against)
                }));
            }
        }
        lines
    }

    fn bars(&self) -> Vec<Bar> {
        let one_operation =
            |case: &Case| ["W1", "W2", "W4", "W6", "W12"].contains(&&case.workload[..]);
        let in_cache = |case: &Case| matches!(case.size, 8_192 | 65_536);
        let among = |names: &[&str], case: &Case| names.contains(&&case.workload[..]);
        let mut bars = vec![
            Bar {
                title: "1. `fuse!` in the caches",
                text: "Into an output that is there, at most 1.1 of the loop by hand for the same instruction set.".into(),
                against: "by hand",
                lines: self.lines("into", "limit", 1.1, |case| {
                    in_cache(case) && among(&["W1", "W2", "W3", "W4", "W5", "W6", "W8", "W13", "W14"], case)
                }),
            },
            Bar {
                title: "1. `fuse!` in memory",
                text: "Into an output that is there, at most 1.15 of the loop by hand whose stores go past the caches.".into(),
                against: "by hand",
                lines: self.lines("into", "streamed", 1.15, |case| {
                    among(&["W1", "W2", "W3", "W4", "W5", "W6", "W12"], case)
                }),
            },
            Bar {
                title: "Limits of the others",
                text: "W8, W9 and W11 within 1.3 of the faster loop by hand: into an output, or a new result \
                       where there is no output."
                    .into(),
                against: "by hand",
                lines: self.others(),
            },
        ];
        let mut eager = self.lines("eager", "fused", 1.25, |case| {
            one_operation(case) && case.size > 8
        });
        eager.splice(0..0, self.smallest());
        bars.push(Bar {
            title: "2. Eager operators",
            text: "At 8 elements no slower than ndarray's operators, from 8,192 up at most 1.25 of `fuse!`.".into(),
            against: "other",
            lines: eager,
        });
        bars.push(Bar {
            title: "3. Recycled outputs",
            text: "Eager operations with new results at most 1.2 of writing into an output that is there.".into(),
            against: "into",
            lines: self.lines("eager", "into", 1.2, |case| one_operation(case) && case.size == LARGE),
        });
        bars.push(Bar {
            title: "4. Other libraries, new results",
            text: "Ahead of the best of all, as their users write it.".into(),
            against: "peer",
            lines: self.against_peers(),
        });
        bars.push(Bar {
            title: "4. JAX with a donated output",
            text: "Ahead of it, into an output that is there.".into(),
            against: "JAX",
            lines: self.against_donated(),
        });
        bars.push(Bar {
            title: "4. Matrix products",
            text: "At most 1.05 of the crate `gemm`; products of small floats are widened for it."
                .into(),
            against: "gemm",
            lines: self.lines("eager", "limit", 1.05, |case| case.workload == "W10"),
        });
        bars.push(Bar {
            title: "5. Two threads",
            text: "At least 1.8 times as fast where computing is the cost (W8 at 16,777,216, W10 at 1,024), never \
                   slower (1.05 is granted for noise). Both take turns in one process."
                .into(),
            against: "one thread",
            lines: self.two_threads(),
        });
        let mut dynamic = self.lines("dynamic", "eager", 1.05, |_| true);
        for line in dynamic.iter_mut().filter(|line| line.case.size == 8) {
            (line.most, line.granted) = (1.0, 60.0);
        }
        bars.push(Bar {
            title: "6. Dynamic tensors",
            text: "At most 1.05 of the typed operators from 8,192 elements up, at most 60 ns more at 8.".into(),
            against: "eager",
            lines: dynamic,
        });
        bars.push(Bar {
            title: "7. Broadcasts and reductions of expressions",
            text: "From 8,192 elements up at most 1.15 of the faster loop by hand, into an output, or a new result where \
                   there is no output. At 8 at most three times as long as the eager `f32 + f32` of 8 elements (W1). \
                   The loops of W19 have an `exp` of `f32`, ours is computed in `f64` and rounded once."
                .into(),
            against: "by hand, or W1",
            lines: self.expressions(),
        });
        bars.push(Bar {
            title: "7. Broadcasts and reductions beside eager operators",
            text: "`fuse!` never slower than the eager operations (1.05 is granted for noise)."
                .into(),
            against: "eager",
            lines: self.lines("fused", "eager", 1.05, is_expression),
        });
        bars
    }

    /// Broadcasts and reductions of expressions beside loops by hand, and at 8 elements beside an addition.
    fn expressions(&self) -> Vec<Line> {
        let addition = self
            .cases
            .iter()
            .find(|case| case.workload == "W1" && case.size == 8);
        let line = |case: &Case, isa: &str| {
            let small = case.size == 8;
            let into = self.time(case, "into", isa, 1).filter(|_| !small);
            let (ours, way) = into.map(|time| (time, "into")).or_else(|| {
                let fused = self.time(case, "fused", isa, 1)?;
                Some((fused, "fused"))
            })?;
            let (who, most, nanoseconds) = if small {
                ("W1", 3.0, self.time(addition?, "eager", isa, 1)?)
            } else {
                ("limit", 1.15, self.limit_on(case, isa)?)
            };
            let against = Against {
                who: who.into(),
                isa,
                threads: 1,
                nanoseconds,
            };
            self.line(case, way, Some(ours), most, against)
        };
        let mut lines = Vec::new();
        for isa in self.isas() {
            let cases = self.cases.iter().filter(|case| is_expression(case));
            lines.extend(cases.filter_map(|case| line(case, &isa)));
        }
        lines
    }

    fn others(&self) -> Vec<Line> {
        let cases = self
            .cases
            .iter()
            .filter(|case| ["W8", "W9", "W11"].contains(&&case.workload[..]) && case.size > 8);
        let line = |case: &Case| {
            let fresh = self.fresh(case, 1);
            let (ours, way) = self.into(case).map(|time| (time, "into")).or(fresh)?;
            let nanoseconds = self.limit(case)?;
            let against = Against {
                who: "limit".into(),
                isa: &self.best,
                threads: 1,
                nanoseconds,
            };
            self.line(case, way, Some(ours), 1.3, against)
        };
        cases.filter_map(line).collect()
    }

    /// Eager operators on 8 elements beside ndarray's.
    fn smallest(&self) -> Option<Line> {
        let case = self
            .cases
            .iter()
            .find(|case| case.workload == "W1" && case.size == 8)?;
        let is_it = |row: &&Row| row.who == "ndarray" && row.way == "fresh" && of(row, case);
        let peer = self
            .peers
            .iter()
            .filter(is_it)
            .min_by(|a, b| a.least.total_cmp(&b.least))?;
        let against = Against {
            who: "ndarray".into(),
            isa: &self.best,
            threads: 1,
            nanoseconds: peer.least,
        };
        self.line(
            case,
            "eager",
            self.time(case, "eager", &self.best, 1),
            1.0,
            against,
        )
    }

    fn against_peers(&self) -> Vec<Line> {
        let line = |(case, threads): (&Case, u64)| {
            let peer = self.best_peer(case, "fresh", threads)?;
            let (ours, way) = self.fresh(case, threads)?;
            let who = format!("{} ({})", peer.who, peer.isa);
            let against = Against {
                who,
                isa: &self.best,
                threads,
                nanoseconds: peer.least,
            };
            self.line(case, way, Some(ours), 1.0, against)
        };
        [1, 2]
            .into_iter()
            .flat_map(|threads| self.cases.iter().map(move |case| (case, threads)))
            .filter_map(line)
            .collect()
    }

    fn against_donated(&self) -> Vec<Line> {
        let line = |(case, threads): (&Case, u64)| {
            let is_it = |row: &&Row| {
                row.who == "jax" && row.way == "into" && row.threads == threads && of(row, case)
            };
            let peer = self.peers.iter().find(is_it)?;
            let against = Against {
                who: "jax".into(),
                isa: &self.best,
                threads,
                nanoseconds: peer.least,
            };
            self.line(
                case,
                "into",
                self.time(case, "into", &self.best, threads),
                1.0,
                against,
            )
        };
        [1, 2]
            .into_iter()
            .flat_map(|threads| self.cases.iter().map(move |case| (case, threads)))
            .filter_map(line)
            .collect()
    }

    fn two_threads(&self) -> Vec<Line> {
        let line = |case: &Case| {
            let way = if self.into(case).is_some() {
                "into"
            } else {
                "eager"
            };
            let nanoseconds = self.time(case, &alone(way), &self.best, 2)?;
            let computes = matches!(
                (&case.workload[..], case.size),
                ("W8", LARGE) | ("W10", 1_024)
            );
            let most = if computes { 1.0 / 1.8 } else { 1.05 };
            let against = Against {
                who: "one thread".into(),
                isa: &self.best,
                threads: 2,
                nanoseconds,
            };
            self.line(
                case,
                way,
                self.time(case, way, &self.best, 2),
                most,
                against,
            )
        };
        self.cases.iter().filter_map(line).collect()
    }

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

/// Returns whether it broadcasts operands or reduces what an expression gives.
fn is_expression(case: &Case) -> bool {
    ["W7", "W15", "W16", "W17", "W18", "W19"].contains(&&case.workload[..])
}

fn of(row: &Row, case: &Case) -> bool {
    row.size == case.size && row.workload == case.workload && row.case == case.case
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
