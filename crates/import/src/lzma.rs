//! LZMA: copies of earlier bytes and single bytes, coded by a range coder with adaptive bits.
//!
//! The names are taken from Pavlov's "LZMA specification": `reps` are the last four distances, a bit
//! has a probability that follows what was read, and twelve states remember the last operations.
//!
//! The coder reads one bit after the other. Each bit has a place in a table, chosen by the state, by the
//! position and by bits before it, and the table has the probability of 0 in units of 1/2048. After a
//! bit the probability moves by a 32nd towards it.
//!
//! An operation begins with `is_match`: 0 is a single byte. Otherwise `is_rep` says if the distance is
//! one of the last four. A new distance is coded by a slot of six bits, which gives its size, and by
//! further bits: chosen ones for near copies, plain ones and four chosen ones for far ones. A length has
//! 3, 3 or 8 bits after one or two choices, less 2.
//!
//! The dictionary is the output itself, so that no memory is taken for it.

/// Probability of a bit that is not known yet, of 2048.
/// All bits begin with it after their state is forgotten.
const HALF: u16 = 1024;

/// Number of states.
/// States below 7 follow a single byte, the others a copy.
const STATES: usize = 12;

/// Number of positions that lengths and copies tell apart at most.
const POSITIONS: usize = 16;

/// How bits of a text are chosen.
#[derive(Clone, Copy)]
pub(super) struct Parameters {
    /// High bits of the byte before that choose the bits of a byte.
    literal_context: u32,
    /// Low bits of the position that choose the bits of a byte.
    literal_position: u32,
    /// Low bits of the position that choose the bits of a copy.
    position: u32,
}

impl Parameters {
    /// Parameters from their byte; `None` if LZMA2 has no such ones.
    pub(super) fn of(byte: u8) -> Option<Self> {
        let byte = u32::from(byte);
        let own = Self {
            literal_context: byte % 9,
            literal_position: byte / 9 % 5,
            position: byte / 45,
        };
        (own.position <= 4 && own.literal_context + own.literal_position <= 4).then_some(own)
    }
}

/// State of the decoder between chunks.
pub(super) struct Lzma {
    /// Bits of the position and of the byte before that choose tables.
    parameters: Parameters,
    /// Which operations came last.
    state: usize,
    /// Last four distances, less 1.
    reps: [u32; 4],
    /// Bits of single bytes, 768 for each context.
    literal: Vec<u16>,
    /// A copy, and not a byte.
    is_match: [[u16; POSITIONS]; STATES],
    /// A copy from one of the last distances.
    is_rep: [u16; STATES],
    /// Not the last distance.
    is_rep_0: [u16; STATES],
    /// Not the distance before the last.
    is_rep_1: [u16; STATES],
    /// The fourth distance, and not the third.
    is_rep_2: [u16; STATES],
    /// A copy of more than one byte from the last distance.
    is_long_rep_0: [[u16; POSITIONS]; STATES],
    /// Sizes of distances, by the length of the copy.
    slots: [[u16; 64]; 4],
    /// Low bits of distances up to 128.
    special: [u16; 115],
    /// Lowest four bits of larger distances.
    align: [u16; 16],
    /// Lengths of copies with a new distance.
    length: Lengths,
    /// Lengths of copies with one of the last distances.
    rep_length: Lengths,
}

/// Bits of the lengths of copies.
struct Lengths {
    /// If the length is above 9, and above 17.
    choices: [u16; 2],
    /// Lengths from 2 to 9.
    low: [[u16; 8]; POSITIONS],
    /// Lengths from 10 to 17.
    middle: [[u16; 8]; POSITIONS],
    /// Lengths from 18 to 273.
    high: [u16; 256],
}

impl Lengths {
    /// Nothing is known.
    fn new() -> Self {
        Self {
            choices: [HALF; 2],
            low: [[HALF; 8]; POSITIONS],
            middle: [[HALF; 8]; POSITIONS],
            high: [HALF; 256],
        }
    }

    /// A length, less 2.
    ///
    /// `position` are the low bits of the place in the output.
    fn decode(&mut self, range: &mut Range, position: usize) -> usize {
        if range.bit(&mut self.choices[0]) == 0 {
            return range.tree(&mut self.low[position], 3);
        }
        if range.bit(&mut self.choices[1]) == 0 {
            return 8 + range.tree(&mut self.middle[position], 3);
        }
        16 + range.tree(&mut self.high, 8)
    }
}

