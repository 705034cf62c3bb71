"""Cohen's kappa of random verdicts by scikit-learn: writes kappa.tsv, which src/measure/agreement.rs reads.

python -m venv v && v/bin/pip install scikit-learn && v/bin/python tests/second/kappa.py > tests/second/kappa.tsv
"""

import random
import warnings

from sklearn.metrics import cohen_kappa_score

warnings.simplefilter("ignore")
random.seed(2004)
print("one\tother\tkappa")
for size in (1, 2, 3, 5, 8, 13, 40, 200):
    for likely in ("cri", "ccci", "ccccccccci"):
        one = [random.choice(likely) for _ in range(size)]
        other = [letter if random.random() < 0.6 else random.choice("cri") for letter in one]
        kappa = cohen_kappa_score(one, other)
        print("".join(one), "".join(other), "nan" if kappa != kappa else f"{kappa:.9f}", sep="\t")
