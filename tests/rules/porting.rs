//! The page on what changes when code moves from one system to another.
//!
//! `docs/porting.md` is written from the rule sets; to write it anew, run this test with
//! `SUPREMUM_BLESS=1`. `tests/ports` has what it says in words.

use std::fmt::Write;

use crate::common::{LITERALS, check_page};
use crate::ports::{PORTS, Port, give, give_two};
use supremum::{DType, OperandType, Operation, RuleSet, Verdict};

#[test]
fn every_sentence_is_true() {
    for port in PORTS {
        let [a, b] = port.rules();
        for fact in port.facts {
            assert!((fact.holds)(a, b), "{}: {}", port.title, fact.says);
        }
    }
}

impl Port {
    fn rules(&self) -> [&'static RuleSet; 2] {
        self.systems
            .map(|(_, name)| RuleSet::named(name).expect("a rule set"))
    }

    fn names(&self) -> [&'static str; 2] {
        self.systems.map(|(name, _)| name)
    }

    /// The dtypes that both systems know.
    fn dtypes(&self) -> Vec<DType> {
        let known = |dtype: &DType| {
            let operand = OperandType::dimensioned(*dtype);
            let mut rules = self.rules().into_iter();
            rules.all(|rules| rules.promote(operand, operand).is_ok())
        };
        DType::ALL.iter().copied().filter(known).collect()
    }

    /// Returns the results of both systems for two operands, if they differ.
    fn difference(&self, lhs: OperandType, rhs: OperandType) -> Option<[String; 2]> {
        let [this, other] = self.rules().map(|rules| match rules.promote(lhs, rhs) {
            Ok(promotion) => promotion.operand().to_string(),
            Err(_) => "-".to_owned(),
        });
        (this != other).then_some([this, other])
    }

    /// The dtypes with themselves, as a grid.
    fn grid(&self) -> String {
        let operand = OperandType::dimensioned;
        let known = self.dtypes();
        let differs = |lhs: &DType| {
            let mut others = known.iter();
            others.any(|rhs| self.difference(operand(*lhs), operand(*rhs)).is_some())
        };
        let dtypes: Vec<_> = known.iter().copied().filter(differs).collect();
        let names = dtypes.iter().map(|dtype| format!("`{dtype}`"));
        let mut rows = vec![[String::new()].into_iter().chain(names).collect()];
        for lhs in &dtypes {
            let cells = dtypes.iter().map(|rhs| {
                let difference = self.difference(operand(*lhs), operand(*rhs));
                difference.map_or(String::new(), |cells| cells.join(" / "))
            });
            rows.push([format!("`{lhs}`")].into_iter().chain(cells).collect());
        }
        table(&rows)
    }

    /// The dtypes with each kind of literal.
    fn literals(&self) -> String {
        let mut rows = vec![row(["", "`True`", "`1`", "`1.0`", "`1j`"])];
        let mut cells_of = Grouped::default();
        for dtype in self.dtypes() {
            let cells = LITERALS.map(|kind| {
                let [this, other] = self.rules().map(|rules| {
                    match rules.promote(OperandType::dimensioned(dtype), rules.literal(kind)) {
                        Ok(promotion) => promotion.operand().to_string(),
                        Err(_) => "-".to_owned(),
                    }
                });
                if this == other {
                    String::new()
                } else {
                    format!("{this} / {other}")
                }
            });
            if cells.iter().any(|cell| !cell.is_empty()) {
                cells_of.add(cells, dtype);
            }
        }
        for (cells, dtypes) in cells_of.0 {
            rows.push([list(&dtypes)].into_iter().chain(cells).collect());
        }
        table(&rows)
    }

    /// Tensors of rank zero beside tensors with axes; pairs that differ as two tensors with axes do
    /// are left out.
    fn zero_dim(&self) -> String {
        let mut results: Grouped<(DType, [String; 2]), DType> = Grouped::default();
        for tensor in self.dtypes() {
            for scalar in self.dtypes() {
                let axes = OperandType::dimensioned(tensor);
                let found = self.difference(axes, OperandType::zero_dim(scalar));
                if found == self.difference(axes, OperandType::dimensioned(scalar)) {
                    continue;
                }
                if let Some(found) = found {
                    let named = found.map(|result| match result {
                        result if result == tensor.name() => "the tensor's".to_owned(),
                        result if result == scalar.name() => "the scalar's".to_owned(),
                        result => result,
                    });
                    results.add((tensor, named), scalar);
                }
            }
        }
        let mut merged: Grouped<(Vec<DType>, [String; 2]), DType> = Grouped::default();
        for ((tensor, named), scalars) in results.0 {
            merged.add((scalars, named), tensor);
        }
        let [this, other] = self.names();
        let mut rows = vec![row(["tensor", "scalar", this, other])];
        for ((scalars, [this, other]), tensors) in merged.0 {
            rows.push(vec![list(&tensors), list(&scalars), this, other]);
        }
        table(&rows)
    }

