//! The result dtypes of operations.
//!
//! A binary operation first promotes its operands. Then a table of the rule set maps the promoted dtype to the dtype of
//! the result. The same table maps the operand of unary operations and reductions. It is the `operations` part of
//! [`promotion_rules!`](crate::promotion_rules). The compiler reads it as one trait for each group of operations that
//! share a row. The dynamic API reads it by [`RuleSet::operation`](crate::RuleSet::operation).
//!
//! The traits have the parameter [`Rules::Operations`](crate::Rules::Operations), the rule set whose table applies.

use crate::dtype::StaticDType;

// The rows are in `rules-syntax/src/operations.rs`.
macro_rules! operations {
    (
        two operands { $($(#[doc = $binary_doc:literal])+ $binary:ident: $($binary_messages:literal),+;)* }
        one operand { $($unary:tt)* }
    ) => {
        operations! {
            @all $($(#[doc = $binary_doc])+ $binary: $($binary_messages),+;)* $($unary)*
        }

        impl Operation {
            /// The number of groups with two operands; they come first in [`Self::ALL`].
            pub(crate) const BINARY: usize = [$(stringify!($binary)),*].len();
        }

        operations! { @each ($) $($binary)* }
    };
    (@each ($d:tt) $($binary:ident)*) => {
        /// Calls a macro with its own arguments, then all groups of binary operations.
        macro_rules! each_binary_group {
            ($d consumer:ident! $d($d more:tt)*) => { $d consumer! { $d($d more)* $($binary)* } };
        }
        pub(crate) use each_binary_group;
    };
    (@all $(
        $(#[doc = $doc:literal])+
        $name:ident: $message:literal, $label:literal $(, $note:literal)?;
    )*) => {
        /// A group of operations that share a row of the table.
        // Hidden for the reason that `DType` is.
        #[cfg_attr(not(doc), doc(hidden))]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Operation {
            $($(#[doc = $doc])+ $name,)*
        }

        impl Operation {
            /// Every group.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The name of the group.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name)),* }
            }

            #[allow(clippy::as_conversions, reason = "a fieldless enum to its discriminant")]
            pub(crate) const fn index(self) -> usize {
                self as usize
            }
        }

        $(
            $(#[doc = $doc])+
            ///
            /// Implemented by every dtype on which the rules `R` define it.
            #[diagnostic::on_unimplemented(message = $message, label = $label $(, note = $note)?)]
            pub trait $name<R> {
                /// The dtype of the result.
                type Output: StaticDType;
            }
        )*
    };
}

supremum_macros::with_operations!(operations);

impl Operation {
    /// Returns whether the operations of the group have two operands, which promote.
    pub const fn is_binary(self) -> bool {
        self.index() < Self::BINARY
    }
}
