//! `supremum explain`: one promotion, with its reasons and its losses.

use std::fmt::Write;

use supremum::{DType, Loss, OperandType, Operation, OutOfRangeLiteral, RuleSet, Verdict};

use super::table::aligned;
use crate::answer::{Answer, lost_values};
use crate::args::Explain;
use crate::names::{self, Word};
use crate::operations::Member;
use crate::order::{self, Chain, MAX_OPERANDS};
use crate::page::{BAD, DOUBTFUL, FAINT, Failure, GOOD, HEADING, painted};
use crate::spelling::{Term, on_purpose};
use crate::witness::{convert, loss_of};

/// A question: operands, and perhaps an operation.
struct Question {
    rules: &'static RuleSet,
    member: Option<Member>,
    terms: Vec<Term>,
}

/// Answers a question.
pub(crate) fn run(arguments: &Explain) -> Result<String, Failure> {
    let question = Question::read(arguments)?;
    let mut page = match (question.operation(), question.terms.len()) {
        (Some(operation), 1) if !operation.is_binary() => question.one_operand(operation)?,
        (_, 2) => question.two_operands(),
        _ => question.several_operands(),
    };
    page.push_str(&question.source());
    Ok(page)
}

impl Question {
    fn read(arguments: &Explain) -> Result<Self, Failure> {
        let rules = names::rules(&arguments.rules)?;
        let mut member: Option<Member> = None;
        let mut terms: Vec<Term> = Vec::new();
        for text in &arguments.terms {
            match names::word(text, rules)? {
                Word::Operand(operand) => {
                    let is_literal = names::literal_kind(text).is_some();
                    let name =
                        u8::try_from(terms.len()).map(|position| char::from(b'a' + position));
                    terms.push(Term {
                        operand,
                        text: match name {
                            Ok(name) if !is_literal => name.to_string(),
                            _ => text.clone(),
                        },
                        is_literal,
                    });
                }
                Word::Operation(found) if member.is_none_or(|member| member == found) => {
                    member = Some(found);
                }
                Word::Operation(other) => {
                    let first = member.map_or("", |member| member.shown());
                    return Err(Failure(format!(
                        "one operation at a time, not both `{first}` and `{}`",
                        other.shown()
                    )));
                }
            }
        }
        let count = terms.len();
        let one = member.is_some_and(|member| !member.group.is_binary());
        let name = member.map_or("", |member| member.library);
        match count {
            _ if one && count != 1 => {
                Err(Failure(format!("`{name}` takes one operand, not {count}")))
            }
            0 | 1 if !one => Err(Failure::new("name two operands or more, as in `u8 + bf16`")),
            _ if count > MAX_OPERANDS => Err(Failure(format!(
                "{count} operands; name at most {MAX_OPERANDS}"
            ))),
            _ => Ok(Self {
                rules,
                member,
                terms,
            }),
        }
    }

    fn operation(&self) -> Option<Operation> {
        self.member.map(|member| member.group)
    }

    fn operands(&self) -> Vec<OperandType> {
        self.terms.iter().map(|term| term.operand).collect()
    }

    /// The question in words: `i64 / f32 under jax`.
    fn heading(&self) -> String {
        let operands = self.terms.iter().map(|term| match term.is_literal {
            true => format!("{} ({})", term.text, term.operand),
            false => term.operand.to_string(),
        });
        let operands: Vec<_> = operands.collect();
        let question = match self.member.map(|member| member.shown()) {
            None => operands.join(" with "),
            Some(name) if name.starts_with(|first: char| first.is_ascii_alphabetic()) => {
                format!("{name} of {}", operands.join(" and "))
            }
            Some(name) if operands.len() == 1 => format!("{name}{}", operands.join("")),
            Some(name) => operands.join(&format!(" {name} ")),
        };
        format!("{question} under {}", self.rules.name())
    }

    /// The first line: the question and the result.
    fn headline(&self, result: Option<OperandType>) -> String {
        let answer = match result {
            None => painted(BAD, "undefined"),
            Some(result) => painted(HEADING, result.to_string()),
        };
        let weak = match result {
            Some(result) if result.class == supremum::Class::Weak => {
                "  (weak: it yields to the next tensor's dtype)"
            }
            _ => "",
        };
        format!("{}: {answer}{weak}\n", self.heading())
    }

