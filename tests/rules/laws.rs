//! Which laws hold under each built-in rule set, and where they break.
//!
//! `docs/laws.md` is written from what is measured here; to write it anew, run this test with
//! `SUPREMUM_BLESS=1`.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::common::{LITERALS, check_page, grouped};
use supremum::{Class, DType, Kind, OperandType, RuleSet};

/// Operands over which laws are measured.
struct Operands {
    shown: String,
    list: Vec<OperandType>,
}

/// The measures of a law over some operands.
#[derive(Debug, PartialEq, Eq)]
struct Counts {
    operands: usize,
    /// Pairs of two operands that give another result in the other order.
    asymmetric: usize,
    /// Operands that with themselves give something else.
    changed: usize,
    /// Triples of which `(a b) c` and `a (b c)` give two results.
    differ: usize,
    /// Triples of which only one of these gives a result.
    one_sided: usize,
    /// Either, if only safe promotions count.
    broken_if_safe: usize,
}

impl Counts {
    /// In the order of the fields.
    const fn new(
        operands: usize,
        asymmetric: usize,
        changed: usize,
        differ: usize,
        one_sided: usize,
        broken_if_safe: usize,
    ) -> Self {
        Self {
            operands,
            asymmetric,
            changed,
            differ,
            one_sided,
            broken_if_safe,
        }
    }
}

/// The operands of a rule set: its dtypes; with its literals; and with tensors of rank zero, if it
/// looks at rank. A dtype that has no promotion with itself is none of its operands.
fn operands(rules: &RuleSet) -> Vec<Operands> {
    let known = |operand: &OperandType| rules.promote(*operand, *operand).is_ok();
    let of = |class: fn(DType) -> OperandType| DType::ALL.iter().map(move |dtype| class(*dtype));
    let dtypes: Vec<_> = of(OperandType::dimensioned).filter(known).collect();
    let mut literals = Vec::new();
    for literal in LITERALS.map(|kind| rules.literal(kind)) {
        if known(&literal) && !dtypes.contains(&literal) && !literals.contains(&literal) {
            literals.push(literal);
        }
    }
    let count = dtypes.len();
    let mut all = vec![Operands {
        shown: format!("{count} dtypes"),
        list: dtypes.clone(),
    }];
    if !literals.is_empty() {
        all.push(Operands {
            shown: format!("and {} literals", literals.len()),
            list: [&dtypes[..], &literals].concat(),
        });
    }
    if rules.looks_at_rank() {
        let zero_dim: Vec<_> = of(OperandType::zero_dim).filter(known).collect();
        all.push(Operands {
            shown: format!("and {} of rank zero", zero_dim.len()),
            list: [&dtypes[..], &zero_dim, &literals].concat(),
        });
    }
    all
}

/// A result, as the operand of the next operation; `None` if there is none.
type Met = Option<OperandType>;

fn meet(rules: &RuleSet, lhs: Met, rhs: Met) -> Met {
    let (lhs, rhs) = (lhs?, rhs?);
    let promotion = rules.safe_promote(lhs, rhs).ok()?;
    let axes = [lhs, rhs]
        .iter()
        .any(|operand| operand.class == Class::Dimensioned);
    Some(match promotion.operand() {
        strong if strong.class == Class::Dimensioned && !axes => {
            OperandType::zero_dim(strong.dtype)
        }
        result => result,
    })
}

/// A triple that breaks associativity, and what `(a b) c` and `a (b c)` give.
type Broken = ([OperandType; 3], [Met; 2]);

fn one_sided((_, [left, right]): &Broken) -> bool {
    left.is_none() || right.is_none()
}

fn broken(rules: &RuleSet, list: &[OperandType]) -> Vec<Broken> {
    let mut broken = Vec::new();
    for a in list {
        for b in list {
            let left = meet(rules, Some(*a), Some(*b));
            for c in list {
                let right = meet(rules, Some(*b), Some(*c));
                let orders = [meet(rules, left, Some(*c)), meet(rules, Some(*a), right)];
                if orders[0] != orders[1] {
                    broken.push(([*a, *b, *c], orders));
                }
            }
        }
    }
    broken
}

