//! The names that people give to systems.

use crate::base::error::{Error, Result};
use crate::base::limits::{self, LONGEST_SYSTEM_NAME, exceeded};

/// Whether a name can be one: it stands in every table, and systems are told apart by it.
///
/// # Errors
/// Where there is nothing to see in it, or it is too long.
pub fn check_system_name(name: &str) -> Result<()> {
    let hint = "`⌥system NAME` is what tables call the system";
    if name.chars().all(is_unseen) {
        return Err(Error::input("the name of a system has nothing that can be seen").hint(hint));
    }
    if name.len() > LONGEST_SYSTEM_NAME {
        let what = format!("the name of a system has {} bytes", name.len());
        return Err(exceeded(what, limits::bytes(LONGEST_SYSTEM_NAME as u64)).hint(hint));
    }
    Ok(())
}

/// Whether a character leaves nothing on paper by itself: white space, what commands, what has no width.
fn is_unseen(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{2800}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_seen_and_have_an_end() {
        let longest = "é".repeat(LONGEST_SYSTEM_NAME / 2);
        for name in ["a", " a ", "0", "日本", "سامانه\u{200c}ی", "👩\u{200d}🔬", &longest] {
            assert_eq!(check_system_name(name), Ok(()), "{name:?}");
        }
        for name in
            ["", " ", "\t\n", "\u{a0}\u{3000}", "\u{200b}", "\u{feff}\u{2060} ", "\u{202e}", "\u{e0041}"]
        {
            let told = check_system_name(name).unwrap_err().to_string();
            assert!(told.contains("nothing that can be seen"), "{name:?}: {told}");
        }
        insta::assert_snapshot!(check_system_name(&format!("{longest}a")).unwrap_err(), @r"
        the name of a system has 1025 bytes, more than 1 KiB, a limit of qassay.
        hint: `system NAME` is what tables call the system
        ");
    }
}
