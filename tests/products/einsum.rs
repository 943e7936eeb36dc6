//! `einsum!` and `DynTensor::einsum`, judged by loops over all letters.

use std::collections::BTreeMap;

use supremum::{
    AnyRank, BF16, Bool, C64, DType, DynTensor, Error, F16, F32, F64, I8, I32, I64, Rank0, Rank1,
    Rank2, Rank3, RuleSet, Tensor, Torch, U8, c64, einsum, tensor, try_einsum,
};

/// Sums products of whole numbers by a loop over the indices of all letters.
fn naive(inputs: &[(&str, &DynTensor)], result: &str) -> (Vec<usize>, Vec<i64>) {
    let mut sizes = BTreeMap::new();
    let elements: Vec<Vec<i64>> = inputs.iter().map(|(_, x)| numbers(x)).collect();
    for (term, x) in inputs {
        for (letter, size) in term.chars().zip(x.shape()) {
            assert_eq!(*sizes.entry(letter).or_insert(*size), *size, "{term}");
        }
    }
    let letters: Vec<(char, usize)> = sizes
        .iter()
        .map(|(letter, size)| (*letter, *size))
        .collect();
    let place = |term: &str, index: &BTreeMap<char, usize>| {
        term.chars()
            .fold(0, |place, letter| place * sizes[&letter] + index[&letter])
    };
    let shape: Vec<usize> = result.chars().map(|letter| sizes[&letter]).collect();
    let mut sums = vec![0; shape.iter().product()];
    let total: usize = letters.iter().map(|(_, size)| size).product();
    for number in 0..total {
        let mut left = number;
        let mut index = BTreeMap::new();
        for (letter, size) in &letters {
            index.insert(*letter, left % size);
            left /= size;
        }
        let factors = inputs.iter().zip(&elements);
        let product: i64 = factors
            .map(|((term, _), x)| x[place(term, &index)])
            .product();
        sums[place(result, &index)] += product;
    }
    (shape, sums)
}

fn numbers(x: &DynTensor) -> Vec<i64> {
    x.cast(DType::I64)
        .typed::<I64, AnyRank, supremum::Jax>()
        .expect("whole numbers")
        .to_vec()
}

/// Small whole numbers of both signs, stored with reversed axes if the number is odd.
fn sample(shape: &[usize], dtype: DType, number: u64) -> DynTensor {
    let count: usize = shape.iter().product();
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let elements: Vec<i64> = (0..count)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            i64::try_from(state >> 61).expect("three bits") - 3
        })
        .collect();
    let x = Tensor::<I64>::from_vec(elements, shape)
        .expect("the shape")
        .into_dyn()
        .cast(dtype);
    if number.is_multiple_of(2) {
        return x;
    }
    let axes: Vec<usize> = (0..shape.len()).rev().collect();
    let turned = x.permute(&axes);
    let copy = turned.contiguous();
    copy.permute(&axes)
}

const EQUATIONS: &[(&[&str], &str)] = &[
    (&["ij"], "ij"),
    (&["ij"], "ji"),
    (&["ij"], "i"),
    (&["ij"], ""),
    (&["ii"], "i"),
    (&["ii"], ""),
    (&["iij"], "ji"),
    (&["iijj"], "j"),
    (&["iii"], "i"),
    (&["i", "i"], "i"),
    (&["i", "i"], ""),
    (&["i", "j"], "ij"),
    (&["i", "j"], "ji"),
    (&["i", "j"], ""),
    (&["i", "j"], "j"),
    (&["ij", "jk"], "ik"),
    (&["ij", "jk"], "ki"),
    (&["ji", "kj"], "ik"),
    (&["ij", "ij"], ""),
    (&["ij", "ij"], "j"),
    (&["ij", "ji"], "i"),
    (&["ij", "j"], "i"),
    (&["j", "ij"], "i"),
    (&["ij", "kj"], "ik"),
    (&["aij", "ajk"], "aik"),
    (&["aij", "jk"], "iak"),
    (&["aij", "ajk"], "ik"),
    (&["abij", "abkj"], "abik"),
    (&["iahj", "kahj"], "ahik"),
    (&["iij", "jk"], "k"),
    (&["ijk", "jil", "kl"], "il"),
    (&["ni", "ij", "nj"], "n"),
    (&["i", "j", "k"], "kij"),
    (&["i", "ij", "j"], ""),
    (&["ab", "bc", "cd", "da"], ""),
    (&["ab", "bc", "cd", "de", "ea"], "ce"),
    (&["a", "b", "c", "a", "b", "c"], "abc"),
    (&["Ab", "bA"], "A"),
];

