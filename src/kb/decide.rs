//! Whether the answers of a query are decided by the data alone: asks the variants of [`chances`].

use std::collections::BTreeSet;
use std::ops::Range;

use crate::kb::ledger::Ledger;
use crate::kb::outcome::Outcome;
use crate::measures::fraction::Fraction;
use crate::sources::document::{AnswerSet, Cell, Row};
use crate::sparql::chance::{Cut, Picks, chances};

/// What is known about a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Its answers are decided by the data.
    Decided,
    /// They are not, for this reason.
    Undecided(String),
    /// Something has to be asked before it can be said.
    Pending,
}

/// Whether the answers of a query are decided by the data alone.
pub fn decide(query: &str, ledger: &Ledger) -> Decision {
    let Ok(chances) = chances(query) else { return Decision::Decided };
    if !chances.certain.is_empty() {
        return Decision::Undecided(chances.certain.join("; "));
    }
    let cuts = chances.cuts.iter().map(|cut| (cut.in_sub_query, judge(cut, ledger)));
    let picks = chances.picks.iter().map(|picks| (false, picked(picks, ledger)));
    // All are looked at, so that all that is missing is asked for at once.
    let all: Vec<(bool, Result<(), Doubt>)> = cuts.chain(picks).collect();
    let mut reasons = Vec::new();
    for (in_sub_query, judged) in all {
        match judged {
            Ok(()) => {}
            Err(Doubt::Pending) => return Decision::Pending,
            Err(Doubt::Reason(reason)) if in_sub_query => reasons.push(format!("in a sub-query, {reason}")),
            Err(Doubt::Reason(reason)) => reasons.push(reason),
        }
    }
    if reasons.is_empty() { Decision::Decided } else { Decision::Undecided(reasons.join("; ")) }
}

/// Why nothing is decided.
pub(crate) enum Doubt {
    Reason(String),
    Pending,
}

impl From<String> for Doubt {
    fn from(reason: String) -> Self {
        Self::Reason(reason)
    }
}

fn answers<'a>(query: &str, about: &str, ledger: &'a Ledger) -> Result<&'a AnswerSet, Doubt> {
    match ledger.outcome(query) {
        None => Err(Doubt::Pending),
        Some(Outcome::Answered(answers)) => Ok(answers),
        Some(Outcome::Failed(failure)) => {
            Err(Doubt::Reason(format!("whether {about} matters could not be decided: {}", failure.message)))
        }
    }
}

pub(crate) fn number(query: &str, about: &str, ledger: &Ledger) -> Result<usize, Doubt> {
    let answers = answers(query, about, ledger)?;
    let cell = answers.rows.first().and_then(|row| row.cells.first());
    cell.and_then(|cell| cell.value.parse().ok()).ok_or_else(|| {
        format!("whether {about} matters could not be decided: no number of rows came back").into()
    })
}

