//! The bars: our times beside loops by hand, our other ways and other libraries.

use super::{Case, LARGE, Report, of};
use crate::results::{Row, alone};

/// The time that a time is compared with.
struct Against<'a> {
    who: String,
    isa: &'a str,
    threads: u64,
    nanoseconds: f64,
}

/// A bar, and the ratio of each case to it.
pub(super) struct Bar {
    pub(super) title: &'static str,
    pub(super) text: String,
    /// The heading of the column with the times that ours are compared with.
    pub(super) against: &'static str,
    pub(super) lines: Vec<Line>,
}

pub(super) struct Line {
    pub(super) case: Case,
    pub(super) isa: String,
    pub(super) threads: u64,
    pub(super) way: &'static str,
    pub(super) against: String,
    pub(super) limit: f64,
    pub(super) ours: f64,
    /// The greatest ratio of our time to the limit, and the nanoseconds that are allowed above it.
    pub(super) most: f64,
    pub(super) granted: f64,
}

impl Line {
    pub(super) fn ratio(&self) -> f64 {
        self.ours / self.limit
    }

    pub(super) fn is_met(&self) -> bool {
        self.ours <= self.most * self.limit + self.granted
    }
}

impl Report {
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

    pub(super) fn bars(&self) -> Vec<Bar> {
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
                   The loops of W19 have an `exp` with fewer operations than ours, and that of W29 takes no NaN."
                .into(),
            against: "by hand, or W1",
            lines: self.expressions(),
        });
        let mut same = self.lines("into", "same", 1.15, |case| case.case == "exp(x - max)");
        same.extend(self.lines("fused", "same", 1.15, |case| case.case != "exp(x - max)"));
        bars.push(Bar {
            title: "7. Expressions beside loops with the same arithmetic",
            text: "The loops by hand of W18 and W19 with the library's arithmetic: sums of `f16` in `f64`, and an `exp` that keeps what \
                   rounding cuts off. Their results are the same. At most 1.15 of them."
                .into(),
            against: "by hand",
            lines: same,
        });
        bars.push(Bar {
            title: "7. Broadcasts and reductions beside eager operators",
            text: "`fuse!` never slower than the eager operations (1.05 is granted for noise)."
                .into(),
            against: "eager",
            lines: self.lines("fused", "eager", 1.05, is_expression),
        });
        bars.push(Bar {
            title: "8. Operations of models",
            text: "Softmax (W23), attention (W24), layer norm (W25, W27) and gathers of rows (W26) with new results, at most \
                   1.3 of the faster of a loop by hand, for gathers a copy, and the best other library."
                .into(),
            against: "other",
            lines: self.models(),
        });
        bars
    }

    /// Operations of models beside loops by hand, copies and other libraries.
    fn models(&self) -> Vec<Line> {
        let cases = self.cases.iter().filter(|case| {
            ["W23", "W24", "W25", "W26", "W27"].contains(&&case.workload[..])
                && !(case.size == 8 || case.case.starts_with("softmax in"))
        });
        let line = |case: &Case| {
            let by_hand = if case.workload == "W26" {
                self.time(case, "copy", &self.best, 1)
                    .map(|time| (time, "copy".into()))
            } else {
                self.limit(case).map(|time| (time, "limit".into()))
            };
            let peer = self.best_peer(case, "fresh", 1);
            let peer = peer.map(|peer| (peer.least, format!("{} ({})", peer.who, peer.isa)));
            let others = by_hand.into_iter().chain(peer);
            let (nanoseconds, who) = others.min_by(|a, b| a.0.total_cmp(&b.0))?;
            let (ours, way) = self.fresh(case, 1)?;
            let against = Against {
                who,
                isa: &self.best,
                threads: 1,
                nanoseconds,
            };
            self.line(case, way, Some(ours), 1.3, against)
        };
        cases.filter_map(line).collect()
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
}

/// Returns whether it broadcasts operands or reduces what an expression gives.
fn is_expression(case: &Case) -> bool {
    ["W7", "W15", "W16", "W17", "W18", "W19", "W29"].contains(&&case.workload[..])
}
