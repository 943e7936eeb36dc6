//! Groups of binary operations as types. They select the rules that promote a literal and the other operand.

use crate::rule_set::operations::each_binary_group;
use crate::rules::Rules;

/// A group of operations.
pub trait Group {
    /// The rules that promote its operands.
    type Promoting<R: Rules>: Rules;
}

macro_rules! groups {
    ($($name:ident)*) => {$(
        #[doc = concat!("The group [`", stringify!($name), "`](crate::operations::", stringify!($name), ").")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Group for $name {
            type Promoting<R: Rules> = R::$name;
        }
    )*};
}

each_binary_group!(groups!);
