//! Divisions of integers by one number, which are products with its reciprocal, and by a number for each element.

use supremum::prelude::*;

/// The quotient rounded down, and its rest.
fn exact(a: i128, b: i128) -> [i128; 2] {
    let rest = a.rem_euclid(b);
    let rest = if rest != 0 && b < 0 { rest + b } else { rest };
    [(a - rest) / b, rest]
}

/// Elements around the ends, powers of two, and multiples of a divisor.
fn dividends(rng: &mut fastrand::Rng, divisor: i128, len: usize) -> Vec<i128> {
    let element = |_| match rng.u8(..4) {
        0 => i128::from(rng.u64(..)),
        1 => divisor.wrapping_mul(i128::from(rng.u64(..) >> rng.u32(..64))) + rng.i128(-1..2),
        2 => (1 << rng.u32(..65)) + rng.i128(-1..2),
        _ => rng.i128(-1000..1000),
    };
    (0..len).map(element).collect()
}

macro_rules! check {
    ($D:ident $element:ident) => {{
        #[expect(
            clippy::as_conversions,
            clippy::cast_possible_truncation,
            reason = "wraps"
        )]
        let wrapped = |number: i128| number as $element;
        let rng = &mut fastrand::Rng::with_seed(1);
        let edges = [1, 2, 3, 7, 10, 60, 1 << 31, 1 << 32, (1 << 62) + 1];
        let ends = [$element::MIN, $element::MAX, $element::MAX / 2 + 1].map(i128::from);
        let divisors = edges.into_iter().chain(ends);
        let divisors = divisors.flat_map(|divisor| [divisor, -divisor].map(wrapped));
        for divisor in divisors.map(i128::from).filter(|divisor| *divisor != 0) {
            for len in [1, 15, 16, 17, 33, 64, 511, 512, 513, 1500] {
                let a: Vec<$element> = dividends(rng, divisor, len)
                    .into_iter()
                    .map(wrapped)
                    .collect();
                let expected = |b: &dyn Fn(usize) -> $element| {
                    let each = a.iter().enumerate();
                    let each = each.map(|(at, a)| exact(i128::from(*a), i128::from(b(at))));
                    let each: Vec<_> = each.map(|answers| answers.map(wrapped)).collect();
                    [0, 1].map(|number| each.iter().map(|it| it[number]).collect::<Vec<_>>())
                };
                let agree =
                    |a: &DynTensor, b: &DynTensor, expected: &[Vec<$element>; 2], way: &str| {
                        let found = [a.try_floor_div(b), a.try_rem(b)];
                        for (found, expected) in found.iter().zip(expected) {
                            let found = found.as_ref().unwrap().to_vec::<$D>().unwrap();
                            assert_eq!(
                                found,
                                *expected,
                                "{way}: {len} elements of {} by {divisor}",
                                $D::DTYPE
                            );
                        }
                    };
                let new = |elements: Vec<$element>, shape: &[usize]| {
                    Tensor::<$D>::from_vec(elements, shape).unwrap().into_dyn()
                };
                let dividend = new(a.clone(), &[len]);
                let by = wrapped(divisor);
                let of_all = expected(&|_| by);
                agree(&dividend, &new(vec![by], &[]), &of_all, "a scalar");
                agree(&dividend, &new(vec![by], &[1]), &of_all, "one element");
                agree(
                    &dividend,
                    &new(vec![by; len], &[len]),
                    &of_all,
                    "equal elements",
                );
                let column = new(a.clone(), &[1, len]).transpose();
                agree(&column, &new(vec![by; len], &[len, 1]), &of_all, "a column");
                let mut others = vec![by; len];
                others[rng.usize(..len)] = wrapped(divisor ^ 2).max(1);
                agree(
                    &dividend,
                    &new(others.clone(), &[len]),
                    &expected(&|at| others[at]),
                    "another divisor",
                );
                let mut refused = vec![by; len];
                refused[rng.usize(..len)] = 0;
                assert!(matches!(
                    dividend.try_rem(&new(refused, &[len])),
                    Err(Error::DivisionByZero {
                        dtype: DType::$D,
                        ..
                    })
                ));
                assert!(dividend.try_floor_div(&new(vec![0], &[])).is_err());
            }
        }
    }};
}

#[test]
fn quotients_by_one_number_are_exact() {
    check!(I64 i64);
    check!(U64 u64);
    check!(I32 i32);
    check!(U32 u32);
    check!(I16 i16);
    check!(U16 u16);
}

/// All integers of 8 bits by each of them.
#[test]
fn quotients_of_bytes_are_exact() {
    macro_rules! check {
        ($D:ident $element:ident) => {
            let all: Vec<$element> = ($element::MIN..=$element::MAX).collect();
            let dividends = Tensor::<$D, Rank1>::from_slice(&all, [256]).unwrap();
            for by in all.iter().copied().filter(|by| *by != 0) {
                let divisor = Tensor::<$D, Rank0>::scalar(by);
                let answers = all.iter().map(|a| exact((*a).into(), by.into()));
                #[expect(
                    clippy::as_conversions,
                    clippy::cast_possible_truncation,
                    reason = "-128 by -1 wraps"
                )]
                let wrapped = |number: i128| number as $element;
                let answers: Vec<_> = answers.map(|answers| answers.map(wrapped)).collect();
                let of = |number: usize| answers.iter().map(move |it| it[number]);
                let [quotients, rests] = [dividends.floor_div(&divisor), &dividends % &divisor];
                assert!(quotients.to_vec().into_iter().eq(of(0)), "by {by}");
                assert!(rests.to_vec().into_iter().eq(of(1)), "rest by {by}");
            }
        };
    }
    check!(I8 i8);
    check!(U8 u8);
}

/// In place, and by a literal.
#[test]
fn typed_divisions() {
    let times: Tensor<I64, Rank1> = (-50..50).map(|hour| hour * 3600 - 1).collect();
    let expected: Vec<i64> = (-50..50).map(|hour| hour - 1).collect();
    assert_eq!(times.floor_div(3600).to_vec(), expected);
    assert_eq!((&times % 3600).to_vec(), [3599; 100]);
    assert_eq!((&times % -3600).to_vec(), [-1; 100]);
    let mut rests = times.clone();
    rests %= 3600;
    assert_eq!(rests.to_vec(), [3599; 100]);
    let least = Tensor::<I64, Rank1>::full([40], i64::MIN);
    assert_eq!(least.floor_div(-1), least);
    let minus_one = -1; // a literal is linted: it has no other rest
    assert_eq!((&least % minus_one).to_vec(), [0; 40]);
}
