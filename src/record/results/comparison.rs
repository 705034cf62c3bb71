//! COMPARISON: profiles side by side, what they count differently and why: the rule that one of them has and the other has
//! not.
//!
//! As [`Results`], comparisons are made of computations ([`ProfileComparison::of`]) or read back from what was published
//! ([`ProfileComparison::read`]), and are the same.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::Term;
use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};
use crate::base::vocab::code;
use crate::profiles::rules::Reading;
use crate::record::results::kept::KeptGraphs;
use crate::record::results::published_sides::PublishedSides;
use crate::record::results::told::Told;
use crate::record::results::{ProfileFacts, Results, SetCounts, TypeResults};
use crate::scoring::evaluation::Evaluation;
use crate::scoring::skip::Skip;
use crate::scoring::traits::Peculiarity;
use crate::sources::input::term;

/// One submission with several profiles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileComparison {
    /// The name of the system.
    pub system: String,
    /// The names of the profiles.
    pub profiles: Vec<String>,
    /// The questions that they count differently.
    pub differences: Vec<CountedDifferently>,
}

/// A question that profiles count differently in an experiment type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedDifferently {
    /// The experiment type.
    pub experiment: String,
    /// The key of the question.
    pub question: String,
    /// The counts of each profile; none where it does not score the question.
    pub counts: Vec<Option<SetCounts>>,
    /// The rules that make the difference, each once. None where no graph tells them, as in
    /// [`Explanation::is_complete`](crate::record::results::explanation::Explanation::is_complete).
    pub reasons: Option<Vec<Peculiarity>>,
}

/// Tells of a question of an experiment type what results do not, by its position.
type Witness<'a> = dyn Fn(&Results, &TypeResults, usize) -> Result<Told> + 'a;

impl ProfileComparison {
    /// The comparisons of all submissions, over the results with the gold answers of the first: profiles are compared
    /// where nothing else differs. Of a submission, the first profile is compared with each of the others. `results` are
    /// those of some of the evaluations.
    ///
    /// # Errors
    /// Where they are not.
    pub fn of(evaluations: &[Evaluation], results: &[Results]) -> Result<Vec<Self>> {
        Self::all(results, &|one, experiment, position| {
            let evaluation = evaluations.iter().find(|evaluation| evaluation.iri == one.iri);
            let evaluation = evaluation.ok_or_else(|| Error::system("no evaluation has these results"))?;
            Told::of(evaluation, &experiment.name, position)
        })
    }

    /// The same of results that were [read](Results::read) from an archive. Nothing is scored again.
    ///
    /// # Errors
    /// Where a graph is not here or cannot be read.
    pub fn read(kept: &KeptGraphs<'_>, results: &[Results]) -> Result<Vec<Self>> {
        Self::all(results, &|one, experiment, position| {
            let question = &one.questions[position].key;
            let sides = PublishedSides::open(kept, one, question)?;
            sides.told(&sides.explained(&experiment.name, question)?)
        })
    }

    fn all(results: &[Results], told: &Witness<'_>) -> Result<Vec<Self>> {
        let mut groups: Vec<Vec<&Results>> = Vec::new();
        for one in results.iter().take_while(|one| one.conditions.gold == results[0].conditions.gold) {
            match groups.iter_mut().find(|group| group[0].submission.iri == one.submission.iri) {
                Some(group) => group.push(one),
                None => groups.push(vec![one]),
            }
        }
        groups.iter().map(|group| Self::of_one(group, told)).collect()
    }

    fn of_one(group: &[&Results], told: &Witness<'_>) -> Result<Self> {
        let first = group[0];
        let mut differences = Vec::new();
        for experiment in &first.experiments {
            let scored = group.iter().filter_map(|one| Some((*one, one.experiment(&experiment.name)?)));
            let scored: Vec<(&Results, &TypeResults)> = scored.collect();
            for (position, question) in first.questions.iter().enumerate() {
                let counts = |types: &TypeResults| types.observation(position).map(|found| found.counts);
                let differs = |types: &TypeResults| counts(types) != counts(experiment);
                // An evaluation without the experiment type does not differ in it: it says that it skips it.
                if !scored.iter().any(|(_, types)| differs(types)) {
                    continue;
                }
                let view = |(one, types)| View::new(one, types, position, told);
                let one = view(scored[0])?;
                let mut reasons = Some(BTreeSet::new());
                for other in scored.iter().filter(|(_, types)| differs(types)) {
                    let found = self::reasons(&one, &view(*other)?);
                    reasons = reasons.zip(found).map(|(all, found)| all.into_iter().chain(found).collect());
                }
                differences.push(CountedDifferently {
                    experiment: experiment.name.clone(),
                    question: question.key.clone(),
                    counts: group.iter().map(|one| counts(one.experiment(&experiment.name)?)).collect(),
                    reasons: reasons.map(one_example_each),
                });
            }
        }
        Ok(Self {
            system: first.submission.name.clone(),
            profiles: group.iter().map(|one| one.profile.name.clone()).collect(),
            differences,
        })
    }
}

/// Of several reasons that differ in the example only, the first.
fn one_example_each(reasons: BTreeSet<Peculiarity>) -> Vec<Peculiarity> {
    let mut reasons: Vec<Peculiarity> = reasons.into_iter().collect();
    reasons.dedup_by(|one, other| (&one.profile, &one.rule) == (&other.profile, &other.rule));
    reasons
}

/// One profile in a question: what explains its counts.
struct View<'a> {
    profile: &'a ProfileFacts,
    /// Why it does not score the question.
    skip: Option<Skip>,
    told: Told,
}

