//! Random shapes, layouts and views.

use fastrand::Rng;

use crate::episode::View;

/// Sizes at the boundaries of what loops process at a time: lanes, chunks of 32, blocks of 512.
const BOUNDARIES: [usize; 24] = [
    1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 255, 257, 511, 512, 513,
    1025,
];

fn size(rng: &mut Rng, at_most: usize) -> usize {
    match rng.u8(..24) {
        0 => 0,
        1..=11 => rng.usize(1..5).min(at_most),
        _ => {
            let fitting = BOUNDARIES.partition_point(|size| *size <= at_most);
            BOUNDARIES[rng.usize(..fitting.max(1))]
        }
    }
}

/// A shape of rank 0 to 6.
pub(crate) fn random(rng: &mut Rng, limit: usize) -> Vec<usize> {
    let rank = [0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6][rng.usize(..12)];
    let mut shape = vec![];
    let mut left = limit;
    for _ in 0..rank {
        let size = size(rng, left);
        left /= size.max(1);
        shape.push(size);
    }
    rng.shuffle(&mut shape);
    shape
}

/// A shape of rank 1 to 3 that is stored past the caches if elements of that size are written, which begins at 48 MiB
/// (later on processors with a larger cache); work on so many elements is also split among threads.
pub(crate) fn large(rng: &mut Rng, element: usize) -> Vec<usize> {
    let count = rng.usize(49 << 20..56 << 20) / element.max(4);
    let inner = [2, 3, 31, 64, 513, 1000][rng.usize(..6)];
    match rng.u8(..4) {
        0 | 1 => vec![count],
        2 => vec![count / inner, inner],
        _ => vec![inner, 2, count / inner / 2],
    }
}

/// A size of a matrix: around the sizes of tiles.
pub(crate) fn matrix_size(rng: &mut Rng) -> usize {
    [0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 31, 33][rng.usize(..14)]
}

/// A shape that broadcasts to another: often the same, else without leading axes and with sizes of one.
pub(crate) fn fitting(rng: &mut Rng, shape: &[usize]) -> Vec<usize> {
    if rng.bool() {
        return shape.to_vec();
    }
    let from = if rng.bool() {
        0
    } else {
        rng.usize(..=shape.len())
    };
    let kept = shape[from..].iter();
    kept.map(|size| if rng.u8(..3) == 0 { 1 } else { *size })
        .collect()
}

/// A shape to store, and views that lead from it to `shape`.
pub(crate) fn layout(rng: &mut Rng, shape: &[usize]) -> (Vec<usize>, Vec<View>) {
    let mut stored = shape.to_vec();
    let mut views = vec![];
    let rank = shape.len();
    if rank == 0 {
        return (stored, views);
    }
    let count: usize = shape.iter().product();
    for _ in 0..[0, 0, 1, 1, 2][rng.usize(..5)] {
        let axis = rng.usize(..rank);
        // Built from the end: the view leads from what is stored next to what is stored now.
        match rng.u8(..5) {
            0 => {
                let mut order: Vec<usize> = (0..rank).collect();
                rng.shuffle(&mut order);
                let now = stored.clone();
                for (to, from) in order.iter().enumerate() {
                    stored[*from] = now[to];
                }
                views.push(View::Permute(order));
            }
            1 if count < 1 << 20 => {
                let step = [-3_isize, -2, 2, 3][rng.usize(..4)];
                let wide = stored[axis] * step.unsigned_abs();
                // The last step may end early.
                let end = wide
                    - if wide > 0 {
                        rng.usize(..step.unsigned_abs())
                    } else {
                        0
                    };
                stored[axis] = end;
                views.push(View::Slice {
                    axis,
                    start: 0,
                    end,
                    step,
                });
            }
            2 => {
                let [before, after] = [rng.usize(..4), rng.usize(..3)];
                let (start, end) = (before, before + stored[axis]);
                stored[axis] = end + after;
                views.push(View::Slice {
                    axis,
                    start,
                    end,
                    step: 1,
                });
            }
            3 => views.push(View::Flip(axis)),
            4 if stored[axis] > 1 => {
                views.push(View::Broadcast(stored.clone()));
                stored[axis] = 1;
            }
            _ => {}
        }
    }
    views.reverse();
    (stored, views)
}

/// A view of a tensor of that shape.
pub(crate) fn view(rng: &mut Rng, shape: &[usize], limit: usize) -> View {
    let rank = shape.len();
    let count: usize = shape.iter().product();
    if rank == 0 {
        return View::Unsqueeze(0);
    }
    let axis = rng.usize(..rank);
    match rng.u8(..9) {
        0 => {
            let mut order: Vec<usize> = (0..rank).collect();
            rng.shuffle(&mut order);
            View::Permute(order)
        }
        1 => View::Swap(axis, rng.usize(..rank)),
        2 => {
            let start = rng.usize(..=shape[axis]);
            let end = rng.usize(start..=shape[axis]);
            let step = [1, 1, 2, 3, 7, -1, -2, -5][rng.usize(..8)];
            View::Slice {
                axis,
                start,
                end,
                step,
            }
        }
        3 => View::Flip(axis),
        4 if rank < 8 && count * 3 <= limit => {
            let mut to = shape.to_vec();
            for size in &mut to {
                if *size == 1 && rng.bool() {
                    *size = rng.usize(..4);
                }
            }
            to.insert(0, rng.usize(..3));
            if to.iter().product::<usize>() <= limit {
                View::Broadcast(to)
            } else {
                View::Flip(axis)
            }
        }
        5 if shape[axis] == 1 => View::Squeeze(axis),
        5 | 6 if rank < 7 => View::Unsqueeze(rng.usize(..=rank)),
        7 if shape[axis] > 0 => View::Index(axis, rng.usize(..shape[axis])),
        _ => reshape(rng, shape),
    }
}

/// To other sizes with the same product.
fn reshape(rng: &mut Rng, shape: &[usize]) -> View {
    let mut to = shape.to_vec();
    if to.len() > 1 && rng.bool() {
        let axis = rng.usize(..to.len() - 1);
        let next = to.remove(axis + 1);
        to[axis] *= next;
    } else {
        let axis = rng.usize(..to.len());
        let divisors: Vec<usize> = [2, 3, 4, 5, 8]
            .into_iter()
            .filter(|by| to[axis].is_multiple_of(*by))
            .collect();
        if let Some(by) = rng.choice(divisors)
            && to.len() < 7
        {
            to[axis] /= by;
            to.insert(axis, by);
        } else {
            to = vec![to.iter().product()];
        }
    }
    View::Reshape(to)
}
