"""Units as money, as the cost page counts them."""

from costs.prices import MILLION as MILLION
from costs.prices import price as price
