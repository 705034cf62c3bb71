//! Groups of equals as letters: two systems share one if nothing shows that they differ (H.-P. Piepho, An algorithm for a
//! letter-based representation of all-pairwise comparisons, Journal of Computational and Graphical Statistics 13, 2004).

/// The letters of some systems, of which the best stands first: one for each largest set of systems that do not differ,
/// in the order of their best members.
pub fn letters(systems: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<String> {
    let equals = |one: usize| -> Vec<usize> {
        (0..systems).filter(|other| *other != one && !differ(one, *other) && !differ(*other, one)).collect()
    };
    let graph = Graph { equals: (0..systems).map(equals).collect() };
    let mut groups = Vec::new();
    graph.largest(&mut Vec::new(), (0..systems).collect(), Vec::new(), &mut groups);
    groups.sort_unstable();
    let mut letters = vec![String::new(); systems];
    for (number, group) in groups.iter().enumerate() {
        for system in group {
            letters[*system].push_str(&letter(number));
        }
    }
    letters
}

/// Which systems nothing shows to differ from each.
struct Graph {
    equals: Vec<Vec<usize>>,
}

impl Graph {
    /// All largest sets with some members, of candidates that are equal to all of these; those that were tried before are in
    /// sets that are found already (C. Bron, J. Kerbosch, Algorithm 457, Communications of the ACM 16, 1973).
    fn largest(
        &self,
        members: &mut Vec<usize>,
        mut candidates: Vec<usize>,
        mut tried: Vec<usize>,
        found: &mut Vec<Vec<usize>>,
    ) {
        let degree =
            |system: &usize| candidates.iter().filter(|other| self.equals[*system].contains(other)).count();
        let Some(pivot) = candidates.iter().chain(&tried).copied().max_by_key(degree) else {
            let mut group = members.clone();
            group.sort_unstable();
            found.push(group);
            return;
        };
        let chosen: Vec<usize> =
            candidates.iter().filter(|one| !self.equals[pivot].contains(one)).copied().collect();
        for system in chosen {
            let equal = |others: &[usize]| {
                others.iter().filter(|other| self.equals[system].contains(other)).copied().collect()
            };
            members.push(system);
            self.largest(members, equal(&candidates), equal(&tried), found);
            members.pop();
            candidates.retain(|other| *other != system);
            tried.push(system);
        }
    }
}

/// `a` to `z`, `aa`, `ab` and so on.
fn letter(number: usize) -> String {
    let last = char::from(b'a' + u8::try_from(number % 26).unwrap_or_default());
    match number / 26 {
        0 => last.to_string(),
        before => letter(before - 1) + &last.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn with(systems: usize, different: &[(usize, usize)]) -> Vec<String> {
        letters(systems, |one, other| different.contains(&(one, other)))
    }

    #[test]
    fn by_hand() {
        assert_eq!(with(3, &[]), ["a", "a", "a"]);
        assert_eq!(with(3, &[(0, 1), (0, 2), (1, 2)]), ["a", "b", "c"]);
        // The middle one differs from nobody.
        assert_eq!(with(3, &[(0, 2)]), ["a", "ab", "b"]);
        // QALD-8: the first one is ahead, the next two cannot be told apart.
        assert_eq!(with(4, &[(0, 1), (0, 2), (0, 3), (1, 3), (3, 2)]), ["a", "b", "b", "c"]);
        // A ring of four: each is equal to its neighbours.
        assert_eq!(with(4, &[(0, 2), (1, 3)]), ["ab", "ac", "cd", "bd"]);
        assert_eq!(with(1, &[]), ["a"]);
        assert_eq!(with(0, &[]), [""; 0]);
        assert_eq!([25, 26, 27, 701, 702].map(letter), ["z", "aa", "ab", "zz", "aaa"]);
    }

    proptest! {
        /// Two systems share a letter if and only if they do not differ.
        #[test]
        fn letters_say_who_differs(different in prop::collection::vec((0usize..7, 0usize..7), 0..20)) {
            let found = with(7, &different);
            for (one, other) in (0..7).flat_map(|one| (0..one).map(move |other| (one, other))) {
                let differ = different.contains(&(one, other)) || different.contains(&(other, one));
                let shared = found[one].chars().any(|letter| found[other].contains(letter));
                prop_assert_eq!(shared, !differ, "{} {} {:?}", one, other, found);
            }
        }
    }
}
