//! Each two systems: difference, interval, test, wins and losses; and the questions that decide between two.

use crate::base::text::counted;
use crate::record::comparison::deciding::{AnswerFault, DecidedTable, DecidingScore};
use crate::record::comparison::settings::{ClusterUnit, ComparisonSettings};
use crate::record::comparison::{ComparedPair, ComparedTable};
use crate::record::results::decimal::Decimal;
use crate::report::comparison::shown::{
    Shown, about, alerts, computed, described, is_zero, ordered, questions_notes, reason,
};
use crate::report::failed::text;
use crate::report::table::{Column, Table};
use crate::statistics::undefined::Undefined;

/// The columns that tell of two systems.
pub(crate) fn columns(shown: Shown) -> Vec<Column> {
    let mut columns = vec![
        Column::text("a", "a"),
        Column::text("b", "b"),
        Column::number("a − b", "difference"),
        Column::number("from", "low"),
        Column::number("to", "high"),
        Column::number("p", "p"),
        Column::number("adjusted", "adjusted"),
        Column::number("differ", "differing"),
        Column::number("W", "wins"),
        Column::number("T", "ties"),
        Column::number("L", "losses"),
        Column::number("detectable", "detectable"),
    ];
    if shown.is_plain() {
        columns.extend([
            Column::text("method", "method"),
            Column::text("significant", "significant"),
            Column::number("family", "familySize"),
            Column::number("dominance", "dominance"),
            Column::number("standardised", "standardised"),
        ]);
    }
    columns
}

/// What the columns are that people see.
pub(crate) fn legend(tables: &[ComparedTable]) -> String {
    let has = |unit| tables.iter().any(|table| table.cluster == unit);
    let unit = match (has(ClusterUnit::Question), has(ClusterUnit::Variant)) {
        (_, false) => "questions",
        (true, true) => "questions or clusters",
        (false, true) => "clusters",
    };
    format!(
        "a − b: the difference of the values; from, to: its 95 % interval; adjusted: p after Holm's correction, * more than chance; \
         differ: {unit} in which both differ; W, T, L: {unit} in which a is better, equal, worse; \
         detectable: the difference that so many {unit} find with a power of 0.8"
    )
}

/// Whether one of two systems has a value that means something else than it seems to: then the pair takes no mark.
pub(crate) fn is_apart(compared: &ComparedTable, pair: &ComparedPair) -> bool {
    let mut systems = compared.systems.iter().filter(|one| one.system == pair.a || one.system == pair.b);
    systems.any(|one| !one.cautions.is_empty())
}

/// A row a pair.
pub(super) fn pairs(shown: Shown, compared: &ComparedTable, settings: &ComparisonSettings) -> Table {
    let why = compared.no_pairs.or_else(|| compared.pairs.is_empty().then_some(Undefined::OneSystem));
    if let Some(why) = why.filter(|_| !shown.is_plain()) {
        return Table { title: format!("{}: {}", about(compared), reason(why)), ..Table::default() };
    }
    if is_zero(compared) && !shown.is_plain() {
        return Table { title: format!("{}: all values are 0", about(compared)), ..Table::default() };
    }
    let mut table = Table { title: about(compared), columns: columns(shown), ..Table::default() };
    table.rows = if shown.is_plain() {
        compared.pairs.iter().map(|pair| row(shown, pair, compared)).collect()
    } else {
        best_first(compared).iter().map(|pair| row(shown, pair, compared)).collect()
    };
    table.alerts = alerts(compared, settings);
    table.footnotes = questions_notes(compared);
    table.footnotes.push(computed(compared, settings));
    table
}

/// Whether pairs tell something: somebody has a rank, and not all values are 0.
pub(super) fn tells(compared: &ComparedTable) -> bool {
    compared.systems.iter().any(|system| system.rank.is_some()) && !is_zero(compared)
}

/// The pairs of the best system first, in each the better one; a baseline stays where it is.
fn best_first(compared: &ComparedTable) -> Vec<ComparedPair> {
    let order = ordered(compared);
    let place = |name: &String| order.iter().position(|system| system.system == *name);
    let turned = |pair: &ComparedPair| {
        let is_turned = compared.baseline.is_none() && place(&pair.b) < place(&pair.a);
        if is_turned { pair.turned() } else { pair.clone() }
    };
    let mut pairs: Vec<ComparedPair> = compared.pairs.iter().map(turned).collect();
    pairs.sort_by_key(|pair| (place(&pair.a), place(&pair.b)));
    pairs
}