    fn one_operand(&self, operation: Operation) -> Result<String, Failure> {
        let [term] = &self.terms[..] else {
            return Err(Failure::new("name one operand"));
        };
        let result = self.rules.operation(operation, term.operand).ok();
        let mut page = self.headline(result);
        if let Some(result) = result {
            page += &self.spelled(term.operand.dtype, result.dtype);
        }
        Ok(page)
    }

    fn two_operands(&self) -> String {
        let operands = self.operands();
        let [lhs, rhs] = operands[..] else {
            return String::new();
        };
        let answer = Answer::of(self.rules, self.operation(), lhs, rhs);
        let mut page = self.headline(answer.result());
        match answer {
            Answer::Defined { promotion, result } => {
                page += &self.promotion(promotion.dtype, promotion.verdict, result.dtype);
                page += &self.other_order(&operands, result);
                page += &self.spelled(promotion.dtype, result.dtype);
            }
            Answer::Undefined(promoted) => {
                let member = self.member.map_or("", |member| member.shown());
                page += &line(
                    "because",
                    format_args!("both promote to {promoted}, on which `{member}` is undefined"),
                );
            }
            Answer::NoPromotion => {
                page += &line("because", "the rules have no promotion of the two");
                page += &self.way_out(&operands);
            }
        }
        page
    }

    /// Says how the operands are converted, and which values do not survive it.
    fn promotion(&self, promoted: DType, verdict: Verdict, result: DType) -> String {
        let (style, effect) = match verdict {
            Verdict::Lossless => (GOOD, "lossless".to_owned()),
            Verdict::Accepted => (
                DOUBTFUL,
                "accepted: values can be lost, and the rules allow it".to_owned(),
            ),
            Verdict::LosesPrecision(_) => (DOUBTFUL, verdict.to_string()),
            _ => (BAD, verdict.to_string()),
        };
        let mut page = line("verdict", painted(style, effect));
        if promoted != result {
            let text = format!("operands convert to {promoted}; the operation gives {result}");
            page += &line("computes", text);
        }
        for lost in lost_values(&self.operands(), promoted, verdict) {
            let dtype = lost.operand.dtype;
            let how = if lost.loss == Loss::Range {
                " (out of range)"
            } else {
                ""
            };
            let (value, becomes) = (lost.witness.value, lost.witness.becomes);
            page += &line(
                "lost",
                format_args!("{dtype} {value} becomes {promoted} {becomes}{how}"),
            );
        }
        page += &self.literals(promoted);
        if let Some(other) = self
            .operation()
            .and_then(|operation| self.rules.promoted_by(operation))
            && other != self.rules.name()
        {
            page += &line(
                "promotes",
                format_args!("by the rules {other}, as this operation does there"),
            );
        }
        page
    }

    /// Names the literals that are out of range of the promoted dtype, and says what the system does with them.
    fn literals(&self, promoted: DType) -> String {
        let rules = self.rules.allowing_unsafe();
        let mut page = String::new();
        for term in self.terms.iter().filter(|term| term.is_literal) {
            let Some(value) = names::literal_value(&term.text) else {
                continue;
            };
            if loss_of(value, promoted) != Loss::Range {
                continue;
            }
            let converted = convert(value, promoted);
            let there = match rules.out_of_range_literal(promoted.kind()) {
                OutOfRangeLiteral::Wraps | OutOfRangeLiteral::Overflows => {
                    format!("the system makes it {converted}")
                }
                _ => "so does the system".to_owned(),
            };
            let text = &term.text;
            let text =
                format!("{text} is out of range of {promoted}: Supremum refuses it; {there}");
            page += &line("literal", painted(BAD, text));
        }
        page
    }

    /// Returns whether the operands give something else when exchanged.
    fn other_order(&self, operands: &[OperandType], result: OperandType) -> String {
        let [lhs, rhs] = operands else {
            return String::new();
        };
        match Answer::of(self.rules, self.operation(), *rhs, *lhs).result() {
            Some(other) if other == result => String::new(),
            other => {
                let other = other.map_or_else(|| "nothing".to_owned(), |other| other.to_string());
                line(
                    "order",
                    painted(BAD, format_args!("decides: {rhs} first gives {other}")),
                )
            }
        }
    }