/// The cut as the query has it.
pub(crate) fn shown(cut: &Cut) -> String {
    let limit = cut.length.map(|length| format!("LIMIT {length}"));
    let offset = (cut.start > 0).then(|| format!("OFFSET {}", cut.start));
    [limit, offset].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

pub(crate) fn judge(cut: &Cut, ledger: &Ledger) -> Result<(), Doubt> {
    let about = shown(cut);
    if cut.length == Some(0) {
        return Ok(());
    }
    if !cut.keys.is_empty() {
        return judge_order(cut, &about, ledger);
    }
    let all = number(&cut.count, &about, ledger)?;
    let taken = all.saturating_sub(cut.start).min(cut.length.unwrap_or(usize::MAX));
    if taken == 0 || taken == all || number(&cut.count_different, &about, ledger)? == 1 {
        return Ok(());
    }
    Err(format!("{about} takes {taken} of {all} rows, and nothing orders them").into())
}

/// A cut through rows in order: only rows with the same keys on both sides of it leave a choice.
fn judge_order(cut: &Cut, about: &str, ledger: &Ledger) -> Result<(), Doubt> {
    let end = cut.length.map_or(usize::MAX, |length| cut.start.saturating_add(length));
    let rows = rows(cut, &cut.edge, about, ledger)?;
    let has_tie = |at: usize| at > 0 && at < rows.len() && keys(cut, rows[at - 1]) == keys(cut, rows[at]);
    let edges: Vec<usize> = [end, cut.start].into_iter().filter(|at| has_tie(*at)).collect();
    if edges.is_empty() {
        return Ok(());
    }
    let all = self::rows(cut, &cut.whole, about, ledger)?;
    let mut reasons = Vec::new();
    for at in edges {
        let Some(row) = all.get(at) else { continue };
        let tied = tied(cut, &all, row);
        let different: BTreeSet<Vec<Option<String>>> =
            all[tied.clone()].iter().map(|row| cells(&cut.variables, row)).collect();
        if different.len() < 2 {
            continue;
        }
        let places = tied.end.min(end) - tied.start.max(cut.start);
        let which = if at == end { "last" } else { "first" };
        let places = if places == 1 { format!("{which} place") } else { format!("{which} {places} places") };
        reasons.push(format!("{about}: {} rows tie for the {places}", tied.len()));
    }
    if reasons.is_empty() { Ok(()) } else { Err(reasons.join("; ").into()) }
}

/// The rows with the same keys as one of them: they stand together.
pub(crate) fn tied(cut: &Cut, rows: &[&Row], row: &Row) -> Range<usize> {
    let wanted = keys(cut, row);
    let is_tied = |row: &&Row| keys(cut, row) == wanted;
    let start = rows.iter().position(is_tied).unwrap_or_default();
    start..start + rows[start..].iter().take_while(|row| is_tied(row)).count()
}

/// The rows of a variant in order; of those that are the same but for their keys the first.
pub(crate) fn rows<'a>(
    cut: &Cut,
    query: &str,
    about: &str,
    ledger: &'a Ledger,
) -> Result<Vec<&'a Row>, Doubt> {
    let answers = answers(query, about, ledger)?;
    let mut seen = BTreeSet::new();
    let is_new = |row: &&Row| !cut.distinct || seen.insert(cells(&cut.variables, row));
    Ok(answers.rows.iter().filter(is_new).collect())
}

fn cell<'a>(variable: &str, row: &'a Row) -> Option<&'a Cell> {
    row.cells.iter().find(|cell| cell.variable == variable)
}

/// The terms of some variables of a row, each in one spelling.
pub(crate) fn cells(variables: &[String], row: &Row) -> Vec<Option<String>> {
    let text =
        |cell: &Cell| format!("{:?} {:?} {:?} {}", cell.kind, cell.datatype, cell.language, cell.value);
    variables.iter().map(|variable| cell(variable, row).map(text)).collect()
}

/// The sort keys of a row: numbers by their value, everything else by its text. Nothing orders blank nodes.
pub(crate) fn keys(cut: &Cut, row: &Row) -> Vec<Option<String>> {
    let key = |cell: &Cell| match (cell.kind, &cell.datatype) {
        (crate::sources::document::CellKind::BlankNode, _) => "blank".to_owned(),
        (_, Some(datatype)) => match number_of(&cell.value) {
            Some(number) => number,
            None => format!("{datatype} {}", cell.value),
        },
        (kind, None) => format!("{kind:?} {:?} {}", cell.language, cell.value),
    };
    cut.keys.iter().map(|name| cell(name, row).map(key)).collect()
}

fn number_of(text: &str) -> Option<String> {
    let exact = Fraction::parse(text).map(|number| format!("number {number}"));
    exact.or_else(|| text.parse::<f64>().ok().map(|number| format!("float {number}")))
}

