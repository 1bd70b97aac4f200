//! The codec against an inverse written from its table of rules, the grid against its errors, and
//! the page as text.

use super::blocks::{Blocks, RELATIVE_ERROR};
use super::codec::{Levels, PositionCoder, Positions, encode_levels, folded};
use super::grid::{Grid, MISSING, error_of_level, largest, level, top};
use super::page::{CHARTS, MODULES, program};
use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::ops::Range;

/// The difference that a whole number from 0 stands for.
fn unfolded(number: u32) -> i64 {
    let half = i64::from(number / 2);
    if number.is_multiple_of(2) {
        half
    } else {
        -half - 1
    }
}

/// Numbers of all states, `[states][axes][vertices]`, by the table of rules in `codec.rs`.
fn decoded(coded: &Positions, bodies: &[Range<usize>], states: usize) -> Vec<[Vec<i64>; 2]> {
    let vertices = bodies.last().map_or(0, |body| body.end);
    let mut all: Vec<[Vec<i64>; 2]> = Vec::new();
    let mut next = coded.differences.iter();
    for state in 0..states {
        let mut now = [vec![0; vertices], vec![0; vertices]];
        for axis in 0..2 {
            for (k, body) in bodies.iter().enumerate() {
                let rule = coded.rules[state * bodies.len() + k];
                for i in body.clone() {
                    let a = |i: usize| all[state - 1][axis][i];
                    let b = |i: usize| all[state - 2][axis][i];
                    let has_p = i > body.start;
                    let predicted = match rule {
                        0 if has_p => now[axis][i - 1],
                        0 => 0,
                        3 if has_p => a(i) + now[axis][i - 1] - a(i - 1),
                        1 | 3 => a(i),
                        4 if has_p => {
                            2 * a(i) - b(i) + now[axis][i - 1] - (2 * a(i - 1) - b(i - 1))
                        }
                        _ => 2 * a(i) - b(i),
                    };
                    now[axis][i] = predicted + unfolded(*next.next().unwrap());
                }
            }
        }
        all.push(now);
    }
    assert!(next.next().is_none());
    all
}

/// Whole numbers below 2^31 that look random, always the same ones.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 33).unwrap()
    }
}

#[test]
fn positions_come_back_by_every_rule() {
    // A body at rest, one in uniform motion, one that jumps, one that waves, and a single vertex.
    let bodies = [0..3, 3..7, 7..9, 9..30, 30..31];
    let mut noise = Noise(1);
    let mut states = Vec::new();
    for state in 0..12_u32 {
        let numbers = |axis: u32, noise: &mut Noise| -> Vec<u32> {
            let mut own = vec![5, 70_000, 9];
            own.extend((0..4).map(|i| 1000 + 300 * i + (10 + axis) * state));
            own.extend((0..2).map(|_| noise.next() % 16_777_216));
            own.extend((0..21).map(|i| 40_000 + 17 * i + 31 * state * state + axis));
            own.push(16_777_215 * (state % 2));
            own
        };
        states.push([numbers(0, &mut noise), numbers(1, &mut noise)]);
    }

    let mut coder = PositionCoder::new(bodies.to_vec());
    for state in &states {
        coder.add(state.clone());
    }
    let coded = coder.finish();
    let found = decoded(&coded, &bodies, states.len());
    for (state, found) in states.iter().zip(&found) {
        for axis in 0..2 {
            let expected: Vec<i64> = state[axis].iter().map(|n| i64::from(*n)).collect();
            assert_eq!(found[axis], expected);
        }
    }

    // What moves uniformly or in common costs nothing after a few states.
    let at = |state: usize| state * 2 * 31;
    assert!(coded.differences[at(5)..at(5) + 7].iter().all(|d| *d == 0));
    let waving = &coded.differences[at(5) + 9..at(5) + 30];
    assert!(waving[1..].iter().all(|d| *d == 0), "{waving:?}");
}

#[test]
fn differences_are_folded_to_whole_numbers() {
    let folds: Vec<u32> = [0, -1, 1, -2, 2, 33_000_000].map(folded).to_vec();
    assert_eq!(folds, [0, 1, 2, 3, 4, 66_000_000]);
    for difference in [-70_000_000, -3, 0, 8, 70_000_000] {
        assert_eq!(unfolded(folded(difference)), difference);
    }
}

