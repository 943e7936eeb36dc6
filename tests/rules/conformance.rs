//! Every built-in rule set against what its system answers, at run time.
//!
//! `tests/rules/systems` says which files speak of which rule set. Run with `--nocapture` to see the counts.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{LITERALS, Oracle, Row, group, grouped, operand_in};
use crate::systems::{Answer, Answers, Asks, Case, Question, SYSTEMS, Safety, System};
use supremum::{
    Class, DType, F64, I32, I64, Kind, Loss, OpenVino, OpenVinoScalar, OperandType, Operation,
    Promotion, RuleSet, Rules, U64, Verdict,
};

/// The outcome of the rows of one entry.
#[derive(Default)]
struct Tally {
    rows: usize,
    agree: usize,
    outside: BTreeMap<&'static str, usize>,
    deviations: BTreeMap<&'static str, usize>,
    mismatches: Vec<String>,
}

type Pairs = BTreeSet<[String; 2]>;

/// Compares every row; `asked` collects the pairs of promotions.
fn compare(rules: &RuleSet, answers: &Answers, asked: &mut Pairs) -> Tally {
    let mut tally = Tally::default();
    let oracle = Oracle::read(answers.file);
    let of_this_system = |row: &Row<'_>| {
        let mut only = answers.only.iter();
        only.all(|(column, value)| row.get(column) == *value)
    };
    for row in oracle.rows().filter(of_this_system) {
        tally.rows += 1;
        if let Err(reason) = compare_row(rules, answers, row, &mut tally, asked) {
            *tally.outside.entry(reason).or_default() += 1;
        }
    }
    tally
}

/// Compares a row, or says why it lies outside what the library has.
fn compare_row(
    rules: &RuleSet,
    answers: &Answers,
    row: Row<'_>,
    tally: &mut Tally,
    asked: &mut Pairs,
) -> Result<(), &'static str> {
    let columns = answers.operands.iter();
    let read: Vec<_> = columns
        .map(|column| operand_in(row, column, rules))
        .collect::<Result<_, _>>()?;
    let operands: Vec<OperandType> = read.iter().map(|(operand, _)| *operand).collect();
    let literals: Vec<bool> = read.iter().map(|(_, literal)| *literal).collect();
    let operation = if row.has("op") { row.get("op") } else { "" };
    let Question { asks, safe, answer } = answers.question;
    let asked_of = if safe {
        *rules
    } else {
        rules.allowing_unsafe()
    };
    let promotion = |found: Result<Promotion, _>| found.ok().map(Promotion::operand);
    let found = match (asks, &operands[..]) {
        (Asks::Promotion, [lhs, rhs]) => promotion(asked_of.safe_promote(*lhs, *rhs)),
        (Asks::Sum, [lhs, rhs]) => promotion(asked_of.binary(Operation::Add, *lhs, *rhs)),
        (Asks::Operation, [lhs, rhs]) => promotion(asked_of.binary(group(operation)?, *lhs, *rhs)),
        (Asks::Operation, [operand]) => rules.operation(group(operation)?, *operand).ok(),
        _ => panic!(
            "{}: no question to {} operands",
            answers.file,
            operands.len()
        ),
    };
    let expected = match answer {
        Answer::Starred(column) | Answer::Bare(column) => row.get(column).to_owned(),
        Answer::Flagged(column, flag) => match row.get(flag) {
            "1" => format!("{}*", row.get(column)),
            _ => row.get(column).to_owned(),
        },
    };
    if expected.is_empty() {
        return Err("not in this system");
    }
    if let [lhs, rhs] = &operands[..] {
        asked.insert([lhs, rhs].map(ToString::to_string));
    }
    let found = match (found, answer) {
        (None, _) => "error".to_owned(),
        (Some(operand), Answer::Bare(_)) => operand.dtype.to_string(),
        (Some(operand), _) => operand.to_string(),
    };
    if found == expected {
        tally.agree += 1;
        return Ok(());
    }
    let case = Case {
        operation,
        operands: &operands,
        literals: &literals,
        expected: &expected,
        found: &found,
    };
    let mut deviations = answers.deviations.iter();
    match deviations.find(|(deviation, _)| (deviation.explains)(&case)) {
        Some((deviation, _)) => *tally.deviations.entry(deviation.reason).or_default() += 1,
        None => {
            let shown: Vec<_> = operands.iter().map(ToString::to_string).collect();
            tally.mismatches.push(format!(
                "{operation}({}): the system gives {expected}, the rules give {found}",
                shown.join(", ")
            ));
        }
    }
    Ok(())
}

