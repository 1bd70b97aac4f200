use super::*;

#[test]
fn states_are_sampled_densely_at_first_and_to_the_end() {
    assert_eq!(sampled(1), [0]);
    assert_eq!(sampled(7), [0, 1, 2, 3, 5, 6]);
    assert_eq!(sampled(22), [0, 1, 2, 3, 5, 8, 13, 21]);
    assert_eq!(sampled(0), [0; 0]);
}

#[test]
fn numbers_keep_ten_digits() {
    assert_eq!(digits(0.123_456_789_012_345), 0.123_456_789_0);
    assert_eq!((digits(0.0), digits(-1e-300)), (0.0, -1e-300));
    assert!(digits(f64::NAN).is_nan());
}
