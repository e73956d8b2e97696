"""The template as CloudFormation sees it for some parameters: conditions decided, what they leave out gone."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from cfnlint import decode

from operations.amazon.stack import TEMPLATE

ABSENT = object()


@dataclass(frozen=True)
class Resolver:
    template: Mapping[str, Any]
    parameters: Mapping[str, str]

    def holds(self, condition: Any) -> bool:
        ((name, value),) = condition.items()
        match name:
            case "Condition":
                return self.holds(self.template["Conditions"][value])
            case "Fn::Equals":
                left, right = (self._plain(one) for one in value)
                return bool(left == right)
            case "Fn::Not":
                return not self.holds(value[0])
            case "Fn::And":
                return all(self.holds(one) for one in value)
            case "Fn::Or":
                return any(self.holds(one) for one in value)
        raise AssertionError(f"{name} is no condition that this test knows.")

    def _plain(self, value: Any) -> str:
        return str(self.parameters[value["Ref"]] if isinstance(value, dict) else value)

    def value(self, value: Any) -> Any:
        match value:
            case {"Fn::If": [name, yes, no]}:
                return self.value(yes if self.holds({"Condition": name}) else no)
            case {"Ref": "AWS::NoValue"}:
                return ABSENT
            case {"Ref": name} if name in self.parameters:
                is_number = self.template["Parameters"][name]["Type"] == "Number"
                return int(self.parameters[name]) if is_number else self.parameters[name]
            case {"Fn::Sub": str() as text}:
                for name, told in self.parameters.items():
                    text = text.replace(f"${{{name}}}", told)
                return {"Fn::Sub": text}
            case dict():
                found = {str(key): self.value(one) for key, one in value.items()}
                return {key: one for key, one in found.items() if one is not ABSENT}
            case list():
                return [one for one in map(self.value, value) if one is not ABSENT]
            case str():
                return str(value)
        return value

    def section(self, name: str) -> dict[str, Any]:
        return {
            str(key): {what: part for what, part in self.value(one).items() if what != "Condition"}
            for key, one in self.template[name].items()
            if "Condition" not in one or self.holds({"Condition": one["Condition"]})
        }


@cache
def template() -> dict[str, Any]:
    read, faults = decode.decode_str(TEMPLATE.read_text(encoding="utf-8"))
    assert not faults
    assert isinstance(read, dict)
    return read


def resolved(**given: str) -> dict[str, Any]:
    """Parameters, resources and outputs of the template with these parameters, the others as they are by default."""
    read = template()
    told = {
        str(name): str(given.get(name, one.get("Default", name)))
        for name, one in read["Parameters"].items()
    }
    resolver = Resolver(read, told)
    parameters = {name: {"Type": "String", "Default": one} for name, one in told.items()}
    return {"Parameters": parameters} | {
        name: resolver.section(name) for name in ("Resources", "Outputs")
    }