    fn several_operands(&self) -> String {
        let operands = self.operands();
        let operation = self.operation();
        let mut steps = Vec::new();
        let (result, verdict) = if operation.is_some() {
            let chain = Chain::of(self.rules, operation, &operands);
            let sofar = operands.first().into_iter().chain(&chain.results);
            for ((lhs, rhs), result) in sofar.zip(&operands[1..]).zip(&chain.results) {
                steps.push(format!("{lhs} with {rhs} gives {result}"));
            }
            (chain.result(), None)
        } else {
            let common = self.rules.common_by_steps(&operands, |step| {
                steps.push(format!(
                    "{} with {} gives {}",
                    step.lhs, step.rhs, step.result
                ));
            });
            match common {
                Ok(common) => (Some(common.operand()), Some(common.verdict)),
                Err(error) => {
                    steps.push(error.to_string());
                    (None, None)
                }
            }
        };
        let mut page = self.headline(result);
        for step in steps {
            page += &line("meets", step);
        }
        if let (Some(result), Some(verdict)) = (result, verdict) {
            page += &self.promotion(result.dtype, verdict, result.dtype);
        }
        page += &self.orders(&operands, result);
        if let Some(result) = result {
            page += &self.spelled(result.dtype, result.dtype);
        }
        page
    }

    /// Returns whether another order of several operands gives another result.
    fn orders(&self, operands: &[OperandType], result: Option<OperandType>) -> String {
        let given = result.map(|result| (result.dtype, result.class == supremum::Class::Weak));
        let other = order::all(operands).into_iter().find_map(|order| {
            let found = if self.member.is_some() {
                Chain::of(self.rules, self.operation(), &order).result()
            } else {
                self.rules
                    .common(&order)
                    .ok()
                    .map(|common| common.operand())
            };
            let result = found.map(|found| (found.dtype, found.class == supremum::Class::Weak));
            (result != given).then_some((order, found))
        });
        let Some((order, found)) = other else {
            return line("order", painted(GOOD, "every order gives the same"));
        };
        let order: Vec<_> = order.iter().map(ToString::to_string).collect();
        let found = found.map_or_else(|| "nothing".to_owned(), |found| found.to_string());
        let text = format!("decides: {} gives {found}", order.join(", "));
        line("order", painted(BAD, text))
    }

    /// The smallest dtype that holds every value of all operands, for those that do not promote.
    fn way_out(&self, operands: &[OperandType]) -> String {
        let holds_all = |dtype: &&DType| {
            let strong = OperandType::dimensioned(**dtype);
            let answer = Answer::of(self.rules, self.operation(), strong, strong);
            answer.result().is_some()
                && operands
                    .iter()
                    .all(|operand| operand.dtype.loss_to(**dtype) == Loss::None)
        };
        let smallest = DType::ALL
            .iter()
            .filter(holds_all)
            .min_by_key(|dtype| dtype.size());
        match smallest {
            None => line(
                "way out",
                "no dtype of these rules holds every value of both; cast on purpose",
            ),
            Some(dtype) => {
                let result = OperandType::dimensioned(*dtype);
                let answer = Answer::of(self.rules, self.operation(), result, result);
                let result = answer.result().map_or(*dtype, |result| result.dtype);
                let text = format!("{dtype} is the smallest dtype that holds every value of both");
                line("way out", text) + &self.spelled(*dtype, result)
            }
        }
    }

    /// The lines that give this result with explicit conversions, one for each library.
    fn spelled(&self, promoted: DType, result: DType) -> String {
        let spellings = on_purpose(self.rules, self.member, &self.terms, promoted, result);
        let lines: Vec<_> = spellings
            .into_iter()
            .map(|(library, text)| {
                vec![
                    (format!("    {library}"), FAINT),
                    (text, anstyle::Style::new()),
                ]
            })
            .collect();
        format!("  to get it on purpose:\n{}", aligned(&lines))
    }

    /// The publication that the rules follow.
    fn source(&self) -> String {
        let Some(source) = self.rules.source() else {
            return String::new();
        };
        line("source", format_args!("{}, {}", source.version, source.url))
    }
}

/// A line of the answer with its label.
fn line(label: &str, text: impl std::fmt::Display) -> String {
    let mut written = String::new();
    writeln!(
        written,
        "  {}{text}",
        painted(FAINT, format_args!("{label:10}"))
    )
    .expect("a string takes all");
    written
}
