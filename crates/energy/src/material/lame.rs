//! Lame parameters, by which isotropic laws state their energies, in plane strain and plane stress.

/// Lame parameters of an isotropic material in the plane (Pa).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lame {
    /// Shear modulus `mu` (Pa).
    pub mu: f64,
    /// First Lame parameter `lambda` (Pa).
    pub lambda: f64,
}

impl Lame {
    /// Parameters for plane strain from Young's modulus `E` (Pa) and Poisson's ratio `nu`:
    /// `mu = E / (2 (1 + nu))`, `lambda = E nu / ((1 + nu) (1 - 2 nu))`.
    pub fn plane_strain(young: f64, poisson: f64) -> Self {
        let mu = young / (2.0 * (1.0 + poisson));
        Self {
            mu,
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
        }
    }

    /// Parameters for plane stress, where the material is free to contract across the plane:
    /// `lambda' = E nu / (1 - nu^2) = 2 lambda mu / (lambda + 2 mu)`.
    ///
    /// This follows from Hooke's law and is exact only for linear elasticity. Other laws solve for
    /// the thickness.
    pub fn plane_stress(young: f64, poisson: f64) -> Self {
        let mu = young / (2.0 * (1.0 + poisson));
        Self {
            mu,
            lambda: young * poisson / (1.0 - poisson * poisson),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_conventions_agree_with_each_other() {
        let strain = Lame::plane_strain(1e5, 0.4);
        let stress = Lame::plane_stress(1e5, 0.4);

        // Plane stress by its definition from the parameters of plane strain.
        let expected = 2.0 * strain.lambda * strain.mu / (strain.lambda + 2.0 * strain.mu);
        assert!((stress.lambda / expected - 1.0).abs() < 1e-14);
        assert!((strain.mu - 1e5 / 2.8).abs() < 1e-9);
    }
}
