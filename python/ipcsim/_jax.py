"""A run as a function for JAX, with forward and reverse derivatives.

The change of a run is a linear function of the changes of its parameters. It is a primitive of JAX
here: `jax.jvp` evaluates it as a tangent of the run, and `jax.grad` transposes it, which is an
adjoint. `jax.vmap` gives all arrays one more axis in front, so that a batch is one call back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .diff import Model

Shape = tuple[int, ...]


def rollout_for(model: Model) -> Callable[[Any, Any], Any]:
    """The arrays of `model` as a function of `params` and `controls`."""
    jax: Any = import_module("jax")

    def forward(params: Any, controls: Any) -> Any:
        out = _like(jax, model.shapes())
        return _call(jax, (model.rollout, model.rollout_batch), out, None, params, controls)

    function: Any = jax.custom_jvp(forward)

    def with_change(primals: Any, tangents: Any) -> Any:
        out = forward(*primals)
        leaves, tree = jax.tree.flatten(primals)
        changes = jax.tree.leaves(tangents)
        ranks = tuple(np.ndim(own) for own in leaves)
        changed = _push().bind(*leaves, *changes, model=model, tree=tree, ranks=ranks)
        return out, dict(zip(model.shapes(), changed, strict=True))

    function.defjvp(with_change)
    return lambda params, controls: function(params, controls)


@cache
def _push() -> Any:
    """The change of a run as a primitive of JAX.

    Its operands are the parameters and their changes. `ranks` are the numbers of axes of the
    parameters of a single run; axes before these are those of a batch.
    """
    jax: Any = import_module("jax")
    ad: Any = import_module("jax.interpreters.ad")
    batching: Any = import_module("jax.interpreters.batching")
    mlir: Any = import_module("jax.interpreters.mlir")
    extend: Any = import_module("jax.extend.core")
    push = extend.Primitive("ipcsim_change_of_run")
    push.multiple_results = True

    def shapes(model: Model, ranks: Sequence[int], operands: Sequence[Any]) -> dict[str, Shape]:
        lead = _lead(operands[: len(ranks)], ranks)
        return {name: (*lead, *own) for name, own in model.shapes().items()}

    def evaluated(*operands: Any, model: Model, tree: Any, ranks: Sequence[int]) -> list[Any]:
        count = len(ranks)
        out = _like(jax, shapes(model, ranks, operands))
        given = jax.tree.unflatten(tree, operands[:count])
        changes = jax.tree.unflatten(tree, operands[count:])
        found = _call(jax, (model.jvp, model.jvp_batch), out, ranks, *given, *changes)
        return [found[name] for name in out]

    def shaped(*operands: Any, model: Model, tree: Any, ranks: Sequence[int]) -> list[Any]:
        out = shapes(model, ranks, operands).values()
        return [jax.core.ShapedArray(own, np.float64) for own in out]

    def transposed(
        cotangents: Sequence[Any], *operands: Any, model: Model, tree: Any, ranks: Sequence[int]
    ) -> list[Any]:
        count = len(ranks)
        given = operands[:count]
        full = [
            jax.numpy.zeros(own.aval.shape) if isinstance(own, ad.Zero) else own
            for own in cotangents
        ]
        cotangent = dict(zip(model.shapes(), full, strict=True))
        trees = jax.tree.unflatten(tree, given)
        out = jax.tree.map(lambda own: jax.ShapeDtypeStruct(np.shape(own), np.float64), trees)
        found = _call(jax, (model.vjp, model.vjp_batch), out, ranks, *trees, cotangent)
        by = jax.tree.leaves(found)
        wanted = [ad.is_undefined_primal(own) for own in operands[count:]]
        return [None] * count + [
            own if is_wanted else None for own, is_wanted in zip(by, wanted, strict=True)
        ]

    def batched(operands: Sequence[Any], axes: Sequence[Any], **known: Any) -> Any:
        pairs = list(zip(operands, axes, strict=True))
        (size,) = {np.shape(own)[axis] for own, axis in pairs if axis is not None}
        moved = [
            jax.numpy.broadcast_to(own, (size, *np.shape(own)))
            if axis is None
            else jax.numpy.moveaxis(own, axis, 0)
            for own, axis in pairs
        ]
        found = push.bind(*moved, **known)
        return found, [0] * len(found)

    push.def_impl(evaluated)
    push.def_abstract_eval(shaped)
    ad.primitive_transposes[push] = transposed
    batching.primitive_batchers[push] = batched
    mlir.register_lowering(push, mlir.lower_fun(evaluated, multiple_results=True))
    return push


def _like(jax: Any, shapes: Mapping[str, Shape]) -> dict[str, Any]:
    """Arrays of these shapes, without values."""
    return {name: jax.ShapeDtypeStruct(own, np.float64) for name, own in shapes.items()}


def _lead(arrays: Sequence[Any], ranks: Sequence[int]) -> Shape:
    """Axes of a batch, before those of a single run."""
    if not arrays:
        return ()
    shape: Shape = np.shape(arrays[0])
    return shape[: len(shape) - ranks[0]]


def _call(
    jax: Any,
    functions: tuple[Callable[..., Any], Callable[..., Any]],
    out: Any,
    ranks: Sequence[int] | None,
    params: Any,
    controls: Any,
    *more: Any,
) -> Any:
    """Calls back: the first of `functions` for a single run, the second for a batch.

    `ranks` are the numbers of axes of a single run, by default those of the arguments. `vmap` and
    batches put axes before these, which become one axis of runs.
    """
    single, batch = functions
    if ranks is None:
        ranks = [np.ndim(own) for own in jax.tree.leaves((params, controls))]
    single_ranks = ranks

    def back(params: Any, controls: Any, *more: Any) -> Any:
        lead = _lead(jax.tree.leaves((params, controls)), single_ranks)
        if not lead:
            return single(params, controls, *more)

        def flat(own: Any) -> Any:
            array = np.asarray(own)
            return array.reshape(-1, *array.shape[len(lead) :])

        found = batch(*jax.tree.map(flat, (params, controls, *more)))
        return jax.tree.map(lambda own: own.reshape(*lead, *own.shape[1:]), found)

    # All operands get the axes of a batch, so that one call has them all.
    return jax.pure_callback(back, out, params, controls, *more, vmap_method="broadcast_all")
