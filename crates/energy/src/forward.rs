//! Methods of an energy that it takes from another one, which it contains.
//!
//! An energy that changes with conditions has the elements of another one, and mostly its values. These macros
//! write such methods inside of an `impl Energy`, for the field with the other energy:
//!
//! - `forward_elements!(field)`: name, number, vertices and blocks of elements;
//! - `forward_values!(field)`: values and derivatives at the same positions;
//! - `forward_values!(field, place)`: the same at the positions that the method `place` makes of these (m);
//! - `forward_domain!(field)`: domain, and bound of a step.
//!
//! `under`, which makes the energy another one, is always written out.

/// Methods about elements.
macro_rules! forward_elements {
    ($field:ident) => {
        fn name(&self) -> &'static str {
            self.$field.name()
        }

        fn element_count(&self) -> usize {
            self.$field.element_count()
        }

        fn stencil(&self, k: usize) -> &[usize] {
            self.$field.stencil(k)
        }

        fn blocks_each(&self) -> usize {
            self.$field.blocks_each()
        }
    };
}

/// Methods about values and derivatives.
macro_rules! forward_values {
    ($field:ident $(, $place:ident)?) => {
        fn value(&self, x: &[Vec2]) -> f64 {
            $(let x = &self.$place(x);)?
            self.$field.value(x)
        }

        fn values(&self, x: &[Vec2]) -> Vec<f64> {
            $(let x = &self.$place(x);)?
            self.$field.values(x)
        }

        fn add_gradient(&self, x: &[Vec2], scale: f64, gradient: &mut [Vec2]) {
            $(let x = &self.$place(x);)?
            self.$field.add_gradient(x, scale, gradient);
        }

        fn hessian(
            &self,
            elements: Range<usize>,
            x: &[Vec2],
            scale: f64,
            curvature: Curvature,
            blocks: &mut [Mat2],
        ) {
            $(let x = &self.$place(x);)?
            self.$field.hessian(elements, x, scale, curvature, blocks);
        }

        fn stresses(&self, x: &[Vec2]) -> Vec<Stressed> {
            $(let x = &self.$place(x);)?
            self.$field.stresses(x)
        }
    };
}

/// Methods about the domain.
macro_rules! forward_domain {
    ($field:ident) => {
        fn max_step(&self, x: &[Vec2], p: &[Vec2]) -> StepBound {
            self.$field.max_step(x, p)
        }

        fn admits(&self, x: &[Vec2]) -> bool {
            self.$field.admits(x)
        }
    };
}

pub(crate) use {forward_domain, forward_elements, forward_values};