impl<'a> View<'a> {
    fn new(one: &'a Results, types: &TypeResults, position: usize, told: &Witness<'_>) -> Result<Self> {
        let skip = types.questions[position].observed.as_ref().err().copied();
        Ok(Self { profile: &one.profile, skip, told: told(one, types, position)? })
    }

    /// A term in N-Triples as a text.
    fn text(&self, written: &str) -> String {
        let term = written.parse::<Term>();
        // What files call IRIs may be none, and is not read again.
        let text = term.as_ref().map_or(Cow::Borrowed(written.trim_matches(['<', '>'])), term::text);
        let text = text.strip_prefix(code::NAMESPACE).unwrap_or(&text);
        // A row of one value is shown, and compared with other profiles, as its value.
        if self.told.reading == Reading::Rows
            && let Ok([value]) = serde_json::from_str::<[String; 1]>(text)
        {
            return value;
        }
        self.told.texts.get(text).cloned().unwrap_or_else(|| text.to_owned())
    }

    /// The pairs that count: gold text, system text, rule.
    fn pairs(&self) -> Vec<(String, String, &str)> {
        let pairs = self.told.pairs.iter();
        pairs.map(|pair| (self.text(&pair.gold), self.text(&pair.system), pair.rule.as_str())).collect()
    }

    /// The items of gold and system as texts, and whether they are IRIs. None where no graph tells them.
    fn items(&self) -> Option<[BTreeMap<String, bool>; 2]> {
        let mut items = <[BTreeMap<String, bool>; 2]>::default();
        let unmatched = self.told.unmatched.as_ref()?;
        let pairs = self.told.pairs.iter();
        let (gold, system): (Vec<_>, Vec<_>) = pairs.map(|pair| (&pair.gold, &pair.system)).unzip();
        for ((items, unmatched), matched) in items.iter_mut().zip(unmatched).zip([gold, system]) {
            let unmatched = unmatched.iter().map(Term::to_string);
            let all = matched.into_iter().cloned().chain(unmatched);
            items.extend(all.map(|item| (self.text(&item), item.starts_with('<'))));
        }
        Some(items)
    }

    /// The answer of the submission, whether its query was run or not.
    fn answer(&self) -> Option<&str> {
        self.told.nodes.1.as_ref()?.rsplit('/').next()
    }

    fn reason(&self, rule: &str, example: Option<(&str, &str)>) -> Peculiarity {
        Peculiarity {
            profile: self.profile.name.clone(),
            rule: rule.to_owned(),
            example: example.map(|(gold, system)| (gold.to_owned(), system.to_owned())),
        }
    }
}

/// Why two profiles count a question differently. None where no graph tells it.
fn reasons(one: &View<'_>, other: &View<'_>) -> Option<Vec<Peculiarity>> {
    let mut reasons = Vec::new();
    for view in [one, other] {
        reasons.extend(view.skip.map(|skip| view.reason(skip.code(), None)));
    }
    if one.answer() != other.answer() {
        reasons.push(other.reason("diff-other-answer", None));
    }
    if !reasons.is_empty() {
        return Some(reasons);
    }
    for view in [one, other] {
        reasons.extend(view.told.peculiarities.clone()?);
    }
    let (pairs, others) = (one.pairs(), other.pairs());
    let items = [one.items()?, other.items()?];
    for (view, against, mine, theirs, items) in
        [(one, other, &pairs, &others, &items[1]), (other, one, &others, &pairs, &items[0])]
    {
        let theirs: BTreeSet<(&str, &str)> =
            theirs.iter().map(|(gold, system, _)| (&**gold, &**system)).collect();
        for (gold, system, rule) in mine {
            if !theirs.contains(&(gold, system)) {
                let is_iri = [items[0].get(gold), items[1].get(system)];
                reasons.extend(reason_of_pair(view, against, is_iri, (gold, system, rule)));
            }
        }
    }
    if reasons.is_empty() {
        reasons.push(other.reason(difference_of_items(one, other), None));
    }
    Some(reasons)
}

/// Why one profile has a pair that the other has not: its rule; or that the other chose another partner. Nothing
/// where the other does not have the items at all: that is not a matter of the rule. `is_iri` says of the other's items
/// whether they are IRIs.
fn reason_of_pair(
    view: &View<'_>,
    against: &View<'_>,
    is_iri: [Option<&bool>; 2],
    (gold, system, rule): (&str, &str, &str),
) -> Option<Peculiarity> {
    let example = Some((gold, system));
    let reading = view.told.reading;
    let same_items = reading.is_of_answers() || reading == Reading::AnswerType;
    let follows_gerbil = against.profile.follows_gerbil;
    match is_iri {
        [Some(true), Some(true)] if follows_gerbil && gold == system => {
            against.told.reading.is_of_answers().then(|| against.reason("diff-greedy", example))
        }
        [Some(_), Some(_)] if follows_gerbil && gold == system => None,
        [Some(_), Some(_)] => Some(view.reason(rule, example)),
        _ if same_items && !view.profile.follows_gerbil => Some(view.reason(rule, example)),
        _ if rule == "match-gerbil-emerging" && gold != system => Some(view.reason(rule, example)),
        _ => None,
    }
}

/// Nothing that is known explains the counts: the items or the pairing are not the same.
fn difference_of_items(one: &View<'_>, other: &View<'_>) -> &'static str {
    if one.told.reading == other.told.reading { "diff-pairing" } else { "diff-reading" }
}
