//! Steps that reduce or scan.

use supremum::{DType, DynTensor, Error};

use super::{Entry, Episode, described};
use crate::element::Values;
use crate::naive::Op;
use crate::operations::{self, Binary, Reduce, Scan, Unary};

use crate::{forms, shapes};

impl Episode {
    /// A sum of many blocks, of numbers that round: in the order that is documented, whatever the layout.
    pub(super) fn long_sum(&mut self) {
        let dtype = [DType::F64, DType::F32, DType::BF16, DType::C128][self.rng.usize(..4)];
        let count = self.rng.usize(self.limit / 4..self.limit);
        let shape = match self.rng.u8(..3) {
            0 => vec![count],
            1 => vec![count / 3, 3],
            _ => vec![3, count / 3],
        };
        let entry = self.fresh_of(dtype, &shape, Values::Rough);
        self.reduce_of(Reduce::Sum, entry);
    }

    /// One large tensor, and one step with it: work is split among threads, and stores may go past the caches.
    pub(crate) fn large_step(&mut self) {
        self.pool.clear();
        let dtype = [
            DType::F32,
            DType::F32,
            DType::F64,
            DType::I32,
            DType::BF16,
            DType::C64,
            DType::U8,
            DType::I64,
        ][self.rng.usize(..8)];
        let shape = shapes::large(&mut self.rng, dtype.size());
        let entry = self.fresh_of(dtype, &shape, Values::Tame);
        match self.rng.u8(..8) {
            0 | 1 => {
                let other = if self.rng.bool() { dtype } else { DType::F32 };
                let shape = self.fitting(&shape);
                let other = self.fresh_of(other, &shape, Values::Tame);
                let op = [Op::Add, Op::Mul, Op::Sub][self.rng.usize(..3)];
                self.binary_of(Binary::Arithmetic(op), entry, other);
            }
            2 => {
                let to = [DType::F32, DType::BF16, DType::F64, DType::I32][self.rng.usize(..4)];
                self.cast_of(entry, to);
            }
            3 => self.unary_of(Unary::Neg, entry),
            4 => self.unary_of(Unary::Rounded(0), entry),
            5 | 6 => {
                let op = [Reduce::Sum, Reduce::Max, Reduce::Any][self.rng.usize(..3)];
                self.reduce_of(op, entry);
            }
            _ => forms::fused_large(self, &shape),
        }
    }
}

impl Episode {
    pub(super) fn reduce(&mut self) {
        use Reduce::*;
        let all = [
            Sum, Sum, Prod, Mean, Var, Std, Min, Max, Any, All, NanSum, NanProd, NanMean, NanMin,
            NanMax, NanVar, NanStd,
        ];
        let op = all[self.rng.usize(..all.len())];
        let entry = self.pick();
        self.reduce_of(op, entry);
    }

    pub(super) fn reduce_of(&mut self, op: Reduce, entry: Entry) {
        let rank = entry.shape().len();
        let set: usize = if self.rng.u8(..3) == 0 {
            usize::MAX
        } else {
            self.rng.usize(..)
        };
        let axes: Vec<usize> = (0..rank).filter(|axis| set >> axis & 1 == 1).collect();
        let keep = self.rng.bool();
        self.what = format!(
            "{op:?} of {} along {axes:?}, kept: {keep}",
            described(&entry)
        );
        let expected = operations::reduce(op, self.rules, &entry.reference, &axes, keep);
        let found = run_reduce(op, &entry.tensor, &axes, keep);
        self.judge(found, expected);
    }

