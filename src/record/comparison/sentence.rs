//! What can be said of a table, in one sentence: who is ahead by more than chance, who cannot be told apart, and how many
//! questions would be needed to see the smallest difference between neighbours.

use crate::measures::fraction::Fraction;
use crate::record::comparison::{ComparedPair, ComparedSystem, ComparedTable};

/// The sentence. Systems without a rank are not in it. Who failed in all questions is not worse than others by its answers: that
/// is said.
pub fn said(table: &ComparedTable) -> String {
    let said = ranked(table);
    let failed: Vec<&str> = table.failed().collect();
    if failed.is_empty() { said } else { format!("{said}; {} failed in every question", listed(&failed)) }
}

/// What follows from ranks and tests.
fn ranked(table: &ComparedTable) -> String {
    let on = match table.questions {
        1 => format!("on one question of {}", table.key.dataset),
        number => format!("on these {number} questions of {}", table.key.dataset),
    };
    if let Some(baseline) = &table.baseline {
        return against(table, baseline, &on);
    }
    let mut ranked: Vec<&ComparedSystem> =
        table.systems.iter().filter(|system| system.rank.is_some()).collect();
    ranked.sort_by_key(|system| (system.rank, &system.system));
    let [best, others @ ..] = ranked.as_slice() else { return format!("nothing can be compared {on}") };
    if others.is_empty() {
        let is_alone = table.systems.len() == 1;
        let how = if is_alone { "stands alone" } else { "is the only one with a rank" };
        return format!("{} {how} {on}", best.system);
    }
    if table.pairs.is_empty() {
        return format!("{} has the best value {on}, and nothing tells whether that is chance", best.system);
    }
    let is_told = |other: &ComparedSystem| {
        pair(table, &best.system, &other.system).is_some_and(|pair| pair.test.significant)
    };
    let equal: Vec<&str> =
        others.iter().filter(|other| !is_told(other)).map(|other| other.system.as_str()).collect();
    let first = match equal.as_slice() {
        [] => {
            let others = if others.len() == 1 { others[0].system.as_str() } else { "the others" };
            format!("{} is ahead of {others} by more than chance {on}", best.system)
        }
        all if all.len() == others.len() && all.len() > 1 => {
            format!(
                "{} has the best value, and cannot be told apart from any of the others {on}",
                best.system
            )
        }
        some => format!("{} cannot be told apart from {} {on}", best.system, listed(some)),
    };
    match closest(table, &ranked, equal.is_empty()) {
        Some((a, b, needed)) if equal == [b] && a == best.system => format!("{first}{needed}"),
        Some((a, b, needed)) => format!("{first}; {a} and {b} cannot be told apart{needed}"),
        None => first,
    }
}

/// The same where all are compared with one.
fn against(table: &ComparedTable, baseline: &str, on: &str) -> String {
    let has_rank = |name: &str| table.systems.iter().any(|one| one.system == name && one.rank.is_some());
    let [mut better, mut worse, mut equal] = [const { Vec::new() }; 3];
    for pair in table.pairs.iter().filter(|pair| has_rank(&pair.a)) {
        let is_better = (pair.difference.fraction() < Fraction::zero()) == table.lower_is_better;
        match (pair.test.significant, is_better) {
            (false, _) => equal.push(pair.a.as_str()),
            (true, true) => better.push(pair.a.as_str()),
            (true, false) => worse.push(pair.a.as_str()),
        }
    }
    let parts = [
        (better, "better than", "by more than chance"),
        (worse, "worse than", "by more than chance"),
        (equal, "not to be told apart from", ""),
    ];
    let told = parts.iter().filter(|(names, ..)| !names.is_empty()).map(|(names, how, behind)| {
        let verb = if names.len() == 1 { "is" } else { "are" };
        format!("{} {verb} {how} {baseline} {behind}", listed(names)).trim_end().to_owned()
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() {
        format!("nothing can be compared with {baseline} {on}")
    } else {
        format!("{} {on}", told.join("; "))
    }
}

fn pair<'t>(table: &'t ComparedTable, one: &str, other: &str) -> Option<&'t ComparedPair> {
    table.pairs.iter().find(|pair| (pair.a == one && pair.b == other) || (pair.a == other && pair.b == one))
}

/// The neighbours whose difference is not significant, the largest first, and how many questions would be needed.
fn closest<'t>(
    table: &'t ComparedTable,
    ranked: &[&'t ComparedSystem],
    skips_best: bool,
) -> Option<(&'t str, &'t str, String)> {
    let neighbours = ranked.windows(2).skip(usize::from(skips_best));
    let open = neighbours.filter_map(|both| {
        let found = pair(table, &both[0].system, &both[1].system)?;
        (!found.test.significant).then_some((both, found))
    });
    let (both, found) = open.max_by_key(|(_, found)| found.difference.fraction().absolute())?;
    let needed = needed(table, found).map_or_else(String::new, |number| {
        format!(
            ": to see a difference of {} some {number} questions would be needed",
            found.difference.fraction().absolute().to_fixed(4)
        )
    });
    Some((&both[0].system, &both[1].system, needed))
}

/// How many questions find the difference with power 0.8, as many in each cluster as here: what they find shrinks with the
/// root of the number of clusters.
fn needed(table: &ComparedTable, pair: &ComparedPair) -> Option<u64> {
    let detectable = pair.effect.as_ref()?.detectable.as_ref()?.fraction();
    let ratio = detectable.over(&pair.difference.fraction().absolute())?;
    let number = &(&ratio * &ratio) * &Fraction::whole(table.questions as u64);
    let number: u64 = number.to_fixed(0).parse().ok()?;
    // Two digits are enough.
    let scale = 10_u64.checked_pow(number.checked_ilog10()?.saturating_sub(1))?;
    // Fewer than there are: the correction for many pairs is what hides it.
    number.div_ceil(scale).checked_mul(scale).filter(|number| *number > table.questions as u64)
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
