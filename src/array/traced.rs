//! Checks of operations and views for traced operands. They expand to nothing without the feature `stablehlo`.

/// If one of the arrays stands for a traced value, records the operation and returns the recorded result from the
/// surrounding function, converted to its return type.
macro_rules! record_if_traced {
    ([$($array:expr),+] => $record:ident($($argument:expr),* $(,)?)) => {
        #[cfg(feature = "stablehlo")]
        if $($array.tracer().is_some())||+ {
            return $crate::stablehlo::record::$record($($argument),*).into();
        }
    };
}

/// Refuses arrays that stand for a traced value where elements are needed: with an error, or in the `always` form,
/// for functions without a `Result`, by aborting the trace.
macro_rules! require_concrete {
    ($operation:literal, $($array:expr),+) => {
        #[cfg(feature = "stablehlo")]
        {
            $($crate::stablehlo::reads($operation, $array)?;)+
        }
    };
    ($operation:literal always, $($array:expr),+) => {
        #[cfg(feature = "stablehlo")]
        {
            $($crate::stablehlo::or_abort_trace($crate::stablehlo::reads($operation, $array));)+
        }
    };
}

pub(crate) use {record_if_traced, require_concrete};