/// Runs all equations with these sizes of letters.
fn check(size: impl Fn(char) -> usize, dtype: DType) {
    for (number, (terms, result)) in EQUATIONS.iter().enumerate() {
        let seed = u64::try_from(number).expect("few");
        let operands: Vec<DynTensor> = (0..)
            .zip(*terms)
            .map(|(at, term)| {
                sample(
                    &term.chars().map(&size).collect::<Vec<_>>(),
                    dtype,
                    7 * seed + at,
                )
            })
            .collect();
        let inputs: Vec<(&str, &DynTensor)> = terms.iter().copied().zip(&operands).collect();
        let (shape, expected) = naive(&inputs, result);
        let equation = format!("{} -> {result}", terms.join(", "));
        let operands: Vec<&DynTensor> = operands.iter().collect();
        let found = DynTensor::try_einsum(&equation, &operands).expect("operands that fit");
        assert_eq!(found.dtype(), dtype, "{equation}");
        assert_eq!(found.shape(), shape, "{equation}");
        assert_eq!(numbers(&found), expected, "{equation} in {dtype}");
    }
}

#[test]
fn sums_are_those_of_loops() {
    check(|_| 3, DType::I64);
    check(
        |letter| 2 + usize::from(letter.is_ascii_lowercase() && u32::from(letter) % 2 == 0),
        DType::F64,
    );
    check(|letter| if letter == 'j' { 5 } else { 2 }, DType::I32);
    check(|_| 1, DType::F32);
    check(
        |letter| usize::from(letter != 'j' && letter != 'b') * 2,
        DType::I64,
    );
    check(|_| 2, DType::F16);
}

#[test]
fn an_equation_without_arrow_has_the_letters_that_occur_once() {
    let (a, b) = (
        sample(&[2, 3], DType::I32, 1),
        sample(&[3, 4], DType::I32, 2),
    );
    assert_eq!(
        DynTensor::einsum("ij,jk", &[&a, &b]),
        DynTensor::einsum("ij,jk->ik", &[&a, &b])
    );
    assert_eq!(
        DynTensor::einsum("ba", &[&a]),
        DynTensor::einsum("ba->ab", &[&a])
    );
    assert_eq!(
        DynTensor::einsum("aB", &[&a]),
        DynTensor::einsum("aB->Ba", &[&a])
    );
    assert_eq!(DynTensor::einsum("ij,ij", &[&a, &a]).shape(), [0; 0]);
}

#[test]
fn ellipses_are_axes_that_broadcast() {
    let a = sample(&[4, 1, 2, 3], DType::I64, 3);
    let b = sample(&[5, 3, 2], DType::I64, 4);
    let product = DynTensor::einsum("...ij,...jk->...ik", &[&a, &b]);
    assert_eq!(product, a.matmul(&b));
    let implied = DynTensor::einsum("...ij,...jk", &[&a, &b]);
    assert_eq!(implied, product);
    let turned = DynTensor::einsum("i...,k...->...", &[&b, &b]);
    let sums = b.sum_axis(0);
    let (shape, expected) = naive(&[("jk", &sums), ("jk", &sums)], "jk");
    assert_eq!((turned.shape(), numbers(&turned)), (&*shape, expected));
    let sum = DynTensor::einsum("...->...", &[&a]);
    assert_eq!(sum, a);
    // One operand has the axes, the other has none of them.
    let scaled = DynTensor::einsum("...i,i->...i", &[&b, &sample(&[2], DType::I64, 5)]);
    assert_eq!(scaled, &b * &sample(&[2], DType::I64, 5));
}