    /// Writes the results of operations on dtypes that both systems know.
    fn operations(&self) -> String {
        let mut of_operations: Grouped<Vec<Vec<String>>, &str> = Grouped::default();
        for operation in Operation::ALL {
            let mut of_dtypes: Grouped<[String; 2], DType> = Grouped::default();
            for dtype in self.dtypes() {
                let found = self.rules().map(|rules| give(rules, *operation, dtype));
                if found[0] != found[1] {
                    of_dtypes.add(found.map(|result| itself(result, dtype)), dtype);
                }
            }
            let rows = of_dtypes.0.into_iter();
            let rows = rows.map(|(results, dtypes)| {
                [list(&dtypes)]
                    .into_iter()
                    .chain(results)
                    .collect::<Vec<_>>()
            });
            of_operations.add(rows.collect(), symbol(*operation));
        }
        let [this, other] = self.names();
        let mut rows = vec![row(["operation", "of", this, other])];
        for (lines, operations) in of_operations.0 {
            let mut name = operations.join(", ");
            for line in lines {
                rows.push(
                    [std::mem::take(&mut name)]
                        .into_iter()
                        .chain(line)
                        .collect(),
                );
            }
        }
        table(&rows)
    }

    /// Operations on two dtypes that differ although the promotion agrees, and what the operation makes
    /// of the promoted dtype.
    fn operations_on_pairs(&self) -> String {
        let [this, other] = self.names();
        let mut rows = vec![row(["operation", "of", this, other])];
        let binary = Operation::ALL
            .iter()
            .filter(|operation| operation.is_binary());
        for operation in binary {
            let mut agreeing = 0;
            let mut of_pairs: Grouped<[String; 2], (DType, DType)> = Grouped::default();
            for (lhs, rhs) in self.pairs() {
                let [left, right] = [lhs, rhs].map(OperandType::dimensioned);
                let [this, other] = self.rules();
                let (Ok(promotion), None) =
                    (this.promote(left, right), self.difference(left, right))
                else {
                    continue;
                };
                if give(this, *operation, promotion.dtype)
                    != give(other, *operation, promotion.dtype)
                {
                    continue;
                }
                agreeing += 1;
                let found = [this, other].map(|rules| give_two(rules, *operation, left, right));
                if found[0] != found[1] {
                    let common = |result: String| match result == promotion.dtype.name() {
                        true => "the common dtype".to_owned(),
                        false => result,
                    };
                    of_pairs.add(found.map(common), (lhs, rhs));
                }
            }
            for ([this, other], pairs) in of_pairs.0 {
                let of = match pairs.len() == agreeing {
                    true => "any two dtypes".to_owned(),
                    false => by_left(pairs),
                };
                rows.push(vec![symbol(*operation).to_owned(), of, this, other]);
            }
        }
        table(&rows)
    }

    /// Two different dtypes that both systems know, in one order.
    fn pairs(&self) -> Vec<(DType, DType)> {
        let dtypes = self.dtypes();
        let after = |position: usize| dtypes[position + 1..].iter();
        let lefts = dtypes.iter().enumerate();
        lefts
            .flat_map(|(position, lhs)| after(position).map(|rhs| (*lhs, *rhs)))
            .collect()
    }

    /// Writes the promotions that the second system accepts only if asked to, by its reasons; and those that it accepts although
    /// values can be lost.
    fn safety(&self) -> String {
        let [_, rules] = self.rules();
        let mut of_reasons: Grouped<(&str, &str), (DType, DType)> = Grouped::default();
        let position = |dtype| DType::ALL.iter().position(|other| other == dtype);
        for lhs in DType::ALL {
            for rhs in DType::ALL {
                let tensor = OperandType::dimensioned(*lhs);
                let mut add = |what, right| {
                    let verdict = rules
                        .promote(tensor, right)
                        .map(|promotion| promotion.verdict);
                    let reason = match verdict {
                        Ok(Verdict::Refused(reason)) => reason,
                        Ok(Verdict::Accepted) => "accepted, although values can be lost",
                        _ => return,
                    };
                    of_reasons.add((what, reason), (*lhs, *rhs));
                };
                if position(lhs) < position(rhs) {
                    add("two tensors", OperandType::dimensioned(*rhs));
                }
                add("a tensor and a scalar", OperandType::zero_dim(*rhs));
            }
        }
        of_reasons
            .0
            .sort_by_key(|((what, _), _)| std::cmp::Reverse(*what));
        let mut rows = vec![row(["", "verdict", "dtypes"])];
        for ((what, reason), pairs) in of_reasons.0 {
            rows.push(vec![what.to_owned(), reason.to_owned(), by_left(pairs)]);
        }
        table(&rows)
    }
}

/// Items by what they have in common, in the order of the first of each group.
struct Grouped<K, V>(Vec<(K, Vec<V>)>);

impl<K, V> Default for Grouped<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: PartialEq, V> Grouped<K, V> {
    fn add(&mut self, key: K, value: V) {
        match self.0.iter_mut().find(|(other, _)| *other == key) {
            Some((_, values)) => values.push(value),
            None => self.0.push((key, vec![value])),
        }
    }
}

/// `` `u8` `u16` ``.
fn list(dtypes: &[DType]) -> String {
    let names: Vec<_> = dtypes.iter().map(|dtype| format!("`{dtype}`")).collect();
    names.join(" ")
}