/// The cells of [`columns`].
pub(crate) fn row(shown: Shown, pair: &ComparedPair, compared: &ComparedTable) -> Vec<String> {
    let effect = pair.effect.as_ref();
    let ends = [
        shown.p(&pair.test.p),
        shown.adjusted(&pair.test.adjusted, pair.test.significant && !is_apart(compared, pair)),
        pair.test.differing.to_string(),
        shown.count(effect.map(|effect| effect.wins)),
        shown.count(effect.map(|effect| effect.ties)),
        shown.count(effect.map(|effect| effect.losses)),
        shown.optional(effect.and_then(|effect| effect.detectable.as_ref())),
    ];
    let plain = [
        pair.test.computation.name().to_owned(),
        pair.test.significant.to_string(),
        pair.family_size.to_string(),
        shown.optional(effect.map(|effect| &effect.dominance)),
        shown.optional(effect.and_then(|effect| effect.standardised.as_ref())),
    ];
    [pair.a.clone(), pair.b.clone(), shown.number(&pair.difference)]
        .into_iter()
        .chain(shown.bounds(pair.interval.as_ref()))
        .chain(ends)
        .chain(plain.into_iter().filter(|_| shown.is_plain()))
        .collect()
}

/// A row a question, the largest difference first.
pub fn deciding(shown: Shown, decided: &DecidedTable, language: &str) -> Table {
    let [one, other] = &decided.systems;
    let title = format!("{one} and {other}: {}", described(&decided.key));
    let mut table = Table { title, ..Table::default() };
    table.columns = vec![
        Column::text("question", "question"),
        Column::text("text", "text"),
        Column::number(one, "a"),
        Column::number(other, "b"),
        Column::number("a − b", "difference"),
        Column::text(&format!("why not {one}"), "whyA"),
        Column::text(&format!("why not {other}"), "whyB"),
    ];
    for (found, faults) in &decided.questions {
        let mut row = vec![found.question.key.clone(), text(&found.question, Some(language))];
        row.extend([&found.scores[0], &found.scores[1], &found.difference].map(|score| shown.number(score)));
        row.extend([0, 1].map(|side| told(&found.scores[side], &faults[side])));
        table.rows.push(row);
    }
    if decided.differing == 0 {
        return Table {
            title: format!("{}: no question in which they differ", table.title),
            ..Table::default()
        };
    }
    let differing = counted(decided.differing as u64, "question");
    let shown_of = if decided.questions.len() < decided.differing {
        format!("the {} largest of {differing} in which they differ", decided.questions.len())
    } else {
        format!("{differing} in which they differ")
    };
    table.footnotes.push(shown_of);
    if decided.by == DecidingScore::F1 {
        table.footnotes.push("the measure is no mean over questions: the F1 of each is shown".to_owned());
    }
    let in_order = |pair: &ComparedPair| if pair.a == *other { pair.turned() } else { pair.clone() };
    table.footnotes.extend(decided.pair.as_ref().map(|pair| of_pair(shown, &in_order(pair))));
    table
}

/// What the comparison says of the pair.
fn of_pair(shown: Shown, pair: &ComparedPair) -> String {
    let ComparedPair { a, b, test, .. } = pair;
    let told = if test.significant { "more than chance" } else { "could be chance" };
    format!(
        "{a} − {b}: {}, p {} (adjusted {}): {told}",
        shown.number(&pair.difference),
        shown.p(&test.p),
        shown.p(&test.adjusted)
    )
}

/// What people read of it: nothing of who is right, and of a query only where nothing else is wrong.
fn told(score: &Decimal, faults: &[AnswerFault]) -> String {
    if score.is_one() {
        return String::new();
    }
    let is_of_query = |fault: &&AnswerFault| fault.code == "query";
    let is_only = faults.iter().all(|fault| is_of_query(&fault));
    let reasons = faults.iter().filter(|fault| is_only || !is_of_query(fault));
    reasons.map(|fault| fault.reason.as_str()).collect::<Vec<_>>().join("; ")
}
