queries! {
    "check":
        "ic-01", "ic-02", "ic-03", "ic-04", "ic-05", "ic-06", "ic-07", "ic-08", "ic-09", "ic-10", "ic-11",
        "ic-12", "ic-13", "ic-14", "ic-15", "ic-16", "ic-17", "ic-18", "ic-19", "ic-20", "ic-21",
        "model-aggregate-unit", "model-answer-complete", "model-answer-empty", "model-blind-complete", "model-checksum",
        "model-count-sums", "model-counts", "model-databus-checksum", "model-dataset-complete",
        "model-decimal-form", "model-download-iri", "model-evaluation-complete",
        "model-evaluation-executed", "model-evaluation-iri", "model-evaluation-system",
        "model-exact-match", "model-execution-complete", "model-execution-engine",
        "model-execution-files", "model-execution-roles", "model-execution-times", "model-experiment-types", "model-f1",
        "model-f1-harmonic", "model-file-complete", "model-graph-registered", "model-graphs-disjoint",
        "model-group-size", "model-identifier", "model-issue", "model-judgement-complete", "model-macro-f1",
        "model-macro-f1-harmonic", "model-macro-f1-qald", "model-macro-precision", "model-macro-recall",
        "model-match-complete", "model-match-count", "model-match-digest", "model-match-gold-once",
        "model-match-links", "model-match-observation", "model-match-rule", "model-match-system-once",
        "model-match-terms", "model-mean-response-time", "model-micro-f1", "model-micro-precision",
        "model-micro-recall", "model-no-blank-nodes", "model-observation-answer",
        "model-observation-empty", "model-observation-evaluation", "model-observation-gold",
        "model-observation-question", "model-observation-status", "model-observation-status-code",
        "model-precision", "model-question-complete", "model-question-gold", "model-question-observed",
        "model-recall", "model-sample-size", "model-scores-digest", "model-skipped-complete",
        "model-skipped-unobserved", "model-status-counts", "model-tie-bounds", "model-triple-pattern", "model-value-form";
    "group":
        "aggregation", "answer-type", "hybrid", "language", "onlydbo", "query-feature", "query-form", "question-type",
        "question-word", "triple-patterns";
    "kb":
        "classes", "links-from", "links-to", "rdfs-label-of", "rdfs-label-to", "redirects", "skos-alt-label-of", "skos-alt-label-to",
        "skos-pref-label-of", "skos-pref-label-to", "types";
    "match":
        "assessed", "day", "equal-row", "equal-text", "gerbil-emerging", "gerbil-known", "gerbil-relation", "gerbil-string",
        "gerbil-uri", "identical", "label", "normalised", "pattern", "redirect", "same-as", "text", "value",
        "value-untyped", "wikipedia-page";
    "report":
        "blind", "executions", "files", "files-only", "graphs", "groups", "hardest", "issues", "leaderboard", "link-sets", "measures", "patterns",
        "provenance", "rules", "skipped", "unanswered";
    "store":
        "literals";
}