fn counts(rules: &RuleSet, list: &[OperandType]) -> Counts {
    let all = rules.allowing_unsafe();
    let order_matters = |lhs: OperandType, rhs: OperandType| {
        meet(&all, Some(lhs), Some(rhs)) != meet(&all, Some(rhs), Some(lhs))
    };
    let after = |position: usize| &list[position + 1..];
    let pairs = list.iter().enumerate();
    let pairs = pairs.flat_map(|(position, lhs)| after(position).iter().map(move |rhs| (lhs, rhs)));
    let broken_of_all = broken(&all, list);
    let one_sided = broken_of_all
        .iter()
        .filter(|broken| one_sided(broken))
        .count();
    Counts {
        operands: list.len(),
        asymmetric: pairs
            .filter(|(lhs, rhs)| order_matters(**lhs, **rhs))
            .count(),
        changed: changed(rules, list).count(),
        differ: broken_of_all.len() - one_sided,
        one_sided,
        broken_if_safe: broken(rules, list).len(),
    }
}

/// The operands that with themselves give something else.
fn changed<'a>(rules: &RuleSet, list: &'a [OperandType]) -> impl Iterator<Item = &'a OperandType> {
    let all = rules.allowing_unsafe();
    list.iter()
        .filter(move |one| meet(&all, Some(**one), Some(**one)) != Some(**one))
}

/// The built-in rule sets, and what is known of each set of operands: how many there are, how many
/// break symmetry, idempotence, associativity with two results or one, and among safe promotions.
const KNOWN: &[(&str, &[Counts])] = &[
    (
        "jax",
        &[
            Counts::new(20, 0, 0, 0, 0, 184),
            Counts::new(23, 0, 0, 0, 0, 424),
        ],
    ),
    (
        "jax-x32",
        &[
            Counts::new(20, 0, 4, 0, 0, 64),
            Counts::new(23, 0, 7, 0, 0, 192),
        ],
    ),
    (
        "jax-strict",
        &[
            Counts::new(20, 0, 0, 0, 0, 0),
            Counts::new(23, 0, 0, 0, 0, 0),
        ],
    ),
    (
        "numpy",
        &[
            Counts::new(20, 0, 0, 40, 1064, 1130),
            Counts::new(23, 0, 0, 394, 1436, 1920),
        ],
    ),
    (
        "numpy-ufunc",
        &[
            Counts::new(20, 6, 0, 100, 0, 898),
            Counts::new(23, 6, 0, 524, 0, 1450),
        ],
    ),
    (
        "numpy-arctan2",
        &[
            Counts::new(20, 6, 0, 64, 0, 872),
            Counts::new(23, 6, 0, 512, 0, 1448),
        ],
    ),
    (
        "torch",
        &[
            Counts::new(19, 0, 0, 0, 432, 192),
            Counts::new(23, 0, 0, 88, 774, 438),
            Counts::new(42, 0, 0, 1166, 9228, 5950),
        ],
    ),
    (
        "torch-subtract",
        &[
            Counts::new(18, 0, 0, 0, 384, 180),
            Counts::new(21, 0, 0, 64, 694, 354),
            Counts::new(39, 0, 0, 914, 8056, 4918),
        ],
    ),
    ("torch-equal", &[Counts::new(19, 0, 0, 0, 0, 0)]),
    (
        "tensorflow",
        &[
            Counts::new(15, 0, 0, 0, 0, 260),
            Counts::new(19, 0, 0, 0, 0, 452),
        ],
    ),
    (
        "tensorflow-operators",
        &[
            Counts::new(15, 0, 0, 0, 0, 260),
            Counts::new(19, 0, 0, 0, 332, 676),
        ],
    ),
    (
        "tensorflow-multiply",
        &[
            Counts::new(15, 0, 0, 0, 0, 260),
            Counts::new(19, 0, 0, 0, 332, 672),
        ],
    ),
    (
        "tensorflow-legacy",
        &[
            Counts::new(17, 0, 0, 0, 0, 0),
            Counts::new(21, 0, 0, 0, 40, 40),
        ],
    ),
    (
        "openvino",
        &[
            Counts::new(15, 0, 0, 68, 0, 276),
            Counts::new(17, 0, 0, 68, 288, 412),
        ],
    ),
    (
        "openvino-scalar",
        &[
            Counts::new(15, 0, 0, 68, 0, 276),
            Counts::new(17, 0, 0, 68, 288, 412),
            Counts::new(32, 0, 0, 1816, 1120, 3204),
        ],
    ),
    (
        "array-api",
        &[
            Counts::new(14, 0, 0, 0, 16, 16),
            Counts::new(17, 0, 0, 0, 76, 76),
        ],
    ),
    (
        "anvil",
        &[
            Counts::new(11, 0, 0, 0, 0, 28),
            Counts::new(13, 0, 0, 0, 0, 44),
        ],
    ),
];

