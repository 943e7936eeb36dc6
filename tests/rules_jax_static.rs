//! The rule sets of JAX in the type system against what JAX answers: the compiler compares every
//! cell.
//!
//! `tests/generated/rules_jax.rs` is written from the published answers by the test below; to write it
//! anew, run this test with `SUPREMUM_BLESS=1`.

mod common;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use common::{Oracle, all_operands, operand_in, type_name};
use supremum::*;

/// Compiles if the promotion has this type; at run time the table has to say the same.
fn promotes<Lhs, Rhs, Out, R>()
where
    Lhs: Promote<Rhs, R, Output = Out, Verdict: StaticVerdict> + StaticDType,
    Rhs: StaticDType,
    Out: StaticDType,
    R: Rules,
{
    let found = R::RULE_SET.promote(operand_type::<Lhs>(), operand_type::<Rhs>());
    let promotion = found.expect("a promotion");
    assert_eq!(promotion.operand(), operand_type::<Out>());
    assert_eq!(promotion.verdict, <Lhs::Verdict as StaticVerdict>::VERDICT);
}

fn operand_type<D: StaticDType>() -> OperandType {
    if D::WEAK {
        OperandType::weak(D::DTYPE)
    } else {
        OperandType::dimensioned(D::DTYPE)
    }
}

/// Whether a pair promotes: the inherent constant exists only if it does, and comes first.
struct Probe<Lhs, Rhs, R>(std::marker::PhantomData<(Lhs, Rhs, R)>);

impl<Lhs: Promote<Rhs, R, Verdict: StaticVerdict>, Rhs, R> Probe<Lhs, Rhs, R> {
    #[allow(dead_code, reason = "only found where the test fails")]
    const PROMOTES: bool = true;
}

trait NoPromotion {
    const PROMOTES: bool = false;
}
impl<Lhs, Rhs, R> NoPromotion for Probe<Lhs, Rhs, R> {}

macro_rules! undefined {
    ($lhs:ty, $rhs:ty, $rules:ty) => {
        const { assert!(!Probe::<$lhs, $rhs, $rules>::PROMOTES) };
        let (lhs, rhs) = (operand_type::<$lhs>(), operand_type::<$rhs>());
        assert!(<$rules>::RULE_SET.promote(lhs, rhs).is_err());
    };
}

#[test]
fn the_probe_tells_promotions_apart() {
    const { assert!(Probe::<F16, BF16, Jax>::PROMOTES) };
    const { assert!(!Probe::<F16, BF16, JaxStrict>::PROMOTES) };
}

include!("generated/rules_jax.rs");

/// The source of that file.
fn generated() -> (String, BTreeMap<&'static str, usize>) {
    let mut source = String::from(
        "// Written by `rules_jax_static.rs` from `tests/data/oracles/jax_promote_types.csv`; do not edit.\n",
    );
    let mut cells = BTreeMap::new();
    for (rules, rule_set, x64, mode) in [
        ("Jax", Jax::rule_set(), "1", "standard"),
        ("JaxX32", JaxX32::rule_set(), "0", "standard"),
        ("JaxStrict", JaxStrict::rule_set(), "1", "strict"),
    ] {
        let mut answers = BTreeMap::new();
        let oracle = Oracle::read("jax_promote_types.csv");
        let rows = oracle
            .rows()
            .filter(|row| row.get("x64") == x64 && row.get("mode") == mode);
        for row in rows {
            let [lhs, rhs] = ["lhs", "rhs"].map(|column| operand_in(row, column, rule_set));
            let (Ok((lhs, _)), Ok((rhs, _))) = (lhs, rhs) else {
                continue;
            };
            let class = match row.get("out_weak") {
                "1" => OperandType::weak,
                _ => OperandType::dimensioned,
            };
            let out = row.get("out").parse().ok().map(class);
            // A literal is the same operand as a weak array, and has to get the same answer.
            let index = |operand| all_operands().position(|other| other == operand);
            let earlier = answers.insert((index(lhs), index(rhs)), (lhs, rhs, out));
            assert!(
                earlier.is_none_or(|earlier| earlier.2 == out),
                "{lhs} + {rhs}"
            );
        }
        cells.insert(rules, answers.len());
        writeln!(
            source,
            "\n#[test]\nfn the_compiler_agrees_about_{}() {{",
            rules.to_lowercase()
        )
        .expect("writing to a string");
        for (lhs, rhs, out) in answers.into_values() {
            let (lhs, rhs) = (type_name(lhs), type_name(rhs));
            match out {
                Some(out) => {
                    let out = type_name(out);
                    writeln!(source, "    promotes::<{lhs}, {rhs}, {out}, {rules}>();")
                }
                None => writeln!(source, "    undefined!({lhs}, {rhs}, {rules});"),
            }
            .expect("writing to a string");
        }
        source.push_str("}\n");
    }
    (source, cells)
}

#[test]
fn the_generated_test_is_what_the_answers_give() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated/rules_jax.rs");
    let (source, cells) = generated();
    println!("cells compared by the compiler, literals counted with weak arrays: {cells:?}");
    assert!(cells.values().all(|cells| *cells == 1024));
    if std::env::var_os("SUPREMUM_BLESS").is_some() {
        std::fs::write(&path, &source).expect("writing the generated test");
    }
    let found = std::fs::read_to_string(&path).expect("the generated test");
    assert!(
        found == source,
        "tests/generated/rules_jax.rs is stale; run with SUPREMUM_BLESS=1"
    );
}
