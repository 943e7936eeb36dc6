//! Complex literals: `1.5i` in `fuse!`, `tensor!` and `literal!`, and weak complex numbers in variables.

use supremum::prelude::*;
use supremum::{AllowUnsafe, FitsLiteral, c64, c128, literal, try_promote_unsafe};

#[test]
fn tensors_of_complex_literals() {
    let z: Tensor<C64, Rank1> = tensor![2.0 + 1.5i, -1i, 3, 0.5, 1 - 2.5i, (1.0 - 1i)];
    let expected = [
        (2.0, 1.5),
        (0.0, -1.0),
        (3.0, 0.0),
        (0.5, 0.0),
        (1.0, -2.5),
        (1.0, -1.0),
    ];
    assert_eq!(z.to_vec(), expected.map(|(re, im)| c64::new(re, im)));
    let weak = tensor![Weak<C128>; 1e300i];
    assert_eq!(weak.to_vec(), [c128::new(0.0, 1e300)]);
    // The largest part is what the range is checked by.
    fn unit<D: StaticDType + FitsLiteral<literal!(1i)>>() -> Tensor<D, Rank1> {
        tensor![1i, 0.5 - 1i]
    }
    assert_eq!(unit::<C128>().to_vec()[1], c128::new(0.5, -1.0));
}

#[test]
fn complex_literals_are_weak_in_expressions() -> Result<(), Error> {
    let z: Tensor<C64, Rank1> = tensor![1.0 + 1i, 2.0];
    let turned: Tensor<C64, Rank1> = fuse!(z * 1i);
    assert_eq!(turned.to_vec(), [c64::new(-1.0, 1.0), c64::new(0.0, 2.0)]);
    assert_eq!(turned, &z * c128::new(0.0, 1.0));
    // Folded as numbers are, and on either side.
    let shifted: Tensor<C64, Rank1> = fuse!((2.0 + 1.5i) * 2 - z);
    assert_eq!(shifted.to_vec(), [c64::new(3.0, 2.0), c64::new(2.0, 3.0)]);
    let divided: Tensor<C64, Rank1> = fuse!(z + 1 / 2i);
    assert_eq!(divided.to_vec(), [c64::new(1.0, 0.5), c64::new(2.0, -0.5)]);
    // A real tensor promotes as beside a complex number.
    let x: Tensor<F32, Rank1> = tensor![0.0, 1.0];
    let mixed: Tensor<C64, Rank1> = fuse!(x + 2i);
    assert_eq!(mixed, &x + c128::new(0.0, 2.0));
    let wide: Tensor<C128, Rank1> = fuse!(x.cast::<F64>() + 2i);
    assert_eq!(wide.to_vec()[1], c128::new(1.0, 2.0));
    let power: Tensor<C64, Rank1> = fuse!(z.pow(2i));
    assert_eq!(power, z.pow(c128::new(0.0, 2.0)));
    // Out of the range of `c64`: a compile error; admitted, it is what the operator gives.
    let admitted = try_promote_unsafe!(z + 1e300i)?;
    let lenient = z.with_rules::<AllowUnsafe<Jax>>();
    assert_eq!(
        admitted.to_vec(),
        lenient.try_add(c128::new(0.0, 1e300))?.to_vec()
    );
    Ok(())
}

#[test]
fn weak_complex_numbers_in_variables() {
    let z: Tensor<C64, Rank1> = tensor![1.0 + 1i, 2.0];
    let phase = c128::new(0.0, 1.0);
    let by_operator: Tensor<C64, Rank1> = &z * phase; // a `Complex<f64>` is weak beside an operator
    let phase = Tensor::<Weak<C128>, Rank0>::scalar(phase);
    let fused: Tensor<C64, Rank1> = fuse!(z * phase);
    assert_eq!(by_operator, fused);
}
