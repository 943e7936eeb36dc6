//! Every method that takes an index, an axis, a size or a permutation gets values that are out of range. Its `try_` form returns an
//! error that names them and never panics; its plain form panics with the text of that error. Results for tensors without elements and
//! of rank 0 are compared with NumPy's.
#![allow(clippy::as_conversions, reason = "small numbers as sizes")]

mod answers;
mod axes;
mod complete;
mod hostile;
mod positions;
mod sequences;
mod sizes;
#[path = "../sources/mod.rs"]
mod sources;
mod typed;

use std::any::Any;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, Once, PoisonError};

use supremum::prelude::*;

thread_local! {
    /// `true` if this thread expects a panic.
    static EXPECTS: Cell<bool> = const { Cell::new(false) };
}

/// Calls a function that may panic. The panic is not printed: there are tens of thousands, some with backtraces.
///
/// This function and the checks below take functions by reference, so that the compiler does not compile them for each of some two thousand
/// calls.
fn catch_unwind<T>(call: &mut dyn FnMut() -> T) -> Result<T, Box<dyn Any + Send>> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !EXPECTS.get() {
                loud(info);
            }
        }));
    });
    EXPECTS.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    EXPECTS.set(false);
    result
}

/// The methods that these tests have called with positions, sizes or shapes that do not fit: of dynamic tensors if `true`.
static TRIED: Mutex<BTreeSet<(bool, &str)>> = Mutex::new(BTreeSet::new());

/// Notes that a method of a tensor is called with arguments that do not fit.
fn tried<T>(_: &T, method: &'static str) {
    let is_dynamic = std::any::type_name::<T>().contains("Dyn");
    let mut tried = TRIED.lock().unwrap_or_else(PoisonError::into_inner);
    tried.insert((is_dynamic, method));
}

/// The faults that were found, so that a test shows all of them at once.
#[derive(Default)]
struct Faults(String);

impl Drop for Faults {
    fn drop(&mut self) {
        assert!(
            self.0.is_empty() || std::thread::panicking(),
            "\n{}",
            self.0
        );
    }
}

impl Faults {
    /// Checks that a `try_` form returns an error that begins with the operation's name and mentions some texts. Returns its text.
    fn refused<T>(
        &mut self,
        operation: (&str, &str),
        mentions: &[String],
        mut fallible: impl FnMut() -> Result<T, Error>,
    ) -> Option<String> {
        self.refused_by(operation, mentions, &mut || fallible().map(drop))
    }

    fn refused_by(
        &mut self,
        (call, operation): (&str, &str),
        mentions: &[String],
        fallible: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Option<String> {
        let error = match catch_unwind(fallible) {
            Ok(Err(error)) => error.to_string(),
            Ok(Ok(())) => {
                self.note(call, mentions, "no error");
                return None;
            }
            Err(_) => {
                self.note(call, mentions, "a panic");
                return None;
            }
        };
        let named = error
            .strip_prefix(operation)
            .is_some_and(|rest| rest.starts_with(": "));
        if !named || !mentions.iter().all(|mention| names(&error, mention)) {
            self.note(call, mentions, &error);
        }
        Some(error)
    }

    /// Checks that a plain form panics with the text of the error.
    fn panics(&mut self, call: &str, error: &str, plain: &mut dyn FnMut()) {
        let text = panic_text(plain);
        if text != error {
            self.note(
                call,
                &[],
                &format!("the plain form: {text:?}, not {error:?}"),
            );
        }
    }

    /// Checks that a call neither panics nor is refused.
    fn accepted<T>(&mut self, call: &str, mut fallible: impl FnMut() -> Result<T, Error>) {
        match catch_unwind(&mut || fallible().map(drop)) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.note(call, &[], &error.to_string()),
            Err(_) => self.note(call, &[], "a panic"),
        }
    }

    fn note(&mut self, call: &str, mentions: &[String], found: &str) {
        let _ = writeln!(self.0, "{call} {mentions:?}: {found}");
    }
}

/// Returns whether a text has a number or a list as a whole.
fn names(text: &str, mention: &str) -> bool {
    text.match_indices(mention).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + mention.len()..].chars().next();
        let is_part = |c: char| c.is_ascii_digit() || c == '-';
        !before.is_some_and(is_part) && !after.is_some_and(|c| c.is_ascii_digit())
    })
}

/// Checks a method of each tensor in a list, such as a typed and a dynamic one, in the same way.
macro_rules! refused {
    ($faults:ident, $mentions:expr, []; $($method:tt)*) => {};
    ($faults:ident, $mentions:expr, [$tensor:ident $(, $more:ident)*]; $try_name:ident $name:ident $arguments:tt) => {
        let mentions: &[String] = $mentions;
        let call = format!("{} of {:?}", stringify!($tensor.$try_name $arguments), $tensor.shape());
        crate::tried(&$tensor, stringify!($try_name));
        let mut fallible = || $tensor.$try_name $arguments.map(drop);
        if let Some(error) = $faults.refused_by((&call, stringify!($name)), mentions, &mut fallible) {
            $faults.panics(&call, &error, &mut || _ = $tensor.$name $arguments);
        }
        refused!($faults, $mentions, [$($more),*]; $try_name $name $arguments);
    };
}

/// As `refused!`, of methods that have no plain form.
macro_rules! refused_alone {
    ($faults:ident, $operation:literal, $mentions:expr, $tensor:ident; $try_name:ident $arguments:tt) => {
        crate::tried(&$tensor, stringify!($try_name));
        let call = format!("{} of {:?}", stringify!($tensor.$try_name $arguments), $tensor.shape());
        $faults.refused_by((&call, $operation), $mentions, &mut || $tensor.$try_name $arguments.map(drop));
    };
}

use {refused, refused_alone};

/// Tensors of several shapes, with the indices of their elements.
fn tensor(shape: &[usize]) -> Tensor<F32> {
    let mut count = 0.0;
    Tensor::from_fn(shape, |_| {
        count += 1.0;
        count
    })
}

/// Shapes of rank 0, without elements, and with some.
const SHAPES: [&[usize]; 6] = [&[], &[0], &[3], &[2, 3], &[0, 3], &[2, 0, 3]];

/// Axes that a tensor of this rank does not have.
fn bad_axes(rank: usize) -> Vec<isize> {
    let rank = rank.cast_signed();
    vec![
        rank,
        rank + 1,
        -rank - 1,
        isize::MAX,
        isize::MIN,
        isize::MIN + 1,
    ]
}

/// The parts of the error of an axis that does not exist.
fn no_axis(axis: isize, rank: usize) -> [String; 2] {
    [format!("axis {axis}"), format!("rank {rank}")]
}

/// The text with which a call panics, or an empty one.
fn panic_text(plain: &mut dyn FnMut()) -> String {
    let panic = catch_unwind(plain).err();
    let text = panic.and_then(|panic| panic.downcast::<String>().ok());
    text.map_or_else(String::new, |text| *text)
}
