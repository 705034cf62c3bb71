"""Second implementation of the confidence measures: made without qassay, with numpy, scipy and scikit-learn.

Optional, and run by hand where a measure changes; tests/it/scoring/confidence.rs compares what qassay computes to the stored
numbers:

    python3 -m venv VENV && VENV/bin/pip install numpy scipy scikit-learn
    VENV/bin/python tests/second/confidence.py > tests/second/confidence.json

Made with numpy 2.4.6, scipy 1.17.1 and scikit-learn 1.9.1. It invents runs (with a fixed seed) and computes:

- r with scipy.stats.pearsonr;
- the Brier score with sklearn.metrics.brier_score_loss;
- the expected calibration error from sklearn.calibration.calibration_curve (its bins are closed at the right);
- the area under the risk-coverage curve and the coverage at a precision from sklearn.metrics.precision_recall_curve,
  whose points are the thresholds, each with all answers of at least that confidence;
- K, K1 and CWS with numpy, from the formulas of the papers.

null is a measure that is undefined.
"""

import json
import random
import sys
import warnings

import numpy as np
from scipy.stats import pearsonr
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss, precision_recall_curve

TARGETS = [50, 75, 90, 100]


def invented_run(chance, most, style):
    """Questions with at most so many answers, each with a verdict and a confidence as text."""
    questions = []
    for _ in range(chance.randint(1, 30)):
        skill = chance.random()
        answers = []
        for _ in range(chance.randint(0, most)):
            verdict = chance.choices(["correct", "incorrect", "repeated"], [skill, 1 - skill, 0.2])[0]
            if verdict == "repeated" and not any(known == "correct" for known, _ in answers):
                verdict = "incorrect"
            answers.append((verdict, style(chance, verdict == "correct")))
        correct = sum(verdict == "correct" for verdict, _ in answers)
        questions.append({"known": correct + chance.choice([0, 0, 1, 5]), "answers": answers})
    return questions


STYLES = [
    lambda chance, right: f"{chance.random():.6f}",
    lambda chance, right: f"{chance.randint(0, 10) / 10}",
    lambda chance, right: f"{min(1, max(0, (0.7 if right else 0.4) + chance.gauss(0, 0.2))):.3f}",
    lambda chance, right: "1" if right else "0",
    lambda chance, right: "0",
    lambda chance, right: "0.5",
]


def k_measure(questions):
    evals = {"correct": 1, "repeated": 0, "incorrect": -1}
    parts = []
    for question in questions:
        weight = max(question["known"], len(question["answers"]))
        total = sum(float(score) * evals[verdict] for verdict, score in question["answers"])
        parts.append(total / weight if weight else 0.0)
    return np.mean(parts)


def k1_measure(questions):
    if any(len(question["answers"]) > 1 for question in questions):
        return None
    answers = [answer for question in questions for answer in question["answers"]]
    signs = np.array([1 if verdict == "correct" else -1 for verdict, _ in answers])
    return np.dot(signs, [float(score) for _, score in answers]) / len(questions) if answers else 0.0


def confidence_weighted_score(questions):
    if any(len(question["answers"]) > 1 for question in questions):
        return None
    answers = [(question["answers"] or [("incorrect", "-1")])[0] for question in questions]
    scores = np.array([float(score) for _, score in answers])
    if not (scores > 0).any():
        return None
    correct = np.array([verdict == "correct" for verdict, _ in answers])[np.argsort(-scores, kind="stable")]
    return np.mean(np.cumsum(correct) / np.arange(1, len(questions) + 1))


def calibration_error(correct, scores):
    """The curve has the bins that are not empty: their sizes are counted here."""
    shares, means = calibration_curve(correct, scores, n_bins=10, strategy="uniform", pos_label=1)
    sizes = np.bincount(np.searchsorted(np.linspace(0, 1, 11)[1:-1], scores), minlength=10)
    return np.average(np.abs(shares - means), weights=sizes[sizes > 0])


def risk_and_coverage(correct, scores):
    """Risk and coverage at each threshold, and how many answers have just that confidence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no correct answer: recall is of no use, and not used
        precision, _, thresholds = precision_recall_curve(correct, scores)
    at = np.array([(scores == threshold).sum() for threshold in thresholds])
    kept = np.array([(scores >= threshold).sum() for threshold in thresholds])
    return 1 - precision[:-1], kept / len(scores), at


def measures(questions):
    values = {
        "kMeasure": k_measure(questions),
        "k1Measure": k1_measure(questions),
        "confidenceWeightedScore": confidence_weighted_score(questions),
    }
    answers = [answer for question in questions for answer in question["answers"]]
    correct = np.array([int(verdict == "correct") for verdict, _ in answers])
    scores = np.array([float(score) for _, score in answers])
    varies = len(set(correct)) > 1 and len(set(scores)) > 1
    values["selfScoreCorrelation"] = pearsonr(correct, scores).statistic if varies else None
    if not answers:
        undefined = ["expectedCalibrationError", "brierScore", "areaUnderRiskCoverage"]
        undefined += [f"coverageAtPrecision{target}" for target in TARGETS]
        return values | dict.fromkeys(undefined)
    values["expectedCalibrationError"] = calibration_error(correct, scores)
    values["brierScore"] = brier_score_loss(correct, scores, pos_label=1)
    risk, coverage, at = risk_and_coverage(correct, scores)
    values["areaUnderRiskCoverage"] = np.average(risk, weights=at)
    for target in TARGETS:
        reached = coverage[1 - risk >= target / 100 - 1e-12]
        values[f"coverageAtPrecision{target}"] = max(reached, default=0.0)
    return values


def main():
    chance = random.Random(2004)
    cases = []
    for most in [1, 1, 3]:
        for style in STYLES:
            for _ in range(3):
                questions = invented_run(chance, most, style)
                expected = {name: None if value is None else float(value) for name, value in measures(questions).items()}
                cases.append({"questions": questions, "expected": expected})
    print("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]")


if __name__ == "__main__":
    sys.exit(main())
