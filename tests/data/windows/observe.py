"""Convolutions and pools of small integers in JAX and PyTorch.

    python observe.py > answers.csv

`answers.csv` is of JAX 0.10.2 and PyTorch 2.15.0 on x86-64 (CPU), with NumPy 2.4.6. Elements are `f32`: of an operand, in row-major
order, `i * 7 % 11 - 5`, and of filters `i * 5 % 7 - 3`. Sizes are joined by `x`, and the numbers before and behind an axis by `:`.
A `-` stands for a number that the operation does not have. `conv_transpose2d` of JAX is `jax.lax.conv_transpose` with
`transpose_kernel=True`.
"""

import random

import jax
import numpy as np
import torch
import torch.nn.functional as F

random.seed(19)
FORMAT = ("NCHW", "OIHW", "NCHW")


def elements(shape, factor, modulus, least):
    return (np.arange(np.prod(shape)) * factor % modulus + least).astype(np.float32).reshape(shape)


def joined(sizes):
    return "x".join(map(str, sizes))


def row(system, operation, x, kernel, stride, padding, dilation, groups, option, result):
    numbers = " ".join(f"{number:.9g}" for number in np.asarray(result).ravel())
    print(system, operation, joined(x), joined(kernel), joined(stride), padding, joined(dilation), groups, option,
          joined(result.shape), numbers, sep=",")


def pair(least, most):
    return [random.randint(least, most) for _ in range(2)]


def convolutions():
    for number in range(80):
        groups = random.choice([1, 1, 2])
        channels, filters = random.randint(1, 2), random.randint(1, 2)
        shape = [random.randint(1, 2), channels * groups, *pair(3, 6)]
        size, stride, dilation = pair(1, 3), pair(1, 3), pair(1, 2)
        x = elements(shape, 7, 11, -5)
        kind = ["jax", "jax same", "torch same", "torch transposed", "jax transposed"][number % 5]
        kernel = [filters * groups, channels, *size]
        transposed = [channels * groups, filters, *size]
        if kind in ("jax", "jax same"):
            sides = [tuple(pair(0, 3)), tuple(pair(0, 3))]
            if any(n + sum(p) < (k - 1) * d + 1 for n, p, k, d in zip(shape[2:], sides, size, dilation)):
                continue
            padding, name = ("SAME", "same") if kind == "jax same" else (sides, joined(f"{a}:{b}" for a, b in sides))
            result = jax.lax.conv_general_dilated(
                x, elements(kernel, 5, 7, -3), stride, padding, rhs_dilation=dilation, dimension_numbers=FORMAT,
                feature_group_count=groups)
            row("jax", "conv2d", shape, kernel, stride, name, dilation, groups, "-", result)
        elif kind == "torch same":
            result = F.conv2d(torch.tensor(x), torch.tensor(elements(kernel, 5, 7, -3)), padding="same",
                              dilation=dilation, groups=groups)
            row("torch", "conv2d", shape, kernel, [1, 1], "same", dilation, groups, "-", result)
        elif kind == "torch transposed":
            padding = [random.randint(0, (k - 1) * d) for k, d in zip(size, dilation)]
            more = [random.randint(0, min(p, max(s, d) - 1)) for p, s, d in zip(padding, stride, dilation)]
            try:
                result = F.conv_transpose2d(torch.tensor(x), torch.tensor(elements(transposed, 5, 7, -3)), stride=stride,
                                            padding=padding, output_padding=more, dilation=dilation, groups=groups)
            except RuntimeError:
                continue
            row("torch", "conv_transpose2d", shape, transposed, stride, joined(padding), dilation, groups,
                f"output_padding {joined(more)}", result)
        else:
            shape[1], transposed[0] = channels, channels
            # The kernel of the convolution whose gradient it is: its filters are the channels of `x`.
            result = jax.lax.conv_transpose(
                elements(shape, 7, 11, -5), elements(transposed, 5, 7, -3), stride, "SAME", rhs_dilation=dilation,
                dimension_numbers=FORMAT, transpose_kernel=True)
            row("jax", "conv_transpose2d", shape, transposed, stride, "same", dilation, 1, "-", result)


def pools():
    for number in range(60):
        shape = [1, 2, *pair(3, 9)]
        size, stride = pair(2, 4), pair(1, 4)
        padding = [random.randint(0, k // 2) for k in size]
        if any(n + 2 * p < k for n, p, k in zip(shape[2:], padding, size)):
            continue
        x = elements(shape, 7, 11, -5)
        ceil, counted = number % 2 == 0, number % 3 == 0
        option = f"ceil_mode {ceil} count_include_pad {counted}"
        result = F.avg_pool2d(torch.tensor(x), size, stride, padding, ceil, counted)
        row("torch", "avg_pool2d", shape, size, stride, joined(padding), [1, 1], "-", option, result)
        dilation = pair(1, 2)
        if any(n + 2 * p < (k - 1) * d + 1 for n, p, k, d in zip(shape[2:], padding, size, dilation)):
            continue
        result = F.max_pool2d(torch.tensor(x), size, stride, padding, dilation, ceil)
        row("torch", "max_pool2d", shape, size, stride, joined(padding), dilation, "-", option, result)
        result = jax.lax.reduce_window(x, -np.inf, jax.lax.max, (1, 1, *size), (1, 1, *stride), "SAME")
        row("jax", "max_pool2d", shape, size, stride, "same", [1, 1], "-", "-", result)


print("system,operation,x,filters,stride,padding,dilation,groups,option,shape,elements")
convolutions()
pools()
