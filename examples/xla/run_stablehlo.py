#!/usr/bin/env python3
"""Runs a StableHLO module (text, bytecode or portable artifact) with XLA, through jaxlib: on one device, on several, or in several processes.

    run_stablehlo.py program.mlir OUTDIR in0.npy in1.npy ... [--local-devices K]
        [--coordinator HOST:PORT --num-processes P --process-id I] [--fast] [--dump-hlo]

The program is partitioned over all devices (K in each of P processes) as the module itself says (`sdy.mesh`,
`sdy.sharding`). Each process reads and writes only what lies on its devices: `out0.npy` where a result is whole, else
`out0.0-4_0-8.npy` with the positions of the part along each dimension. bf16 and 8-bit floats are raw bytes in `.npy`
files (`|V2`, `|V1`). On the CPU XLA is told to round as the program says; `--fast` leaves it to itself.
"""

import argparse
import math
import os
import re

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("module")
parser.add_argument("outdir")
parser.add_argument("inputs", nargs="*")
parser.add_argument("--local-devices", type=int, help="how many virtual CPU devices this process has")
parser.add_argument("--coordinator", help="where the first process listens")
parser.add_argument("--num-processes", type=int)
parser.add_argument("--process-id", type=int)
parser.add_argument("--fast", action="store_true", help="let XLA round less often, and multiply and add at once")
parser.add_argument("--dump-hlo", action="store_true", help="print what XLA made of it")
arguments = parser.parse_args()

if not arguments.fast:
    # Read when jaxlib is loaded. Without the first XLA drops conversions to a small float and back; without the second
    # it fuses products and sums on x86-64 (AVX has no instruction for both), which rounds once in place of twice.
    exact = "--xla_allow_excess_precision=false --xla_cpu_max_isa=AVX"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {exact}".strip()

import jax
import ml_dtypes
import numpy as np

jax.config.update("jax_enable_x64", True)  # else 64-bit inputs are narrowed
if arguments.local_devices:
    jax.config.update("jax_num_cpu_devices", arguments.local_devices)
if arguments.coordinator:
    jax.distributed.initialize(arguments.coordinator, arguments.num_processes, arguments.process_id)

from jax._src.interpreters.mlir import make_ir_context  # knows stablehlo and sdy
from jax.extend.backend import get_backend
from jax.extend.sharding import GSPMDSharding
from jaxlib import xla_client
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

DTYPES = {
    "i1": np.bool_, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz, "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "complex<f32>": np.complex64, "complex<f64>": np.complex128,
    **{f"i{bits}": np.dtype(f"int{bits}") for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64)},
}


def signature(text):
    """Shapes and dtypes of the arguments and results of `@main`."""
    def described(types):
        for of in map(ir.RankedTensorType, types):
            yield tuple(of.shape), np.dtype(DTYPES[str(of.element_type)])

    with make_ir_context():
        operations = ir.Module.parse(text).body.operations
        main = next(
            op for op in operations
            if op.operation.name == "func.func" and ir.StringAttr(op.attributes["sym_name"]).value == "main"
        )
        function = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        return list(described(function.inputs)), list(described(function.results))


def load(path, shape, dtype):
    """An input: XLA itself looks at the number of bytes only."""
    array = np.load(path, mmap_mode="r", allow_pickle=False)
    if array.dtype.kind == "V" and array.dtype.itemsize == dtype.itemsize:
        array = array.view(dtype)
    if (array.dtype, array.shape) != (dtype, shape):
        raise SystemExit(f"{path}: {array.dtype}{array.shape}, but the program takes {dtype}{shape}")
    return array


def save(name, array):
    raw = array if array.dtype.isbuiltin == 1 else array.view(f"V{array.dtype.itemsize}")
    np.save(os.path.join(arguments.outdir, f"{name}.npy"), raw)


def read(path):
    """A module's text; of bytecode and portable artifacts too."""
    raw = open(path, "rb").read()
    if not raw.startswith(b"ML\xefR"):
        return raw.decode()
    with make_ir_context() as context:
        if b"StableHLO_v" in raw[:24]:
            return str(stablehlo.deserialize_portable_artifact(context, raw))
        return str(ir.Module.parse(raw))


text = read(arguments.module)
for mesh in re.findall(r"sdy\.mesh @\w+ = <\[(.*?)\]", text):
    devices = math.prod(map(int, re.findall(r"=\s*(\d+)", mesh)))
    if devices != jax.device_count():
        raise SystemExit(f"{arguments.module} is for {devices} devices ({mesh}); there are {jax.device_count()}")
inputs, outputs = signature(text)
if len(arguments.inputs) != len(inputs):
    raise SystemExit(f"{arguments.module} takes {len(inputs)} inputs, not {len(arguments.inputs)}")

devices = sorted(jax.devices(), key=lambda device: device.id)
options = xla_client.CompileOptions()
options.num_replicas, options.num_partitions = 1, len(devices)
options.device_assignment = xla_client.DeviceAssignment.create(np.array([[device.id for device in devices]]))
options.executable_build_options.use_spmd_partitioning = True
options.executable_build_options.use_shardy_partitioner = "sdy." in text
executable = get_backend().compile_and_load(text.encode(), tuple(devices), options)
if arguments.dump_hlo:
    print(executable.hlo_modules()[0].to_string())


def shardings(protos, count):
    kinds = [xla_client.HloSharding.from_proto(proto) for proto in protos or []]
    kinds = kinds or [xla_client.HloSharding.replicate()] * count
    return [GSPMDSharding(tuple(devices), kind) for kind in kinds]


loaded = []
places = shardings(executable.get_parameter_shardings(), len(inputs))
for path, (shape, dtype), place in zip(arguments.inputs, inputs, places, strict=True):
    array = load(path, shape, dtype)
    loaded.append(jax.make_array_from_callback(shape, place, lambda index: np.asarray(array[index]), dtype=dtype))
buffers = executable.execute_sharded(loaded).disassemble_into_single_device_arrays()

os.makedirs(arguments.outdir, exist_ok=True)
places = shardings(executable.get_output_shardings(), len(outputs))
for number, ((shape, dtype), place, parts) in enumerate(zip(outputs, places, buffers, strict=True)):
    result = jax.make_array_from_single_device_arrays(shape, place, parts, dtype=dtype)
    if result.is_fully_addressable or result.is_fully_replicated:
        if jax.process_index() == 0:
            save(f"out{number}", np.asarray(result))
        continue
    for part in result.addressable_shards:
        if part.replica_id == 0:
            ends = (index.indices(size)[:2] for index, size in zip(part.index, shape))
            save(f"out{number}." + "_".join(f"{start}-{end}" for start, end in ends), np.asarray(part.data))