impl Tally {
    /// Prints a line of the table, and what the numbers consist of.
    fn print(&self, system: &System, answers: &Answers) {
        let Self {
            rows,
            agree,
            outside,
            deviations,
            mismatches,
        } = self;
        let sum = |of: &BTreeMap<_, usize>| of.values().sum::<usize>();
        println!(
            "{:28} {rows:5} {agree:5} {:7} {:10} {:10}  {}",
            system.title,
            sum(outside),
            sum(deviations),
            mismatches.len(),
            answers.title()
        );
        for (what, of) in [("outside", outside), ("deviating", deviations)] {
            for (reason, count) in of {
                println!("{:28}   {count} {what}: {reason}", "");
            }
        }
    }

    /// Returns the rows that are not as the entry says.
    fn faults(&self, system: &System, answers: &Answers) -> Vec<String> {
        let at = format!("{}, {}", system.title, answers.title());
        let mut faults = self.mismatches.clone();
        let listed = answers.deviations.iter();
        let listed: BTreeMap<_, _> = listed
            .map(|(deviation, count)| (deviation.reason, *count))
            .collect();
        if listed != self.deviations {
            let found = &self.deviations;
            faults.push(format!("deviations listed {listed:?}, found {found:?}"));
        }
        if answers.agree != self.agree {
            let (listed, found) = (answers.agree, self.agree);
            faults.push(format!("rows that agree: listed {listed}, found {found}"));
        }
        faults
            .iter()
            .map(|fault| format!("{at}: {fault}"))
            .collect()
    }
}

impl Answers {
    /// The file, the column that answers, and which rows.
    fn title(&self) -> String {
        let (Answer::Starred(column) | Answer::Flagged(column, _) | Answer::Bare(column)) =
            self.question.answer;
        let only = self.only.iter();
        let only: String = only
            .map(|(name, value)| format!(", {name} {value}"))
            .collect();
        format!("{} {column}{only}", self.file)
    }
}

#[test]
fn every_rule_set_answers_as_its_system() {
    let mut faults = Vec::new();
    let (mut agreeing, mut deviating) = (0, 0);
    println!(
        "{:28} {:>5} {:>5} {:>7} {:>10} {:>10}  file, column, rows",
        "rule set", "rows", "agree", "outside", "deviations", "mismatches"
    );
    for system in SYSTEMS {
        let rules = (system.rules)();
        let mut asked = Pairs::new();
        for answers in system.answers {
            let tally = compare(rules, answers, &mut asked);
            tally.print(system, answers);
            agreeing += tally.agree;
            deviating += tally.deviations.values().sum::<usize>();
            faults.extend(tally.faults(system, answers));
        }
        faults.extend(check_pairs(system, &asked));
    }
    let count = faults.len();
    assert!(faults.is_empty(), "{count} faults\n{}", faults.join("\n"));
    let readme = include_str!("../../README.md");
    for total in [agreeing + deviating, agreeing, deviating].map(grouped) {
        assert!(
            readme.contains(&total),
            "README.md says how many answers there are: {total}"
        );
    }
}

/// Every operand of a table.
fn operands() -> impl Iterator<Item = OperandType> + Clone {
    let classes = [
        OperandType::dimensioned,
        OperandType::zero_dim,
        OperandType::weak,
    ];
    classes
        .into_iter()
        .flat_map(|class| DType::ALL.iter().map(move |dtype| class(*dtype)))
}

/// Returns the effect of a promotion on values, from the loss of each conversion.
fn judged(operands: [OperandType; 2], to: DType) -> Verdict {
    let strong = operands
        .into_iter()
        .filter(|operand| operand.class != Class::Weak);
    let first = |loss| {
        strong
            .clone()
            .map(|operand| operand.dtype)
            .find(|dtype| dtype.loss_to(to) == loss)
    };
    match (first(Loss::Range), first(Loss::Precision)) {
        (Some(dtype), _) => Verdict::LosesRange(dtype),
        (None, Some(dtype)) => Verdict::LosesPrecision(dtype),
        (None, None) => Verdict::Lossless,
    }
}

