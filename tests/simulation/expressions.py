"""DynamoDB's expressions: conditions and updates, each read once and then kept as a function.

As the embedded engines have it in Rust and Java. `test_engine.py` plays the same calls on one of them and compares.
"""

import base64
import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any

Value = dict[str, Any]  # {"S": "…"}, as DynamoDB's JSON has it, with base64 of what is binary
Raw = dict[str, Value]
Names = dict[str, str]
Values = dict[str, Value]
Operand = Callable[[Raw, Names, Values], Value | None]
Holds = Callable[[Raw, Names, Values], bool]
Path = list[str | int]

TOKEN = re.compile(r"\s*(<>|<=|>=|[=<>(),+\-\[\].]|[#:]?[A-Za-z0-9_]+)")
FUNCTIONS = {
    *("attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains"),
}


class BadExpression(Exception):
    """DynamoDB would answer with a ValidationException."""


class _Tokens:
    def __init__(self, text: str) -> None:
        self.all = TOKEN.findall(text)
        self.at = 0

    @property
    def next(self) -> str:
        return self.all[self.at] if self.at < len(self.all) else ""

    @property
    def is_over(self) -> bool:
        return self.at >= len(self.all)

    def word(self) -> str:
        return self.next.upper()

    def take(self, expected: str = "") -> str:
        token = self.next
        if not token or (expected and token.upper() != expected):
            raise BadExpression(f"{expected or 'more'} expected, {token} found")
        self.at += 1
        return token

    def takes(self, wanted: str) -> bool:
        if self.word() != wanted:
            return False
        self.at += 1
        return True


# Values


def number(value: Value) -> Decimal | int:
    text = value["N"]
    try:
        return int(text)
    except ValueError:
        return Decimal(text)


def as_number(value: Decimal | int) -> Value:
    if isinstance(value, Decimal):
        value = value.normalize()
        return {"N": f"{value:f}"}
    return {"N": str(value)}


def _kind(value: Value) -> str:
    (kind,) = value
    return kind


def _ordered(value: Value) -> tuple[str, Any]:
    kind = _kind(value)
    if kind == "N":
        return kind, number(value)
    if kind == "B":
        return kind, base64.b64decode(value["B"])
    return kind, value[kind]


def equal(one: Value | None, other: Value | None) -> bool:
    if one is None or other is None:
        return False
    kind = _kind(one)
    if kind != _kind(other):
        return False
    if kind == "N":
        return number(one) == number(other)
    if kind in ("SS", "NS", "BS"):
        return set(one[kind]) == set(other[kind])
    return bool(one == other)


COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}


def _compare(sign: str, one: Operand, other: Operand) -> Holds:
    if sign == "=":
        return lambda i, n, v: equal(one(i, n, v), other(i, n, v))
    if sign == "<>":
        return lambda i, n, v: not equal(one(i, n, v), other(i, n, v))
    compared = COMPARED[sign]

    def holds(item: Raw, names: Names, values: Values) -> bool:
        left, right = one(item, names, values), other(item, names, values)
        if left is None or right is None or _kind(left) != _kind(right):
            return False
        return compared(_ordered(left)[1], _ordered(right)[1])

    return holds


# Paths


def _path(tokens: _Tokens) -> Callable[[Names], Path]:
    parts: list[str | int] = [tokens.take()]
    while tokens.next in (".", "["):
        if tokens.take() == ".":
            parts.append(tokens.take())
        else:
            parts.append(int(tokens.take()))
            tokens.take("]")

    def named(names: Names) -> Path:
        try:
            return [names[p] if isinstance(p, str) and p[0] == "#" else p for p in parts]
        except KeyError as error:
            raise BadExpression(f"no name for {error}") from error

    return named


def _at(item: Raw, path: Path) -> Value | None:
    value: Any = item.get(str(path[0]))
    for part in path[1:]:
        if value is None:
            return None
        if isinstance(part, int):
            inside = value.get("L", ())
            value = inside[part] if part < len(inside) else None
        else:
            value = value.get("M", {}).get(part)
    return value


