//! Lists of numbers, side by side in one memory.

use ipcsim_math::parallel;

/// A list of numbers for each of several owners.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// Members of all lists, grouped by owner.
    members: Vec<u32>,
    /// End of each owner's list in `members`, `[owners]`.
    ends: Vec<usize>,
    /// Owner and member of each pair that is picked, a buffer.
    picked: Vec<(u32, u32)>,
    /// Members in unsorted lists, some of them twice, a buffer.
    unsorted: Vec<u32>,
    /// End of each list in `unsorted` as far as it is filled, a buffer.
    filled: Vec<usize>,
}

impl Groups {
    /// Makes these the lists of `owners`, from pairs of an owner and a member that are sorted by owner.
    pub(super) fn take_sorted(&mut self, owners: usize, pairs: &[(u32, u32)]) {
        self.members.clear();
        self.members.reserve_exact(pairs.len());
        self.split(owners, pairs);
    }

    /// Makes these the lists of `owners`, sorted and without repetitions. `for_each` calls its argument
    /// with each pair of an owner and a member, the same pairs whenever it runs.
    pub(super) fn renew(&mut self, owners: usize, for_each: impl Fn(&mut dyn FnMut(u32, u32))) {
        let Self {
            members,
            ends,
            unsorted,
            filled,
            ..
        } = self;

        // Starts of the lists, which may have an entry twice.
        filled.clear();
        filled.resize(owners, 0);
        for_each(&mut |owner, _| filled[owner as usize] += 1);
        let mut total = 0;
        for end in filled.iter_mut() {
            total += std::mem::replace(end, total);
        }

        // Lists side by side, and then each sorted.
        unsorted.clear();
        unsorted.resize(total, 0);
        for_each(&mut |owner, member| {
            let end = &mut filled[owner as usize];
            unsorted[*end] = member;
            *end += 1;
        });
        members.clear();
        ends.clear();
        let mut start = 0;
        for &end in filled.iter() {
            let list = &mut unsorted[start..end];
            list.sort_unstable();
            let first = members.len();
            for &member in list.iter() {
                if members[first..].last() != Some(&member) {
                    members.push(member);
                }
            }
            ends.push(members.len());
            start = end;
        }
    }

    /// Makes these the lists of `all` with the members that `keeps(owner, member)` keeps.
    pub(super) fn pick(&mut self, all: &Self, keeps: impl Fn(usize, u32) -> bool + Sync) {
        let mut picked = std::mem::take(&mut self.picked);
        picked.clear();
        parallel::collect_into(&mut picked, all.ends.len(), |owners, list| {
            for (number, owner) in (0..).skip(owners.start).zip(owners) {
                let kept = all.of(owner).iter().filter(|&&member| keeps(owner, member));
                list.extend(kept.map(|&member| (number, member)));
            }
        });
        self.split(all.ends.len(), &picked);
        self.picked = picked;
    }

    /// Makes the lists of `owners` from pairs that are sorted by owner.
    fn split(&mut self, owners: usize, pairs: &[(u32, u32)]) {
        let Self { members, ends, .. } = self;
        members.clear();
        ends.clear();
        ends.resize(owners, 0);
        for &(owner, member) in pairs {
            members.push(member);
            ends[owner as usize] = members.len();
        }

        // Owners without a member end where the owner before them ends.
        let mut last = 0;
        for end in ends {
            last = last.max(*end);
            *end = last;
        }
    }

    /// Removes all lists.
    pub(super) fn clear(&mut self) {
        self.members.clear();
        self.ends.clear();
    }

    /// List of an owner; empty without lists.
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

    /// True without lists.
    pub(super) fn has_no_owners(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of members of all lists.
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }
}
