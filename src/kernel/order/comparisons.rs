//! The comparisons of Batcher's odd-even merge sort.

/// Calls a function for each run of comparisons, in their order, with the first position of a run, the distance from which each of its
/// positions is compared, and their number.
#[inline(always)]
pub(super) fn each_run(len: usize, mut run: impl FnMut(usize, usize, usize)) {
    // The length of the sorted parts, of which two are merged.
    let mut merged = 1;
    while merged < len {
        let mut apart = merged;
        while apart >= 1 {
            let mut first = apart % merged;
            while first + apart < len {
                if first / (2 * merged) == (first + apart) / (2 * merged) {
                    run(first, apart, apart.min(len - apart - first));
                }
                first += 2 * apart;
            }
            apart /= 2;
        }
        merged *= 2;
    }
}

/// [`each_run`] for each pair of positions.
#[inline(always)]
pub(super) fn each_exchange(len: usize, mut exchange: impl FnMut(usize, usize)) {
    each_run(len, |first, apart, count| {
        for at in first..first + count {
            exchange(at, at + apart);
        }
    });
}