#[test]
fn places_are_within_the_stated_error() {
    let all = Aabb {
        min: Vec2::new(-3.0, 100.0),
        max: Vec2::new(7.0, 104.0),
    };
    let grids = [
        (Grid::over(&all, f64::INFINITY, None), 10.0 / 65_535.0 / 2.0),
        (Grid::over(&all, 1e-3, None), 1e-5),
        (Grid::over(&all, 1.0, Some(0.25)), 0.25),
        // 24 bits are the limit.
        (
            Grid::over(&all, 1e-9, Some(1e-12)),
            10.0 / 16_777_215.0 / 2.0,
        ),
    ];
    let mut noise = Noise(7);
    for (grid, error) in grids {
        assert!((grid.error() / error - 1.0).abs() < 1e-12, "{grid:?}");
        for _ in 0..1000 {
            let share = [noise.next(), noise.next()].map(|n| f64::from(n) / f64::from(1_u32 << 31));
            let x = Vec2::new(-3.0 + 10.0 * share[0], 100.0 + 4.0 * share[1]);
            let point = grid.point(x).map(f64::from);
            assert!(point.iter().all(|number| *number <= grid.cells));
            for axis in 0..2 {
                let found = grid.origin[axis] + point[axis] * grid.spacing;
                assert!((found - x[axis]).abs() <= error * (1.0 + 1e-9));
            }
        }
    }

    // A single point has a grid too.
    let one = Grid::over(&Aabb::around([all.min]), f64::INFINITY, None);
    assert!(one.spacing > 0.0 && one.point(all.min) == [0, 0]);
}

#[test]
fn values_are_within_the_stated_error_and_missing_ones_stay_missing() {
    let values: Vec<f32> = (0..1000_u16).map(|k| 3.5 * f32::from(k) / 999.0).collect();
    let most = largest(&values);
    assert!((most - 3.5).abs() < 1e-12);
    for value in values {
        let share = f64::from(level(value, most)) / 254.0;
        let error = (most * share * share - f64::from(value)).abs();
        assert!(error <= error_of_level(most), "{value}");
    }

    // The top of a state is at most twice its largest value, and the same for nearly equal ones.
    for (value, expected) in [(3.5, 4.0), (4.0, 4.0), (4.001, 8.0), (0.3, 0.5), (0.0, 0.0)] {
        assert_eq!(top(value).to_bits(), f64::to_bits(expected), "{value}");
    }
    assert!(top(1e-300) >= 1e-300 && top(1e300).is_finite());

    assert_eq!(level(f32::NAN, 1.0), MISSING);
    assert_eq!((level(0.0, 0.0), level(2.0, 1.0)), (0, 254));
    assert_eq!(largest(&[f32::NAN]).to_bits(), 0);
}

#[test]
fn levels_come_back_by_every_rule() {
    let mut noise = Noise(3);
    let mut levels: Vec<u8> = Vec::new();
    let count = 40;
    for state in 0..9_u8 {
        for k in 0..40_u8 {
            levels.push(match state {
                0 => 3 * k,
                1 | 2 => 3 * k + 1,
                3 | 4 => 3 * k + 20 * state,
                _ => noise.next().to_le_bytes()[0],
            });
        }
    }

    let Levels { rules, differences } = encode_levels(&levels, count);
    let mut found: Vec<u8> = Vec::new();
    for (k, difference) in differences.iter().enumerate() {
        let own = k % count;
        let predicted = match rules[k / count] {
            0 if own == 0 => 0,
            0 => found[k - 1],
            3 if own > 0 => found[k - count]
                .wrapping_add(found[k - 1])
                .wrapping_sub(found[k - count - 1]),
            _ => found[k - count],
        };
        found.push(predicted.wrapping_add(*difference));
    }
    assert_eq!(found, levels);
    assert!(
        [0, 1, 3].iter().all(|rule| rules.contains(rule)),
        "{rules:?}"
    );
}

/// Numbers of 32 bits of a block, of bytes that are sorted by weight.
fn words(blocks: &Blocks, name: &str) -> Vec<u32> {
    let block = blocks.list.iter().find(|block| block.name == name).unwrap();
    let bytes = &blocks.bytes[block.start..block.start + block.bytes];
    let plain = miniz_oxide::inflate::decompress_to_vec(bytes).unwrap();
    assert_eq!(plain.len(), 4 * block.count);
    let byte = |k: usize, weight: usize| u32::from(plain[weight * block.count + k]) << (8 * weight);
    (0..block.count)
        .map(|k| (0..4).map(|weight| byte(k, weight)).sum())
        .collect()
}

#[test]
fn blocks_hold_what_was_put_in() {
    let mut blocks = Blocks::default();
    let numbers = [7_u32, 0, 4_000_000_000, 65_536];
    blocks.words("words", &numbers);
    blocks.steps("steps", [5, 5, 2, 2_000_000_000]);
    let reals = [0.0, -1.5, 1e-30, 12_345.678, f64::NAN, 1e300];
    blocks.floats("floats", reals);
    assert_eq!(words(&blocks, "words"), numbers);
    let differences: Vec<i64> = words(&blocks, "steps").into_iter().map(unfolded).collect();
    assert_eq!(differences, [5, 0, -3, 1_999_999_998]);

    for (word, real) in words(&blocks, "floats").into_iter().zip(reals) {
        let found = f64::from(f32::from_bits(word));
        let is_close = (found - real).abs() <= RELATIVE_ERROR * real.abs();
        assert!(is_close || real.is_nan() && found.is_nan() || found.is_infinite() && real > 1e38);
    }
}

