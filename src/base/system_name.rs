//! The names that people give to systems.

use crate::base::error::{Error, Result};
use crate::base::limits::{self, LONGEST_SYSTEM_NAME, exceeded};

/// Whether a name can be one: it stands in every table, and systems are told apart by it.
///
/// # Errors
/// Where it is too long, there is nothing to see in it, or it commands a terminal.
pub fn check_system_name(name: &str) -> Result<()> {
    if name.len() > LONGEST_SYSTEM_NAME {
        let what = format!("the name of a system has {} bytes", name.len());
        return Err(exceeded(what, limits::bytes(LONGEST_SYSTEM_NAME as u64)));
    }
    if name.chars().all(is_unseen) || name.chars().any(char::is_control) {
        return Err(Error::input(format!("{name:?} is no name of a system")).allowed("visible characters"));
    }
    Ok(())
}

/// Whether a character leaves nothing on paper by itself: white space, what has no width.
fn is_unseen(character: char) -> bool {
    character.is_whitespace()
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
            assert_eq!(told, format!("{name:?} is no name of a system.\nallowed: visible characters"));
        }
        assert_eq!(
            check_system_name(&format!("{longest}a")).unwrap_err().to_string(),
            "the name of a system has 1025 bytes, more than 1 KiB, a limit of qassay."
        );
    }
}
