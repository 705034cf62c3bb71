//! Files that are a gold standard and a submission at once: which side is read is a matter of what the file is given for.

use crate::sources::format::Format;
use crate::sources::format::json::{inspect_log, jsonl, lm_eval, predictions, question_list, spinach};
use crate::sources::format::table::answers;

/// A format whose files may have both sides.
struct TwoSided {
    /// The format that recognises the file, and reads it as a gold standard.
    gold: &'static Format,
    /// How it is read as a submission.
    system: &'static Format,
    /// Whether a file of the format has both sides.
    has_both: fn(&[u8]) -> bool,
}

static TWO_SIDED: [TwoSided; 7] = [
    TwoSided { gold: &spinach::GOLD, system: &spinach::PREDICTED, has_both: |_| true },
    TwoSided { gold: &inspect_log::TARGETS, system: &inspect_log::OUTPUTS, has_both: |_| true },
    TwoSided { gold: &lm_eval::TARGETS, system: &lm_eval::RESPONSES, has_both: |_| true },
    TwoSided {
        gold: &question_list::FORMAT,
        system: &predictions::LIST,
        has_both: predictions::predicts_in_list,
    },
    TwoSided { gold: &jsonl::FORMAT, system: &predictions::LINES, has_both: predictions::predicts_in_lines },
    TwoSided { gold: &answers::CSV, system: &answers::PREDICTIONS, has_both: answers::predicts },
    TwoSided { gold: &answers::TSV, system: &answers::PREDICTIONS, has_both: answers::predicts },
];

/// How a file, recognised as of this format, is read as a submission.
pub(crate) fn as_submission(format: &'static Format, content: &[u8]) -> &'static Format {
    let found = TWO_SIDED.iter().find(|one| one.gold.name == format.name && (one.has_both)(content));
    found.map_or(format, |one| one.system)
}

#[cfg(test)]
mod tests {
    use crate::sources::file::source::Source;
    use crate::sources::format::{read, read_submission};

    #[test]
    fn each_side_of_a_file_is_read() {
        for (text, gold, predicted) in [
            (
                r#"[{"id": 1, "question": "?", "answer": "a", "prediction": "b"}, {"id": 2}]"#,
                "question-list",
                "predictions-list",
            ),
            (
                "{\"id\": 1, \"question\": \"?\", \"answer\": \"a\", \"prediction\": \"b\"}\n{\"id\": 2}",
                "jsonl",
                "predictions-jsonl",
            ),
            ("id,question,answer,prediction\n1,?,a,b\n", "csv", "predictions-table"),
            ("id\tprediction\tanswer\n1\tb\ta\n", "tsv", "predictions-table"),
        ] {
            let source = Source::from_bytes("x", text.as_bytes().to_vec()).expect("a source");
            let (one, other) = (read(&source).expect("gold"), read_submission(&source).expect("answers"));
            assert_eq!((one.1.name, one.0.questions[0].answers.values()), (gold, vec!["a"]));
            assert_eq!((other.1.name, other.0.questions[0].answers.values()), (predicted, vec!["b"]));
        }
        // Whichever question has it, and the others have no answer.
        for text in [
            r#"[{"id": 1, "question": "?", "answer": "a"}, {"id": 2, "question": "?", "answer": "a", "prediction": "b"}]"#,
            "{\"id\": 1, \"question\": \"?\", \"answer\": \"a\"}\n{\"id\": 2, \"question\": \"?\", \"answer\": \"a\", \"prediction\": \"b\"}",
        ] {
            let source = Source::from_bytes("x", text.as_bytes().to_vec()).expect("a source");
            let (document, _) = read_submission(&source).expect("answers");
            let values: Vec<_> =
                document.questions.iter().map(|question| question.answers.values()).collect();
            assert_eq!(values, [vec![], vec!["b"]], "{text}");
        }
        let source = Source::from_bytes("x", br#"[{"id": 1, "question": "?", "answer": "a"}]"#.to_vec());
        let source = source.expect("a source");
        let [gold, answers] =
            [read(&source), read_submission(&source)].map(|read| read.expect("a document").0);
        assert_eq!(gold, answers);
    }
}
