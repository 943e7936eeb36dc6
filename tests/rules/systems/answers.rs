//! Describes files of answers: the rows to read, the columns of the operands, and the column of the answer.

use supremum::{OperandType, RuleSet};

use Answer::Starred;

/// A rule set and what its system answers.
pub struct System {
    pub title: &'static str,
    pub rules: fn() -> &'static RuleSet,
    pub safety: Safety,
    pub answers: &'static [Answers],
    /// The number of pairs of tensors and literals that the rule set defines and no file has.
    pub unpublished: usize,
}

/// The reasons for which a promotion is unsafe.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Safety {
    /// An operand with values that the result does not have.
    Values,
    /// A rule of the system's own, which a file has to show.
    Own,
}

/// Rows of a file that speak of a rule set.
pub struct Answers {
    pub file: &'static str,
    /// The rows with these cells; others are of other modes or systems.
    pub only: &'static [(&'static str, &'static str)],
    /// The columns with the operands.
    pub operands: &'static [&'static str],
    pub question: Question,
    /// The number of rows that agree.
    pub agree: usize,
    /// The numbers of rows that do not, with the reasons.
    pub deviations: &'static [(Deviation, usize)],
}

/// The question of a row, and the columns that answer.
#[derive(Clone, Copy)]
pub struct Question {
    pub asks: Asks,
    /// `true` if the system answers only what it accepts as safe.
    pub safe: bool,
    pub answer: Answer,
}

#[derive(Clone, Copy)]
pub enum Asks {
    /// The promotion of two operands.
    Promotion,
    /// The result of the operation in the column `op`.
    Operation,
    /// The sum of two operands.
    Sum,
}

/// A result: a dtype, or `error`.
#[derive(Clone, Copy)]
pub enum Answer {
    /// It has a star if it is weak.
    Starred(&'static str),
    /// A second column says whether it is weak.
    Flagged(&'static str, &'static str),
    /// The file does not say whether it is weak.
    Bare(&'static str),
}

impl Question {
    pub(super) const fn safe(self) -> Self {
        Self { safe: true, ..self }
    }
}

pub(super) const fn promotion(answer: Answer) -> Question {
    Question {
        asks: Asks::Promotion,
        safe: false,
        answer,
    }
}

pub(super) const fn operation(answer: Answer) -> Question {
    Question {
        asks: Asks::Operation,
        safe: false,
        answer,
    }
}

pub(super) const fn sum(answer: Answer) -> Question {
    Question {
        asks: Asks::Sum,
        safe: false,
        answer,
    }
}

/// Rows on which the library means to differ.
#[derive(Clone, Copy)]
pub struct Deviation {
    pub reason: &'static str,
    pub explains: fn(&Case<'_>) -> bool,
}

/// A row on which the rule set differs from the system.
pub struct Case<'a> {
    /// The operation, if the row has one.
    pub operation: &'a str,
    pub operands: &'a [OperandType],
    /// Which of the operands are literals in the file.
    pub literals: &'a [bool],
    pub expected: &'a str,
    pub found: &'a str,
}

impl Answers {
    pub(super) const fn new(
        file: &'static str,
        operands: &'static [&'static str],
        question: Question,
        agree: usize,
        deviations: &'static [(Deviation, usize)],
    ) -> Self {
        Self {
            file,
            only: &[],
            operands,
            question,
            agree,
            deviations,
        }
    }

    /// A file of pairs.
    pub(super) const fn pairs(
        file: &'static str,
        question: Question,
        agree: usize,
        deviations: &'static [(Deviation, usize)],
    ) -> Self {
        Self::new(file, &["lhs", "rhs"], question, agree, deviations)
    }

    /// A file of dtypes with literals.
    pub(super) const fn literals(
        file: &'static str,
        question: Question,
        agree: usize,
        deviations: &'static [(Deviation, usize)],
    ) -> Self {
        Self::new(file, &["dtype", "literal"], question, agree, deviations)
    }

    /// The literal is the left operand.
    pub(super) const fn reversed(self) -> Self {
        Self {
            operands: &["literal", "dtype"],
            ..self
        }
    }

    /// The promotions of OpenVINO.
    pub(super) const fn openvino(only: &'static [(&'static str, &'static str)]) -> Self {
        let file = "openvino_convert_promote_types.csv";
        Self::pairs(file, promotion(STRONG), 900, &[]).only(only)
    }

    /// The system answers only what it accepts as safe.
    pub(super) const fn safe(self) -> Self {
        Self {
            question: self.question.safe(),
            ..self
        }
    }

    /// Only the rows with these cells.
    pub(super) const fn only(self, only: &'static [(&'static str, &'static str)]) -> Self {
        Self { only, ..self }
    }

    /// The columns of the operation files for one system.
    pub(super) const fn unary(column: &'static str, agree: usize) -> Self {
        Self::new(
            "op_unary.csv",
            &["operand"],
            operation(Starred(column)),
            agree,
            &[],
        )
    }

    pub(super) const fn reductions(
        column: &'static str,
        agree: usize,
        deviations: &'static [(Deviation, usize)],
    ) -> Self {
        Self::new(
            "op_reduce.csv",
            &["operand"],
            operation(Starred(column)),
            agree,
            deviations,
        )
    }

    pub(super) const fn binary(
        column: &'static str,
        agree: usize,
        deviations: &'static [(Deviation, usize)],
    ) -> Self {
        Self::pairs(
            "op_binary.csv",
            operation(Starred(column)),
            agree,
            deviations,
        )
    }

    /// The same of the dtypes that only these files have.
    pub(super) const fn unary_float8(column: &'static str, agree: usize) -> Self {
        let file = Self::unary(column, agree);
        Self {
            file: "op_unary_float8.csv",
            ..file
        }
    }

    pub(super) const fn reductions_float8(column: &'static str, agree: usize) -> Self {
        let file = Self::reductions(column, agree, &[]);
        Self {
            file: "op_reduce_float8.csv",
            ..file
        }
    }

    pub(super) const fn binary_float8(
        column: &'static str,
        agree: usize,
        deviations: &'static [(Deviation, usize)],
    ) -> Self {
        let file = Self::binary(column, agree, deviations);
        Self {
            file: "op_binary_float8.csv",
            ..file
        }
    }

    pub(super) const fn binary_weak(
        column: &'static str,
        agree: usize,
        deviations: &'static [(Deviation, usize)],
    ) -> Self {
        Self::pairs(
            "op_binary_weak.csv",
            operation(Starred(column)),
            agree,
            deviations,
        )
    }
}

pub(super) const STRONG: Answer = Starred("out");
