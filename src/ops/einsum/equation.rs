//! The equations of `einsum`: parsed by constant functions, for the compiler and for run time.

use crate::array::MAX_RANK;
use crate::error::Error;

/// The largest number of operands.
pub(crate) const MAX_OPERANDS: usize = 6;
/// The rank of a term with an ellipsis.
const ANY: usize = usize::MAX;

/// The subscripts of an operand or of the result.
#[derive(Clone, Copy, Debug)]
struct Term {
    labels: [u8; MAX_RANK],
    len: usize,
    /// The number of labels before the ellipsis.
    ellipsis: Option<usize>,
}

impl Term {
    const EMPTY: Self = Self {
        labels: [0; MAX_RANK],
        len: 0,
        ellipsis: None,
    };

    const fn count(&self, label: u8) -> usize {
        let (mut at, mut count) = (0, 0);
        while at < self.len {
            if self.labels[at] == label {
                count += 1;
            }
            at += 1;
        }
        count
    }

    const fn rank(&self) -> usize {
        match self.ellipsis {
            Some(_) => ANY,
            None => self.len,
        }
    }

    /// Adds a letter.
    const fn push(&mut self, label: u8, position: usize) -> Result<(), EquationFault> {
        if self.len == MAX_RANK {
            return Err(fault(position, "a term has at most 8 letters"));
        }
        self.labels[self.len] = label;
        self.len += 1;
        Ok(())
    }

    /// Returns the labels of an array of this rank. Axes under the ellipsis have labels from [`HIDDEN`] on, the last the lowest.
    fn labels(&self, rank: usize) -> Option<Vec<u8>> {
        let labels = &self.labels[..self.len];
        let Some(place) = self.ellipsis else {
            return (rank == self.len).then(|| labels.to_vec());
        };
        let hidden = u8::try_from(rank.checked_sub(self.len)?).ok()?;
        let hidden = (0..hidden).rev().map(|number| HIDDEN + number);
        let (before, after) = labels.split_at(place);
        Some(
            before
                .iter()
                .copied()
                .chain(hidden)
                .chain(after.iter().copied())
                .collect(),
        )
    }
}

/// The first label of an axis under an ellipsis; above all letters.
pub(super) const HIDDEN: u8 = 128;

/// A mistake in an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EquationFault {
    /// The position of the character, from zero.
    position: usize,
    reason: &'static str,
}

const fn fault(position: usize, reason: &'static str) -> EquationFault {
    EquationFault { position, reason }
}

/// A parsed equation.
#[derive(Clone, Copy, Debug)]
pub struct Equation {
    operands: [Term; MAX_OPERANDS],
    count: usize,
    result: Term,
}

impl Equation {
    /// Parses an equation: terms of letters, separated by commas, and the result behind `->`. Spaces are ignored.
    ///
    /// # Errors
    /// The first fault.
    pub const fn parse(text: &str) -> Result<Self, EquationFault> {
        let text = text.as_bytes();
        let mut equation = Self {
            operands: [Term::EMPTY; MAX_OPERANDS],
            count: 1,
            result: Term::EMPTY,
        };
        let mut arrow = None;
        let mut at = 0;
        while at < text.len() {
            let in_result = arrow.is_some();
            let term = match in_result {
                true => &mut equation.result,
                false => &mut equation.operands[equation.count - 1],
            };
            match text[at] {
                b' ' => {}
                letter if letter.is_ascii_alphabetic() => {
                    if in_result && term.count(letter) > 0 {
                        return Err(fault(at, "a letter is repeated in the result"));
                    }
                    if let Err(fault) = term.push(letter, at) {
                        return Err(fault);
                    }
                }
                b'.' => {
                    if !(at + 2 < text.len() && text[at + 1] == b'.' && text[at + 2] == b'.') {
                        return Err(fault(at, "`.` is a part of `...` only"));
                    }
                    if term.ellipsis.is_some() {
                        return Err(fault(at, "a term has one `...` at most"));
                    }
                    term.ellipsis = Some(term.len);
                    at += 2;
                }
                b',' if in_result => return Err(fault(at, "there is one result")),
                b',' if equation.count == MAX_OPERANDS => {
                    return Err(fault(at, "there are at most 6 operands"));
                }
                b',' => equation.count += 1,
                b'-' if in_result => return Err(fault(at, "there is one result")),
                b'-' if at + 1 < text.len() && text[at + 1] == b'>' => {
                    arrow = Some(at);
                    at += 1;
                }
                b'-' => return Err(fault(at, "`-` is a part of `->` only")),
                _ => {
                    return Err(fault(
                        at,
                        "subscripts are letters, `...`, commas between operands, and `->` before the result",
                    ));
                }
            }
            at += 1;
        }
        match arrow {
            None => match equation.implied_result(text.len()) {
                Ok(()) => Ok(equation),
                Err(fault) => Err(fault),
            },
            Some(arrow) => equation.check_result(text, arrow),
        }
    }