#[test]
fn the_laws_hold_as_often_as_known() {
    let mut stale = Vec::new();
    for rules in RuleSet::builtin() {
        let found: Vec<_> = operands(rules)
            .iter()
            .map(|operands| counts(rules, &operands.list))
            .collect();
        let known = KNOWN.iter().find(|(name, _)| *name == rules.name());
        if known.is_none_or(|(_, known)| found != *known) {
            stale.push(format!("{}: {found:#?}", rules.name()));
        }
    }
    assert!(stale.is_empty(), "not as known:\n{}", stale.join("\n"));
}

/// Triples that break associativity, among the operands over which the systems themselves were
/// measured.
#[test]
fn the_systems_break_associativity_as_often() {
    use DType::*;
    let dtypes = |without: &[DType]| -> Vec<_> {
        let all = DType::ALL.iter().filter(|dtype| !without.contains(dtype));
        all.map(|dtype| OperandType::dimensioned(*dtype)).collect()
    };
    let weak = |dtypes: &[DType]| -> Vec<_> {
        dtypes
            .iter()
            .map(|dtype| OperandType::weak(*dtype))
            .collect()
    };
    let f8: Vec<_> = DType::ALL
        .iter()
        .copied()
        .filter(|dtype| dtype.kind() == Kind::Float && dtype.size() == 1)
        .collect();
    let f8_and = |others: &[DType]| [&f8[..], others].concat();
    let defaults = weak(&[I64, F64, C128]);
    let count = |name: &str, list: &[OperandType]| {
        let rules = RuleSet::named(name).expect("a rule set");
        [rules.allowing_unsafe(), *rules].map(|rules| broken(&rules, list).len())
    };

    let jax = [dtypes(&f8), defaults].concat();
    assert_eq!((jax.len(), count("jax", &jax)[0]), (18, 0));

    let numpy = dtypes(&f8_and(&[BF16]));
    assert_eq!((numpy.len(), count("numpy", &numpy)[0]), (14, 28));

    let torch = dtypes(&f8_and(&[U16, U32, U64]));
    assert_eq!((torch.len(), count("torch", &torch)[0]), (12, 0));

    let tensorflow = [dtypes(&f8), weak(&[I32, I64, F32, F64, C128])].concat();
    assert_eq!(
        (tensorflow.len(), count("tensorflow", &tensorflow)),
        (20, [0, 548])
    );

    let anvil = dtypes(&f8_and(&[BF16, F16, C64, C128]));
    let ambiguous: Vec<_> = anvil
        .iter()
        .map(|operand| OperandType::weak(operand.dtype))
        .collect();
    let anvil = [anvil, ambiguous].concat();
    assert_eq!((anvil.len(), count("anvil", &anvil)[0]), (22, 0));
}

fn shown(met: Met) -> String {
    met.map_or("none".to_owned(), |operand| format!("`{operand}`"))
}

/// The first few triples, of different operands each.
fn examples<'a>(broken: impl Iterator<Item = &'a Broken>, count: usize) -> String {
    let mut lines = String::new();
    let mut seen = BTreeSet::new();
    for (triple, [left, right]) in broken {
        let mut names = triple.map(|operand| operand.to_string());
        names.sort();
        if seen.len() < count && seen.insert(names) {
            let [a, b, c] = triple.map(|operand| shown(Some(operand)));
            let (left, right) = (shown(*left), shown(*right));
            writeln!(lines, "| {a} | {b} | {c} | {left} | {right} |").expect("writing to a string");
        }
    }
    lines
}

