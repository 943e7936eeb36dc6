//! The program: runs one process for each instruction set and number of threads, and writes the results.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rayon_core::ThreadPoolBuilder;

use crate::hand::Isa;
use crate::plot;
use crate::report::Report;
use crate::results::Results;
use crate::timing::Effort;
use crate::workloads::Bench;

/// The environment variable with the number of threads, for the processes that measure.
const THREADS: &str = "RAYON_NUM_THREADS";

/// The arguments of the program.
struct Arguments {
    quick: bool,
    only: Option<String>,
    report: bool,
    /// The instruction set, in a process that measures.
    isa: Option<Isa>,
}

impl Arguments {
    fn new() -> Self {
        let mut arguments = Self {
            quick: false,
            only: None,
            report: false,
            isa: None,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match &word[..] {
                "--quick" => arguments.quick = true,
                "--report" => arguments.report = true,
                "--only" => arguments.only = words.next(),
                "--isa" => {
                    let name = words.next();
                    arguments.isa = Isa::ALL
                        .into_iter()
                        .find(|isa| name.as_deref() == Some(isa.name()));
                }
                "--bench" => {} // from cargo
                _ => panic!("{word} is not an argument: see the head of benches/speed/main.rs"),
            }
        }
        arguments
    }
}

pub(crate) fn main() {
    let arguments = Arguments::new();
    if let Some(isa) = arguments.isa {
        print!("{}", measure(&arguments, isa).to_json());
        return;
    }
    let kept = folder().join("results/supremum.json");
    if !arguments.report {
        let results = measure_all(&arguments);
        if arguments.only.is_some() {
            print(&results);
            return;
        }
        std::fs::create_dir_all(folder().join("results")).expect("a folder for results");
        std::fs::write(&kept, results.to_json()).expect("a file for results");
    }
    write_report(&kept);
}

/// Writes the report from all results in the folder.
fn write_report(ours: &Path) {
    let ours = Results::read(ours).expect("results of this program: run it without --report first");
    let peers = ["rust", "python"].map(|name| folder().join(format!("results/{name}.json")));
    let report = Report::new(
        ours,
        peers
            .iter()
            .filter_map(|path| Results::read(path))
            .collect(),
    );
    write_between_marks("RESULTS.md", &report.to_markdown());
    write_between_marks("../docs/speed.md", &report.summary());
    std::fs::write(folder().join("../docs/speed.svg"), plot::svg(&report))
        .expect("a file for the plot");
}

/// Replaces the generated part of a page; the rest of the page is written by hand.
fn write_between_marks(name: &str, tables: &str) {
    let path = folder().join(name);
    let text = std::fs::read_to_string(&path).expect("the page");
    let around = text
        .split_once(BEGIN)
        .and_then(|(head, rest)| Some((head, rest.split_once(END)?.1)));
    let (head, tail) = around.expect("the marks between which the tables stand");
    let text = format!("{head}{BEGIN}\n\n{tables}\n{END}{tail}");
    std::fs::write(path, text).expect("a file for the tables");
}

/// The marks around the generated part of a page.
const BEGIN: &str = "<!-- written by benches/speed -->";
const END: &str = "<!-- until here -->";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches")
}

/// In a process of its own.
fn measure(arguments: &Arguments, isa: Isa) -> Results {
    let threads = std::env::var(THREADS)
        .ok()
        .and_then(|threads| threads.parse().ok());
    let threads = threads.unwrap_or(1);
    let one = || ThreadPoolBuilder::new().num_threads(1).build();
    let mut bench = Bench {
        effort: if arguments.quick {
            Effort::QUICK
        } else {
            Effort::FULL
        },
        isa,
        threads,
        places: match threads {
            1 => vec![None],
            _ => vec![None, Some(one().expect("a thread"))],
        },
        only: arguments
            .only
            .iter()
            .flat_map(|only| only.split(','))
            .map(String::from)
            .collect(),
        rows: Vec::new(),
    };
    bench.all();
    Results {
        about: Vec::new(),
        rows: bench.rows,
    }
}

/// Both instruction sets on one thread, the better one on two.
fn measure_all(arguments: &Arguments) -> Results {
    let mut all = Results {
        about: about(),
        rows: Vec::new(),
    };
    let levels: Vec<Isa> = Isa::ALL.into_iter().filter(|isa| isa.is_there()).collect();
    let best = *levels.first().expect("a processor with AVX2");
    let runs = levels.iter().map(|&isa| (isa, 1)).chain([(best, 2)]);
    for (isa, threads) in runs {
        eprintln!("{}, threads: {threads}", isa.name());
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--isa", isa.name()]);
        if arguments.quick {
            command.arg("--quick");
        }
        if let Some(only) = &arguments.only {
            command.args(["--only", only]);
        }
        command
            .env("SUPREMUM_ISA", isa.name())
            .env(THREADS, threads.to_string());
        let output = command
            .stderr(Stdio::inherit())
            .output()
            .expect("a process");
        assert!(output.status.success(), "the measurements failed");
        let parsed = serde_json::from_slice(&output.stdout).ok();
        all.rows.extend(
            parsed
                .and_then(|value| Results::parse(&value))
                .expect("results")
                .rows,
        );
    }
    all
}

/// The machine and the compiler.
fn about() -> Vec<String> {
    let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |key: &str| {
        let line = processor.lines().find(|line| line.starts_with(key));
        line.and_then(|line| line.split_once(": "))
            .map_or("?", |(_, value)| value)
            .to_owned()
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let rustc = Command::new("rustc").arg("--version").output();
    let rustc = rustc.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    vec![
        format!(
            "{}, family {}, model {}, {threads} processors",
            value("model name"),
            value("cpu family"),
            value("model\t")
        ),
        rustc.unwrap_or_default(),
    ]
}

/// A line for each case, with the time of each way.
fn print(results: &Results) {
    let mut last = None;
    for row in &results.rows {
        let case = (&row.isa, row.threads, &row.workload, &row.case, row.size);
        if last.replace(case) != Some(case) {
            print!(
                "\n{} {} {} {} {}:",
                row.workload, row.case, row.size, row.isa, row.threads
            );
        }
        print!(" {} {:.3}", row.way, row.least / 1e3);
    }
    println!(" (microseconds)");
}
