//! Typed tensors: the compiler decides dtype promotion.
//!
//! The type of a [`Tensor`] states its dtype, its rank and its promotion rules. The rules are the promotion
//! table of a published system, such as JAX: the table gives the common dtype of any two dtypes. So `cargo check`
//! knows the dtype of every result. A promotion that can lose values does not compile unless the code asks for it.
//!
//! ```
//! supremum::prelude!();
//!
//! let weights: Tensor<BF16, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
//! let bias: Tensor<F16, Rank1> = tensor![0.5, 0.25];
//! let shifted: Tensor<F32, Rank2> = &weights + &bias; // JAX: bf16 and f16 promote to f32
//! assert_eq!(shifted.to_vec(), [1.5, 2.25, 3.5, 4.25]);
//! ```
//!
//! ```compile_fail,E0277
//! # supremum::prelude!();
//! let counts: Tensor<I64> = tensor![1, 2, 3];
//! let scale: Tensor<F32> = tensor![0.5, 0.25, 0.125];
//! let scaled = &counts * &scale; // unsafe promotion: f32 does not hold every i64
//! ```
//!
//! The module `guide` has a page on each subject:
//!
//! | page | contents |
//! | --- | --- |
//! | [Cookbook](guide::cookbook) | lines of NumPy, PyTorch, candle and ndarray, and the same in Supremum |
//! | [Reading the compiler](guide::reading_the_compiler) | each compile error, its cause and its fix |
//! | [What the compiler does not catch](guide::not_checked) | mistakes that compile, and how to find them sooner |
//! | [Literals and weak types](guide::literals_and_weak_types), [scalars in variables](guide::scalars) | the dtype of a number beside a tensor |
//! | [Expressions in one pass](guide::fuse) | `fuse!` by example |
//! | [Index and change elements](guide::indexing) | elements, rows, ranges, masks |
//! | [Generic code](guide::generic_code) | functions over dtypes, ranks and rules |
//! | [From run-time to compile-time dtypes](guide::run_time_dtypes) | `DynTensor` and `dispatch!` |
//! | [Files](guide::files), [Python](guide::python) | NumPy and safetensors files; DLPack |
//! | [Pin your dtypes](guide::pin_your_dtypes) | tests of what must promote, and of what must not compile |
//! | [Rule sets of your own](guide::rules) | `promotion_rules!` |
//! | [What changes between systems](guide::porting), [which laws hold](guide::laws) | both generated from the tables |
//! | [Explorer](guide::explorer), [tables as JSON](guide::explorer_json) | the command `supremum`: what any system does with given operands, and which values are lost |
//! | StableHLO and devices (`guide::stablehlo`, `guide::devices`) | typed functions as XLA programs, and on GPUs and TPUs; with the features `stablehlo` and `pjrt` |
//! | [How fast, and why](guide::speed), [how accurate](guide::accuracy) | measurements, and what runs when; the largest error of each function |
//!
#![doc = include_str!("../docs/features.md")]
//!
//! # Dtypes
//!
//! A dtype has three forms. The *marker* is a zero-sized type such as [`F32`]. The *element* is the
//! type of the values in memory, such as `f32`. The *tag* stands for the dtype at run time, such as
//! [`DType::F32`], which prints and parses as `f32`. The trait [`StaticDType`] connects the three.
//!
//! | kind | markers | elements |
//! | --- | --- | --- |
//! | boolean | [`Bool`] | `bool` |
//! | unsigned integer | [`U8`] [`U16`] [`U32`] [`U64`] | `u8` .. `u64` |
//! | signed integer | [`I8`] [`I16`] [`I32`] [`I64`] | `i8` .. `i64` |
//! | float | [`F8E4M3FN`] [`F8E5M2`] [`F8E4M3FNUZ`] [`F8E5M2FNUZ`] [`F8E4M3B11FNUZ`] [`BF16`] [`F16`] [`F32`] [`F64`] | [`f8e4m3fn`] [`f8e5m2`] [`f8e4m3fnuz`] [`f8e5m2fnuz`] [`f8e4m3b11fnuz`] [`bf16`] [`struct@f16`] `f32` `f64` |
//! | complex | [`C64`] [`C128`] | [`c64`] [`c128`] |
//!
//! There are three ways to convert a tensor, each as strict as its counterpart in Rust:
//!
//! ```
//! # supremum::prelude!();
//! let t: Tensor<F32> = tensor![1.0, 2.5];
//! assert_eq!(t.widen::<F64>().to_vec(), [1.0, 2.5]); // as `From`: compiles only if lossless
//! assert!(t.try_cast::<I32>().is_err()); //             as `TryFrom`: checks every value
//! assert_eq!(t.cast::<I32>().to_vec(), [1, 2]); //      as `as`: always
//! ```
//!
//! # Tensors
//!
//! `Tensor<D, N, R>` has dtype `D`, rank `N` and rules `R`. The rank is [`Rank0`] to [`Rank6`], or
//! [`AnyRank`], the default, if the rank is known at run time only. The default rules are [`Jax`]. The sizes
//! of the axes are known at run time. [`tensor!`], [`Tensor::from_vec`], [`Tensor::full`] and similar
//! functions make tensors. [`Tensor::shape`], [`Tensor::get`], [`Tensor::iter`] and
//! [`Tensor::to_vec`] read them.
//!
//! ```
//! # supremum::prelude!();
//! let t = Tensor::<I32, Rank2>::from_vec(vec![1, 2, 3, 4, 5, 6], [2, 3])?;
//! assert_eq!((t.shape(), t.get(&[1, 0])), (&[2, 3][..], Some(4)));
//! let any: Tensor<I32> = t.into_any(); //         the type no longer states the rank
//! let known: Tensor<I32, Rank2> = any.rank()?; // checks the rank, and states it again
//! assert_eq!(known.ndim(), 2);
//! # Ok::<(), Error>(())
//! ```
//!
//! # Promotion and verdicts
//!
//! An operation converts both operands to their common dtype, [`Promoted<Lhs, Rhs, R>`](Promoted).
//! Each promotion has a [`Verdict`], which says how it changes values:
//!
//! - *lossless*: every value of both operands is a value of the result;
//! - *loses precision* of an operand: its range fits, but some values round;
//! - *loses range* of an operand: some finite values overflow, or a sign or imaginary part is dropped.
//!
//! Operators accept lossless promotions only. Their bound is [`SafePromote`], and generic code states
//! the same bound. If a promotion is unsafe, you have three choices: convert an operand yourself, allow
//! the loss for one operation with [`Tensor::promote_unsafe`], or allow it everywhere with the rules
//! [`AllowUnsafe<R>`](AllowUnsafe). (Unsafe promotions are unrelated to Rust's `unsafe`.)
//!
//! ```
//! # supremum::prelude!();
//! # use supremum::Verdict;
//! let counts: Tensor<I64> = tensor![1, 2];
//! let scale: Tensor<F32> = tensor![0.5, 0.25];
//! let scaled: Tensor<F32> = counts.promote_unsafe() * &scale;
//! assert_eq!(scaled.to_vec(), [0.5, 0.5]);
//!
//! // The same table at run time:
//! let promotion = Jax::rule_set().promote(DType::I64, DType::F32)?;
//! assert_eq!(promotion.verdict, Verdict::LosesPrecision(DType::I64));
//! # Ok::<(), Error>(())
//! ```
//!
//! # Literals are weak
//!
//! A literal takes the dtype of the tensor beside it if the kind allows that, as a Python scalar does.
//! `t + 1` keeps any dtype but [`Bool`], and `t * 2.5` keeps any float or complex dtype. In a promotion the literal is
//! a [`Weak<I64>`](Weak), [`Weak<F64>`](Weak) or [`Weak<C128>`](Weak); `true` and `false` are [`Bool`].
//!
//! The library checks the value of a literal, not its dtype. If the value is out of the range of the promoted dtype,
//! the operation gives [`Error::LiteralOutOfRange`]. In [`tensor!`] such a literal does not compile. Generic code states
//! with [`FitsLiteral`] that a dtype has a literal. See [literals and weak types](guide::literals_and_weak_types).
//!
//! If a literal alone decided the dtype of a result, the result is weak too. [`Tensor::strong`] makes it strong.
//!
//! ```
//! # supremum::prelude!();
//! let t: Tensor<U8> = tensor![1, 2];
//! let next: Tensor<U8> = &t + 1;
//! let halves: Tensor<Weak<F64>> = &t * 0.5; // an integer with a float literal: a weak float
//! let sum: Tensor<F16> = tensor![F16; 1.0, 1.0].into_any() + halves; // which yields to f16
//! assert_eq!((next.to_vec(), sum.cast::<F32>().to_vec()), (vec![2, 3], vec![1.5, 2.0]));
//! assert!(matches!(t.try_add(300), Err(Error::LiteralOutOfRange { .. })));
//! ```
//!
//! # Views
//!
//! Tensors share their elements and copy them on write. These functions copy nothing: `clone`,
//! [`slice`](Tensor::slice), [`index_axis`](Tensor::index_axis), [`permute`](Tensor::permute),
//! [`transpose`](Tensor::transpose), [`broadcast_to`](Tensor::broadcast_to),
//! [`squeeze`](Tensor::squeeze), [`unsqueeze`](Tensor::unsqueeze) and [`flip`](Tensor::flip).
//! [`reshape`](Tensor::reshape) copies only if strides cannot express the shape.
//!
//! ```
//! # supremum::prelude!();
//! let t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
//! let column: Tensor<I32, Rank1> = t.index_axis(1, 2);
//! assert_eq!(column.to_vec(), [3, 6]);
//! assert_eq!(t.transpose().slice(0, 1..).to_vec(), [2, 5, 3, 6]);
//! ```
//!
//! # Operations
//!
//! Shapes broadcast as in NumPy. The compiler knows the rank of the result if it knows the ranks of the operands. The
//! rules also decide which dtype an operation gives; [`operations`] has one trait for each group of operations. Under
//! [`Jax`], for example, the true division `/` of integers gives a float, sums of small integers widen, comparisons
//! give [`Bool`], and `-` is not defined on [`Bool`].
//!
//! | operations | |
//! | --- | --- |
//! | operators | `+ - * / % & \| ^ << >>`, unary `-` and `!`, `+= -= *= /=` |
//! | binary methods | [`pow`](Tensor::pow), [`floor_div`](Tensor::floor_div), [`atan2`](Tensor::atan2), [`hypot`](Tensor::hypot), [`log_add_exp`](Tensor::log_add_exp), [`copysign`](Tensor::copysign), [`next_after`](Tensor::next_after), [`leaky_relu`](Tensor::leaky_relu), [`elu`](Tensor::elu), [`minimum`](Tensor::minimum), [`maximum`](Tensor::maximum) |
//! | comparisons | [`equal`](Tensor::equal), [`not_equal`](Tensor::not_equal), [`lt`](Tensor::lt), [`le`](Tensor::le), [`gt`](Tensor::gt), [`ge`](Tensor::ge) |
//! | functions | [`sqrt`](Tensor::sqrt), [`exp`](Tensor::exp), [`ln`](Tensor::ln), [`tanh`](Tensor::tanh), [`sigmoid`](Tensor::sigmoid), [`relu`](Tensor::relu), [`gelu`](Tensor::gelu), [`silu`](Tensor::silu), [`abs`](Tensor::abs), [`round`](Tensor::round) and more |
//! | along rows | [`softmax`](Tensor::softmax), [`log_softmax`](Tensor::log_softmax), [`log_sum_exp`](Tensor::log_sum_exp), [`norm`](Tensor::norm), [`var_corrected`](Tensor::var_corrected), [`std_corrected`](Tensor::std_corrected) |
//! | choice | [`select`](fn@select), [`clamp`](Tensor::clamp) |
//! | reductions | [`sum`](Tensor::sum), [`prod`](Tensor::prod), [`mean`](Tensor::mean), [`var`](Tensor::var), [`std`](Tensor::std), [`min`](Tensor::min), [`max`](Tensor::max), [`any`](Tensor::any), [`all`](Tensor::all); [`nan_sum`](Tensor::nan_sum), [`nan_prod`](Tensor::nan_prod), [`nan_mean`](Tensor::nan_mean), [`nan_var`](Tensor::nan_var), [`nan_std`](Tensor::nan_std), [`nan_min`](Tensor::nan_min), [`nan_max`](Tensor::nan_max); [`argmin`](Tensor::argmin), [`argmax`](Tensor::argmax), [`nan_argmin`](Tensor::nan_argmin), [`nan_argmax`](Tensor::nan_argmax); [`cumsum`](Tensor::cumsum), [`cumprod`](Tensor::cumprod), [`cummin`](Tensor::cummin), [`cummax`](Tensor::cummax) |
//! | products | [`matmul`](Tensor::matmul), [`matmul_in`](Tensor::matmul_in), [`dot`](Tensor::dot), [`einsum!`], [`tensordot`](Tensor::tensordot), [`outer`](Tensor::outer), [`kron`](Tensor::kron), [`cross`](Tensor::cross) |
//! | convolutions | [`conv1d`](Tensor::conv1d), [`conv2d`](Tensor::conv2d), [`conv_transpose1d`](Tensor::conv_transpose1d), [`conv_transpose2d`](Tensor::conv_transpose2d) |
//! | pooling | [`max_pool1d`](Tensor::max_pool1d), [`max_pool2d`](Tensor::max_pool2d), [`avg_pool1d`](Tensor::avg_pool1d), [`avg_pool2d`](Tensor::avg_pool2d) |
//! | elements by position | [`take`](Tensor::take), [`take_along_axis`](Tensor::take_along_axis), [`scatter`](Tensor::scatter), [`scatter_add`](Tensor::scatter_add), [`scatter_max`](Tensor::scatter_max), [`scatter_min`](Tensor::scatter_min), [`masked_select`](Tensor::masked_select), [`compress`](Tensor::compress), [`nonzero`](Tensor::nonzero), [`argwhere`](Tensor::argwhere), [`diagonal`](Tensor::diagonal), [`diag`](Tensor::diag), [`diag_embed`](Tensor::diag_embed), [`tril`](Tensor::tril), [`triu`](Tensor::triu), [`trace`](Tensor::trace) |
//! | order and counts | [`sort`](Tensor::sort), [`argsort`](Tensor::argsort), [`top_k`](Tensor::top_k), [`searchsorted`](Tensor::searchsorted), [`searchsorted_rows`](Tensor::searchsorted_rows), [`unique`](Tensor::unique), [`median`](Tensor::median), [`quantile`](Tensor::quantile), [`nan_median`](Tensor::nan_median), [`nan_quantile`](Tensor::nan_quantile), [`bincount`](Tensor::bincount), [`histogram`](Tensor::histogram), [`histogram_edges`](Tensor::histogram_edges), [`is_in`](Tensor::is_in), [`interp`](Tensor::interp), [`cov`](Tensor::cov), [`one_hot`](Tensor::one_hot) |
//! | parts and joins | [`split`](Tensor::split), [`chunk`](Tensor::chunk), [`unstack`](Tensor::unstack), [`concat`](fn@concat), [`stack`](fn@stack), [`pad`](Tensor::pad), [`pad_with`](Tensor::pad_with), [`roll`](Tensor::roll), [`repeat`](Tensor::repeat), [`repeat_each`](Tensor::repeat_each), [`tile`](Tensor::tile) |
//!
//! Each reduction, such as `sum`, has two more forms: `sum_axis` and `sum_keepdims`.
//!
//! Integers wrap. An integer divided by zero is an error. Operations on `f16`, `bf16` and the 8-bit floats
//! compute in `f32` and round once; `next_after` gives the next number of the dtype itself.
//!
//! ```
//! # supremum::prelude!();
//! let a: Tensor<I32, Rank2> = tensor![[1, 2], [3, 4]];
//! let b: Tensor<I16, Rank1> = tensor![2, 4];
//! let quotient: Tensor<F32, Rank2> = &a / &b;
//! assert_eq!(quotient.to_vec(), [0.5, 0.5, 1.5, 1.0]);
//! let totals: Tensor<I64, Rank1> = a.sum_axis(0);
//! assert_eq!(totals.to_vec(), [4, 6]);
//! ```
//!
//! # Expressions in one pass
//!
//! [`fuse!`] evaluates a whole expression in one pass over memory, without intermediate tensors. Promotions and results
//! are the same, bit for bit. The compiler checks the literals. [`promote_unsafe!`] does the same, but allows unsafe
//! promotions.
//!
//! ```
//! # supremum::prelude!();
//! let x: Tensor<BF16, Rank2> = tensor![[1.0, -2.0], [3.0, -4.0]];
//! let w: Tensor<F16, Rank1> = tensor![0.5, 0.25];
//! let y: Tensor<F32, Rank2> = fuse!(let p = x * w; if p > 0.0 { p } else { p.exp() - 1 });
//! assert_eq!(y.get(&[1, 0]), Some(1.5));
//! let total: Tensor<F32, Rank0> = fuse!((x * w).sum());
//! assert_eq!(total.item(), Ok(0.5));
//! ```
//!
//! # Errors
//!
//! The compiler checks dtypes and known ranks. Sizes, indices and values are checked at run time. Every
//! operation that can fail at run time has a `try_` method, which returns a `Result` with an [`Error`]. The
//! operator, or the method without `try_`, panics with the text of that error. If there is no memory for elements, an
//! operation returns [`Error::OutOfMemory`] or panics; it does not abort the process (see [`memory`]).
//!
//! Some plain names return a `Result`. [`Tensor::from_vec`] and [`from_slice`](Tensor::from_slice) do, because the
//! program seldom knows the number of elements in advance. Constructors of [`DynTensor`] do, because they take dtypes at
//! run time. Each of these functions also has a name with `try_`.
//! [`item`](Tensor::item) and [`rank`](Tensor::rank) return a `Result` and have no other form. `cast`, `widen`, `map`
//! and `flatten` have no fallible form, because they fail only if there is not enough memory; `try_cast` checks values
//! instead.
//!
//! ```
//! # supremum::prelude!();
//! let a: Tensor<F32> = tensor![1.0, 2.0];
//! let b: Tensor<F32> = tensor![1.0, 2.0, 3.0];
//! assert!(matches!(a.try_add(&b), Err(Error::ShapeMismatch { .. })));
//! ```
//!
//! # Dtypes known at run time only
//!
//! [`DynTensor`] has the operations of [`Tensor`]. The same tables decide them and the same kernels run them. A mistake
//! that the compiler would find in typed code is an [`Error`] at run time. Methods with `try_` return it. Operators,
//! and methods without `try_`, panic. [`dispatch!`] enters typed code with the dtype of a [`DynTensor`].
//!
//! ```
//! # supremum::prelude!();
//! let pixels = DynTensor::arange(DType::U8, 0.0, 4.0, 1.0)?; // the dtype may come from a file
//! let scaled = pixels.try_mul(tensor![F16; 0.5])? + 1;
//! assert_eq!(scaled.to_string(), "[1.0, 1.5, 2.0, 2.5] f16 [4]");
//! let largest = dispatch!(scaled in [F16, BF16, F32], |t| t.max().cast::<F32>().item())?;
//! assert_eq!(largest, Ok(2.5));
//! # Ok::<(), Error>(())
//! ```
//!
//! # Rules
//!
//! [`Jax`] (the default), [`JaxX32`], [`JaxStrict`], [`Numpy`], [`Torch`], [`TensorFlow`], [`TensorFlowLegacy`],
//! [`OpenVino`], [`OpenVinoScalar`], [`ArrayApi`] and [`Anvil`] are the rule sets of this library. The documentation of
//! each shows its whole table. Both operands of an operation follow the same rules. [`Tensor::with_rules`] moves a
//! tensor from one rule set to another. [`promotion_rules!`] defines a new rule set.
//!
//! ```
//! supremum::prelude!();
//! use supremum::static_assertions::assert_type_eq_all;
//!
//! promotion_rules! {
//!     /// Half precisions promote to `f32`.
//!     #[law(commutative, associative)]
//!     pub struct Halves = "halves";
//!     lattice { F16 -> F32; BF16 -> F32; }
//! }
//!
//! assert_type_eq_all!(Promoted<F16, BF16, Halves>, F32);
//! ```
//!
//! # Names by subject
//!
//! Most names below are at the crate root. [`prelude!`](crate::prelude!) imports the common ones, and [the module `prelude`](mod@prelude) lists them.
//!
//! | | |
//! | --- | --- |
//! | dtypes | [`StaticDType`], [`StrongDType`], [`RealDType`], [`IntegerDType`], [`EqDType`], [`Condition`], [`Weak`], [`DType`], [`Kind`], [`Element`]; elements convert by [`cast`](dtype::cast::cast) |
//! | conversions | [`WidensTo`], [`Conversion`](dtype::Conversion), [`Loss`] |
//! | promotion | [`Promote`], [`SafePromote`], [`Promoted`]; of several dtypes [`SafeCommon`], [`Common`], [`common!`], [`promote`](fn@promote); [`Lossless`], [`LosesPrecision`], [`LosesRange`], [`Accepted`], [`MarkedUnsafe`], [`WidensBoth`], [`Waived`]; [`convert_promote_types`](convert_promote_types()); assertions [`assert_promotes!`], [`assert_refused!`] |
//! | generic code | [`Arithmetic`], [`Floating`], [`SafeCommon`], [`WidensTo`] |
//! | rules | [`Rules`], [`rules`] with a module for each system, [`AllowUnsafe`], [`PowKeepsBase`], [`ExactIntegers`], [`promotion_rules!`], [`operations`] |
//! | rules at run time | [`RuleSet`], [`RuleSource`], [`OperandType`], [`Promotion`], [`Verdict`], [`Operation`]; [`RuleSet::diff`] compares two rule sets |
//! | tensors | [`Tensor`], [`tensor!`], [`mod@rank`], [`Operand`], [`PromoteUnsafe`]; arguments: [`Axis`], [`Axes`], [`Extent`], [`Offset`], [`Positions`], [`NewShape`], [`Padding`], [`PadMode`], [`WindowPadding`], [`IntoPoolPadding`], [`Quantiles`], [`Indices`], [`IndicesOf`], [`TensorList`] |
//! | dynamic tensors | [`DynTensor`], [`dispatch!`], [`DynOperand`], [`DynPromoteUnsafe`] |
//! | expressions | [`fuse!`], [`promote_unsafe!`], [`try_fuse!`], [`try_promote_unsafe!`], [`elementwise!`]; [`fuse_backend!`], [`FuseBackend`] |
//! | literals | [`FitsLiteral`], [`literal!`], [`literals`], [`Scalar`], [`OutOfRangeLiteral`] |
//! | random numbers | `Tensor::uniform`, `Tensor::normal`, `Tensor::random` and more (feature `rand`) |
//! | files | `Tensor::read_npy`, `DynTensor::read_npy` (feature `npy`), `NpzFile` (feature `npz`), `SafeTensorsFile` (feature `safetensors`), [`LoadTensors`]; feature `serde`: `Serialize`, `Deserialize`; limits: `ReadOptions` |
//! | other libraries' tensors | `Tensor::from_ndarray`, `Tensor::view_ndarray` (feature `ndarray`); `Tensor::into_dlpack`, `Tensor::from_dlpack` (feature `dlpack`) |
//! | XLA programs | `stablehlo::trace` (feature `stablehlo`) |
//! | reused memory | [`memory`] |
//! | errors | [`Error`] |

