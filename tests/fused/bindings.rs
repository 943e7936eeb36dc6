//! Bindings, operands and names in `fuse!` follow the scopes of Rust.

use supremum::{F32, F64, I32, I64, Rank1, Rank2, Tensor, fuse, tensor};

#[test]
fn bindings_are_computed_once_and_follow_scopes() {
    let x: Tensor<F64, Rank1> = tensor![1.0];
    // Were each use computed anew, this would take 2^40 steps.
    macro_rules! doubled {
        ($($name:ident)*) => { fuse!(let d = x; $(let $name = d + d; let d = $name;)* d) };
    }
    let found = doubled!(a b c d e f g h i j k l m n o p q r s t u v w y z aa bb cc dd ee ff gg hh ii jj kk ll mm nn oo);
    assert_eq!(found.to_vec(), [2_f64.powi(40)]);
    let y: Tensor<F64, Rank1> = tensor![5.0];
    let found = fuse!(
        let y = x + 1;
        let inner = { let y = y * 10; y + 1 };
        inner + y
    );
    assert_eq!(found.to_vec(), [23.0]);
    assert_eq!(y.to_vec(), [5.0]);
}

struct Layer {
    weights: Tensor<F32, Rank2>,
    biases: [Tensor<F32, Rank1>; 2],
}

impl Layer {
    fn bias(&self) -> Tensor<F32, Rank1> {
        self.biases[1].clone()
    }

    fn shifted(&mut self) {
        fuse!(self.weights += self.biases[0] - &self.bias());
    }
}

#[test]
fn fields_indices_references_and_views_are_operands() {
    let mut layer = Layer {
        weights: tensor![[1.0, 2.0], [3.0, 4.0]],
        biases: [tensor![10.0, 20.0], tensor![1.0, 2.0]],
    };
    layer.shifted();
    assert_eq!(layer.weights.to_vec(), [10.0, 20.0, 12.0, 22.0]);
    let by_reference = &layer.weights;
    let symmetric = fuse!(by_reference + layer.weights.transpose());
    assert_eq!(symmetric.to_vec(), [20.0, 32.0, 32.0, 44.0]);
    let row: Tensor<F32, Rank1> = fuse!(by_reference.index_axis(0, 1) - layer.biases[0].flip(0));
    assert_eq!(row.to_vec(), [-8.0, 12.0]);
    let boxed = Box::new(layer.bias());
    assert_eq!(fuse!(-*boxed).to_vec(), [-1.0, -2.0]);
}

macro_rules! beside_its_own {
    ($x:expr) => {{
        let a: Tensor<F32> = tensor![100.0];
        fuse!(a + $x)
    }};
}

macro_rules! with_a_binding {
    ($x:ident) => {
        fuse!(let d = $x - 1.0; d * $x)
    };
}

macro_rules! into_its_own {
    ($x:expr) => {{
        let mut out: Tensor<F32> = tensor![7.0];
        fuse!(out = $x + 1.0);
        out
    }};
}

macro_rules! whole {
    ($expression:expr) => {
        fuse!($expression)
    };
}

#[test]
fn names_are_those_that_the_compiler_sees() {
    let a: Tensor<F32> = tensor![1.0];
    assert_eq!(beside_its_own!(a).to_vec(), [101.0]);
    let d: Tensor<F32> = tensor![5.0];
    assert_eq!(with_a_binding!(d).to_vec(), [20.0]);
    let out: Tensor<F32> = tensor![1.0];
    assert_eq!(into_its_own!(out).to_vec(), [2.0]);
    let mut o: Tensor<F32> = tensor![1.0];
    whole!(o += a * 2);
    assert_eq!(o.to_vec(), [3.0]);
    // A binding is itself behind `&` too.
    assert_eq!(fuse!(let a = a - 1.0; &a * 3.0).to_vec(), [0.0]);
    // Names of the macro's own are not names of the caller's.
    #[allow(non_upper_case_globals, reason = "a name that the macro might use")]
    const x: f32 = 2.0;
    let literal: Tensor<F32> = tensor![3.0];
    let leaf_0: Tensor<F32> = tensor![4.0];
    assert_eq!(fuse!(literal * x + leaf_0 + 1).to_vec(), [11.0]);
}

