queries! {
    "match": "day", "equal-row", "equal-text", "identical", "normalised", "same-as", "text", "value", "value-untyped";
}