/// Numbers of a grid of 101 by 101 vertices that falls, turns and trembles, on a grid of 16 bits.
fn trembling(state: u32, noise: &mut Noise) -> [Vec<u32>; 2] {
    let time = f64::from(state) / 300.0;
    let (sin, cos) = (3.0 * time).sin_cos();
    let mut numbers = [Vec::new(), Vec::new()];
    for row in 0..101_u32 {
        for column in 0..101_u32 {
            let (u, v) = (
                f64::from(column) / 100.0 - 0.5,
                f64::from(row) / 100.0 - 0.5,
            );
            let wave = 0.02 * (9.0 * u + 40.0 * time).sin();
            let jitter = 2e-4 * (f64::from(noise.next()) / f64::from(1_u32 << 31) - 0.5);
            let place = Vec2::new(
                cos * u - sin * (v + wave),
                sin * u + cos * (v + wave) - time * time,
            );
            let point = Grid {
                origin: Vec2::new(-2.0, -3.0),
                spacing: 4.0 / 65_535.0,
                cells: 65_535.0,
            }
            .point(place.add_scalar(jitter));
            numbers[0].push(point[0]);
            numbers[1].push(point[1]);
        }
    }
    numbers
}

#[test]
fn twenty_thousand_triangles_in_300_states_fit_into_12_megabytes() {
    const STATES: u32 = 300;
    let mut noise = Noise(11);
    let whole: Range<usize> = 0..101 * 101;
    let mut coder = PositionCoder::new(vec![whole]);
    let mut levels: Vec<u8> = Vec::new();
    for state in 0..STATES {
        coder.add(trembling(state, &mut noise));
        for k in 0..20_000_u32 {
            let wave = (f64::from(k) * 2e-3 + f64::from(state) * 0.1).sin().abs();
            let jitter = f64::from(noise.next() % 16) / 16.0;
            #[allow(clippy::cast_possible_truncation, reason = "any value will do")]
            let value = (1e4 * wave + 300.0 * jitter) as f32;
            levels.push(level(value, 11_000.0));
        }
    }

    // As the payload adds them.
    let coded = coder.finish();
    let mut blocks = Blocks::default();
    blocks.bytes("rules", &coded.rules);
    for weight in 0..3 {
        let bytes: Vec<u8> = coded
            .differences
            .iter()
            .map(|d| d.to_le_bytes()[weight])
            .collect();
        blocks.bytes("positions", &bytes);
    }
    let field = encode_levels(&levels, 20_000);
    blocks.bytes("field_rules", &field.rules);
    blocks.bytes("field", &field.differences);

    let program = CHARTS.len() + MODULES.iter().map(|module| module.len()).sum::<usize>();
    let page = 4 * blocks.bytes.len().div_ceil(3) + program + 100_000;
    assert!(page < 12_000_000, "{page} bytes");
    assert!(
        page > 3_000_000,
        "{page} bytes of noise are too few to be all of it"
    );
}

#[test]
fn the_library_of_charts_is_the_published_one() {
    let vendored = [
        (
            CHARTS,
            "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
        ),
        (
            include_str!("page/vendor/uPlot.min.css"),
            "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
        ),
    ];
    let page = include_str!("page/vendor/README.md");
    for (text, expected) in vendored {
        let mut found = String::new();
        for byte in Sha256::digest(text.as_bytes()) {
            write!(found, "{byte:02x}").unwrap();
        }
        assert_eq!(found, expected);
        assert!(page.contains(expected), "the README states another hash");
    }
}

#[test]
fn modules_are_joined_without_imports_and_end_no_element() {
    let program = program();
    for line in program.lines() {
        assert!(
            !line.starts_with("import ") && !line.starts_with("export "),
            "{line}"
        );
    }
    for text in [&program, CHARTS] {
        assert!(!text.to_lowercase().contains("</script") && !text.contains("<!--"));
    }

    // What a module imports is declared in one before it.
    for (k, module) in MODULES.iter().enumerate() {
        for line in module.lines().filter(|line| line.starts_with("import ")) {
            let names = line.split(['{', '}']).nth(1).unwrap();
            for name in names.split(',').map(str::trim) {
                let is_before = MODULES[..k].iter().any(|earlier| {
                    ["const", "function", "class", "async function"]
                        .iter()
                        .any(|kind| {
                            let start = format!("export {kind} {name}");
                            earlier.lines().any(|line| {
                                let after = line.strip_prefix(&start);
                                after.is_some_and(|rest| {
                                    !rest.starts_with(|c: char| c.is_alphanumeric())
                                })
                            })
                        })
                });
                assert!(is_before, "{name} is not declared before: {line}");
            }
        }
    }
}
