//! Code of an implementation of `Keys`: a static table, its form, and the check of a value.

use crate::attributes::{Absent, Attributes};
use crate::words::snake_case;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DataEnum, DeriveInput, Error, Field, Fields, FieldsNamed, Type, Variant};

/// Code that implements `Keys` for a type.
///
/// # Errors
/// If the type is not a struct with named fields, or an enum whose variants are words or have one
/// value each.
pub(crate) fn keys(input: &DeriveInput) -> syn::Result<TokenStream> {
    let own = Attributes::read(&input.attrs)?;
    let (keys, check, is_choice) = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => (fields_of(fields)?, check_fields(fields), false),
            _ => return Err(Error::new_spanned(input, "fields need names")),
        },
        Data::Enum(data) => {
            let (keys, check) = variants(data, &own)?;
            (keys, check, true)
        }
        Data::Union(_) => return Err(Error::new_spanned(input, "a union has no keys")),
    };

    let ident = &input.ident;
    let name = own.name.unwrap_or_else(|| ident.to_string());
    let about = own.about;
    let examples = examples(&own.examples);
    // An anonymous constant keeps the names of tables apart from each other.
    Ok(quote! {
        const _: () = {
            static TYPE: ::ipcsim_keys::Type = ::ipcsim_keys::Type {
                name: #name,
                about: #about,
                is_choice: #is_choice,
                keys: &[#(#keys),*],
                examples: #examples,
            };

            #[automatically_derived]
            impl ::ipcsim_keys::Keys for #ident {
                fn form() -> ::ipcsim_keys::Form {
                    ::ipcsim_keys::Form::Type(&TYPE)
                }

                fn check(
                    &self,
                    key: &::ipcsim_keys::Key,
                    place: &::ipcsim_keys::Place,
                    faults: &mut ::std::vec::Vec<::ipcsim_keys::Fault>,
                ) {
                    // A choice of words uses no argument.
                    let _ = (key, place, &faults);
                    #check
                }
            }
        };
    })
}

/// Entries of the fields of a struct.
fn fields_of(fields: &FieldsNamed) -> syn::Result<Vec<TokenStream>> {
    let fields = fields.named.iter();
    fields
        .map(|field| {
            let own = Attributes::read(&field.attrs)?;
            let ident = field.ident.as_ref().map(ToString::to_string);
            let name = own.name.clone().or(ident).unwrap_or_default();
            Ok(entry(&name, &own, &form(&field.ty), &default(field, &own)))
        })
        .collect()
}

/// Checks of the fields of a struct, each by its entry.
fn check_fields(fields: &FieldsNamed) -> TokenStream {
    let checks = fields.named.iter().enumerate().map(|(k, field)| {
        let ident = &field.ident;
        quote! {
            let key = &TYPE.keys[#k];
            ::ipcsim_keys::Keys::check(&self.#ident, key, &place.key(key.name), faults);
        }
    });
    quote!(#(#checks)*)
}

/// Entries of the variants of an enum, and the checks of their values.
fn variants(data: &DataEnum, own: &Attributes) -> syn::Result<(Vec<TokenStream>, TokenStream)> {
    let mut keys = Vec::new();
    let mut arms = Vec::new();
    for variant in &data.variants {
        let attributes = Attributes::read(&variant.attrs)?;
        if attributes.is_hidden {
            let ident = &variant.ident;
            arms.push(quote!(Self::#ident { .. } => {}));
            continue;
        }
        let k = keys.len();
        let is_untagged = own.is_untagged || attributes.is_untagged;
        // An empty name says that the value stands for itself.
        let name = if is_untagged {
            String::new()
        } else {
            name_of(variant, &attributes, own)
        };

        // A word, or a name with a value.
        let ident = &variant.ident;
        let form = match &variant.fields {
            Fields::Unit => {
                arms.push(quote!(Self::#ident => {}));
                quote!(|| ::ipcsim_keys::Form::Word)
            }
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                // A value without a tag has the key and the place of the choice itself.
                arms.push(if is_untagged {
                    quote! {
                        Self::#ident(value) => ::ipcsim_keys::Keys::check(value, key, place, faults),
                    }
                } else {
                    quote! {
                        Self::#ident(value) => {
                            let key = &TYPE.keys[#k];
                            ::ipcsim_keys::Keys::check(value, key, &place.key(key.name), faults);
                        }
                    }
                });
                form(&fields.unnamed[0].ty)
            }
            _ => {
                return Err(Error::new_spanned(
                    variant,
                    "a variant has at most one value",
                ));
            }
        };
        keys.push(entry(&name, &attributes, &form, &quote!(None)));
    }
    Ok((keys, quote!(match self { #(#arms)* })))
}

/// Name of a variant in a file.
fn name_of(variant: &Variant, attributes: &Attributes, own: &Attributes) -> String {
    let name = variant.ident.to_string();
    match &attributes.name {
        Some(name) => name.clone(),
        None if own.case.as_deref() == Some("snake_case") => snake_case(&name),
        None => name,
    }
}

/// Entry of a key.
fn entry(name: &str, own: &Attributes, form: &TokenStream, default: &TokenStream) -> TokenStream {
    let about = &own.about;
    let unit = option(own.unit.as_ref());
    let range = &own.range;
    let examples = examples(&own.examples);
    let (or_flag, is_hidden) = (own.or_flag, own.is_hidden);
    let between_steps = option(own.between_steps.as_ref());
    let alias = option(own.alias.as_ref());
    quote! {
        ::ipcsim_keys::Key {
            name: #name,
            alias: #alias,
            about: #about,
            unit: #unit,
            range: ::ipcsim_keys::Range::ANY #range,
            form: #form,
            default: #default,
            examples: #examples,
            or_flag: #or_flag,
            is_hidden: #is_hidden,
            between_steps: #between_steps,
        }
    }
}

/// Function that returns the form of a type.
fn form(ty: &Type) -> TokenStream {
    quote!(<#ty as ::ipcsim_keys::Keys>::form)
}

/// Function that returns the value of a field that is absent; `None` if it must be given.
fn default(field: &Field, own: &Attributes) -> TokenStream {
    let ty = &field.ty;
    let value = match &own.default {
        None => return quote!(None),
        Some(Absent::OfType) => quote!(<#ty as ::core::default::Default>::default()),
        Some(Absent::Of(path)) => quote!(#path()),
    };
    // A function, since a static table cannot contain JSON.
    quote! {
        Some(|| {
            let value: #ty = #value;
            ::ipcsim_keys::json(&value)
        })
    }
}

/// Functions that return examples.
fn examples(examples: &[TokenStream]) -> TokenStream {
    quote!(&[#(|| ::ipcsim_keys::json(&#examples)),*])
}

/// Text that may be absent.
fn option(text: Option<&String>) -> TokenStream {
    text.map_or_else(|| quote!(None), |text| quote!(Some(#text)))
}
