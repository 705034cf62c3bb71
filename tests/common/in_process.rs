//! The program without its process: the calls that `qassay evaluate` makes, for tests of many small cases.

use std::sync::Arc;

use qassay::Silent;
use qassay::base::iri::Mint;
use qassay::profiles::Profile;
use qassay::profiles::choices::Choices;
use qassay::profiles::same_as::Mode;
use qassay::record::comparison::headline::HeadlineIntervals;
use qassay::record::results::Results;
use qassay::references::{ReferenceInput, ReferenceKind};
use qassay::report::json;
use qassay::scoring::asked::KbAnswers;
use qassay::scoring::cases::Cases;
use qassay::scoring::evaluation::Evaluation;
use qassay::scoring::plan::Plan;
use qassay::sources::file::source::Source;
use qassay::sources::input::Input;
use serde_json::Value;

/// What a user says beside the files: `--profile`, `--same-as`, `--links`, `--labels`, `--classes`.
pub(crate) struct Program {
    mint: Mint,
    profile: Arc<Profile>,
    pub(crate) options: Choices,
    references: Vec<Arc<ReferenceInput>>,
}

impl Program {
    pub(crate) fn new(profile: &str, same_as: Option<Mode>, references: &[(ReferenceKind, &str)]) -> Self {
        Self::with(Profile::find(profile).expect("a profile"), same_as, references)
    }

    /// The same with any profile.
    pub(crate) fn with(
        profile: Profile,
        same_as: Option<Mode>,
        references: &[(ReferenceKind, &str)],
    ) -> Self {
        let mint = Mint::default();
        let reference = |(kind, text): &(ReferenceKind, &str)| {
            let source = source("reference", text.as_bytes());
            Arc::new(ReferenceInput::open(*kind, source, &mint).expect("statements"))
        };
        let references = references.iter().map(reference).collect();
        let profile = Arc::new(profile);
        let options = Choices { same_as, ..Choices::default() };
        Self { mint, profile, options, references }
    }

    /// Scores answers and looks at the evaluation, and at what the program prints for scripts.
    pub(crate) fn score<R>(
        &self,
        gold: &[u8],
        answers: &[u8],
        look: impl FnOnce(&Evaluation, Value) -> R,
    ) -> R {
        let dataset = Input::dataset(source("gold.json", gold), &self.mint).expect("a gold standard");
        let submission =
            Input::submission(source("answers.json", answers), None, &self.mint).expect("answers");
        let plan = Plan::new(Arc::clone(&self.profile), Arc::new(self.options.clone()), &self.references);
        let plan = Arc::new(plan.expect("links that can be read"));
        let cases = Cases::new(dataset.into(), submission.into(), &plan, KbAnswers::default());
        let evaluation =
            Evaluation::compute(&self.mint, cases.expect("ids"), plan, &Silent).expect("an evaluation");
        let results = [Results::numbers_of(&evaluation)];
        let json =
            json::value(&json::evaluations(&results, &[], &HeadlineIntervals::default()))["evaluations"][0]
                .take();
        look(&evaluation, json)
    }

    /// What the program prints for scripts.
    pub(crate) fn json(&self, gold: &str, answers: &str) -> Value {
        self.score(gold.as_bytes(), answers.as_bytes(), |_, json| json)
    }
}

fn source(name: &str, content: &[u8]) -> Source {
    Source::from_bytes(name, content.to_vec()).expect("a source")
}