// docs.rs then says at each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

// rustdoc lists the methods of `Tensor` in the order of these modules, its dtype and elements first, files and other libraries last.
mod tensor;

mod ops;

mod dynamic;
mod interop;

#[doc(hidden)]
pub mod __private;
mod array;
mod codec;
pub mod dtype;
mod error;
mod exec;
// Hidden from rustdoc alone: rustc writes the path of a name that is hidden from it.
#[cfg_attr(doc, doc(hidden))]
pub mod fuse;
#[cfg(doc)]
pub mod guide;
mod kernel;
pub mod literals;
pub mod memory;
mod op;
#[cfg(feature = "pjrt")]
pub mod pjrt;
pub mod prelude;
pub mod rank;
mod rule_set;
pub mod rules;
mod simd;
#[cfg(feature = "stablehlo")]
pub mod stablehlo;
#[cfg(feature = "stablehlo")]
mod trace;

pub use array::Elements;
#[cfg(feature = "dlpack")]
#[doc(no_inline)]
pub use dlpark;
pub use dtype::Unnamed;
#[doc(inline)]
pub use dtype::{
    AccumulatesIn, Condition, DType, Element, EqDType, FloatDType, IntegerDType, Kind,
    LosesPrecision, LosesRange, Loss, Lossless, RealDType, StaticDType, StrongDType, Unranked,
    Weak, WidensTo, ZeroDim,
};
pub use dtypes::*;
#[cfg_attr(doc, doc(hidden))]
pub use dynamic::MakesDyn;
#[doc(hidden)]
pub use dynamic::dispatch::listed_dtype;
pub use dynamic::{
    DynAxisIter, DynAxisIterMut, DynOperand, DynPromoteUnsafe, DynTensor, DynTensorViewMut,
    DynViewedElements,
};
pub use error::{Error, ErrorOperand, OpContext, Result, SizedAxis, TensorMismatch};
#[doc(inline)]
pub use fuse::{FuseBackend, FuseOutput, InterpretedReason};
#[cfg(any(feature = "npy", feature = "safetensors"))]
#[cfg_attr(doc, doc(hidden))]
pub use interop::FilePath;
#[cfg_attr(not(feature = "npz"), doc(hidden))]
pub use interop::NpzFile;
#[cfg(any(feature = "npy", feature = "safetensors"))]
pub use interop::ReadOptions;
#[cfg_attr(not(feature = "safetensors"), doc(hidden))]
pub use interop::SafeTensorsFile;
#[cfg(feature = "rand")]
pub use interop::Sampled;
#[cfg_attr(doc, doc(hidden))]
pub use interop::load::ShapedField;
#[doc(hidden)]
pub use interop::other_functions::{
    arange, cat, concatenate, eye, from_vec, full, hstack, linspace, load, ones, read_npy, save,
    vstack, write_npy, zeros,
};
#[doc(hidden)]
#[allow(deprecated, reason = "they exist for their warning")]
pub use interop::other_traits::{DataType, Dtype, WithDType};
pub use interop::{AnyTensor, LoadTensors, TensorSource};
#[cfg(feature = "ndarray")]
pub use interop::{NdarrayDim, NdarrayRank};
#[cfg(feature = "rand")]
#[cfg_attr(doc, doc(hidden))]
pub use interop::{OrderOf, Samples, SamplesOf};
#[doc(inline)]
pub use literals::{FitsLiteral, Scalar};
#[cfg_attr(doc, doc(hidden))]
pub use literals::{ScalarOf, ScalarValues};
#[cfg(feature = "ndarray")]
#[doc(no_inline)]
pub use ndarray;
pub use ops::{ConvOptions, IntoPoolPadding, PoolOptions, PoolPadding, SamePadding, WindowPadding};
// The functions and types behind `einsum!`, where messages of the compiler may name them.
#[doc(hidden)]
pub use ops::einsum as equation;
#[cfg_attr(doc, doc(hidden))]
pub use ops::{
    ChangesShared, KeepsRank, LeftOperand, QuotientStaysIn, RightFactor, StaticOperand, StaysIn,
    TensorRef,
};
pub use ops::{
    Operand, QuantileMethod, Quantiles, Tensors, concat, convert_promote_types, promote, results,
    select, stack, try_concat, try_select, try_stack,
};
#[cfg(feature = "rand")]
#[doc(no_inline)]
pub use rand;
#[doc(inline)]
pub use rank::{
    AnyRank, Axes, Axis, AxisOrder, Extent, Offset, Rank, Rank0, Rank1, Rank2, Rank3, Rank4, Rank5,
    Rank6, RemoveAxes, StaticRank, TakeAxis,
};
#[doc(inline)]
pub use rules::{
    Accepted, AllowUnsafe, Arithmetic, Class, Common, CommonDType, CommonTypeRule,
    ConvertPromoteTypes, Defines, DefinesFor, DiffOperand, ExactIntegers, Floating, IntoRuleSet,
    KnowsRank, MarkedUnsafe, OperandType, Operation, OutOfRangeLiteral, PowKeepsBase, Promote,
    Promoted, Promotion, PromotionStep, RankDecides, RuleDiff, RuleSet, RuleSetDiff, RuleSource,
    Rules, SafeCommon, SafeIn, SafePromote, SameRules, StaticVerdict, Verdict, Waived, WidensBoth,
    operations,
};
// Bounds of generic code are listed in the module `rank`, and found here too.
#[doc(hidden)]
pub use rank::{AddAxis, Broadcast, HasMatrices, MatrixProduct, RemoveAxis, SizeList};
#[doc(hidden)]
pub use rules::DefinedRules;
// The rule sets are listed in the module `rules`.
#[cfg_attr(doc, doc(hidden))]
pub use rules::{
    Anvil, ArrayApi, Jax, JaxStrict, JaxX32, Numpy, NumpyArctan2, NumpyUfunc, OpenVino,
    OpenVinoScalar, TensorFlow, TensorFlowLegacy, TensorFlowMultiply, TensorFlowOperators, Torch,
    TorchEqual, TorchSubtract,
};
pub use static_assertions;
pub use supremum_macros::LoadTensors;
/// The procedural macros behind ours. They are exported here because rustc prints their paths in errors.
#[doc(hidden)]
pub use supremum_macros::{
    dispatch_impl, fuse_impl, literal_impl, promotion_rules_impl, tensor_impl,
};
pub use tensor::{
    AxisIter, AxisIterMut, AxisSlice, AxisSlices, ElementIndex, Ellipsis, FitsF64, Indices,
    IndicesOf, NewAxis, NewShape, PadMode, Padding, Positions, PromoteUnsafe, Step, Tensor,
    TensorList, TensorViewMut, ViewedElements,
};
// The bounds of functions that take lists of tensors. Generic code may name them.
#[doc(hidden)]
pub use tensor::{JoinTensors, ListedTensor, StackTensors};
// Types that macros and hand-written impls of `Rules` name. They are public here because the compiler prints this path in its messages.
#[doc(hidden)]
pub use ops::compare::CompareBehindMut;
#[doc(hidden)]
pub use rule_set::{
    OverflowPolicy,
    bytecode::{OperationTable, PromotionTable},
};
#[doc(hidden)]
pub use tensor::literal::TensorLiteral;
#[doc(hidden)]
pub use tensor::{
    AxisPart, ElementOfLoop, FallibleAnswer, IndexArray, Keeps, NumberToPower, TargetTensor,
    WholeAnswer, Wider,
};
#[cfg_attr(doc, doc(hidden))]
pub use tensor::{
    Collected, Comparand, DTypeFrom, ElementFrom, Equals, Inferred, InferredTensor, IsElement,
    Makes, OfOneNumber, Ordered, RightSide, Target, TotallyOrdered, WholeTensor,
};

/// The markers, and the elements that are not primitive types.
mod dtypes {
    macro_rules! markers {
        ($($marker:ident $index:literal $name:literal $element:ident $kind:ident $size:literal $($numbers:ty),*;)*) => {
            #[doc(inline)]
            pub use crate::dtype::{$($marker),*};
        };
    }
    macro_rules! float8 {
        ($($(#[$doc:meta])* $marker:ident $element:ident { $($format:tt)* })*) => {
            #[doc(inline)]
            pub use crate::dtype::{$($element),*};
        };
    }

    supremum_macros::with_dtypes!(markers, ::typenum);
    supremum_macros::with_float8!(float8);
    #[doc(inline)]
    pub use crate::dtype::{bf16, c64, c128, f16};
}

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