/// Range coder over the bytes of a chunk.
struct Range<'a> {
    /// Width of the range that is left.
    width: u32,
    /// Place of the code in it.
    code: u32,
    /// Bytes that are left.
    rest: &'a [u8],
    /// True after more bytes were asked for than there are.
    is_over: bool,
}

impl<'a> Range<'a> {
    /// The coder at the beginning of a chunk.
    ///
    /// The first byte is 0, and the next four are the code. `None` if they are not there.
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk::<5>()?;
        let [0, a, b, c, d] = *head else { return None };
        Some(Self {
            width: u32::MAX,
            code: u32::from_be_bytes([a, b, c, d]),
            rest,
            is_over: false,
        })
    }

    /// Takes a byte if the range has become small.
    ///
    /// The range is small below 2^24. Missing bytes count as 0 and are noted, so that the caller can
    /// stop.
    fn normalise(&mut self) {
        if self.width >= 1 << 24 {
            return;
        }
        let byte = if let Some((&byte, after)) = self.rest.split_first() {
            self.rest = after;
            byte
        } else {
            self.is_over = true;
            0
        };

        self.width <<= 8;
        self.code = self.code << 8 | u32::from(byte);
    }

    /// A bit by its probability, which follows it.
    ///
    /// The range is cut at the share of the probability: below the cut the bit is 0, above it 1.
    fn bit(&mut self, probability: &mut u16) -> usize {
        self.normalise();
        let bound = (self.width >> 11) * u32::from(*probability);
        if self.code < bound {
            self.width = bound;
            *probability += (2048 - *probability) >> 5;
            return 0;
        }

        self.width -= bound;
        self.code -= bound;
        *probability -= *probability >> 5;
        1
    }

    /// Bits of equal probability, the highest first.
    ///
    /// The range is halved for each. At most 26 are read, for the far distances.
    fn direct(&mut self, count: u32) -> u32 {
        let mut bits = 0;
        for _ in 0..count {
            self.normalise();
            self.width >>= 1;
            let is_set = self.code >= self.width;
            if is_set {
                self.code -= self.width;
            }
            bits = bits << 1 | u32::from(is_set);
        }
        bits
    }

    /// A number of bits that choose each other's probability, the highest first.
    ///
    /// `probabilities` has 2 to the power of `count` places, and the first is not used: node `n` has
    /// the nodes `2 n` and `2 n + 1` below it.
    fn tree(&mut self, probabilities: &mut [u16], count: u32) -> usize {
        let mut node = 1;
        for _ in 0..count {
            node = node << 1 | self.bit(&mut probabilities[node]);
        }
        node - (1 << count)
    }

    /// The same with the lowest bit first, from a place on in a list of probabilities.
    fn reverse_tree(&mut self, probabilities: &mut [u16], count: u32) -> usize {
        let mut node = 1;
        let mut bits = 0;
        for k in 0..count {
            let bit = self.bit(&mut probabilities[node]);
            node = node << 1 | bit;
            bits |= bit << k;
        }
        bits
    }
}

impl Lzma {
    /// The decoder before its first bit.
    pub(super) fn new(parameters: Parameters) -> Self {
        let contexts = 1 << (parameters.literal_context + parameters.literal_position);
        Self {
            parameters,
            state: 0,
            reps: [0; 4],
            literal: vec![HALF; 0x300 * contexts],
            is_match: [[HALF; POSITIONS]; STATES],
            is_rep: [HALF; STATES],
            is_rep_0: [HALF; STATES],
            is_rep_1: [HALF; STATES],
            is_rep_2: [HALF; STATES],
            is_long_rep_0: [[HALF; POSITIONS]; STATES],
            slots: [[HALF; 64]; 4],
            special: [HALF; 115],
            align: [HALF; 16],
            length: Lengths::new(),
            rep_length: Lengths::new(),
        }
    }

    /// Parameters of the text.
    pub(super) fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Adds this many bytes of a chunk; copies reach back to the byte `first`. `None` if the chunk is
    /// damaged.
    ///
    /// `count` is the length before compression, which the head of the chunk gives.
    pub(super) fn unpack(
        &mut self,
        chunk: &[u8],
        bytes: &mut Vec<u8>,
        first: usize,
        count: usize,
    ) -> Option<()> {
        let mut range = Range::new(chunk)?;
        // The chunk ends by its length, without a mark.
        let end = bytes.len() + count;
        while bytes.len() < end {
            // Low bits of the position choose tables.
            let position = (bytes.len() - first) & ((1 << self.parameters.position) - 1);
            if range.bit(&mut self.is_match[self.state][position]) == 0 {
                self.literal(&mut range, bytes, first)?;
            } else {
                let length = self.copied(&mut range, position)?;
                let distance = usize::try_from(self.reps[0]).ok()? + 1;
                if distance > bytes.len() - first || length > end - bytes.len() {
                    return None;
                }
                let start = bytes.len() - distance;
                for k in start..start + length {
                    bytes.push(bytes[k]);
                }
            }

            if range.is_over {
                return None;
            }
        }

        Some(())
    }

