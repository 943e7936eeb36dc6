//! Where operations and views ask whether they are traced; nothing without the feature `stablehlo`.

/// Where one of these arrays stands for a value of a trace: the operation is recorded, and what that gives returned, as the
/// function returns it.
macro_rules! record_if_traced {
    ([$($array:expr),+] => $record:ident($($argument:expr),* $(,)?)) => {
        #[cfg(feature = "stablehlo")]
        if $($array.tracer().is_some())||+ {
            return $crate::stablehlo::record::$record($($argument),*).into();
        }
    };
}

/// Refuses to give the elements of an array that stands for a value of a trace: by an error, or where there is no
/// `Result` by ending the trace.
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