    /// Checks the letters of the result, which stands behind the arrow.
    const fn check_result(self, text: &[u8], arrow: usize) -> Result<Self, EquationFault> {
        let mut at = arrow + 2;
        while at < text.len() {
            if text[at].is_ascii_alphabetic() && self.count_of(text[at]) == 0 {
                return Err(fault(at, "a letter of the result is in no operand"));
            }
            at += 1;
        }
        match (self.has_ellipsis(), self.result.ellipsis) {
            (true, None) => Err(fault(
                arrow,
                "the `...` of the operands is not in the result",
            )),
            (false, Some(_)) => Err(fault(arrow, "the `...` of the result is in no operand")),
            _ => Ok(self),
        }
    }

    /// Makes the result of an equation without an arrow: the ellipsis, and the letters that occur once, in the order of ASCII.
    const fn implied_result(&mut self, end: usize) -> Result<(), EquationFault> {
        if self.has_ellipsis() {
            self.result.ellipsis = Some(0);
        }
        let mut letter = b'A';
        while letter <= b'z' {
            if self.count_of(letter) == 1
                && let Err(fault) = self.result.push(letter, end)
            {
                return Err(fault);
            }
            letter += 1;
        }
        Ok(())
    }

    const fn has_ellipsis(&self) -> bool {
        let mut number = 0;
        while number < self.count {
            if self.operands[number].ellipsis.is_some() {
                return true;
            }
            number += 1;
        }
        false
    }

    /// Returns how often a letter occurs in the operands.
    const fn count_of(&self, letter: u8) -> usize {
        let (mut number, mut count) = (0, 0);
        while number < self.count {
            count += self.operands[number].count(letter);
            number += 1;
        }
        count
    }

    /// Parses the equation of a macro, for so many operands. The compiler reports a fault with the place in the equation.
    #[doc(hidden)]
    #[track_caller]
    pub const fn checked(text: &str, operands: usize) -> Self {
        match Self::parse(text) {
            Ok(equation) => {
                if equation.count != operands {
                    panic!(
                        "einsum: the equation has another number of terms than there are operands"
                    );
                }
                equation
            }
            Err(fault) => {
                let message = Message::new(text, fault);
                panic!("{}", message.as_str())
            }
        }
    }

    /// The rank of an operand; `usize::MAX` if an ellipsis leaves it open.
    #[doc(hidden)]
    pub const fn operand_rank(&self, number: usize) -> usize {
        self.operands[number].rank()
    }

    /// The rank of the result; `usize::MAX` if an ellipsis leaves it open.
    #[doc(hidden)]
    pub const fn result_rank(&self) -> usize {
        self.result.rank()
    }

    /// Parses an equation at run time.
    ///
    /// # Errors
    /// [`Error::Equation`].
    pub(crate) fn of(text: &str) -> Result<Self, Error> {
        Self::parse(text).map_err(|fault| Error::Equation {
            equation: text.to_owned(),
            position: fault.position,
            reason: fault.reason,
        })
    }

    /// The number of operands.
    pub(crate) fn operands(&self) -> usize {
        self.count
    }

    /// Returns the labels of an operand of this rank, or `None` if it does not have the rank of its term.
    pub(super) fn operand_labels(&self, number: usize, rank: usize) -> Option<Vec<u8>> {
        self.operands[number].labels(rank)
    }

    /// Returns the labels of the result, with so many axes under the ellipsis.
    pub(super) fn result_labels(&self, hidden: usize) -> Vec<u8> {
        let hidden = self.result.ellipsis.map_or(0, |_| hidden);
        let labels = self.result.labels(self.result.len + hidden);
        labels.unwrap_or_default()
    }

    /// Returns the letters of an operand's term, for messages.
    pub(super) fn operand_text(&self, number: usize) -> String {
        let term = &self.operands[number];
        let mut text: String = term.labels[..term.len]
            .iter()
            .map(|label| char::from(*label))
            .collect();
        if let Some(place) = term.ellipsis {
            text.insert_str(place, "...");
        }
        text
    }
}

/// A message that a constant function writes.
struct Message {
    bytes: [u8; Self::MOST],
    len: usize,
}

impl Message {
    const MOST: usize = 512;

    const fn new(text: &str, fault: EquationFault) -> Self {
        let mut message = Self {
            bytes: [0; Self::MOST],
            len: 0,
        };
        message.push("einsum: ");
        message.push_character(text, fault.position);
        message.push(" of `");
        if text.len() <= 200 {
            message.push(text);
        }
        message.push("`: ");
        message.push(fault.reason);
        message
    }

    const fn push(&mut self, text: &str) {
        let (text, mut at) = (text.as_bytes(), 0);
        while at < text.len() && self.len < Self::MOST {
            self.bytes[self.len] = text[at];
            self.len += 1;
            at += 1;
        }
    }

    /// Writes the character at a position, or where the equation ends.
    const fn push_character(&mut self, text: &str, position: usize) {
        if position >= text.len() {
            self.push("the end");
            return;
        }
        let mut end = position + 1;
        while !text.is_char_boundary(end) {
            end += 1;
        }
        self.push("`");
        self.push(text.split_at(end).0.split_at(position).1);
        self.push("` at position ");
        self.push_number(position);
    }

    const fn push_number(&mut self, number: usize) {
        const DIGITS: &str = "0123456789";
        if number >= 10 {
            self.push_number(number / 10);
        }
        self.push(DIGITS.split_at(number % 10).1.split_at(1).0);
    }

    const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "einsum: the equation is not well-formed",
        }
    }
}
