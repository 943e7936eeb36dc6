"""Arrays of NumPy and JAX go into Supremum and out again by DLPack; `scripts/dlpack_check` runs this.

Every dtype that they have, in row-major and other layouts, without elements and of rank 0; that nothing is copied; and
that memory lives as long as somebody has it.
"""

import gc
import importlib.util
import pathlib
import re
import weakref

import numpy

from supremum_dlpack import Tensor

# Supremum's names of the dtypes that NumPy has.
NUMPY = {
    "bool": "bool", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "i8": "int8", "i16": "int16",
    "i32": "int32", "i64": "int64", "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64",
    "c128": "complex128",
}  # fmt: skip
# And those that JAX has besides.
JAX = {"bf16": "bfloat16", "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2"}


def address(array):
    return array.__array_interface__["data"][0]


def layouts(array):
    """Views of an array of shape [4, 6]."""
    yield from (array, array.T, array[::-1], array[1:3, ::-2], array[1:2, :1])
    yield from (array[:, 2:2], array[2:3, 3].reshape(()), numpy.broadcast_to(array[0], (3, 6)))


def the_page(page, has_jax):
    """The lines of docs/python.md, as they stand there."""
    blocks = re.findall("^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 2, "the page has lines for NumPy and for JAX"
    for block in blocks:
        if has_jax or "jax" not in block:
            exec(compile(block, page, "exec"), {})


def there_and_back():
    count = 0
    for ours, name in NUMPY.items():
        whole = (numpy.arange(24) % 5).reshape(4, 6).astype(name)
        for array in layouts(whole):
            array.flags.writeable = False
            tensor = Tensor(array)
            assert f" {ours} {list(array.shape)}" in repr(tensor), (repr(tensor), name)
            back = numpy.from_dlpack(tensor)
            assert back.dtype == array.dtype and back.shape == array.shape
            assert numpy.array_equal(back, array), (name, array.shape)
            if array.size:
                assert address(back) == address(array), f"{name}: copied"
                assert not back.flags.writeable
            turned = numpy.from_dlpack(tensor.transpose())
            assert numpy.array_equal(turned, array.T)
            count += 1
    print(f"NumPy {numpy.__version__}: {count} arrays of {len(NUMPY)} dtypes there and back, none copied")


def promotion_is_numpys():
    # Supremum refuses promotions that lose values, so these are the ones that do not.
    for lhs, rhs in [("float16", "int8"), ("uint8", "int8"), ("bool", "int32"), ("uint32", "int64"), ("float32", "float16")]:
        a, b = numpy.arange(3).astype(lhs), numpy.ones(3, rhs)
        total = numpy.from_dlpack(Tensor(a) + Tensor(b))
        assert total.dtype == (a + b).dtype and numpy.array_equal(total, a + b), (lhs, rhs)
    try:
        Tensor(numpy.arange(3)) + Tensor(numpy.ones(3, "float32"))
    except TypeError as error:
        assert "loses precision of i64" in str(error), error
    else:
        raise AssertionError("int64 and float32 were promoted")


def what_cannot_be_is_refused():
    truth = numpy.array([0, 1, 7], "uint8").view(bool)
    for array, reason in [(truth, "found byte 7 at position 2"), (numpy.zeros((1,) * 9), "rank 9")]:
        try:
            Tensor(array)
        except TypeError as error:
            assert reason in str(error), error
        else:
            raise AssertionError(f"accepted, in spite of: {reason}")
    for wrong in [numpy.array(["text"]), numpy.zeros(2, "M8[s]"), numpy.zeros(2, ">i4"), 3]:
        try:
            Tensor(wrong)
        except (BufferError, TypeError, AttributeError):
            continue
        raise AssertionError(f"accepted: {wrong!r}")


def memory_lives_as_long_as_somebody_has_it():
    class Array(numpy.ndarray):
        """NumPy's own have no weak references."""

    array = numpy.arange(6.0).view(Array)
    gone = weakref.ref(array)
    tensor = Tensor(array)
    del array
    gc.collect()
    assert gone() is not None, "the tensor has it"
    flipped = tensor.flip(0)
    del tensor
    back = numpy.from_dlpack(flipped)
    del flipped
    gc.collect()
    assert gone() is not None and back.tolist() == [5, 4, 3, 2, 1, 0]
    del back
    gc.collect()
    assert gone() is None, "nobody has it"
    # Capsules that nobody takes free what they have.
    tensor = Tensor(numpy.zeros(3))
    for version in [None, (1, 0)]:
        tensor.__dlpack__(max_version=version)


def jax_there_and_back():
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    count = 0
    for ours, name in (NUMPY | JAX).items():
        whole = (jnp.arange(24) % 5).reshape(4, 6).astype(name)
        for array in (whole, whole.T, whole[:, 2:2], whole[2, 3]):
            tensor = Tensor(array)
            assert f" {ours} {list(array.shape)}" in repr(tensor), (repr(tensor), name)
            back = jax.dlpack.from_dlpack(tensor)
            assert back.dtype == array.dtype and back.shape == array.shape
            assert jnp.array_equal(back, array), (name, array.shape)
            if name in NUMPY.values() and array.size:
                # NumPy shows where the tensor is: in JAX's memory.
                assert address(numpy.from_dlpack(tensor)) == array.unsafe_buffer_pointer(), name
            count += 1
        flipped = jax.dlpack.from_dlpack(Tensor(whole).flip(0))
        assert jnp.array_equal(flipped, whole[::-1]), name
    widened = jax.dlpack.from_dlpack(Tensor(jnp.array([1.5, 2.0], "bfloat16")) + Tensor(jnp.array([0.25, 1.0], "float16")))
    assert widened.dtype == jnp.float32 and widened.tolist() == [1.75, 3.0], widened
    print(f"JAX {jax.__version__}: {count} arrays of {len(NUMPY | JAX)} dtypes there and back, none copied on the way in")


has_jax = importlib.util.find_spec("jax") is not None
the_page(pathlib.Path(__file__).parents[2] / "docs/python.md", has_jax)
there_and_back()
promotion_is_numpys()
what_cannot_be_is_refused()
memory_lives_as_long_as_somebody_has_it()
if has_jax:
    jax_there_and_back()
else:
    print("not checked: JAX, and so bf16 and 8-bit floats, because it is not here")
