//! The report: one table for each bar, and all times.

mod bars;
pub(crate) mod markdown;

use crate::results::{Results, Row};

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
}

fn of(row: &Row, case: &Case) -> bool {
    row.size == case.size && row.workload == case.workload && row.case == case.case
}
