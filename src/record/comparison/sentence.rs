//! What can be said of a table, in one sentence: who is ahead by more than chance, who cannot be told apart, and how many
//! questions would be needed to see the smallest difference between neighbours.

use crate::measures::fraction::Fraction;
use crate::record::comparison::{ComparedPair, ComparedSystem, ComparedTable};

/// The sentence.
pub fn said(table: &ComparedTable) -> String {
    let on = format!("on these {} questions of {}", table.questions, table.key.dataset);
    let mut ranked: Vec<&ComparedSystem> =
        table.systems.iter().filter(|system| system.rank.is_some()).collect();
    ranked.sort_by_key(|system| (system.rank, &system.system));
    let (Some(best), true) = (ranked.first(), table.pairs.len() >= ranked.len().saturating_sub(1)) else {
        return format!("nothing can be compared {on}");
    };
    if ranked.len() < 2 {
        return format!("{} stands alone {on}", best.system);
    }
    let others = || ranked.iter().skip(1);
    let ahead = others()
        .all(|other| pair(table, &best.system, &other.system).is_some_and(|pair| pair.test.significant));
    let first = if ahead {
        format!("{} is ahead of the others by more than chance {on}", best.system)
    } else {
        let equal = others().filter(|other| {
            pair(table, &best.system, &other.system).is_some_and(|pair| !pair.test.significant)
        });
        let names: Vec<&str> = equal.map(|other| other.system.as_str()).collect();
        format!("{} cannot be told from {} {on}", best.system, listed(&names))
    };
    match closest(table, &ranked, ahead) {
        Some((a, b, needed)) => format!("{first}; {a} and {b} cannot be told apart{needed}"),
        None => first,
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
    let needed = needed(table.clusters, found).map_or_else(String::new, |number| {
        format!(
            ": to see a difference of {} some {number} questions would be needed",
            found.difference.fraction().absolute().to_fixed(4)
        )
    });
    Some((&both[0].system, &both[1].system, needed))
}

/// How many questions find the difference with power 0.8: what they find shrinks with the root of their number.
fn needed(questions: usize, pair: &ComparedPair) -> Option<u64> {
    let detectable = pair.effect.as_ref()?.detectable.as_ref()?.fraction();
    let ratio = detectable.over(&pair.difference.fraction().absolute())?;
    let number = &(&ratio * &ratio) * &Fraction::whole(questions as u64);
    let number: u64 = number.to_fixed(0).parse().ok()?;
    // Two digits are enough.
    let scale = 10_u64.checked_pow(number.checked_ilog10()?.saturating_sub(1))?;
    number.div_ceil(scale).checked_mul(scale)
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => "anybody".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