#[test]
fn ordinary_code_runs_as_often_as_it_is_written() {
    let count = std::cell::Cell::new(0.0_f32);
    let next = || -> Tensor<F32, Rank1> {
        count.set(count.get() + 1.0);
        tensor![count.get()]
    };
    assert_eq!(fuse!(&next() - &next() * 10.0).to_vec(), [-19.0]);
    let mut tensors: [Tensor<F32, Rank1>; 2] = [tensor![1.0], tensor![2.0]];
    let position = std::cell::Cell::new(0);
    let step = || position.replace(position.get() + 1);
    fuse!(tensors[step()] += 100.0);
    assert_eq!(position.get(), 1);
    assert_eq!(tensors.map(|t| t.to_vec()[0]), [101.0, 2.0]);
}

#[test]
fn bindings_read_the_output() {
    let mut out: Tensor<F32> = tensor![2.0];
    fuse!(let t = out + 1; out = t * out);
    assert_eq!(out.to_vec(), [6.0]);
    fn doubled(out: &mut Tensor<F32>) {
        fuse!(*out = out + out);
    }
    doubled(&mut out);
    assert_eq!(out.to_vec(), [12.0]);
}

/// Hands a macro its arguments, and the number one `MANY` times: 20 times without optimisation; 6 times with it, which takes long for
/// loops of chains, and still gives chains of which `fuse!` makes bindings.
#[cfg(debug_assertions)]
macro_rules! many {
    ($macro:ident $($argument:tt)*) => { $macro!($($argument)* 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1) };
}
#[cfg(debug_assertions)]
const MANY: i64 = 20;
#[cfg(not(debug_assertions))]
macro_rules! many {
    ($macro:ident $($argument:tt)*) => { $macro!($($argument)* 1 1 1 1 1 1) };
}
#[cfg(not(debug_assertions))]
const MANY: i64 = 6;

#[test]
fn bindings_may_be_many() {
    macro_rules! in_turn {
        ($x:ident $($one:tt)*) => {
            fuse!($(
                let $x = $x + $one; let $x = $x + $one; let $x = $x + $one; let $x = $x + $one; let $x = $x + $one;
                let $x = $x + $one; let $x = $x + $one; let $x = $x + $one; let $x = $x + $one; let $x = $x + $one;
            )* $x)
        };
    }
    let x: Tensor<I64, Rank1> = tensor![0, 5];
    let sum: Tensor<I64, Rank1> = many!(in_turn x);
    assert_eq!(sum.to_vec(), [10 * MANY, 5 + 10 * MANY]);
}

#[test]
fn chains_may_be_long() {
    macro_rules! sum {
        ($x:ident $($one:tt)*) => { fuse!($x $(+ $x * $one + $x * $one + $x * $one + $x * $one + $x * $one)*) };
    }
    macro_rules! choices {
        ($x:ident $($one:tt)*) => {
            fuse!($(if $x > 7 { $one } else if $x > 6 { 2 } else if $x > 5 { 3 } else)* { $x })
        };
    }
    macro_rules! methods {
        ($x:ident $($one:tt)*) => { fuse!($x$(.abs().maximum($one).abs().minimum($x).abs())*) };
    }
    macro_rules! signs {
        ($x:ident $($one:tt)*) => { fuse!($(- - - - - - $one *)* $x) };
    }
    let x: Tensor<I32, Rank1> = tensor![1, 5, 7, 9];
    let sum: Tensor<I32, Rank1> = many!(sum x);
    assert_eq!(sum, &x * (5 * MANY + 1));
    let chosen: Tensor<I32, Rank1> = many!(choices x);
    assert_eq!(chosen.to_vec(), [1, 5, 2, 1]);
    let same: Tensor<I32, Rank1> = many!(methods x);
    assert_eq!(same, x);
    let same: Tensor<I32, Rank1> = many!(signs x);
    assert_eq!(same, x);
    let mut out = x.clone();
    macro_rules! into {
        ($x:ident $($one:tt)*) => { fuse!($x = $($x + $x * $one * $one * $one +)* $x) };
    }
    many!(into out);
    assert_eq!(out, &x * (2 * MANY + 1));
}