/// Checks all pairs of the table: the two ways to ask, verdicts, ranks; and that a file answers for
/// them.
fn check_pairs(system: &System, asked: &Pairs) -> Option<String> {
    let rules = (system.rules)();
    let permissive = rules.allowing_unsafe();
    let literals = LITERALS.map(|kind| rules.literal(kind));
    let (mut defined, mut safe, mut derived, mut unpublished) = (0, 0, 0, Vec::new());
    for lhs in operands() {
        for rhs in operands() {
            let pair = [lhs, rhs];
            let accepted = rules.safe_promote(lhs, rhs);
            let Ok(promotion) = rules.promote(lhs, rhs) else {
                assert!(accepted.is_err() && permissive.safe_promote(lhs, rhs).is_err());
                continue;
            };
            assert_eq!(accepted.is_ok(), promotion.verdict.is_safe());
            assert_eq!(permissive.safe_promote(lhs, rhs), Ok(promotion));
            let of_values = matches!(
                promotion.verdict,
                Verdict::Lossless | Verdict::LosesPrecision(_) | Verdict::LosesRange(_)
            );
            if of_values || system.safety == Safety::Values {
                let expected = judged(pair, promotion.dtype);
                assert_eq!(promotion.verdict, expected, "{} {lhs} {rhs}", system.title);
            }
            let zero_dim = pair.iter().any(|operand| operand.class == Class::ZeroDim);
            if zero_dim && !rules.looks_at_rank() {
                let [lhs, rhs] = pair.map(|operand| match operand.class {
                    Class::ZeroDim => OperandType::dimensioned(operand.dtype),
                    _ => operand,
                });
                assert_eq!(rules.promote(lhs, rhs), Ok(promotion));
                continue;
            }
            defined += 1;
            safe += usize::from(accepted.is_ok());
            let answered = asked.contains(&pair.map(|operand| operand.to_string()));
            let weak_array =
                |operand: &OperandType| operand.class == Class::Weak && !literals.contains(operand);
            if pair.iter().any(weak_array) {
                derived += usize::from(!answered);
            } else if !answered {
                unpublished.push(format!("{lhs} with {rhs}"));
            }
        }
    }
    println!(
        "{:28} {defined} pairs defined, {safe} safe; in no file {} and {derived} of weak operands that are not literals",
        "",
        unpublished.len()
    );
    let (found, listed) = (unpublished.len(), system.unpublished);
    (found != listed).then(|| {
        let title = system.title;
        format!("{title}: pairs in no file: listed {listed}, found {found}: {unpublished:?}")
    })
}

/// The reasons of OpenVINO, by the code in its file, and those of the rules.
const REASONS: &[(&str, &str, usize)] = &[
    (
        "E1",
        "the float has under twice the bits of the integer",
        544,
    ),
    (
        "E2",
        "a signed scalar in an unsigned tensor loses its sign",
        32,
    ),
    ("E2", "the scalar has too many bits for the tensor", 56),
    (
        "E3",
        "bit widening: no operand is as wide as the result",
        72,
    ),
    ("E3", "no signed integer holds every u64", 48),
    ("E4", "two floats of one width meet in a wider one", 24),
];

#[test]
fn openvino_refuses_for_the_reasons_that_it_names() {
    let mut found: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for row in Oracle::read("openvino_convert_promote_types.csv").rows() {
        let name = match row.get("pytorch_scalar_promotion") {
            "0" => "openvino",
            _ => "openvino-scalar",
        };
        let rules = RuleSet::named(name).expect("a rule set");
        let operands = ["lhs", "rhs"].map(|column| operand_in(row, column, rules));
        let [Ok((lhs, _)), Ok((rhs, _))] = operands else {
            continue;
        };
        if row.get("promote_unsafe") == "1" || row.get("out") != "error" {
            continue;
        }
        let reason = match rules.promote(lhs, rhs).map(|promotion| promotion.verdict) {
            Ok(Verdict::Refused(reason)) => reason,
            _ => "no reason",
        };
        *found
            .entry((row.get("error").to_owned(), reason))
            .or_default() += 1;
    }
    let found: Vec<_> = found
        .iter()
        .map(|((code, reason), count)| (code.as_str(), *reason, *count))
        .collect();
    assert_eq!(found, REASONS);
}

#[test]
fn the_target_of_u64_decides_nothing_else() {
    let rule_sets = [
        (OpenVino::<F64>::rule_set(), <OpenVino>::rule_set()),
        (OpenVino::<I64>::rule_set(), <OpenVino>::rule_set()),
        (
            OpenVinoScalar::<U64>::rule_set(),
            <OpenVinoScalar>::rule_set(),
        ),
        (
            OpenVinoScalar::<I32>::rule_set(),
            <OpenVinoScalar>::rule_set(),
        ),
    ];
    for (other, default) in rule_sets {
        let diff = default.diff(other);
        assert!(!diff.is_empty());
        for difference in diff {
            let kinds = [difference.lhs, difference.rhs]
                .map(|argument| argument.operand_type(default).dtype);
            let u64 = kinds.contains(&DType::U64);
            let signed = kinds.iter().any(|dtype| dtype.kind() == Kind::Signed);
            assert!(u64 && signed, "{} with {}", difference.lhs, difference.rhs);
        }
    }
}

#[test]
fn every_rule_set_is_compared() {
    let titles: Vec<_> = SYSTEMS.iter().map(|system| system.title).collect();
    for rules in RuleSet::builtin() {
        assert!(
            titles.contains(&rules.name()),
            "no entry for {}",
            rules.name()
        );
    }
    for system in SYSTEMS {
        assert!(system.title.starts_with((system.rules)().name()));
    }
}