/// Pairs, those with the same partners in one place.
fn by_left(pairs: Vec<(DType, DType)>) -> String {
    let mut of_left: Grouped<DType, DType> = Grouped::default();
    for (lhs, rhs) in pairs {
        of_left.add(lhs, rhs);
    }
    let mut of_partners: Grouped<Vec<DType>, DType> = Grouped::default();
    for (lhs, partners) in of_left.0 {
        of_partners.add(partners, lhs);
    }
    let groups = of_partners.0.iter();
    let groups: Vec<_> = groups
        .map(|(partners, lefts)| format!("{} with {}", list(lefts), list(partners)))
        .collect();
    groups.join("; ")
}

/// A result as a reader thinks of it.
fn itself(result: String, dtype: DType) -> String {
    match result == dtype.name() {
        true => "itself".to_owned(),
        false => result,
    }
}

/// An operation as it is written.
fn symbol(operation: Operation) -> &'static str {
    use Operation::*;
    match operation {
        Add => "`+`",
        Subtract => "`-`",
        Multiply => "`*`",
        Divide => "`/`",
        FloorDivide => "`//`, `%`",
        Power => "`**`",
        Atan2 => "`arctan2`",
        MinMax => "`minimum`, `maximum`",
        Bitwise => r"`&`, `\|`, `^`",
        Shift => "`<<`, `>>`",
        Equality => "`==`",
        Ordering => "`<`",
        Join => "`where`, `concatenate`",
        MatrixMultiply => "`matmul`",
        Negate => "negation",
        Sign => "`sign`",
        Round => "`round`",
        Floor => "`floor`",
        Invert => "`~`",
        UnaryFloat => "`sqrt`, `exp`, `sin` ..",
        Activation => "`gelu`, `softmax` ..",
        Reciprocal => "`reciprocal`",
        Absolute => "`abs`",
        FloatClass => "`isnan`",
        Sum => "`sum`, `prod`",
        CumulativeSum => "`cumsum`",
        Mean => "`mean`",
        Variance => "`var`, `std`",
        MinMaxReduce => "`min`, `max`",
        ArgMinMax => "`argmin`, `argmax`",
        AnyAll => "`any`, `all`",
        other => panic!("no symbol of {}", other.name()),
    }
}

fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// A table in Markdown, or nothing if it has a header only.
fn table(rows: &[Vec<String>]) -> String {
    let mut lines = String::new();
    if rows.len() < 2 {
        return lines;
    }
    for (position, row) in rows.iter().enumerate() {
        writeln!(lines, "| {} |", row.join(" | ")).expect("writing to a string");
        if position == 0 {
            let rule = vec!["---"; row.len()].join(" | ");
            writeln!(lines, "| {rule} |").expect("writing to a string");
        }
    }
    lines
}

const INTRODUCTION: &str = "\
# Porting between systems

This page shows what changes when code moves from one system to another: which dtypes promote to something
else, and which dtypes operations give. A test, `tests/rules/porting.rs`, writes it from the rule sets;
[`RuleSet::diff`][diff] lists the differences of any two.

A cell `a / b` has the result of the first system and that of the second one. If they agree, the cell is
empty, or the line is left out. `-` stands for a missing promotion or operation, and a star marks weak dtypes.
A scalar is a tensor of rank zero. Complex numbers have no order in this library, although some of the
systems order them.
";

#[test]
fn the_page_is_what_the_rule_sets_say() {
    let mut page = String::from(INTRODUCTION);
    for port in PORTS {
        let [this, other] = port.names();
        writeln!(page, "\n## {}\n\n{}\n", port.title, port.introduction)
            .expect("writing to a string");
        for fact in port.facts {
            writeln!(page, "- {}", fact.says).expect("writing to a string");
        }
        let mut section = |title: &str, text: &str, table: String| {
            if !table.is_empty() {
                write!(page, "\n### {title}\n\n{text}\n\n{table}").expect("writing to a string");
            }
        };
        section(
            &format!("{}: two tensors", port.title),
            &format!("{this} / {other}. Order does not matter."),
            port.grid(),
        );
        section(
            &format!("{}: literals", port.title),
            &format!("{this} / {other}, for a tensor of one of these dtypes with a literal."),
            port.literals(),
        );
        section(
            &format!("{}: scalars", port.title),
            "A tensor with axes and a tensor of rank zero. Pairs that differ as two tensors with axes do \
             are not repeated.",
            port.zero_dim(),
        );
        section(
            &format!("{}: operations", port.title),
            "Results of operations on operands of one dtype.",
            port.operations(),
        );
        section(
            &format!("{}: operations on two dtypes", port.title),
            "Operations whose result differs, although the common dtype and the operation on that dtype agree.",
            port.operations_on_pairs(),
        );
        section(
            &format!("{}: safety", port.title),
            &format!(
                "The promotions that {other} refuses by default, by its reasons, and those that it accepts."
            ),
            port.safety(),
        );
    }
    page.push_str("\n[diff]: ../src/rules/diff.rs\n");
    check_page("porting.md", &page);
}
