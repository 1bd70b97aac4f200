//! Search for joints whose equations depend on each other.
//!
//! At a state the equations of a linkage are taken in the order of the scene. One whose derivative is a
//! sum of earlier ones repeats them: the joints of these equations are a set from which no joint can be
//! left out. The linkage then moves along its free motions to another place. What repeats itself there as
//! well does so everywhere, as a third parallel crank; the rest only does where the search began, as two
//! cranks at their dead centre.

use super::equations::Jointed;
use super::linkage::{Dependence, Elsewhere, Linkage, groups};
use crate::body::Configuration;
use crate::constraint::WarmStart;
use crate::solve::model::Model;
use crate::tuning::{
    REPEATED_MOST_EQUATIONS, REPEATED_MOST_LINKAGES, REPEATED_MOTIONS, REPEATED_PLACES,
};
use ipcsim_math::sort::sort_by_key;
use std::collections::BTreeSet;

/// Joints whose equations repeat each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedJoints {
    /// Numbers of the joints, in ascending order. Without any of them the others repeat nothing.
    pub joints: Vec<usize>,
    /// True if they repeat each other wherever the linkage moves, false if only in the place of the search;
    /// `None` if that is not known.
    pub everywhere: Option<bool>,
}

/// Sets of joints that repeat each other where a model is, first everywhere and then in this place only.
/// `fixed` are the coordinates that are prescribed, `[nodes]`.
///
/// Linkages of more than 200 equations are left out, and all but the first eight linkages.
pub fn repeated_joints(
    model: &Model,
    fixed: &[[bool; 2]],
    memory: &WarmStart,
    at: &Configuration,
) -> Vec<RepeatedJoints> {
    if model.joints.len() < 2 {
        return Vec::new();
    }
    let jointed = Jointed {
        model,
        fixed,
        memory,
    };
    let lengths = jointed.lengths();
    let equations = jointed.equations(at, &lengths, |_| true);
    let linkages = groups(&equations).into_iter().map(|joints| Linkage {
        jointed,
        lengths: &lengths,
        joints,
    });

    let small = linkages.filter(|linkage| {
        let own = equations.iter();
        let own = own.filter(|equation| linkage.joints.contains(&equation.joint));
        own.count() <= REPEATED_MOST_EQUATIONS
    });
    let found = small.map(|linkage| of_linkage(&linkage, at));
    let found = found
        .filter(|sets| !sets.is_empty())
        .take(REPEATED_MOST_LINKAGES);
    let mut all: Vec<RepeatedJoints> = found.flatten().collect();
    sort_by_key(&mut all, |set| set.everywhere != Some(true));
    all
}

/// Sets of joints of a linkage that repeat each other.
fn of_linkage(linkage: &Linkage, at: &Configuration) -> Vec<RepeatedJoints> {
    let here = linkage.dependence(at, &linkage.joints);
    let marked = |sets: Vec<BTreeSet<usize>>, everywhere| {
        let sets = sets.into_iter().map(move |joints| RepeatedJoints {
            joints: joints.into_iter().collect(),
            everywhere,
        });
        sets.collect::<Vec<_>>()
    };
    if here.sums.is_empty() {
        return Vec::new();
    }

    // The place with the fewest repeated equations tells what repeats itself everywhere.
    let mut is_locked = false;
    let mut places = 0;
    let mut general: Option<(Dependence, Configuration)> = None;
    for number in 0..REPEATED_MOTIONS {
        if places == REPEATED_PLACES {
            break;
        }
        match linkage.elsewhere(at, &here, number) {
            Some(Elsewhere::Rigid) => return marked(least_sets(&here), Some(true)),
            Some(Elsewhere::Locked) => is_locked = true,
            Some(Elsewhere::At(moved)) => {
                places += 1;
                let there = linkage.dependence(&moved, &linkage.joints);
                let best = general.as_ref().map(|(best, _)| best.sums.len());
                if best.is_none_or(|best| there.sums.len() < best) {
                    general = Some((there, moved));
                }
            }
            None => {}
        }
    }
    let Some((there, moved)) = general else {
        return marked(least_sets(&here), is_locked.then_some(false));
    };

    let mut sets = marked(least_sets(&there), Some(true));
    let only_here = least_sets(&here)
        .into_iter()
        .filter(|joints| linkage.dependence(&moved, joints).sums.is_empty());
    sets.extend(marked(only_here.collect(), Some(false)));
    sets
}

/// Sets of joints whose equations are sums of each other, without sets that contain another one.
fn least_sets(dependence: &Dependence) -> Vec<BTreeSet<usize>> {
    let sums = dependence.sums.iter();
    let mut sets: Vec<BTreeSet<usize>> = sums
        .map(|(row, parts)| {
            let rows = parts.iter().chain([row]);
            rows.map(|row| dependence.joints[*row]).collect()
        })
        .collect();
    sort_by_key(&mut sets, BTreeSet::len);

    // Equations of one joint that repeat each other name nothing to leave out.
    let mut least: Vec<BTreeSet<usize>> = Vec::new();
    for set in sets.into_iter().filter(|set| set.len() > 1) {
        if !least.iter().any(|smaller| smaller.is_subset(&set)) {
            least.push(set);
        }
    }
    least.sort();
    least
}
