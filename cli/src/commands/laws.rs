//! `supremum laws`: which laws hold, and where they break.

use std::fmt::Write;

use supremum::{Class, DType, Kind, OperandType, RuleSet};

use crate::args::Laws;
use crate::names;
use crate::order::meet;
use crate::page::{BAD, FAINT, Failure, GOOD, HEADING, painted};

/// A result, as the operand of the next promotion; `None` if there is none.
type Met = Option<OperandType>;

/// Operands over which laws are checked.
struct Operands {
    shown: String,
    list: Vec<OperandType>,
}

/// Checks the laws over the dtypes of a rule set; with its literals; and with tensors of rank zero, if it looks at rank.
pub(crate) fn run(arguments: &Laws) -> Result<String, Failure> {
    let rules = names::rules(&arguments.rules)?;
    let mut text = String::new();
    for operands in operands(rules) {
        let count = operands.list.len();
        let heading = format!("{}: {count} operands, {}", rules.name(), operands.shown);
        writeln!(text, "{}", painted(HEADING, heading)).expect("a string takes all");
        let table = Table::of(rules, &operands.list);
        text += &law("commutative", &table.asymmetric(), "pairs");
        text += &law("idempotent", &table.changed(), "operands");
        text += &law("associative", &table.not_associative(), "triples");
    }
    Ok(text)
}

/// The operands of a rule set. A dtype that has no promotion with itself is none of them.
fn operands(rules: &RuleSet) -> Vec<Operands> {
    let known = |operand: &OperandType| rules.promote(*operand, *operand).is_ok();
    let of = |class: fn(DType) -> OperandType| DType::ALL.iter().map(move |dtype| class(*dtype));
    let dtypes: Vec<_> = of(OperandType::dimensioned).filter(known).collect();
    let mut literals = Vec::new();
    for kind in [Kind::Bool, Kind::Signed, Kind::Float, Kind::Complex] {
        let literal = rules.literal(kind);
        if known(&literal) && !dtypes.contains(&literal) && !literals.contains(&literal) {
            literals.push(literal);
        }
    }
    let mut all = vec![Operands {
        shown: "dtypes".to_owned(),
        list: dtypes.clone(),
    }];
    if !literals.is_empty() {
        all.push(Operands {
            shown: "dtypes and literals".to_owned(),
            list: [&dtypes[..], &literals].concat(),
        });
    }
    if rules.looks_at_rank() {
        let zero_dim: Vec<_> = of(OperandType::zero_dim).filter(known).collect();
        all.push(Operands {
            shown: "dtypes, tensors of rank zero and literals".to_owned(),
            list: [&dtypes[..], &zero_dim, &literals].concat(),
        });
    }
    all
}

/// The promotions of some operands and of all that these promote to.
struct Table<'a> {
    list: &'a [OperandType],
    /// By [`number`].
    results: Vec<Met>,
}

/// The number of an operand: its class and its dtype.
fn number(operand: OperandType) -> usize {
    let dtype = DType::ALL.iter().position(|dtype| *dtype == operand.dtype);
    let class = match operand.class {
        Class::Dimensioned => 0,
        Class::ZeroDim => 1,
        Class::Weak => 2,
    };
    class * DType::ALL.len() + dtype.unwrap_or_default()
}

impl<'a> Table<'a> {
    fn of(rules: &RuleSet, list: &'a [OperandType]) -> Self {
        let classes = [Class::Dimensioned, Class::ZeroDim, Class::Weak];
        let operands = classes.into_iter().flat_map(|class| {
            DType::ALL.iter().map(move |dtype| OperandType {
                dtype: *dtype,
                class,
            })
        });
        let results = operands
            .clone()
            .flat_map(|lhs| operands.clone().map(move |rhs| meet(rules, None, lhs, rhs)))
            .collect();
        Self { list, results }
    }

    fn meet(&self, lhs: Met, rhs: Met) -> Met {
        let count = 3 * DType::ALL.len();
        self.results[number(lhs?) * count + number(rhs?)]
    }

    /// Pairs of two operands that give another result in the other order.
    fn asymmetric(&self) -> Broken {
        let pairs = self.list.iter().enumerate().flat_map(|(position, lhs)| {
            let rest = &self.list[position + 1..];
            rest.iter().map(move |rhs| (*lhs, *rhs))
        });
        let orders = |lhs, rhs| {
            [
                self.meet(Some(lhs), Some(rhs)),
                self.meet(Some(rhs), Some(lhs)),
            ]
        };
        let broken: Vec<_> = pairs
            .map(|(lhs, rhs)| (lhs, rhs, orders(lhs, rhs)))
            .filter(|(.., [there, back])| there != back)
            .collect();
        Broken::new(&broken, |(lhs, rhs, orders)| {
            let [there, back] = orders.map(shown);
            format!("{lhs} {rhs} gives {there}, {rhs} {lhs} gives {back}")
        })
    }

    /// Operands that with themselves give something else.
    fn changed(&self) -> Broken {
        let operands = self
            .list
            .iter()
            .map(|one| (one, self.meet(Some(*one), Some(*one))));
        let broken: Vec<_> = operands
            .filter(|(one, result)| *result != Some(**one))
            .collect();
        Broken::new(&broken, |(one, result)| {
            format!("{one} {one} gives {}", shown(*result))
        })
    }

    /// Triples of which `(a b) c` and `a (b c)` give two results, or only one of them gives one.
    fn not_associative(&self) -> Broken {
        let mut broken = Vec::new();
        for a in self.list {
            for b in self.list {
                let left = self.meet(Some(*a), Some(*b));
                for c in self.list {
                    let right = self.meet(Some(*b), Some(*c));
                    let orders = [self.meet(left, Some(*c)), self.meet(Some(*a), right)];
                    if orders[0] != orders[1] {
                        broken.push(([*a, *b, *c], orders));
                    }
                }
            }
        }
        // Two results are the worse surprise.
        broken.sort_by_key(|(_, [left, right])| left.is_none() || right.is_none());
        Broken::new(&broken, |([a, b, c], orders)| {
            let [left, right] = orders.map(shown);
            format!("({a} {b}) {c} gives {left}, {a} ({b} {c}) gives {right}")
        })
    }
}

fn shown(result: Met) -> String {
    result.map_or_else(|| "nothing".to_owned(), |result| result.to_string())
}

/// The operands that break a law.
struct Broken {
    count: usize,
    /// The first counterexamples.
    examples: Vec<String>,
}

impl Broken {
    fn new<T>(broken: &[T], example: impl Fn(&T) -> String) -> Self {
        const EXAMPLES: usize = 3;
        Self {
            count: broken.len(),
            examples: broken.iter().take(EXAMPLES).map(example).collect(),
        }
    }
}

/// A law as lines of the answer.
fn law(name: &str, broken: &Broken, what: &str) -> String {
    if broken.count == 0 {
        return format!("  {name:12} {}\n", painted(GOOD, "holds"));
    }
    let count = painted(BAD, format_args!("breaks for {} {what}", broken.count));
    let mut text = format!("  {name:12} {count}\n");
    for example in &broken.examples {
        writeln!(text, "    {}", painted(FAINT, example)).expect("a string takes all");
    }
    text
}