    pub(super) fn position_or_scan(&mut self) {
        let entry = self.pick();
        let (x, rank) = (&entry.tensor, entry.shape().len());
        let axis = (rank > 0 && self.rng.bool()).then(|| self.rng.usize(..rank));
        if let Some(axis) = axis
            && self.rng.u8(..3) == 0
        {
            let op = [Scan::Sum, Scan::Prod, Scan::Min, Scan::Max][self.rng.usize(..4)];
            self.what = format!("cumulative {op:?} of {} along {axis}", described(&entry));
            let expected = operations::scan(op, self.rules, &entry.reference, axis);
            let signed = axis.cast_signed();
            let found = match op {
                Scan::Sum => x.try_cumsum(signed),
                Scan::Prod => x.try_cumprod(signed),
                Scan::Min => x.try_cummin(signed),
                Scan::Max => x.try_cummax(signed),
            };
            return self.judge(found, expected);
        }
        let greatest = self.rng.bool();
        let skips_nan = self.rng.bool();
        let keep = axis.is_some() && self.rng.bool();
        self.what = format!(
            "position, greatest: {greatest}, without NaN: {skips_nan}, of {} along {axis:?}",
            described(&entry)
        );
        let expected = operations::extreme_position(
            greatest,
            skips_nan,
            self.rules,
            &entry.reference,
            axis,
            keep,
        );
        macro_rules! forms {
            ($all:ident $axis:ident $keepdims:ident) => {
                match axis.map(usize::cast_signed) {
                    None => x.$all(),
                    Some(axis) if keep => x.$keepdims(axis),
                    Some(axis) => x.$axis(axis),
                }
            };
        }
        let found = match (greatest, skips_nan) {
            (true, false) => forms!(try_argmax try_argmax_axis try_argmax_keepdims),
            (false, false) => forms!(try_argmin try_argmin_axis try_argmin_keepdims),
            (true, true) => forms!(try_nan_argmax try_nan_argmax_axis try_nan_argmax_keepdims),
            (false, true) => forms!(try_nan_argmin try_nan_argmin_axis try_nan_argmin_keepdims),
        };
        self.judge(found, expected);
    }
}

fn run_reduce(op: Reduce, x: &DynTensor, axes: &[usize], keep: bool) -> Result<DynTensor, Error> {
    let all = axes.len() == x.ndim() && !keep && axes.first() == Some(&0);
    let axes: Vec<isize> = axes.iter().map(|axis| axis.cast_signed()).collect();
    macro_rules! forms {
        ($all:ident $axis:ident $keepdims:ident) => {
            match (&axes[..], keep) {
                _ if all => x.$all(),
                ([axis], false) => x.$axis(*axis),
                ([axis], true) => x.$keepdims(*axis),
                (axes, false) => x.$axis(axes),
                (axes, true) => x.$keepdims(axes),
            }
        };
    }
    match op {
        Reduce::Sum => {
            forms!(try_sum try_sum_axis try_sum_keepdims)
        }
        Reduce::Prod => {
            forms!(try_prod try_prod_axis try_prod_keepdims)
        }
        Reduce::Mean => {
            forms!(try_mean try_mean_axis try_mean_keepdims)
        }
        Reduce::Var => {
            forms!(try_var try_var_axis try_var_keepdims)
        }
        Reduce::Std => {
            forms!(try_std try_std_axis try_std_keepdims)
        }
        Reduce::Min => {
            forms!(try_min try_min_axis try_min_keepdims)
        }
        Reduce::Max => {
            forms!(try_max try_max_axis try_max_keepdims)
        }
        Reduce::Any => {
            forms!(try_any try_any_axis try_any_keepdims)
        }
        Reduce::All => {
            forms!(try_all try_all_axis try_all_keepdims)
        }
        Reduce::NanSum => {
            forms!(try_nan_sum try_nan_sum_axis try_nan_sum_keepdims)
        }
        Reduce::NanProd => {
            forms!(try_nan_prod try_nan_prod_axis try_nan_prod_keepdims)
        }
        Reduce::NanMean => {
            forms!(try_nan_mean try_nan_mean_axis try_nan_mean_keepdims)
        }
        Reduce::NanMin => {
            forms!(try_nan_min try_nan_min_axis try_nan_min_keepdims)
        }
        Reduce::NanMax => {
            forms!(try_nan_max try_nan_max_axis try_nan_max_keepdims)
        }
        Reduce::NanVar => {
            forms!(try_nan_var try_nan_var_axis try_nan_var_keepdims)
        }
        Reduce::NanStd => {
            forms!(try_nan_std try_nan_std_axis try_nan_std_keepdims)
        }
    }
}
