//! Arguments whose values have names that shells complete.

use clap::builder::{PossibleValue, TypedValueParser};
use std::ffi::OsStr;

/// Text that is often one of some names. Shells complete the names; other text is taken as well, such
/// as a pattern, and the command says what is wrong with it.
#[derive(Clone, Copy)]
pub(super) struct Names(pub(super) fn() -> Vec<&'static str>);

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        _: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let text = value.to_str().map(str::to_owned);
        text.ok_or_else(|| clap::Error::new(clap::error::ErrorKind::InvalidUtf8).with_cmd(command))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}
