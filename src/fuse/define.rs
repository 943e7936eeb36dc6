//! The macros of fused expressions, and the documentation of their language.

/// Marks functions on elements that [`fuse!`](crate::fuse) calls, so that they are inlined into its loops in other crates too.
///
/// An expression may call any function of one to three elements that returns one element, whether it is marked or not, such as
/// `f32::cbrt`, and closures that capture nothing. The arguments broadcast. Their element types must be exactly the parameters'
/// types. A function should depend on its arguments alone, because two calls with the same arguments may be merged into one. If a
/// function panics, so does the evaluation; an output that was being written then holds a mix of new and old elements.
///
/// ```
/// use supremum::{F32, Tensor, elementwise, fuse, tensor};
/// elementwise! {
///     /// `x / (1 + |x|)`
///     fn softsign(x: f32) -> f32 {
///         x / (1.0 + x.abs())
///     }
/// }
/// let x: Tensor<F32> = tensor![1.0, -3.0];
/// assert_eq!(fuse!(softsign(x) + 1.0).to_vec(), [1.5, 0.25]);
/// assert_eq!(softsign(1.0), 0.5);
/// ```
#[macro_export]
macro_rules! elementwise {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($argument:ident: $type:ty),+ $(,)?) -> $output:ty $body:block
    )+) => {$(
        $(#[$attribute])*
        #[inline]
        $visibility fn $name($($argument: $type),+) -> $output $body
    )+};
    ($($other:tt)*) => {
        ::core::compile_error!("a function of elements has a type for each argument and for its result: `fn f(x: f32) -> f32 { .. }`; a generic function stands outside of `elementwise!`, with `#[inline]` before it");
    };
}

