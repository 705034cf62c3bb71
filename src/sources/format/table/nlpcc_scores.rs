//! NLPCC DBQA and TBQA: the answers of a system, one score per line, in the order of the lines of the test file.
//!
//! A score belongs to the candidate on the same line of another file, so nothing can be left out: a line that is no
//! number is an error, and so is an empty one that is not at the end. The document has one question with all scores.

use crate::base::error::{Error, Result};
use crate::base::issue::Place;
use crate::base::text::beginning;
use crate::sources::document::{AnswerState, Answers, Candidate, Document, Question};
use crate::sources::file::line;
use crate::sources::format::Format;
use crate::sources::format::context::Context;
use crate::sources::format::numeral::decimal;

/// Scores.
pub(crate) static FORMAT: Format = Format {
    name: "nlpcc-scores",
    description: "NLPCC DBQA and TBQA, the scores of a system (text): one number per line, in the order of the test file.",
    media_type: "text/plain",
    recognise: |content| {
        line::may_be_lines(content) && line::most(&line::first_lines(content), |line| is_numeral(line.trim()))
    },
    read,
    targets: &[],
};

/// How many digits a score may have: the longest that a 64-bit floating point number needs is about 350.
const MOST_DIGITS: usize = 400;

/// What is said to be allowed.
const ALLOWED: &str = "a decimal such as 0.25 or 1e-3, one on each line";

/// Whether a text is meant as a number, also one that is none, or too large.
fn is_numeral(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let text = here.text(content)?;
    let candidates = text.trim_end().split('\n').zip(1..).map(|(line, number)| {
        let score = score(line).map_err(|error| error.at(Place::line(number)))?;
        Ok(Candidate { score: Some(score.into()), ..Candidate::default() })
    });
    here.draft.questions.push(Question {
        key: "~1".to_owned(),
        place: Place::line(1),
        candidates: candidates.collect::<Result<_>>()?,
        answers: Answers { state: AnswerState::Given, sets: Vec::new() },
        ..Question::default()
    });
    Ok(())
}

/// The score on a line as a plain numeral.
fn score(line: &str) -> Result<String> {
    let written = line.trim();
    let digits = |numeral: &String| numeral.bytes().filter(u8::is_ascii_digit).count();
    if let Some(numeral) = decimal(written, 0).filter(|numeral| digits(numeral) <= MOST_DIGITS) {
        return Ok(numeral);
    }
    let what = match written.parse::<f64>() {
        _ if written.is_empty() => {
            "the line is empty, and so the candidate on this line of the dataset has no score".to_owned()
        }
        Ok(number) if number.is_finite() => format!("`{written}` has too many digits"),
        _ => format!("`{}` is no number", beginning(written, 40)),
    };
    Err(Error::input(what).allowed(ALLOWED))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sources::file::source::Source;
    use crate::sources::format::recognise;

    fn scores(text: &[u8]) -> Vec<String> {
        assert!((FORMAT.recognise)(text), "not recognised: {text:?}");
        let document = FORMAT.document(text).expect("a document");
        assert_eq!(document.questions.len(), 1);
        document.questions[0].candidates.iter().filter_map(|c| Some(c.score.clone()?.into())).collect()
    }

    #[test]
    fn a_score_a_line() {
        let expected = ["0.25", "-1", "0.001", "7", "0.25"];
        assert_eq!(scores(b"0.25\n-1\n1e-3\n7\n.25\n"), expected);
        assert_eq!(
            scores("\u{feff}0.25\r\n-1.0e0\r\n 1E-3 \r\n+7\r\n2.5e-1\r\n\r\n".as_bytes()),
            ["0.25", "-1.0", "0.001", "7", "0.25"]
        );
        assert_eq!(scores(b"1"), ["1"]);
    }

    #[test]
    fn what_is_no_score_is_an_error_with_its_line() {
        let cases = [
            "1\n2\nabc\n4\n5\n6\n",
            "1\n\n3\n",
            "\n1\n2\n",
            "1\nNaN\n3\n",
            "1\n-inf\n3\n",
            "0.5\n0.5\n0,5\n",
            "1\n1e300\n2\n",
            "1\n1e-400\n2\n",
            "1\n2\n3 4\n",
        ];
        let told = cases.map(|text| {
            assert!((FORMAT.recognise)(text.as_bytes()), "{text}");
            FORMAT.document(text.as_bytes()).expect_err("an error").to_string()
        });
        insta::assert_snapshot!(told.join("\n"), @r"
        line 3: `abc` is no number.
        allowed: a decimal such as 0.25 or 1e-3, one on each line
        line 2: the line is empty, and so the candidate on this line of the dataset has no score.
        allowed: a decimal such as 0.25 or 1e-3, one on each line
        line 1: the line is empty, and so the candidate on this line of the dataset has no score.
        allowed: a decimal such as 0.25 or 1e-3, one on each line
        line 2: `NaN` is no number.
        allowed: a decimal such as 0.25 or 1e-3, one on each line
        line 2: `-inf` is no number.
        allowed: a decimal such as 0.25 or 1e-3, one on each line
        line 3: `0,5` is no number.
        allowed: a decimal such as 0.25 or 1e-3, one on each line
        line 2: `1e300` has too many digits.
        allowed: a decimal such as 0.25 or 1e-3, one on each line
        line 2: `1e-400` has too many digits.
        allowed: a decimal such as 0.25 or 1e-3, one on each line
        line 3: `3 4` is no number.
        allowed: a decimal such as 0.25 or 1e-3, one on each line
        ");
    }

    #[test]
    fn other_texts_are_of_other_formats() {
        for text in ["", "MAP\t1\n", "a\nb\n", "1\t2\n", "7 Q0 A 3 2.50 me\n", "who is it\t1\t0\n", "[1, 2]"]
        {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
        let found = |text: &str| {
            recognise(&Source::from_bytes("f", text.as_bytes().to_vec()).expect("a source"))
                .map(|format| format.name)
        };
        assert_eq!(found("1\n2\n").expect("a format"), "nlpcc-scores");
        assert_eq!(found("7 Q0 A 3 2.50 me\n").expect("a format"), "trec-run");
    }

    proptest! {
        #[test]
        fn every_float_is_a_score_as_written(numbers in prop::collection::vec(-1e14_f64..1e14, 1..20)) {
            let lines: Vec<String> = numbers.iter().map(f64::to_string).collect();
            let text = lines.join("\n");
            let found = scores(text.as_bytes());
            let back: Vec<f64> = found.iter().map(|score| score.parse().expect("a number")).collect();
            prop_assert_eq!(back, numbers);
        }
    }
}
