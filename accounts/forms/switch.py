"""A checkbox that is drawn, and said, as a switch."""

from django import forms

SWITCH = forms.CheckboxInput(attrs={"role": "switch"})
