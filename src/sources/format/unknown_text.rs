//! What a text seems to be that no reader takes: measures, other tables of TREC.

use crate::base::error::Error;
use crate::sources::file::line;
use crate::sources::format::numeral::decimal;
use crate::sources::format::table::columns::{fields, is_measure};

/// The error for a text that is known to be something else.
pub(crate) fn known(content: &[u8]) -> Option<Error> {
    let lines = line::first_lines(content);
    if has_measures(&lines) || line::most(&lines, is_trec_output) {
        return Some(
            Error::input("these are scores of an evaluation, not answers")
                .hint("the answers that were scored are another file"),
        );
    }
    let trec = [
        (
            is_preference as fn(&[&str]) -> bool,
            "preferences of `trec_eval` (question, group, subgroup, document, rank)",
        ),
        (is_run_without_question, "a TREC run without the id of the question in its first column"),
        (is_deviation, "means and deviations of measures (the z-scores of `trec_eval`)"),
    ];
    let (_, what) = trec.into_iter().find(|(has_form, _)| {
        line::most(&lines, |line| {
            !line.starts_with('#') && has_form(&line.split_whitespace().collect::<Vec<_>>())
        })
    })?;
    Some(Error::input(format!("this is {what}")).allowed("`trec-qrels` and `trec-run`"))
}

/// Whether the header or the first column names measures.
pub(crate) fn has_measures(lines: &[String]) -> bool {
    let named = |line: &str| [b'\t', b',', b';'].map(|delimiter| fields(line, delimiter));
    let in_header = lines.first().is_some_and(|line| {
        named(line).iter().any(|names| names.iter().filter(|name| is_measure(name)).count() >= 2)
    });
    let is_first = |line: &str| {
        named(line)
            .iter()
            .any(|names| names.len() == 2 && is_measure(&names[0]) && decimal(&names[1], 0).is_some())
    };
    in_header || (!lines.is_empty() && lines.iter().all(|line| is_first(line)))
}

/// `map                   \tall\t0.1785`
fn is_trec_output(line: &str) -> bool {
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    let is_word =
        |field: &&str| !field.is_empty() && !field.contains(char::is_whitespace) && field.is_ascii();
    fields.len() == 3 && fields.iter().all(is_word)
}

fn is_preference(fields: &[&str]) -> bool {
    matches!(fields, [question, _, _, _, rank] if !is_q0(question) && line::is_integer(rank))
}

fn is_run_without_question(fields: &[&str]) -> bool {
    matches!(fields, [q0, _, rank, score, _] if is_q0(q0) && line::is_integer(rank) && decimal(score, 0).is_some())
}

fn is_deviation(fields: &[&str]) -> bool {
    let is_decimal = |field: &str| field.contains('.') && decimal(field, 0).is_some();
    matches!(fields, [_, _, mean, deviation] if is_decimal(mean) && is_decimal(deviation))
}

fn is_q0(field: &str) -> bool {
    field.eq_ignore_ascii_case("Q0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_texts_are_named() {
        let cases = [
            "ID\tPrecision\tRecall\tF1\n1\t0\t0\t0\n",
            "Question\t Annotator Answers\t Golden Answers\t tp\t fp\t fn\nWho?\t[]\t[]\t0\t0\t0\n",
            "MAP\t1\r\nMRR\t1\r\n",
            "runid                 \tall\tSTANDARD\nnum_q                 \tall\t3\n",
            "# A comment\n1.EC.AB  F:Ret  F:Rnkd  FR94  1\n1.EC.AB  F:Ret  F:Rnkd  FR95  1\n",
            "     Q0      FR94        9         2.971818      STANDARD\n",
            "301 num_ret 967.0000 169.1719\n",
        ];
        let told: Vec<String> =
            cases.iter().map(|text| known(text.as_bytes()).expect("an error").to_string()).collect();
        insta::assert_snapshot!(told.join("\n---\n"), @r"
        these are scores of an evaluation, not answers.
        hint: the answers that were scored are another file
        ---
        these are scores of an evaluation, not answers.
        hint: the answers that were scored are another file
        ---
        these are scores of an evaluation, not answers.
        hint: the answers that were scored are another file
        ---
        these are scores of an evaluation, not answers.
        hint: the answers that were scored are another file
        ---
        this is preferences of `trec_eval` (question, group, subgroup, document, rank).
        allowed: `trec-qrels` and `trec-run`
        ---
        this is a TREC run without the id of the question in its first column.
        allowed: `trec-qrels` and `trec-run`
        ---
        this is means and deviations of measures (the z-scores of `trec_eval`).
        allowed: `trec-qrels` and `trec-run`
        ");
        for text in ["question\tanswer\n", "some text\n", "", "http://e/a\nhttp://e/b\n", "a b c d e\n"] {
            assert_eq!(known(text.as_bytes()), None, "{text}");
        }
    }
}