#[test]
fn the_macro_knows_dtypes_and_ranks() {
    let a: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let b: Tensor<BF16, Rank2> = tensor![[1.0, 0.0], [1.0, -1.0]];
    let product: Tensor<F32, Rank2> = einsum!("ij,jk->ik", a, &b);
    assert_eq!(product.to_vec(), [3.0, -2.0, 7.0, -4.0]);
    let rows: Tensor<BF16, Rank1> = einsum!("ij->i", b);
    assert_eq!(rows.to_vec().map_to_f32(), [1.0, 0.0]);
    let any: Tensor<F32, AnyRank> = einsum!("...j,jk->...k", a, b);
    assert_eq!(any, product.into_any());
    let counts: Tensor<I8, Rank2> = tensor![[1, 2], [3, 4]];
    let three: Tensor<F32, Rank3> = einsum!("ij,jk,kl->ikl", counts, b, a);
    assert_eq!(three.shape(), [2, 2, 2]);
    let booleans: Tensor<Bool, Rank2> = tensor![[true, false], [false, false]];
    let reached: Tensor<Bool, Rank1> = einsum!("ij->i", booleans);
    assert_eq!(reached.to_vec(), [true, false]);
    let both: Tensor<Bool, Rank2> = einsum!("ij,jk->ik", booleans, booleans);
    assert_eq!(both.to_vec(), [true, false, false, false]);
    let z: Tensor<C64, Rank1> = tensor![c64::new(0.0, 1.0), c64::new(2.0, 0.0)];
    let square: Tensor<C64, Rank0> = einsum!("i,i->", z, z);
    assert_eq!(square.item(), Ok(c64::new(3.0, 0.0)));
    let torch: Tensor<U8, Rank2, Torch> = tensor![[200, 100]];
    let wrapped: Tensor<U8, Rank1, Torch> = einsum!("ij,ij->i", torch, torch);
    assert_eq!(wrapped.to_vec(), [80]); // 50,000 modulo 256
}

trait MapToF32 {
    fn map_to_f32(self) -> Vec<f32>;
}

impl MapToF32 for Vec<supremum::bf16> {
    fn map_to_f32(self) -> Vec<f32> {
        self.into_iter().map(f32::from).collect()
    }
}

#[test]
fn operands_stand_in_a_list_too() {
    let a = Tensor::<F32, Rank2>::from_fn([2, 3], |[i, j]| if i > j { 2.0 } else { 0.5 });
    let b: Tensor<BF16, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let expected = einsum!("ij,jk->ik", a, b);
    assert_eq!(einsum!("ij,jk->ik", [a, b]), expected);
    assert_eq!(einsum!("ij,jk->ik", &[&a, &b,],), expected);
    assert_eq!(try_einsum!("ij,jk->ik", &[a, b]), Ok(expected));
}

#[test]
fn small_floats_are_rounded_once() {
    // 1 + 1/512 is no bf16, and (1 + 1/512) * 256 - 256 is.
    let a: Tensor<BF16, Rank1> = tensor![1.0, 0.001953125];
    let b: Tensor<BF16, Rank1> = tensor![256.0, -256.0];
    let sum = einsum!("i,j,j->", a, b, b);
    let plain: f32 = (1.0 + 1.0 / 512.0) * 131_072.0;
    assert_eq!(
        sum.item().map(f32::from),
        Ok(supremum::bf16::from_f32(plain).to_f32())
    );
    let many = Tensor::<F16, Rank2>::ones([2, 5000]);
    assert_eq!(
        einsum!("ij,ij->i", many, many)
            .to_vec()
            .iter()
            .map(|x| x.to_f32())
            .collect::<Vec<_>>(),
        [5000.0; 2]
    );
}

