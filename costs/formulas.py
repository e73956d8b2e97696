"""Formulas as text, so that the page, docs/scale.md and the arithmetic have the same ones: numbers, names, five
operators, `ceil`, `max` and `steps`, and nothing else."""

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def steps(amount: float, prices: Sequence[Sequence[float]]) -> float:
    """Returns what an amount costs where the first so many cost this, and the next that: (up to, dollars) each."""
    dollars, begin = 0.0, 0.0
    for end, each in prices:
        dollars += max(min(amount, end) - begin, 0) * each
        begin = end
    return dollars


FUNCTIONS: Mapping[str, Callable[..., float]] = {"ceil": math.ceil, "max": max, "steps": steps}


def worked_out(formula: str, values: Mapping[str, Any]) -> float:
    """Returns what a formula gives with these values. Raises NameError for a name without one."""
    return float(_value(ast.parse(formula, mode="eval").body, values))


def names_in(formula: str) -> set[str]:
    """Returns the names of values in a formula."""
    found = {node.id for node in ast.walk(ast.parse(formula)) if isinstance(node, ast.Name)}
    return found - FUNCTIONS.keys()


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name):
            if name not in values:
                raise NameError(f"{name} has no value here")
            return values[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(left, values), _value(right, values))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            return FUNCTIONS[name](*(_value(one, values) for one in args))
        case _:
            raise ValueError(f"not part of a formula: {ast.unparse(node)}")