    /// Adds a single byte.
    ///
    /// It has eight bits, each by the bits before it. `None` if the last distance is beyond the
    /// output.
    fn literal(&mut self, range: &mut Range, bytes: &mut Vec<u8>, first: usize) -> Option<()> {
        let Parameters {
            literal_context: high,
            literal_position: low,
            ..
        } = self.parameters;
        let position = bytes.len() - first;
        let before = if position == 0 {
            0
        } else {
            usize::from(*bytes.last()?)
        };
        // Bits of the position, and upper bits of the byte before.
        let context = ((position & ((1 << low) - 1)) << high) + (before >> (8 - high));
        let bits = &mut self.literal[0x300 * context..0x300 * (context + 1)];

        let mut node = 1;
        if self.state >= 7 {
            // After a copy the byte differs from the one that would have been copied next.
            let distance = usize::try_from(self.reps[0]).ok()? + 1;
            let mut expected = usize::from(*bytes.get(bytes.len().checked_sub(distance)?)?);
            while node < 0x100 {
                let bit = expected >> 7 & 1;
                expected <<= 1;
                let own = range.bit(&mut bits[((1 + bit) << 8) + node]);
                node = node << 1 | own;
                if own != bit {
                    break;
                }
            }
        }

        while node < 0x100 {
            node = node << 1 | range.bit(&mut bits[node]);
        }
        bytes.push(u8::try_from(node & 0xff).ok()?);
        self.state = match self.state {
            0..4 => 0,
            4..10 => self.state - 3,
            _ => self.state - 6,
        };

        Some(())
    }

    /// Length of a copy; its distance becomes the first of the last ones.
    ///
    /// Copies with one of the last distances have the states 8, 9 and 11, others 7 and 10. A short
    /// one is the byte at the last distance.
    fn copied(&mut self, range: &mut Range, position: usize) -> Option<usize> {
        let state = self.state;
        let is_after_byte = state < 7;
        if range.bit(&mut self.is_rep[state]) == 0 {
            let length = self.length.decode(range, position);
            let distance = self.distance(range, length)?;
            self.reps = [distance, self.reps[0], self.reps[1], self.reps[2]];
            self.state = if is_after_byte { 7 } else { 10 };
            return Some(length + 2);
        }

        // One of the last distances, which becomes the first.
        let [a, b, c, d] = self.reps;
        if range.bit(&mut self.is_rep_0[state]) == 0 {
            if range.bit(&mut self.is_long_rep_0[state][position]) == 0 {
                self.state = if is_after_byte { 9 } else { 11 };
                return Some(1);
            }
        } else if range.bit(&mut self.is_rep_1[state]) == 0 {
            self.reps = [b, a, c, d];
        } else if range.bit(&mut self.is_rep_2[state]) == 0 {
            self.reps = [c, a, b, d];
        } else {
            self.reps = [d, a, b, c];
        }
        self.state = if is_after_byte { 8 } else { 11 };
        Some(self.rep_length.decode(range, position) + 2)
    }

    /// Distance of a copy of a length less 2, less 1; `None` for the mark of the end, which LZMA2
    /// does not have.
    fn distance(&mut self, range: &mut Range, length: usize) -> Option<u32> {
        let slot = range.tree(&mut self.slots[length.min(3)], 6);
        if slot < 4 {
            return u32::try_from(slot).ok();
        }
        // A slot gives two upper bits and the number of others.
        let count = u32::try_from(slot / 2 - 1).ok()?;
        let base = u32::try_from(2 | slot & 1).ok()? << count;
        let low = if slot < 14 {
            let place = usize::try_from(base).ok()? - slot;
            range.reverse_tree(&mut self.special[place..], count)
        } else {
            let high = range.direct(count - 4) << 4;
            let low = range.reverse_tree(&mut self.align, 4);
            usize::try_from(high).ok()? | low
        };

        let distance = base.wrapping_add(u32::try_from(low).ok()?);
        (distance != u32::MAX).then_some(distance)
    }
}
