//! The program `ipcsim`.

fn main() {}
