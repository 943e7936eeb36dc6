//! Calls of a user's functions.

use super::{Graph, MAX_INPUTS, Step, Value};
use crate::dtype::{DType, Element};
use crate::error::Error;
use crate::simd::{self, Kernel};

impl Graph<'_> {
    /// Adds a loop over contiguous inputs, which broadcast together, to elements of a dtype. It is assumed to be
    /// pure: with the same inputs it may run once for two calls.
    ///
    /// # Safety
    /// `function` fulfils the contract of [`Kernel`] for as many inputs, whose elements are those of the values as
    /// stored in memory. It writes valid elements of `out` (booleans are the bytes 0 and 1).
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`], [`Error::ShapeTooLarge`].
    ///
    /// # Panics
    /// With no inputs, or more than three.
    #[allow(unsafe_code, reason = "runs a loop over raw memory later")]
    pub(crate) unsafe fn call(
        &mut self,
        name: &'static str,
        function: Kernel,
        inputs: &[Value],
        out: DType,
    ) -> Result<Value, Error> {
        assert!(
            (1..=MAX_INPUTS).contains(&inputs.len()),
            "{name}: one to {MAX_INPUTS} inputs"
        );
        let shape = self.common_shape(name, inputs)?;
        Ok(self.step(Step::new(function, inputs), out, shape))
    }
}

macro_rules! calls {
    ($($call:ident $map:ident ($($A:ident $a:ident),*) $doc:literal)*) => {
        impl Graph<'_> {$(
            #[doc = $doc]
            ///
            /// The function must be pure: with the same inputs it may be called once for two values. It captures
            /// nothing: it is a function's name, or a closure without captures; the compiler refuses others. A panic
            /// of the function passes through the graph.
            ///
            /// # Errors
            /// [`Error::DTypeMismatch`] if a value has elements of another type,
            /// [`Error::ShapeMismatch`], [`Error::ShapeTooLarge`].
            #[allow(unsafe_code, reason = "the loop was made for these elements")]
            pub(crate) fn $call<$($A: Element,)* R: Element, F>(
                &mut self,
                name: &'static str,
                function: F,
                $($a: Value,)*
            ) -> Result<Value, Error>
            where
                F: Fn($($A),*) -> R + Copy + 'static,
            {
                $(self.expect(name, $A::DTYPE, $a)?;)*
                let kernel = simd::$map::<$($A,)* R, F>(function);
                // SAFETY: `expect` checked that the values have the dtypes of the argument types; the loop was made
                // for these types and writes elements of `R`.
                unsafe { self.call(name, kernel, &[$($a),*], R::DTYPE) }
            }
        )*}
    };
}

calls! {
    call1 map1(A a) "A function of one element, of each."
    call2 map2(A a, B b) "A function of two elements, of each pair."
    call3 map3(A a, B b, C c) "A function of three elements, of each triple."
}