def _operand(tokens: _Tokens) -> Operand:
    if tokens.next.startswith(":"):
        name = tokens.take()
        return lambda _i, _n, values: values[name]
    if tokens.word() == "SIZE":
        tokens.take()
        tokens.take("(")
        inside = _operand(tokens)
        tokens.take(")")

        def size(item: Raw, names: Names, values: Values) -> Value | None:
            value = inside(item, names, values)
            return None if value is None else {"N": str(len(value[_kind(value)]))}

        return size
    path = _path(tokens)
    return lambda item, names, _v: _at(item, path(names))


# Conditions


@cache
def condition(text: str) -> Holds:
    """Returns the function that says whether an item, empty if it is missing, meets a condition."""
    tokens = _Tokens(text)
    holds = _either(tokens)
    if not tokens.is_over:
        raise BadExpression(f"{text}: too much from {tokens.next} on")
    return holds


def _either(tokens: _Tokens) -> Holds:
    ways = [_all(tokens)]
    while tokens.takes("OR"):
        ways.append(_all(tokens))
    if len(ways) == 1:
        return ways[0]
    return lambda i, n, v: any(way(i, n, v) for way in ways)


def _all(tokens: _Tokens) -> Holds:
    parts = [_one(tokens)]
    while tokens.takes("AND"):
        parts.append(_one(tokens))
    if len(parts) == 1:
        return parts[0]
    return lambda i, n, v: all(part(i, n, v) for part in parts)


def _one(tokens: _Tokens) -> Holds:
    if tokens.takes("NOT"):
        inside = _one(tokens)
        return lambda i, n, v: not inside(i, n, v)
    if tokens.takes("("):
        inside = _either(tokens)
        tokens.take(")")
        return inside
    if tokens.next in FUNCTIONS:
        return _function(tokens)
    one = _operand(tokens)
    if tokens.takes("BETWEEN"):
        low = _operand(tokens)
        tokens.take("AND")
        high = _operand(tokens)
        above, below = _compare(">=", one, low), _compare("<=", one, high)
        return lambda i, n, v: above(i, n, v) and below(i, n, v)
    if tokens.takes("IN"):
        tokens.take("(")
        among = [_operand(tokens)]
        while tokens.takes(","):
            among.append(_operand(tokens))
        tokens.take(")")
        return lambda i, n, v: any(equal(one(i, n, v), other(i, n, v)) for other in among)
    return _compare(tokens.take(), one, _operand(tokens))


def _function(tokens: _Tokens) -> Holds:
    name = tokens.take()
    tokens.take("(")
    one = _operand(tokens)
    other = _operand(tokens) if tokens.takes(",") else None
    tokens.take(")")
    if name == "attribute_exists":
        return lambda i, n, v: one(i, n, v) is not None
    if name == "attribute_not_exists":
        return lambda i, n, v: one(i, n, v) is None
    if other is None:
        raise BadExpression(f"{name} needs two operands")
    of_two = {"begins_with": _begins, "contains": _contains, "attribute_type": _is_of}[name]

    def holds(item: Raw, names: Names, values: Values) -> bool:
        left, right = one(item, names, values), other(item, names, values)
        return left is not None and right is not None and of_two(left, right)

    return holds


def _begins(value: Value, start: Value) -> bool:
    kind = _kind(start)
    return kind in value and bool(value[kind].startswith(start[kind]))


def _contains(value: Value, part: Value) -> bool:
    kind = _kind(value)
    if kind == "S":
        return "S" in part and part["S"] in value["S"]
    if kind == "L":
        return any(equal(one, part) for one in value["L"])
    return kind == f"{_kind(part)}S" and part[_kind(part)] in value[kind]


def _is_of(value: Value, kind: Value) -> bool:
    return _kind(value) == kind["S"]


# Updates

Step = Callable[[Raw, Raw, Names, Values], None]  # of the item before and the one that it becomes


@cache
def update(text: str) -> Callable[[Raw, Names, Values], Raw]:
    """Returns the function that makes of an item, empty if it is missing, what an update makes of it."""
    tokens = _Tokens(text)
    steps: list[Step] = []
    while not tokens.is_over:
        clause = CLAUSES.get(tokens.take().upper())
        if clause is None:
            raise BadExpression(text)
        steps.append(clause(tokens))
        while tokens.takes(","):
            steps.append(clause(tokens))

    def updated(item: Raw, names: Names, values: Values) -> Raw:
        new = dict(item)
        for step in steps:
            step(item, new, names, values)
        return new

    return updated