fn picked(picks: &Picks, ledger: &Ledger) -> Result<(), Doubt> {
    let least = answers(&picks.least, &picks.names, ledger);
    let most = answers(&picks.most, &picks.names, ledger);
    let (least, most) = (least?, most?);
    if least == most {
        return Ok(());
    }
    Err(format!("{} takes the members of a group as they come, and a group has several", picks.names).into())
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::kb::ledger::gather;
    use crate::kb::testing::{TOWNS, TestKb};

    /// What is said about a query on a small knowledge base.
    fn said(query: &str) -> String {
        let query = format!("PREFIX : <http://e/> {query}");
        let jobs = NonZeroUsize::MIN;
        let (verdict, _) =
            gather(&TestKb::new(TOWNS), jobs, &|_| {}, |ledger| decide(&query, ledger)).expect("a verdict");
        match verdict {
            Decision::Decided => "decided".to_owned(),
            Decision::Undecided(why) => why,
            Decision::Pending => "pending".to_owned(),
        }
    }

    #[test]
    fn cuts_without_order() {
        assert_eq!(said("SELECT ?x { ?x :size ?n }"), "decided");
        assert_eq!(said("SELECT ?x { ?x :size ?n } LIMIT 6"), "decided", "it takes all");
        assert_eq!(said("SELECT ?x { ?x :size ?n } LIMIT 0"), "decided");
        assert_eq!(said("SELECT ?x { ?x :size ?n } OFFSET 6"), "decided", "it leaves all");
        assert_eq!(
            said("SELECT ?x { ?x :size ?n } LIMIT 2 OFFSET 5"),
            "LIMIT 2 OFFSET 5 takes 1 of 6 rows, and nothing orders them"
        );
        assert_eq!(
            said("SELECT ?x { ?x :size ?n } LIMIT 2"),
            "LIMIT 2 takes 2 of 6 rows, and nothing orders them"
        );
        assert_eq!(said("SELECT ?y { ?x :in ?y . ?y :name 'Y' } LIMIT 1"), "decided", "three times :y");
        assert_eq!(said("SELECT DISTINCT ?y { ?x :in ?y } LIMIT 2"), "decided", "there are two");
        assert_eq!(said("ASK { ?x :in ?y } LIMIT 1"), "decided");
    }

    #[test]
    fn ties_at_the_cut() {
        let by_size = |end: &str| said(&format!("SELECT ?x {{ ?x :size ?n }} ORDER BY DESC(?n) {end}"));
        assert_eq!(by_size("LIMIT 1"), "decided");
        assert_eq!(by_size("LIMIT 2"), "LIMIT 2: 2 rows tie for the last place");
        assert_eq!(by_size("LIMIT 3"), "decided");
        assert_eq!(by_size("LIMIT 4"), "LIMIT 4: 2 rows tie for the last place", "4.0 is 4");
        assert_eq!(by_size("LIMIT 60"), "decided");
        assert_eq!(
            by_size("LIMIT 2 OFFSET 2"),
            "LIMIT 2 OFFSET 2: 2 rows tie for the last place; LIMIT 2 OFFSET 2: 2 rows tie for the first place"
        );
        assert_eq!(by_size("OFFSET 2"), "OFFSET 2: 2 rows tie for the first place");
        let by_name = "SELECT ?y { ?x :in ?y . ?y :name ?n } ORDER BY ?n LIMIT";
        assert_eq!(said(&format!("{by_name} 1")), "decided", "both rows are :x");
        assert_eq!(said(&format!("{by_name} 3")), "decided", "all behind it are :y");
        let by_place = "SELECT ?x { ?x :in ?y . ?y :name ?n } ORDER BY ?n LIMIT";
        assert_eq!(said(&format!("{by_place} 4")), "LIMIT 4: 3 rows tie for the last 2 places");
        assert_eq!(said("SELECT ?x { ?x :size ?n } ORDER BY ?n ?x LIMIT 2"), "decided", "a total order");
        let same = "SELECT ?x { ?x :size ?n } ORDER BY (1 - (?n - ?n)) LIMIT 1";
        assert_eq!(said(same), "LIMIT 1: 6 rows tie for the last place", "the key is 1 for all");
    }

    #[test]
    fn calculated_grouped_and_different_rows() {
        let grouped = "SELECT ?y (COUNT(?x) AS ?c) { ?x :in ?y } GROUP BY ?y ORDER BY DESC(?c) LIMIT 1";
        assert_eq!(said(grouped), "decided");
        let hidden = "SELECT ?y { ?x :in ?y } GROUP BY ?y ORDER BY (COUNT(?x) > 1) LIMIT 1";
        assert_eq!(said(hidden), "LIMIT 1: 2 rows tie for the last place");
        let distinct = "SELECT DISTINCT ?y { ?x :in ?y ; :size ?n } ORDER BY DESC(?n) LIMIT 1";
        assert_eq!(said(distinct), "decided", ":a and :b are both in :x");
        let shown = "SELECT DISTINCT ?n { ?x :size ?n } ORDER BY STRLEN(STR(?n)) LIMIT 1";
        assert_eq!(said(shown), "LIMIT 1: 5 rows tie for the last place", "5, 4.0, 4, 1 and 9");
        let nested = "SELECT ?x { { SELECT ?y { ?x :in ?y } LIMIT 1 } ?x :in ?y }";
        assert_eq!(said(nested), "in a sub-query, LIMIT 1 takes 1 of 5 rows, and nothing orders them");
        let harmless = "SELECT ?x { { SELECT DISTINCT ?y { ?x :in ?y } LIMIT 9 } ?x :in ?y }";
        assert_eq!(said(harmless), "decided");
        let unsaid = "SELECT ?x { ?x :size ?never } LIMIT 2";
        assert_eq!(said(unsaid), "whether LIMIT 2 matters could not be decided: stopped after 1 s");
    }

    #[test]
    fn chance_and_clock() {
        assert_eq!(said("SELECT ?x { ?x :size ?n } ORDER BY RAND()"), "RAND() has another value each time");
        assert_eq!(
            said("SELECT ?x { ?x :size ?n FILTER EXISTS { BIND(NOW() AS ?t) } }"),
            "NOW() has another value each time"
        );
        let sample = "SELECT ?y (SAMPLE(?n) AS ?s) { ?x :in ?y ; :size ?n FILTER(?n = 5) } GROUP BY ?y";
        assert_eq!(said(sample), "decided", "one member of :x is like the other");
        let sample = "SELECT ?y (SAMPLE(?n) AS ?s) { ?x :in ?y ; :size ?n } GROUP BY ?y";
        assert_eq!(said(sample), "SAMPLE takes the members of a group as they come, and a group has several");
        let concat = "SELECT (GROUP_CONCAT(?n) AS ?s) { ?x :name ?n } GROUP BY ?x";
        assert_eq!(said(concat), "decided");
        let used = "SELECT ?y { ?x :in ?y } GROUP BY ?y HAVING (SAMPLE(?x) = :a)";
        assert_eq!(said(used), "SAMPLE takes the members of a group as they come");
        let exists = "SELECT ?x { ?x :size ?n FILTER EXISTS { SELECT ?y { ?x :in ?y } LIMIT 1 } }";
        assert_eq!(said(exists), "a sub-query in EXISTS has LIMIT or OFFSET");
    }

    #[test]
    fn variants_are_the_same_texts_every_time() {
        let query = "SELECT ?key1 (COUNT(?x) AS ?c) { ?x <u:in> [ <u:at> ?key1 ] } GROUP BY ?key1
            ORDER BY DESC(COUNT(?x)) ?key1 LIMIT 1";
        let found = chances(query).expect("a query");
        assert_eq!(found, chances(query).expect("the same"));
        let [cut] = &found.cuts[..] else { panic!("one cut") };
        assert_eq!(cut.keys, ["key2", "key3"]);
        assert_eq!(
            cut.edge,
            "SELECT ?key1 (?group1 AS ?c) (?group1 AS ?key2) (?key1 AS ?key3) WHERE { {SELECT (COUNT(?x) AS ?group1) ?key1 \
             WHERE { _:b1 <u:at> ?key1 .?x <u:in> _:b1 . } GROUP BY ?key1} } ORDER BY DESC(?group1) ASC(?key1) LIMIT 2"
        );
    }
}
