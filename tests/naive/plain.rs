//! Arrays in row-major order, with index arithmetic.

/// An array in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plain<E> {
    pub(crate) shape: Vec<usize>,
    pub(crate) elements: Vec<E>,
}

/// Every index of a shape, in row-major order.
pub(crate) fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for size in shape {
        all = all
            .iter()
            .flat_map(|start| {
                (0..*size).map(move |next| {
                    let mut index = start.clone();
                    index.push(next);
                    index
                })
            })
            .collect();
    }
    all
}

/// The shape that two broadcast to.
pub(crate) fn broadcast(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let rank = a.len().max(b.len());
    let size = |shape: &[usize], axis: usize| {
        let missing = rank - shape.len();
        if axis < missing {
            1
        } else {
            shape[axis - missing]
        }
    };
    (0..rank)
        .map(|axis| match (size(a, axis), size(b, axis)) {
            (a, b) if a == b => Some(a),
            (1, other) | (other, 1) => Some(other),
            _ => None,
        })
        .collect()
}

impl<E: Copy> Plain<E> {
    pub(crate) fn new(shape: &[usize], elements: Vec<E>) -> Self {
        assert_eq!(elements.len(), shape.iter().product::<usize>());
        Self {
            shape: shape.to_vec(),
            elements,
        }
    }

    /// The element at an index; axes of size one repeat, missing ones in front do too.
    pub(crate) fn at(&self, index: &[usize]) -> E {
        let index = &index[index.len() - self.shape.len()..];
        let position = index
            .iter()
            .zip(&self.shape)
            .fold(0, |position, (at, size)| {
                position * size + if *size == 1 { 0 } else { *at }
            });
        self.elements[position]
    }

    /// Of another shape: the element at each index is the one at the index that `from` gives.
    pub(crate) fn mapped(&self, shape: &[usize], from: impl Fn(&[usize]) -> Vec<usize>) -> Self {
        let elements = indices(shape)
            .iter()
            .map(|index| self.at(&from(index)))
            .collect();
        Self::new(shape, elements)
    }

    pub(crate) fn map<F: Copy>(&self, f: impl FnMut(E) -> F) -> Plain<F> {
        Plain::new(&self.shape, self.elements.iter().copied().map(f).collect())
    }

    pub(crate) fn zip<B: Copy, F: Copy>(
        &self,
        b: &Plain<B>,
        mut f: impl FnMut(E, B) -> F,
    ) -> Plain<F> {
        let shape = broadcast(&self.shape, &b.shape).expect("shapes that fit together");
        let elements = indices(&shape)
            .iter()
            .map(|index| f(self.at(index), b.at(index)))
            .collect();
        Plain::new(&shape, elements)
    }
}
