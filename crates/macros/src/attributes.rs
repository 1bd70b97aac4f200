//! Attributes of a type, field or variant: for serde and for the key, and its documentation.

use crate::words;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, Path, Token};

/// What the attributes of a type, field or variant say.
#[derive(Default)]
pub(crate) struct Attributes {
    /// Description, a line for each paragraph.
    pub(crate) about: String,
    /// Unit of a number; `None` if neither description nor attribute have one.
    pub(crate) unit: Option<String>,
    /// Name in the file or the schema, in place of the identifier.
    pub(crate) name: Option<String>,
    /// Other name in the file.
    pub(crate) alias: Option<String>,
    /// Case in which serde writes variants, if it is not theirs.
    pub(crate) case: Option<String>,
    /// True if serde writes a variant without its name.
    pub(crate) is_untagged: bool,
    /// True if serde reads a key and never writes it, or if no file has a variant.
    pub(crate) is_hidden: bool,
    /// Value of a key that is absent.
    pub(crate) default: Option<Absent>,
    /// Range of a number: calls that follow a range without limits.
    pub(crate) range: TokenStream,
    /// Expressions of examples.
    pub(crate) examples: Vec<TokenStream>,
    /// True if the key also takes `true` and `false`.
    pub(crate) or_flag: bool,
    /// Parameter that changes the key between steps.
    pub(crate) between_steps: Option<String>,
}

/// Value of a key that is absent.
pub(crate) enum Absent {
    /// Default of its type.
    OfType,
    /// Result of this function.
    Of(Path),
}

impl Attributes {
    /// Reads the attributes for serde and for keys, and documentation. Others are passed over.
    ///
    /// # Errors
    /// If an attribute of a key is unknown or has no value.
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut read = Self::default();
        let mut lines = Vec::new();
        for attribute in attributes {
            let path = attribute.path();
            if path.is_ident("serde") {
                attribute.parse_nested_meta(|meta| read.of_serde(&meta))?;
            } else if path.is_ident("key") {
                attribute.parse_nested_meta(|meta| read.of_key(&meta))?;
            } else if path.is_ident("doc") {
                lines.extend(line(attribute));
            }
        }
        read.about = words::about(&lines);
        if read.unit.is_none() {
            read.unit = words::unit(&read.about).map(str::to_owned);
        }
        Ok(read)
    }

    /// Reads an entry of an attribute of serde.
    fn of_serde(&mut self, meta: &ParseNestedMeta) -> syn::Result<()> {
        if meta.path.is_ident("rename") {
            self.name = Some(text(meta)?);
        } else if meta.path.is_ident("alias") {
            self.alias = Some(text(meta)?);
        } else if meta.path.is_ident("rename_all") {
            self.case = Some(text(meta)?);
        } else if meta.path.is_ident("untagged") {
            self.is_untagged = true;
        } else if meta.path.is_ident("skip_serializing") || meta.path.is_ident("skip") {
            self.is_hidden = true;
        } else if meta.path.is_ident("default") {
            self.default = Some(if meta.input.peek(Token![=]) {
                Absent::Of(meta.value()?.parse::<LitStr>()?.parse()?)
            } else {
                Absent::OfType
            });
        } else if meta.input.peek(Token![=]) {
            // Entries that serde reads for itself say nothing here, but their values must be passed
            // over.
            tokens(meta)?;
        }
        Ok(())
    }

    /// Reads an entry of an attribute of a key.
    fn of_key(&mut self, meta: &ParseNestedMeta) -> syn::Result<()> {
        let name = meta.path.require_ident()?.to_string();
        match name.as_str() {
            "above" | "at_least" | "below" | "at_most" | "limit" => {
                let call = meta.path.require_ident()?;
                let value = tokens(meta)?;
                self.range.extend(quote!(.#call(#value as f64)));
            }
            "must" | "called" => {
                let call = meta.path.require_ident()?;
                let value = tokens(meta)?;
                self.range.extend(quote!(.#call(#value)));
            }
            "unit" => self.unit = Some(text(meta)?),
            "name" => self.name = Some(text(meta)?),
            "between_steps" => self.between_steps = Some(text(meta)?),
            "example" => self.examples.push(tokens(meta)?),
            "or_flag" => self.or_flag = true,
            _ => return Err(meta.error("no attribute of a key has this name")),
        }
        Ok(())
    }
}

/// Text after `=`.
fn text(meta: &ParseNestedMeta) -> syn::Result<String> {
    Ok(meta.value()?.parse::<LitStr>()?.value())
}

/// Tokens after `=`, up to the next comma.
fn tokens(meta: &ParseNestedMeta) -> syn::Result<TokenStream> {
    let input = meta.value()?;
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(tokens)
}

/// A line of documentation; `None` if its text is not a literal.
fn line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else {
        return None;
    };
    match &meta.value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}
