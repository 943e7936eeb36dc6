//! Elements that become constants of a program.

use crate::array::{Array, ScalarBits};
use crate::dtype::{StaticDType, dispatch_dtype};

impl Array {
    /// The element, if all elements have the same bytes.
    pub(crate) fn repeated(&self) -> Option<ScalarBits> {
        dispatch_dtype!(self.dtype(), D => {
            let mut elements = self.iter::<<D as StaticDType>::Element>();
            let first = elements.next()?;
            let same = |element| bytemuck::bytes_of(&element) == bytemuck::bytes_of(&first);
            elements.all(same).then(|| ScalarBits::new(first))
        })
    }

    /// Calls a function with each byte of the elements, in row-major order.
    pub(crate) fn each_byte(&self, mut with: impl FnMut(u8)) {
        dispatch_dtype!(self.dtype(), D => {
            for element in self.iter::<<D as StaticDType>::Element>() {
                bytemuck::bytes_of(&element).iter().copied().for_each(&mut with);
            }
        });
    }
}
