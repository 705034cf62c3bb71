"""The pairs that scipy.optimize.linear_sum_assignment takes: writes assignment.tsv, which src/measures/assignment.rs reads.

python -m venv v && v/bin/pip install scipy && v/bin/python tests/second/assignment.py > tests/second/assignment.tsv

The weights are maximized. Those of a first kind are integers, with many ties; those of the second are shares of the cells of a
row, each row of gold with its own number of cells, as 64-bit numbers, as SPINACH has them. A line: the rows of the matrix as they
are read here (for shares: numerator/denominator), and the column of each row, - for none.
"""

import random
from fractions import Fraction

import numpy
from scipy.optimize import linear_sum_assignment

random.seed(2024)


def line(kind, matrix):
    weights = numpy.array([[float(value) for value in row] for row in matrix])
    chosen = dict(zip(*(side.tolist() for side in linear_sum_assignment(weights, maximize=True))))
    rows = ";".join(",".join(str(value) for value in row) for row in matrix)
    columns = ",".join(str(chosen.get(row, "-")) for row in range(len(matrix)))
    print(kind, rows, columns, sep="\t")


print("kind\tweights\tcolumns")
sizes = [(rows, columns) for rows in (1, 2, 3, 4, 6) for columns in (1, 2, 3, 5, 7)]
for rows, columns in sizes:
    for largest in (0, 1, 2, 9):
        line("integers", [[random.randint(0, largest) for _ in range(columns)] for _ in range(rows)])
for rows, columns in sizes:
    for most in ((1, 2), (2, 3), (2, 3, 4), (3, 6, 7, 9)):
        cells = [random.choice(most) for _ in range(rows)]
        line("shares", [[Fraction(random.randint(0, of), of) for _ in range(columns)] for of in cells])
        cells = [random.choice(most) for _ in range(columns)]
        line("shares", [[Fraction(random.randint(0, of), of) for of in cells] for _ in range(rows)])