#[test]
fn the_cheapest_product_comes_first() {
    // The products of the first two operands are not finite, and those of the last two are one.
    let product = |rows: usize| {
        let a = Tensor::<F32, Rank2>::full([rows, 1], 1e30);
        let b = Tensor::<F32, Rank2>::full([1, 4], 1e30);
        let c = Tensor::<F32, Rank2>::full([4, 1], 1e-30);
        let typed: Tensor<F32, Rank2> = einsum!("ij,jk,kl->il", a, b, c);
        let [x, y, z] = [a, b, c].map(Tensor::into_dyn);
        let dynamic = DynTensor::einsum("ij,jk,kl->il", &[&x, &y, &z]);
        assert_eq!(dynamic.typed().as_ref(), Ok(&typed));
        typed.get(&[0, 0])
    };
    // From the left, 4 * rows multiplications twice; from the right, 4 and then `rows`.
    assert_eq!(product(3), Some(4e30));
    // As many either way: from the left.
    let one = Tensor::<F32, Rank0>::full([], 1e30);
    let tiny = Tensor::<F32, Rank0>::full([], 1e-30);
    assert_eq!(einsum!(",,->", one, one, tiny).item(), Ok(f32::INFINITY));
    // An order whose products have at most eight axes, though others need fewer multiplications.
    let wide = DynTensor::ones(DType::F32, [2, 1, 1, 1, 1]).expect("memory");
    let sum = DynTensor::try_einsum("abcde,fghij,fghij->abcde", &[&wide, &wide, &wide]);
    assert_eq!(sum, DynTensor::full(DType::F32, [2, 1, 1, 1, 1], 2.0));
}

#[test]
fn mistakes_in_equations_have_a_place() {
    let a = DynTensor::ones(DType::F32, [2, 2]).expect("memory");
    let text = |equation: &str, operands: &[&DynTensor]| {
        DynTensor::try_einsum(equation, operands)
            .unwrap_err()
            .to_string()
    };
    let cases = [
        (
            "ij,j k->i!",
            "einsum: `!` at position 9 of `ij,j k->i!`: subscripts are letters, `...`, commas between operands, and `->` before the result",
        ),
        (
            "ij->ii",
            "einsum: `i` at position 5 of `ij->ii`: a letter is repeated in the result",
        ),
        (
            "ij->k",
            "einsum: `k` at position 4 of `ij->k`: a letter of the result is in no operand",
        ),
        (
            "ij->i->j",
            "einsum: `-` at position 5 of `ij->i->j`: there is one result",
        ),
        (
            "ij->i,j",
            "einsum: `,` at position 5 of `ij->i,j`: there is one result",
        ),
        (
            "i-j",
            "einsum: `-` at position 1 of `i-j`: `-` is a part of `->` only",
        ),
        (
            "i.j",
            "einsum: `.` at position 1 of `i.j`: `.` is a part of `...` only",
        ),
        (
            "...i...",
            "einsum: `.` at position 4 of `...i...`: a term has one `...` at most",
        ),
        (
            "...i->i",
            "einsum: `-` at position 4 of `...i->i`: the `...` of the operands is not in the result",
        ),
        (
            "ij->...i",
            "einsum: `-` at position 2 of `ij->...i`: the `...` of the result is in no operand",
        ),
        (
            "abcdefghi",
            "einsum: `i` at position 8 of `abcdefghi`: a term has at most 8 letters",
        ),
        (
            "a,b,c,d,e,f,g",
            "einsum: `,` at position 11 of `a,b,c,d,e,f,g`: there are at most 6 operands",
        ),
        (
            "ij\u{e9}",
            "einsum: `\u{e9}` at position 2 of `ij\u{e9}`: subscripts are letters, `...`, commas between operands, and `->` before the result",
        ),
    ];
    for (equation, expected) in cases {
        assert_eq!(text(equation, &[&a]), expected);
    }
    assert_eq!(text("ij,jk", &[&a]), "einsum: expected 2 operands, found 1");
    assert_eq!(text("", &[]), "einsum: expected 1 operand, found 0");
    assert_eq!(
        text("ijk", &[&a]),
        "einsum: the subscripts `ijk` do not fit operand 0 of rank 2 (shape [2, 2])"
    );
    assert_eq!(
        text("i...jk", &[&a]),
        "einsum: the subscripts `i...jk` do not fit operand 0 of rank 2 (shape [2, 2])"
    );
    let b = DynTensor::ones(DType::F32, [3, 1]).expect("memory");
    assert_eq!(
        text("ij,jk", &[&a, &b]),
        "einsum: subscript `j`: axis 1 of operand 0 has size 2, axis 0 of operand 1 has size 3 (shapes [2, 2] and [3, 1])"
    );
    assert_eq!(
        text("ii", &[&b]),
        "einsum: subscript `i`: axis 0 of operand 0 has size 3, axis 1 of operand 0 has size 1 (shapes [3, 1] and [3, 1])"
    );
    let c = DynTensor::ones(DType::F32, [3, 2]).expect("memory");
    assert_eq!(
        text("...j,...j", &[&a, &c]),
        "einsum: subscript `...`: axis 0 of operand 0 has size 2, axis 0 of operand 1 has size 3 (shapes [2, 2] and [3, 2])"
    );
    let wide = DynTensor::ones(DType::F32, [1; 5]).expect("memory");
    let error = DynTensor::try_einsum("abcde,fghij", &[&wide, &wide]).unwrap_err();
    assert!(
        matches!(error, Error::RankTooLarge { .. } | Error::Equation { .. }),
        "{error}"
    );
    let error = DynTensor::try_einsum("abcde,fghij->", &[&wide, &wide]);
    assert_eq!(error.map(|sum| sum.len()), Ok(1));
    let any = a
        .clone()
        .typed::<F32, AnyRank, supremum::Jax>()
        .expect("f32");
    let error = try_einsum!("ijk->i", any).unwrap_err();
    assert_eq!(
        error,
        Error::RankMismatch {
            operation: "einsum",
            expected: 3,
            shape: vec![2, 2]
        }
    );
}

