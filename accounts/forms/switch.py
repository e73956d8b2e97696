"""A checkbox that looks like a switch, and that screen readers announce as a switch."""

from django import forms

SWITCH = forms.CheckboxInput(attrs={"role": "switch"})
