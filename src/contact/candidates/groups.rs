//! Lists of numbers, side by side in one memory.

use crate::math::parallel;

/// A list of numbers for each of several owners.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// Members of all lists, grouped by owner.
    members: Vec<u32>,
    /// End of each owner's list in `members`, `[owners]`.
    ends: Vec<usize>,
    /// Owner and member of each pair that is picked, a buffer.
    picked: Vec<(usize, u32)>,
}

impl Groups {
    /// Makes these the lists of `owners`, from pairs of an owner and a member that are sorted by owner.
    pub(super) fn take_sorted(&mut self, owners: usize, pairs: &[(u32, u32)]) {
        self.members.clear();
        self.members.reserve_exact(pairs.len());
        let pairs = pairs
            .iter()
            .map(|&(owner, member)| (owner as usize, member));
        self.split(owners, pairs);
    }

    /// Lists for `owners`, sorted and without repetitions. `for_each` calls its argument with each
    /// pair of an owner and a member, the same pairs whenever it runs.
    pub(super) fn of_unsorted(owners: usize, for_each: impl Fn(&mut dyn FnMut(u32, u32))) -> Self {
        // Lengths of the lists, with what is found twice.
        let mut starts = vec![0; owners + 1];
        for_each(&mut |owner, _| starts[owner as usize + 1] += 1);
        for owner in 0..owners {
            starts[owner + 1] += starts[owner];
        }

        // Lists side by side, each sorted.
        let mut next = starts.clone();
        let mut all = vec![0; starts[owners]];
        for_each(&mut |owner, member| {
            all[next[owner as usize]] = member;
            next[owner as usize] += 1;
        });
        let mut groups = Self::default();
        groups.members.reserve_exact(all.len());
        groups.ends.reserve_exact(owners);
        for range in starts.windows(2) {
            let list = &mut all[range[0]..range[1]];
            list.sort_unstable();
            let first = groups.members.len();
            for &member in list.iter() {
                if groups.members[first..].last() != Some(&member) {
                    groups.members.push(member);
                }
            }
            groups.ends.push(groups.members.len());
        }
        groups
    }

    /// Makes these the lists of `all` with the members that `keeps(owner, member)` keeps.
    pub(super) fn pick(&mut self, all: &Self, keeps: impl Fn(usize, u32) -> bool + Sync) {
        let mut picked = std::mem::take(&mut self.picked);
        picked.clear();
        parallel::collect_into(&mut picked, all.ends.len(), |owners, list| {
            for owner in owners {
                let kept = all.of(owner).iter().filter(|&&member| keeps(owner, member));
                list.extend(kept.map(|&member| (owner, member)));
            }
        });
        self.split(all.ends.len(), picked.iter().copied());
        self.picked = picked;
    }

    /// Makes the lists of `owners` from pairs that are sorted by owner.
    fn split(&mut self, owners: usize, pairs: impl Iterator<Item = (usize, u32)>) {
        let Self { members, ends, .. } = self;
        members.clear();
        ends.clear();
        ends.resize(owners, 0);
        for (owner, member) in pairs {
            members.push(member);
            ends[owner] = members.len();
        }

        // Owners without a member end where the owner before them ends.
        let mut last = 0;
        for end in ends {
            last = last.max(*end);
            *end = last;
        }
    }

    /// List of an owner; empty if there are no lists.
    pub(super) fn of(&self, owner: usize) -> &[u32] {
        let Some(&end) = self.ends.get(owner) else {
            return &[];
        };
        let start = if owner == 0 { 0 } else { self.ends[owner - 1] };
        &self.members[start..end]
    }

    /// All pairs of an owner and a member, sorted by owner.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..)
            .zip(0..self.ends.len())
            .flat_map(|(number, owner)| self.of(owner).iter().map(move |&member| (number, member)))
    }

    /// True if there are no lists.
    pub(super) fn has_no_owners(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of members of all lists.
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }
}