/// Defines the macros of expressions, with the words of their language, which `words.rs` collects.
macro_rules! define_fuse {
    (($d:tt) $words:tt) => {
        /// Evaluates an expression of tensors in one pass, without allocating tensors for intermediate results.
        ///
        /// Operators and methods mean the same as between tensors. The compiler checks the same promotions. Each
        /// operation rounds its result, so the results have the same bits. The elements of intermediate results never
        /// leave the cache.
        ///
        /// ```
        /// use supremum::{BF16, F16, F32, Rank1, Rank2, Tensor, fuse, tensor};
        /// let x: Tensor<BF16, Rank2> = tensor![[1.0, -2.0], [3.0, -4.0]];
        /// let w: Tensor<F16, Rank1> = tensor![0.5, 0.25];
        /// let y: Tensor<F32, Rank2> = fuse!(x * w + 2.0);
        /// assert_eq!(y, &x * &w + 2.0);
        /// ```
        ///
        /// # The language
        ///
        /// - **Operands**: names, fields and elements of arrays (`a`, `self.w`, `w[0]`) of tensors or references to
        ///   tensors, which are borrowed; views of them (`a.transpose()`, `a.slice(0, 1..3)`); macros, functions of `Tensor`, and what
        ///   ends in `?` (`tensor![F32; 1, 2]`, `Tensor::<F32, Rank2>::eye(3)`, `f(&a)?`); and any
        ///   other expression behind `&`: `&model.bias()`. Operands broadcast, and may have any strides. The code of an operand is
        ///   evaluated once, before the loop.
        /// - **Literals** without a suffix are weak, as everywhere, and the compiler checks their range: `u8_tensor + 300` does
        ///   not compile. Under [`AllowUnsafe`](crate::AllowUnsafe) they convert as beside operators. The macro computes
        ///   operations between literals exactly (`1 / 3` is a float, as between tensors).
        /// - **Elements** with a type (`2.0f32`, or a variable that is a `f32`, `i8`, ..) are strong, of rank 0. `as` converts a Rust
        ///   number to one, before the loop: `x / count as f32`.
        /// - **Operators** `+ - * / % & | ^ << >>`, `-x`, `!x`, and the comparisons `== != < <= > >=`, which give
        ///   booleans by element.
        /// - **Methods**: all functions of one tensor (`.exp()`, `.abs()`, ..), `.pow(..)`, `.minimum(..)`,
        ///   `.clamp(.., ..)` and the other methods of two; `.cast::<D>()`, `.cast_saturating::<D>()` and `.widen::<D>()`.
        /// - **Choices**: `if condition { a } else { b }`, by element; both sides are computed for every element.
        /// - **Bindings**: `let d = a - b; d * d`. The value of a binding is computed once.
        /// - **Functions of elements**: any function of one to three elements, such as `f32::cbrt` or one of your own;
        ///   [`elementwise!`](crate::elementwise) lets the compiler inline it.
        /// - **Reductions**, of the whole expression or anywhere in it: `fuse!((a * b).sum())`,
        ///   `fuse!(x / x.sum_keepdims(1))`, `.max_axis(1)`, `.argmax_keepdims(-1)`, ..
        /// - **Operations on whole tensors**, anywhere in an expression: `fuse!((a + b).softmax(-1) * 2.0)`, `.matmul(&w)`,
        ///   `.cumsum(0)`, `.sort(0)`, .. What they are called on is evaluated before, unless it is a tensor already; their arguments are
        ///   ordinary code.
        /// - **An output**: `fuse!(out = a * b)` writes into an existing tensor, `fuse!(out += a)` updates it. The tensor
        ///   may be behind a `&mut`. A view for writing is an output too: `fuse!(out.slice_mut(0, 1..3) = a * b)`.
        ///
        /// # Reductions within an expression
        ///
        /// A reduction needs all elements before the rest of the expression can be computed. So a reduction within an
        /// expression is a separate pass, as if a statement before the expression had evaluated it: its dtype, its
        /// errors and its bits are those of the statement. The pass reads its operands again, but stores only the
        /// values of the reduction. Equal reductions are one pass, a mean and a variance (or standard deviation) of the
        /// same elements are one pass, and costly operations on values of reductions alone
        /// (`(variance + 1e-5).rsqrt()`) are computed for each value. Axes are ordinary code. A binding that several
        /// passes read is computed in each of them. If the binding has a function such as `exp`, or one of your own, it
        /// is a pass instead, whose values are stored.
        ///
        /// ```
        /// use supremum::{F32, Rank2, Tensor, fuse, tensor};
        /// let x: Tensor<F32, Rank2> = tensor![[1.0, 3.0], [2.0, 6.0]];
        /// let shares = fuse!(x / x.sum_keepdims(1));
        /// assert_eq!(shares.to_vec(), [0.25, 0.75, 0.25, 0.75]);
        /// let normal = fuse!((x - x.mean_keepdims(-1)) * x.var_keepdims(-1).rsqrt());
        /// assert_eq!(normal.to_vec(), [-1.0, 1.0, -1.0, 1.0]);
        ///
        /// let mut out = x.clone();
        /// fuse!(let top = out.max_keepdims(1); out = (out - top).exp());
        /// assert_eq!(out, (&x - x.max_keepdims(1)).exp());
        /// ```
        ///
        /// # Limits
        ///
        /// An expression becomes a type. The macro keeps that type small by making a binding of every part deeper than 16
        /// operations. So compile time is linear in the length of chains and in the number of bindings; each binding takes 6 to
        /// 8 ms. An expression has at most 64 levels of brackets, chains of at most 256 operations, and 500 bindings; the
        /// macro's error names the exceeded limit. A compiled loop (in optimised builds) has room for 8 bindings; an expression
        /// with more is interpreted.
        ///
        /// ```
        /// use supremum::{F32, I64, Rank2, Tensor, U8, fuse, tensor};
        /// let image: Tensor<U8, Rank2> = tensor![[0, 255], [51, 102]];
        /// let scaled: Tensor<F32, Rank2> = fuse!(image.cast::<F32>() / 255.0);
        /// let clipped = fuse!(let d = scaled - 0.25; if d > 0.0 { d } else { 0.0 });
        /// assert_eq!(clipped.to_vec(), [0.0, 0.75, 0.0, 0.15]);
        /// let bright: Tensor<I64, _> = fuse!((image > 100).sum());
        /// assert_eq!(bright.item(), Ok(2));
        ///
        /// let mut out = Tensor::<F32, Rank2>::zeros([2, 2]);
        /// fuse!(out = scaled * 10);
        /// fuse!(out += 1);
        /// assert_eq!(out.to_vec(), [1.0, 11.0, 3.0, 5.0]);
        /// ```
        ///
        /// # Panics
        /// With the text of [`try_fuse!`](crate::try_fuse)'s error.
        #[macro_export]
        macro_rules! fuse {
            ($d($d expression:tt)*) => {
                $crate::fuse_impl! { [$crate] $words fuse $d($d expression)* }
            };
        }

        /// [`fuse!`](crate::fuse), fallible.
        ///
        /// # Errors
        /// [`Error::ShapeMismatch`](crate::Error::ShapeMismatch) if shapes do not broadcast, or the output has another
        /// one; [`Error::DivisionByZero`](crate::Error::DivisionByZero) and
        /// [`Error::NegativeExponent`](crate::Error::NegativeExponent) on integers;
        /// [`Error::EmptyReduction`](crate::Error::EmptyReduction),
        /// [`Error::AxisOutOfRange`](crate::Error::AxisOutOfRange); those of views of operands and of the output, which are made by
        /// their `try_` forms. The output is unchanged then.
        ///
        /// ```
        /// use supremum::{Error, I32, Tensor, tensor, try_fuse};
        /// let a: Tensor<I32> = tensor![7, 8, 9];
        /// let b: Tensor<I32> = tensor![2, 0, 3];
        /// let mut out = a.clone();
        /// assert!(matches!(try_fuse!(out = a % b), Err(Error::DivisionByZero { .. })));
        /// assert_eq!(out, a);
        /// ```
        #[macro_export]
        macro_rules! try_fuse {
            ($d($d expression:tt)*) => {
                $crate::fuse_impl! { [$crate] $words try_fuse $d($d expression)* }
            };
        }

        /// [`fuse!`](crate::fuse) that admits unsafe promotions and out-of-range literals. The result follows the rules of the
        /// tensors again.
        ///
        /// Literals convert as the system converts them
        /// ([`RuleSet::out_of_range_literal`](crate::RuleSet::out_of_range_literal)): under [`Jax`](crate::Jax), integers wrap
        /// and floats overflow to infinity.
        ///
        /// ```
        /// use supremum::{F32, I64, Rank0, Tensor, U8, promote_unsafe, tensor};
        /// let counts: Tensor<I64> = tensor![3, 4];
        /// let scale: Tensor<F32> = tensor![0.5, 0.25];
        /// let scaled: Tensor<F32> = promote_unsafe!(counts * scale); // not every i64 is an f32
        /// assert_eq!(scaled.to_vec(), [1.5, 1.0]);
        /// let bytes: Tensor<U8> = tensor![1, 2];
        /// assert_eq!(promote_unsafe!(bytes + 300).to_vec(), [45, 46]);
        /// let product: Tensor<F32, Rank0> = promote_unsafe!(counts.dot(&scale));
        /// assert_eq!(product.item(), Ok(2.5));
        /// ```
        ///
        /// # Panics
        /// With the text of [`try_promote_unsafe!`](crate::try_promote_unsafe)'s error.
        #[macro_export]
        macro_rules! promote_unsafe {
            ($d($d expression:tt)*) => {
                $crate::fuse_impl! { [$crate] $words promote_unsafe $d($d expression)* }
            };
        }

        /// [`promote_unsafe!`](crate::promote_unsafe), fallible.
        ///
        /// # Errors
        /// The errors of [`try_fuse!`](crate::try_fuse), and
        /// [`Error::LiteralOutOfRange`](crate::Error::LiteralOutOfRange) for literals that the system of the rules
        /// refuses.
        ///
        /// ```
        /// use supremum::{Error, Numpy, Rank1, Tensor, U8, tensor, try_promote_unsafe};
        /// let bytes: Tensor<U8, Rank1, Numpy> = tensor![1, 2];
        /// let sum = try_promote_unsafe!(bytes + 300); // NumPy raises an OverflowError
        /// assert!(matches!(sum, Err(Error::LiteralOutOfRange { .. })));
        /// ```
        #[macro_export]
        macro_rules! try_promote_unsafe {
            ($d($d expression:tt)*) => {
                $crate::fuse_impl! { [$crate] $words try_promote_unsafe $d($d expression)* }
            };
        }

        /// Returns how [`fuse!`](crate::fuse) would evaluate an expression, as a [`FuseBackend`](crate::FuseBackend), without
        /// evaluating it.
        ///
        /// The backend depends on the optimisation level of the crate, on the expression, and on the operands' shapes. All backends
        /// give the same result, bit for bit; only the time differs. [`promote_unsafe!`](crate::promote_unsafe) chooses the backend
        /// in the same way. An expression with reductions in it is compiled if all its passes are; otherwise the answer is that of
        /// the first one that is not. The macro takes an expression, not an assignment to an output.
        ///
        /// # Errors
        /// The errors of [`try_fuse!`](crate::try_fuse) that follow from shapes and literals.
        ///
        /// ```
        /// use supremum::{FuseBackend, F32, I32, Tensor, fuse_backend, tensor};
        /// let x: Tensor<F32> = tensor![1.0, 2.0];
        /// let backend = fuse_backend!(x * 2.0 + x)?;
        /// println!("{backend}"); // in optimised crates: compiled loop
        /// assert_eq!(fuse_backend!((x * x).sum())?, backend);
        /// let n: Tensor<I32> = tensor![3, 4];
        /// assert_ne!(fuse_backend!(n % n)?, FuseBackend::Compiled); // it could divide by zero
        /// # Ok::<(), supremum::Error>(())
        /// ```
        #[macro_export]
        macro_rules! fuse_backend {
            ($d($d expression:tt)*) => {
                $crate::fuse_impl! { [$crate] $words fuse_backend $d($d expression)* }
            };
        }

        /// The lists of words, for tests.
        #[doc(hidden)]
        pub const WORDS: &str = stringify!($words);

        // This crate may not name exported macros by their paths at its root, because they come from an expansion.
        #[doc(hidden)]
        pub use {fuse, promote_unsafe, try_fuse};
    };
}

pub(super) use define_fuse;
