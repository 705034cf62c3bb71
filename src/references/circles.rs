//! Which nodes of a directed graph lead to each other: its strongly connected components.

/// One number for every node: nodes that lead to each other have the same one, others do not.
///
/// `onward` and `back` are the edges of every node in both directions. Every edge is walked once each way
/// (Kosaraju and Sharir), without a call for every step: chains can be long.
pub(crate) fn circles(onward: &[Vec<usize>], back: &[Vec<usize>]) -> Vec<usize> {
    let mut circle: Vec<Option<usize>> = vec![None; back.len()];
    for start in finished(onward).into_iter().rev() {
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if circle[node].is_none() {
                circle[node] = Some(start);
                open.extend(&back[node]);
            }
        }
    }
    circle.into_iter().flatten().collect()
}

/// All nodes, each after everything it leads to that a walk in depth had not seen before.
fn finished(onward: &[Vec<usize>]) -> Vec<usize> {
    let mut finished = Vec::with_capacity(onward.len());
    let mut seen = vec![false; onward.len()];
    for start in 0..onward.len() {
        let mut path: Vec<(usize, usize)> = Vec::new();
        if !std::mem::replace(&mut seen[start], true) {
            path.push((start, 0));
        }
        while let Some((node, edge)) = path.last_mut() {
            if let Some(&next) = onward[*node].get(*edge) {
                *edge += 1;
                if !std::mem::replace(&mut seen[next], true) {
                    path.push((next, 0));
                }
            } else {
                finished.push(*node);
                path.pop();
            }
        }
    }
    finished
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn edges(of: &[(usize, usize)], nodes: usize) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let (mut onward, mut back) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
        for &(from, to) in of {
            onward[from].push(to);
            back[to].push(from);
        }
        (onward, back)
    }

    #[test]
    fn two_circles_with_a_bridge() {
        let (onward, back) = edges(&[(0, 1), (1, 0), (1, 2), (2, 3), (3, 2), (4, 4)], 5);
        let circle = circles(&onward, &back);
        assert_eq!(circle[0], circle[1]);
        assert_eq!(circle[2], circle[3]);
        assert!(circle[0] != circle[2] && circle[4] != circle[0] && circle[4] != circle[2]);
    }

    proptest! {
        /// Two nodes are in one circle if each can be reached from the other (Warshall).
        #[test]
        fn nodes_of_a_circle_reach_each_other(of in prop::collection::vec((0..7usize, 0..7usize), 0..16)) {
            let mut reaches = [[false; 7]; 7];
            (0..7).for_each(|node| reaches[node][node] = true);
            for &(from, to) in &of {
                reaches[from][to] = true;
            }
            for through in 0..7 {
                for from in 0..7 {
                    for to in 0..7 {
                        reaches[from][to] |= reaches[from][through] && reaches[through][to];
                    }
                }
            }
            let (onward, back) = edges(&of, 7);
            let circle = circles(&onward, &back);
            for a in 0..7 {
                for b in 0..7 {
                    prop_assert_eq!(circle[a] == circle[b], reaches[a][b] && reaches[b][a]);
                }
            }
        }
    }
}
