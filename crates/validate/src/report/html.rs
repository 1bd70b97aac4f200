//! The page: a summary with links, and a section for each case.
//!
//! The page begins with the counts of verdicts and a table of all cases. A section for each case
//! follows, in the order of the reports: the claim, its formula and source, a table of quantities,
//! the reasons of known misses, and the plot with its legend. The name of a case is the anchor of
//! its section, so that `validate.html#rest_gap` opens there.
//!
//! Texts of cases are escaped, since formulas contain `<` and `&`.

use super::svg::{colours, escaped, mark, plot};
use super::text::{bound, error, number};
use crate::case::Report;
use crate::plot::{Mark, Plot};
use crate::quantity::{Quantity, Verdict};
use std::fmt::Write as _;

/// Style of the page, for light, dark and printed pages.
const STYLE: &str = include_str!("style.css");

/// The whole page, for reports in the order in which they stand.
pub fn page(reports: &[Report]) -> String {
    let mut body = String::new();
    for report in reports {
        section(report, &mut body);
    }

    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>ipcsim: validation</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>ipcsim: validation</h1>\n{}{}{body}</main>\n</body>\n</html>\n",
        counts(reports),
        summary(reports),
    )
}

/// Paragraph with the number of cases and of quantities by verdict.
///
/// Cases that were listed as known misses and pass now count as passed. Verdicts without a case are
/// left out.
fn counts(reports: &[Report]) -> String {
    let of_cases = |verdict| {
        reports
            .iter()
            .filter(|report| report.verdict == verdict)
            .count()
    };

    let quantities = reports.iter().flat_map(Report::quantities).count();
    let mut text = format!(
        "<p class=\"lead\">Version {}. {} cases with {quantities} quantities: {} pass",
        env!("CARGO_PKG_VERSION"),
        reports.len(),
        of_cases(Verdict::Pass) + of_cases(Verdict::Mended),
    );

    // Writing to a string cannot fail.
    for (verdict, words) in [
        (Verdict::KnownMiss, "have a known miss"),
        (Verdict::Fail, "fail"),
    ] {
        let count = of_cases(verdict);
        if count > 0 {
            let _ = write!(text, ", {count} {words}");
        }
    }
    text + ".</p>\n\
     <p>Each case compares the simulator with a formula or with a computation that does not use it. \
     Lines are expected, marks are measured. A known miss is a value that the method misses by its \
     nature, with the reason and the number.</p>\n"
}

/// Table of all cases, each with a link to its section.
fn summary(reports: &[Report]) -> String {
    let mut text = "<table class=\"summary\">\n<thead><tr><th>case</th><th>what it compares</th>\
                    <th class=\"n\">quantities</th><th>verdict</th></tr></thead>\n<tbody>\n"
        .to_owned();
    for report in reports {
        let _ = writeln!(
            text,
            "<tr><td><a href=\"#{name}\">{name}</a></td><td>{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
            escaped(report.case.title),
            report.quantities().len(),
            badge(report.verdict),
            name = report.case.name,
        );
    }
    text + "</tbody>\n</table>\n"
}

/// Verdict as a coloured word.
///
/// The class of the style is the verdict in lower case with hyphens, such as `known-miss`.
fn badge(verdict: Verdict) -> String {
    let words = verdict.words();
    format!(
        "<span class=\"badge {}\">{words}</span>",
        words.replace(' ', "-").to_lowercase()
    )
}

/// Adds the section of a case: claim, formula, quantities and plot.
fn section(report: &Report, text: &mut String) {
    let case = &report.case;
    let _ = writeln!(
        text,
        "<section id=\"{}\">\n<h2>{} {}</h2>\n<p class=\"name\"><code>{}</code></p>\n<p>{}</p>\n\
         <dl><dt>Formula</dt><dd>{}</dd><dt>Source</dt><dd>{}</dd></dl>",
        case.name,
        escaped(case.title),
        badge(report.verdict),
        case.name,
        escaped(case.proves),
        escaped(case.formula),
        escaped(case.source),
    );

    if let Some(error) = &report.error {
        let _ = writeln!(
            text,
            "<p class=\"fail\">Not run to its end: {}</p>",
            escaped(error)
        );
    }

    if let Some(outcome) = &report.outcome {
        quantities(&outcome.quantities, text);
        figure(&outcome.plot, text);
    }
    *text += "</section>\n";
}

/// Adds the table of a case's quantities, and the reasons of known misses.
fn quantities(quantities: &[Quantity], text: &mut String) {
    *text += "<table>\n<thead><tr><th>quantity</th><th class=\"n\">expected</th><th class=\"n\">got</th>\
              <th class=\"n\">error</th><th class=\"n\">tolerance</th><th>verdict</th></tr></thead>\n<tbody>\n";
    for quantity in quantities {
        // A pure number has the unit 1, which the table does not show.
        let unit = match quantity.unit {
            "1" => String::new(),
            unit => format!(" <span class=\"unit\">({})</span>", escaped(unit)),
        };
        let _ = writeln!(
            text,
            "<tr><td>{}{unit}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td>{}</td></tr>",
            escaped(&quantity.name),
            number(quantity.expected),
            number(quantity.got),
            error(quantity),
            bound(quantity),
            badge(quantity.verdict()),
        );
    }
    *text += "</tbody>\n</table>\n";

    // One line for each reason, however many quantities it explains.
    let mut reasons: Vec<&str> = Vec::new();
    for miss in quantities.iter().filter_map(|quantity| quantity.known_miss) {
        if !reasons.contains(&miss.reason) {
            reasons.push(miss.reason);
        }
    }
    for reason in reasons {
        let _ = writeln!(
            text,
            "<p class=\"reason\">Known miss: {}.</p>",
            escaped(reason)
        );
    }
}

/// Adds the plot with its legend.
///
/// Each key shows a sample of its series: a piece of the line, or one mark.
fn figure(data: &Plot, text: &mut String) {
    *text += "<figure>\n<figcaption>";
    for (series, k) in data.series.iter().zip(colours(data)) {
        let sample = match series.mark {
            Mark::Line => format!("<path class=\"curve c{k}\" d=\"M1 6h22\"/>"),
            Mark::Points => mark(k, [12.0, 6.0]),
        };
        let _ = write!(
            text,
            "<span class=\"key\"><svg viewBox=\"0 0 24 12\">{sample}</svg>{}</span>",
            escaped(&series.label)
        );
    }
    *text += "</figcaption>\n";
    *text += &plot(data);
    *text += "</figure>\n";
}
