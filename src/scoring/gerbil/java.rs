//! Java's hashing of strings, and the order in which a Java `HashSet` is walked.
//!
//! GERBIL pairs answers greedily in the order of hash sets, hence the order decides what is counted.

/// `String.hashCode` of Java: over UTF-16 units, wrapping at 32 bits (statement 2.5.3).
pub fn string_hash(text: &str) -> i32 {
    let add = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(i32::from(unit));
    if text.is_ascii() {
        return text.bytes().map(u16::from).fold(0, add);
    }
    text.encode_utf16().fold(0, add)
}

/// The hash of an annotation: 31 plus the hashes of its URIs, in whatever order (statement 2.5.3).
pub fn annotation_hash(uris: &[String]) -> i32 {
    uris.iter().fold(31_i32, |hash, uri| hash.wrapping_add(string_hash(uri)))
}

/// The positions of the elements of a Java `HashSet` in the order of iteration, from their hashes in the order
/// of insertion (statement 2.5.3).
///
/// The elements are distinct. Growing a table keeps the order inside a bucket, so the final size alone
/// decides. Two things are left out, as in the statement: buckets of more than eight elements that Java turns
/// into trees (their root moves to the front), and the larger table of `new HashSet<>(collection)` where a
/// size is just at a limit.
pub fn hash_order(hashes: &[i32]) -> Vec<usize> {
    let mask = capacity(hashes.len()) - 1;
    let mut order: Vec<usize> = (0..hashes.len()).collect();
    order.sort_by_key(|position| bucket(hashes[*position], mask));
    order
}

/// The number of buckets for so many elements: 16, doubled while they fill more than three quarters.
fn capacity(size: usize) -> u32 {
    let mut capacity = 16_u32;
    // Java's tables end at 2^30 buckets
    while capacity < 1 << 30 && size as u64 * 4 > u64::from(capacity) * 3 {
        capacity *= 2;
    }
    capacity
}

fn bucket(hash: i32, mask: u32) -> u32 {
    let bits = hash.cast_unsigned();
    (bits ^ (bits >> 16)) & mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_2_5_3_string_hash() {
        let cases = [
            ("", 0),
            ("a", 97),
            ("Berlin", 1_986_302_914),
            ("http://dbpedia.org/resource/Köln", -1_366_828_436),
            ("😀", 1_772_899),
            ("http://www.wikidata.org/entity/Q64", 204_598_041),
        ];
        for (text, hash) in cases {
            assert_eq!(string_hash(text), hash, "{text}");
        }
        assert_eq!(annotation_hash(&["a".to_owned(), "b".to_owned()]), 31 + 97 + 98);
    }

    #[test]
    fn s_2_5_3_hash_order() {
        assert_eq!(hash_order(&[]), [0_usize; 0]);
        assert_eq!(hash_order(&[17, 1, 0, 33]), [2, 0, 1, 3], "insertion order inside a bucket");
        assert_eq!(hash_order(&[0x0001_0000, 0]), [1, 0], "high bits are spread");
        assert_eq!(hash_order(&[5, -1]), [1, 0], "-1 spreads to 0xFFFF0000: bucket 0");
        let twelve: Vec<i32> = (0..12).map(|step| 16 - step).collect();
        assert_eq!(hash_order(&twelve)[0], 0, "12 elements: 16 buckets, 16 is in the first");
        let thirteen: Vec<i32> = (0..13).map(|step| 16 - step).collect();
        assert_eq!(hash_order(&thirteen)[12], 0, "13 elements: 32 buckets, 16 is in the last");
    }

    proptest::proptest! {
        #[test]
        fn hash_order_is_a_permutation(hashes in proptest::collection::vec(proptest::num::i32::ANY, 0..200)) {
            let mut order = hash_order(&hashes);
            order.sort_unstable();
            proptest::prop_assert_eq!(order, (0..hashes.len()).collect::<Vec<_>>());
        }
    }
}