#[test]
fn rules_decide_the_dtype_of_several_operands() {
    let one = |rules: &str, dtype: DType| {
        DynTensor::ones(dtype, [1])
            .expect("memory")
            .with_rules(RuleSet::named(rules).expect("a name"))
    };
    let dtype = |rules: &str, dtypes: [DType; 3]| {
        let [a, b, c] = dtypes.map(|dtype| one(rules, dtype));
        DynTensor::try_einsum("i,i,i->i", &[&a, &b, &c]).map(|product| product.dtype())
    };
    // NumPy promotes f16 with each integer first.
    let operands = [DType::I8, DType::U16, DType::F16];
    assert_eq!(dtype("numpy", operands), Ok(DType::F32));
    assert!(matches!(
        dtype("jax", operands), // `u16` does not fit `f16`
        Err(Error::UnsafePromotion { .. })
    ));
    let operands = [DType::I8, DType::U8, DType::F16];
    assert_eq!(dtype("jax", operands), Ok(DType::F16));
    assert_eq!(dtype("numpy", operands), Ok(DType::F16));
    assert!(matches!(
        dtype("torch", operands),
        Err(Error::NoPromotion { .. })
    ));
    let unsafe_operands = [DType::I64, DType::I8, DType::F32];
    assert!(matches!(
        dtype("jax", unsafe_operands),
        Err(Error::UnsafePromotion { .. })
    ));
    let mixed = DynTensor::try_einsum("i,i", &[&one("jax", DType::F32), &one("torch", DType::F32)]);
    assert!(matches!(mixed, Err(Error::MixedRules { .. })));
    let typed: Tensor<I32, Rank1> = tensor![3];
    let small: Tensor<U8, Rank1> = tensor![2];
    let product: Tensor<I32, Rank1> = einsum!("i,i,i->i", small, small, typed);
    assert_eq!(product.to_vec(), [12]);
    let double: Tensor<F64, Rank1> = tensor![0.5];
    assert_eq!(einsum!("i,i->", small, double).item(), Ok(1.0));
}