/// Examples from the smallest set of operands that has some.
fn first_examples(rules: &RuleSet, count: usize, of: fn(&Broken) -> bool) -> String {
    let mut all = operands(rules).into_iter().map(|operands| {
        let broken = broken(rules, &operands.list);
        examples(broken.iter().filter(|broken| of(broken)), count)
    });
    all.find(|lines| !lines.is_empty()).unwrap_or_default()
}

/// Writes the laws that a rule set breaks, in words and examples.
fn section(rules: &RuleSet) -> String {
    let all = rules.allowing_unsafe();
    let mut section = String::new();
    let mut changed: Vec<String> = Vec::new();
    for operands in operands(rules) {
        for one in self::changed(rules, &operands.list) {
            let with_itself = shown(meet(&all, Some(*one), Some(*one)));
            let sentence = format!("`{one}` with itself is {with_itself}");
            if !changed.contains(&sentence) {
                changed.push(sentence);
            }
        }
    }
    if !changed.is_empty() {
        write!(section, "\nNot idempotent: {}.\n", changed.join(", "))
            .expect("writing to a string");
    }
    let mut lines = first_examples(&all, 4, |broken| !one_sided(broken));
    lines.push_str(&first_examples(&all, 2, one_sided));
    let mut title = "";
    if lines.is_empty() {
        title = "\nExamples if every step has to be safe:\n";
        lines = first_examples(rules, 2, |_| true);
    }
    if !lines.is_empty() {
        write!(
            section,
            "{title}\n| a | b | c | (a b) c | a (b c) |\n| --- | --- | --- | --- | --- |\n{lines}"
        )
        .expect("writing to a string");
    }
    section
}

const INTRODUCTION: &str = "\
# Laws of promotion

This page shows whether the dtype of `a + b + c` depends on the order of the terms, and for which dtypes. A test,
`tests/rules/laws.rs`, writes it from the rule sets.

- *Symmetric*: both orders of two operands give the same dtype.
- *Idempotent*: an operand with itself gives its own dtype.
- *Associative*: `(a b) c` and `a (b c)` give the same dtype, or neither has a promotion.

The last three columns count the triples that break associativity:

- *two results*: `(a b) c` and `a (b c)` differ.
- *one result*: a step of one order has no promotion.
- *safe only*: the triples of both kinds if a step that can lose values counts as a step without a promotion. Under
  the rules of JAX `(i32 + f32) + f64` is refused, because f32 does not hold every i32, and `i32 + (f32 + f64)` is
  accepted.

The first line of a rule set counts its dtypes as operands. The second line adds its literals. If the rules look at
rank, a third line adds tensors of rank zero. Each order of a triple counts. `x y` stands for the promotion of x and
y, and a star marks a weak result. Two tensors of rank zero give one of rank zero, and so does a tensor of rank zero
with a literal. `jax-x32` narrows 64-bit dtypes in every promotion, so they are not idempotent.

";

#[test]
fn the_page_shows_what_is_measured() {
    let mut page = String::from(INTRODUCTION);
    page.push_str(
        "| rules | operands | symmetric | idempotent | associative | triples | two results | one result | safe only |\n\
         | --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: |\n",
    );
    let mut sections = String::new();
    for rules in RuleSet::builtin() {
        let mut name = format!("`{}`", rules.name());
        for operands in operands(rules) {
            let counts = counts(rules, &operands.list);
            let yes = |broken: usize| if broken == 0 { "yes" } else { "no" };
            let laws = [
                counts.asymmetric,
                counts.changed,
                counts.differ + counts.one_sided,
            ];
            let triples = counts.operands.pow(3);
            let numbers = [
                triples,
                counts.differ,
                counts.one_sided,
                counts.broken_if_safe,
            ];
            writeln!(
                page,
                "| {name} | {} | {} | {} |",
                operands.shown,
                laws.map(yes).join(" | "),
                numbers.map(grouped).join(" | ")
            )
            .expect("writing to a string");
            name = String::new();
        }
        let section = section(rules);
        if !section.is_empty() {
            write!(sections, "\n## `{}`\n{section}", rules.name()).expect("writing to a string");
        }
    }
    page.push_str(&sections);
    check_page("laws.md", &page);
}