def _set(tokens: _Tokens) -> Step:
    path = _path(tokens)
    tokens.take("=")
    value = _sum(tokens)

    def step(old: Raw, new: Raw, names: Names, values: Values) -> None:
        given = value(old, names, values)
        if given is None:
            raise BadExpression("an attribute of the value is missing")
        _put(new, path(names), given)

    return step


def _sum(tokens: _Tokens) -> Operand:
    one = _given(tokens)
    if tokens.next not in ("+", "-"):
        return one
    sign, other = (1 if tokens.take() == "+" else -1), _given(tokens)

    def added(item: Raw, names: Names, values: Values) -> Value | None:
        left, right = one(item, names, values), other(item, names, values)
        if left is None or right is None:
            return None
        return as_number(number(left) + sign * number(right))

    return added


def _given(tokens: _Tokens) -> Operand:
    name = tokens.next
    if name not in ("if_not_exists", "list_append"):
        return _operand(tokens)
    tokens.take()
    tokens.take("(")
    one = _given(tokens)
    tokens.take(",")
    other = _given(tokens)
    tokens.take(")")
    if name == "if_not_exists":
        return lambda i, n, v: one(i, n, v) or other(i, n, v)

    def appended(item: Raw, names: Names, values: Values) -> Value | None:
        left, right = one(item, names, values), other(item, names, values)
        return {"L": left["L"] + right["L"]} if left and right else None

    return appended


def _remove(tokens: _Tokens) -> Step:
    path = _path(tokens)
    return lambda _old, new, names, _values: _put(new, path(names), None)


def _add(tokens: _Tokens) -> Step:
    path, value = _path(tokens), _operand(tokens)

    def step(old: Raw, new: Raw, names: Names, values: Values) -> None:
        where, change = path(names), value(old, names, values)
        before = _at(old, where)
        if change is None:
            raise BadExpression("nothing to add")
        if before is None:
            _put(new, where, change)
        elif "N" in change:
            _put(new, where, as_number(number(before) + number(change)))
        else:
            kind = _kind(change)
            _put(new, where, {kind: sorted({*before[kind], *change[kind]})})

    return step


def _delete(tokens: _Tokens) -> Step:
    path, value = _path(tokens), _operand(tokens)

    def step(old: Raw, new: Raw, names: Names, values: Values) -> None:
        where, change = path(names), value(old, names, values)
        before = _at(old, where)
        if before is not None and change is not None:
            kind = _kind(change)
            left = sorted(set(before[kind]) - set(change[kind]))
            _put(new, where, {kind: left} if left else None)

    return step


CLAUSES: dict[str, Callable[[_Tokens], Step]] = {
    "SET": _set,
    "REMOVE": _remove,
    "ADD": _add,
    "DELETE": _delete,
}


def _put(item: Raw, path: Path, value: Value | None) -> None:
    """Puts a value at a path, or takes away what is there. Containers on the way are copied, as others hold them."""
    first = str(path[0])
    if len(path) == 1:
        if value is None:
            item.pop(first, None)
        else:
            item[first] = value
        return
    container = item.get(first)
    if container is None:
        raise BadExpression("the path leads nowhere")
    item[first] = _put_inside(container, path[1:], value)


def _put_inside(container: Value, path: Path, value: Value | None) -> Value:
    part = path[0]
    if isinstance(part, int):
        inside = list(container["L"])
        if len(path) > 1:
            inside[part] = _put_inside(inside[part], path[1:], value)
        elif value is None:
            del inside[part : part + 1]
        elif part < len(inside):
            inside[part] = value
        else:
            inside.append(value)
        return {"L": inside}
    members = dict(container["M"])
    if len(path) > 1:
        if part not in members:
            raise BadExpression("the path leads nowhere")
        members[part] = _put_inside(members[part], path[1:], value)
    elif value is None:
        members.pop(part, None)
    else:
        members[part] = value
    return {"M": members}
