//! The texts with which functions panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

pub(crate) fn panic_text<T>(f: impl FnOnce() -> T) -> String {
    let Err(panic) = catch_unwind(AssertUnwindSafe(f)) else {
        panic!("no panic");
    };
    let text = panic.downcast_ref::<String>();
    text.expect("a formatted panic").clone()
}

/// The fallible form's error, with this text; the other form panics with it.
macro_rules! refused {
    ($($fallible:expr, $panicking:expr => $text:expr;)*) => {$(
        let Err(error) = $fallible else {
            panic!("no error: {}", $text);
        };
        assert_eq!(error.to_string(), $text);
        assert_eq!($crate::panics::panic_text(|| $panicking), $text);
    )*};
}
pub(crate) use refused;
