//! Painter of a run's states: a mesh and positions become a frame, and the frame a picture.
//!
//! The painter sorts the elements of the mesh by bodies once. Every state is then drawn with the
//! same view and the same colours: obstacles first, bodies above them, in the order of the scene.

use super::cell_sides::CellSides;
use super::home_cell::HomeCell;
use ipcsim::body::BodyKind;
use ipcsim::contact::HalfPlane;
use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use ipcsim::mesh::curves;
use ipcsim_pictures::diagram::Diagram;
use ipcsim_pictures::draw::draw;
use ipcsim_pictures::error::PictureError;
use ipcsim_pictures::frame::{
    BodyShape, ColorScale, Corner, DiskShape, Extremes, Fill, ForceArrows, Frame, PlaneShape,
    Style, Trace,
};
use ipcsim_pictures::marks;
use ipcsim_pictures::palette::Rgb;
use ipcsim_pictures::view::View;
use ipcsim_store::mesh_file::MeshFile;
use std::borrow::Cow;
use std::f64::consts::TAU;
use tiny_skia::Pixmap;

/// Colour of bodies under the network of forces.
const GREY: Rgb = [196, 200, 207];
/// Size of a legend of forces (pixels of a picture of 1280 x 720).
const LEGEND: Vec2 = Vec2::new(250.0, 125.0);
/// Smallest size of letters over their size in such a picture (1).
const LETTERS: f64 = 0.62;

/// Draws the states of one run, always with the same view and colours.
pub(crate) struct Painter {
    /// Number of vertices in all.
    vertices: usize,
    /// Elements of each body.
    bodies: Vec<Shape>,
    /// Half-planes, in the order of the mesh.
    planes: Vec<Plane>,
    /// True if the axis of bodies of revolution is drawn.
    has_axis: bool,
    /// Sides of the cell of a scene that repeats.
    cell: Option<CellSides>,
    /// Bodies of that cell.
    home: Option<HomeCell>,
    /// Part of the world that pictures show (m).
    view: Aabb,
    /// Size of the pictures and number of decimals of times.
    style: Style,
    /// Title of the pictures.
    title: String,
    /// Colours of bodies that have one of their own, `[bodies]` or empty.
    own: Vec<Option<Rgb>>,
    /// Cells of a scene that repeats that are drawn beside the one at home; the shapes of each follow those
    /// of the bodies.
    more: Vec<RepeatedCell>,
}

/// A cell that is drawn once more.
#[derive(Clone, Copy, Debug)]
struct RepeatedCell {
    /// Vertices whose places are the periods.
    periods: [usize; 2],
    /// Numbers of periods from home.
    shift: [f64; 2],
}

impl RepeatedCell {
    /// Way from home (m) where the vertices are at `x` (m).
    fn way(&self, x: &[Vec2]) -> Vec2 {
        x[self.periods[0]] * self.shift[0] + x[self.periods[1]] * self.shift[1]
    }
}

/// Elements of a body, as indices of vertices in the mesh.
#[derive(Clone, Default)]
struct Shape {
    /// Triangles of a soft body.
    triangles: Vec<[usize; 3]>,
    /// Springs, drawn as lines.
    lines: Vec<[usize; 2]>,
    /// Edges at which the body collides.
    outline: Vec<[usize; 2]>,
    /// Thickness of the edges of a rod (m), or 0.
    thickness: f64,
    /// Closed curves around filled areas, for bodies without elements.
    regions: Vec<Vec<usize>>,
    /// Circles, by center and rim.
    disks: Vec<DiskShape>,
    /// Vertices at which the body collides.
    points: Vec<usize>,
    /// True for an obstacle.
    is_obstacle: bool,
}

/// Half-plane of the mesh, fixed or moving.
struct Plane {
    /// Origin and normal of the half-plane.
    half_plane: HalfPlane,
    /// True if the half-plane moves or turns.
    moves: bool,
}

/// Values of all elements, shown by colours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coloring<'a> {
    /// One value per triangle of the mesh.
    pub(crate) triangles: &'a [f64],
    /// One value per spring of the mesh.
    pub(crate) springs: &'a [f64],
    /// One value per body, used for bodies without triangles and springs; bodies beyond the end of
    /// the list are grey.
    pub(crate) bodies: &'a [f64],
    /// One value per vertex, used for bodies of triangles instead of those of the triangles; may be
    /// empty.
    pub(crate) vertices: &'a [f64],
    /// Name, unit and range of the values.
    pub(crate) scale: ColorScale<'a>,
}

/// What a picture shows beside the bodies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shown<'a> {
    /// Values of the elements; none if colours show bodies.
    pub(crate) coloring: Option<Coloring<'a>>,
    /// Symbols of loads, supports and joints.
    pub(crate) diagram: Option<&'a Diagram>,
    /// Arrows of forces.
    pub(crate) forces: Option<&'a ForceArrows>,
    /// Paths of points up to this moment.
    pub(crate) traces: &'a [Trace],
    /// Part of the world that this picture shows (m), if it is not that of all pictures.
    pub(crate) view: Option<Aabb>,
}

impl Painter {
    /// Painter of the mesh's states in the world rectangle `view` (m). `moves` is true for the
    /// vertex at a half-plane's origin if it moves.
    pub(crate) fn new(
        mesh: &MeshFile,
        moves: impl Fn(usize) -> bool,
        view: Aabb,
        style: Style,
        title: &str,
    ) -> Self {
        let mut planes = Vec::with_capacity(mesh.planes.len());
        for plane in &mesh.planes {
            planes.push(Plane {
                half_plane: plane.half_plane(),
                moves: moves(plane.origin_vertex),
            });
        }

        Self {
            vertices: mesh.vertices_rest.len(),
            bodies: shapes(mesh),
            planes,
            has_axis: mesh.axisymmetric,
            cell: CellSides::of(mesh),
            home: HomeCell::of(mesh),
            view,
            style,
            title: title.to_owned(),
            own: Vec::new(),
            more: Vec::new(),
        }
    }

    /// Painter that draws the cell of a mesh that repeats as often along both periods; one that does not
    /// repeat stays.
    ///
    /// The view grows by the periods at rest.
    pub(crate) fn repeated(mut self, mesh: &MeshFile, (columns, rows): (u32, u32)) -> Self {
        let Some(periodic) = &mesh.periodic else {
            return self;
        };
        let times = [(columns, 0), (rows, 1)].map(
            |(count, axis): (u32, usize)| {
                if periodic.repeats[axis] { count } else { 1 }
            },
        );
        // Each further cell has the shapes of all bodies, with the numbers of its vertices.
        let first_image = mesh.first_image();
        let count = self.bodies.len();

        // Neighbours that the mesh has are left out.
        for body in &mut self.bodies {
            *body = body.at_home(first_image);
        }
        for (j, i) in (0..times[1]).flat_map(|j| (0..times[0]).map(move |i| (j, i))) {
            if [i, j] == [0, 0] {
                continue;
            }
            self.more.push(RepeatedCell {
                periods: periodic.vertices,
                shift: [f64::from(i), f64::from(j)],
            });
            let by = self.more.len() * self.vertices;
            for body in 0..count {
                let shape = self.bodies[body].clone().shifted(by);
                self.bodies.push(shape);
            }
        }

        let rest = periodic
            .vertices
            .map(|vertex| Vec2::from(mesh.vertices_rest[vertex]));
        let most = rest[0] * f64::from(times[0] - 1) + rest[1] * f64::from(times[1] - 1);
        self.view.max += most;
        self
    }

    /// Positions (m) where vertices at `x` (m) are drawn: bodies of a scene that repeats in the cell at home.
    pub(crate) fn drawn<'a>(&self, x: &'a [Vec2]) -> Cow<'a, [Vec2]> {
        match &self.home {
            Some(home) if x.len() >= self.vertices => home.drawn(&x[..self.vertices]).0,
            _ => Cow::Borrowed(x),
        }
    }

    /// Positions (m) of all vertices of all cells that are drawn, from those at home.
    fn positions<'a>(&self, x: &'a [Vec2]) -> Cow<'a, [Vec2]> {
        if self.more.is_empty() {
            return Cow::Borrowed(x);
        }
        let mut all = x.to_vec();
        for cell in &self.more {
            let way = cell.way(x);
            all.extend(x.iter().map(|x| x + way));
        }
        Cow::Owned(all)
    }

    /// Number of bodies at home.
    fn count(&self) -> usize {
        self.bodies.len() / (1 + self.more.len())
    }

    /// Painter that draws body `index` in a colour of its own.
    pub(crate) fn colored(mut self, index: usize, color: Rgb) -> Self {
        self.own.resize(self.count(), None);
        if let Some(own) = self.own.get_mut(index) {
            *own = Some(color);
        }
        self
    }

    /// Painter that draws all bodies in light grey, under lines of forces.
    pub(crate) fn greyed(self) -> Self {
        (0..self.count()).fold(self, |painter, body| painter.colored(body, GREY))
    }

    /// Size of lines over their size in a picture of 1280 x 720 pixels (1).
    pub(crate) fn unit(&self) -> f64 {
        self.style.unit
    }

    /// Corner for a legend of forces that hides the fewest vertices, edges and circles of bodies, of
    /// some states with their views (m).
    pub(crate) fn free_corner(&self, states: &[(Vec<Vec2>, Aabb)]) -> Corner {
        let letters = self.style.unit.max(LETTERS);
        let picture = Vec2::new(f64::from(self.style.width), f64::from(self.style.height));
        let box_size = LEGEND * letters;
        let boxes = Corner::ALL.map(|corner| {
            let min = corner.place(picture, box_size, letters);
            Aabb {
                min,
                max: min + box_size,
            }
        });

        // Number of places of bodies under the legend in each corner.
        let mut hidden = [0_usize; 4];
        for (x, view) in states {
            let view = View::fit(view, self.style.width, self.style.height);
            let x = self.drawn(x);
            for pixel in self.samples(&x).map(|place| view.pixel(place)) {
                for (count, area) in hidden.iter_mut().zip(&boxes) {
                    *count += usize::from(area.contains(pixel));
                }
            }
        }
        let least = hidden.iter().enumerate().min_by_key(|(_, count)| **count);
        least.map_or(Corner::default(), |(k, _)| Corner::ALL[k])
    }

    /// Places (m) that bodies other than half-planes take up with vertices at `x` (m): points along
    /// edges and around circles, and the middles of triangles.
    fn samples<'a>(&'a self, x: &'a [Vec2]) -> impl Iterator<Item = Vec2> + 'a {
        self.bodies.iter().take(self.count()).flat_map(move |body| {
            let edges = body
                .outline
                .iter()
                .chain(&body.lines)
                .flat_map(move |[a, b]| {
                    (0..=16).map(move |k| x[*a] + (x[*b] - x[*a]) * (f64::from(k) / 16.0))
                });
            // Circles have no edges, and triangles fill what their edges enclose.
            let middles = body.triangles.iter();
            let middles = middles.map(move |t| t.iter().map(|&i| x[i]).sum::<Vec2>() / 3.0);
            let rims = body.disks.iter().flat_map(move |disk| {
                (0..16).flat_map(move |k| {
                    let (sin, cos) = (TAU * f64::from(k) / 16.0).sin_cos();
                    let way = Vec2::new(cos, sin) * disk.radius;
                    [x[disk.center] + way, x[disk.center] + way * 0.5]
                })
            });
            edges.chain(middles).chain(rims)
        })
    }

    /// Painter of smaller pictures of the same kind, of this size (pixels).
    pub(crate) fn resized(mut self, width: u32, height: u32) -> Self {
        self.style = Style {
            time_decimals: self.style.time_decimals,
            labels: self.style.labels && width.min(height) >= 120,
            transparent: self.style.transparent,
            ..Style::of_size(width, height)
        };
        self
    }

    /// Scale of the pictures (pixels/m).
    pub(crate) fn scale(&self) -> f64 {
        View::fit(&self.view, self.style.width, self.style.height).scale()
    }

    /// Part of the world that pictures show (m), unless one has its own.
    pub(crate) fn view(&self) -> Aabb {
        self.view
    }

    /// Width and height of the pictures (pixels).
    pub(crate) fn size(&self) -> (u32, u32) {
        (self.style.width, self.style.height)
    }

    /// Picture of the positions `x` (m) at `time` (s) after `step` steps.
    ///
    /// # Errors
    /// [`PictureError`] if it cannot be drawn.
    pub(crate) fn paint(
        &self,
        x: &[Vec2],
        time: f64,
        step: usize,
        shown: Shown,
    ) -> Result<Pixmap, PictureError> {
        let Shown {
            coloring,
            diagram,
            forces,
            traces,
            view,
        } = shown;

        // Bodies in their colours, and half-planes where they are now.
        let x = &x[..self.vertices.min(x.len())];
        let home = self.home.as_ref();
        let moved = home.and_then(|home| home.arrows(x, forces?));
        let x = &*self.drawn(x);
        let positions = self.positions(x);
        let mut values = coloring.map_or(Vec::new(), |coloring| self.values(&coloring));
        let mut nodes = coloring.map_or(Vec::new(), |coloring| coloring.vertices.to_vec());
        nodes.truncate(x.len());
        // The same values in all cells.
        let [at_home, of_home] = [values.clone(), vec![nodes.clone()]];
        for _ in &self.more {
            values.extend_from_slice(&at_home);
            nodes.extend(of_home.iter().flatten());
        }
        let mut planes = Vec::with_capacity(self.planes.len());
        for plane in &self.planes {
            planes.push(PlaneShape {
                origin: x[plane.half_plane.origin],
                normal: plane.half_plane.normal_at(x),
                moving: plane.moves,
            });
        }

        let frame = Frame {
            positions: &positions,
            bodies: self.body_shapes(&values, &nodes),
            planes,
            has_axis: self.has_axis,
            cell: self.cell.map_or_else(Vec::new, |cell| cell.at(x)),
            time,
            step,
            title: &self.title,
            scale: coloring.map(|coloring| coloring.scale),
            extremes: coloring.and_then(|coloring| self.extremes(&coloring, &values, x)),
            diagram,
            forces: moved.as_ref().or(forces),
            traces,
        };
        draw(&frame, &view.unwrap_or(self.view), &self.style)
    }

    /// Picture with a circle around each place (m), and its label beside it.
    ///
    /// # Errors
    /// [`PictureError`] if it cannot be drawn.
    pub(crate) fn mark(
        &self,
        picture: Pixmap,
        places: &[(String, Vec2)],
    ) -> Result<Pixmap, PictureError> {
        let view = View::fit(&self.view, self.style.width, self.style.height);
        let pixels: Vec<(String, Vec2)> = places
            .iter()
            .map(|(label, place)| (label.clone(), view.pixel(*place)))
            .collect();
        marks::draw(picture, &pixels)
    }

    /// All bodies in their colours, obstacles first, so that they hide no body that touches them.
    ///
    /// Body `i` is filled by `values[i]`, or by the values of its `vertices` if it has triangles and there
    /// are any, or by the colour of its number if there are no values. Obstacles are grey. A colour of
    /// its own comes before that of a number and before grey.
    fn body_shapes<'a>(
        &'a self,
        values: &'a [Vec<f64>],
        vertices: &'a [f64],
    ) -> Vec<BodyShape<'a>> {
        let mut shown = Vec::with_capacity(self.bodies.len());
        for are_obstacles in [true, false] {
            for (index, body) in self.bodies.iter().enumerate() {
                if body.is_obstacle == are_obstacles {
                    let body_index = index % self.count();
                    let own = self.own.get(body_index).copied().flatten();
                    let is_smooth = !vertices.is_empty() && !body.triangles.is_empty();
                    shown.push(body.with(match (values.get(index), own) {
                        (_, Some(color)) if body.is_obstacle => Fill::Own(color),
                        _ if body.is_obstacle => Fill::Obstacle,
                        (Some(_), _) if is_smooth => Fill::Nodes(vertices),
                        (Some(values), _) => Fill::Values(values),
                        (None, Some(color)) => Fill::Own(color),
                        (None, None) => Fill::Body(body_index),
                    }));
                }
            }
        }
        shown
    }

    /// Least and largest finite value of a picture with vertices at `x` (m), and the place of the
    /// largest; `values` are those of each body.
    fn extremes(&self, coloring: &Coloring, values: &[Vec<f64>], x: &[Vec2]) -> Option<Extremes> {
        let mut found: Option<Extremes> = None;
        let mut add = |value: f64, at: Vec2| {
            if !value.is_finite() {
                return;
            }
            let one = Extremes {
                least: value,
                largest: value,
                at,
            };
            let all = found.get_or_insert(one);
            all.least = all.least.min(value);
            if value > all.largest {
                all.largest = value;
                all.at = at;
            }
        };

        let is_smooth = !coloring.vertices.is_empty();
        let home = self.bodies.iter().take(self.count());
        for (body, values) in home.zip(values) {
            if body.is_obstacle {
                continue;
            }
            let corners = body.triangles.iter().flatten();
            if is_smooth && !body.triangles.is_empty() {
                for &vertex in corners {
                    add(coloring.vertices[vertex], x[vertex]);
                }
                continue;
            }

            // Values of triangles, then of lines, or that of the whole body.
            let triangles = body
                .triangles
                .iter()
                .map(|t| t.map(|i| x[i]).iter().sum::<Vec2>() / 3.0);
            let lines = body.lines.iter().map(|l| (x[l[0]] + x[l[1]]) / 2.0);
            let whole = body.outline.first().map(|edge| x[edge[0]]);
            let places = triangles.chain(lines).chain(whole);
            for (&value, place) in values.iter().zip(places) {
                add(value, place);
            }
        }
        found
    }

    /// Values of each body: those of its triangles, then of its springs; without either, its own
    /// value.
    ///
    /// The lists of `coloring` have all triangles, all springs and all bodies of the mesh, in its
    /// order.
    fn values(&self, coloring: &Coloring) -> Vec<Vec<f64>> {
        // The mesh lists triangles and springs body by body, so lists of values are cut in order.
        let mut triangles = coloring.triangles.iter().copied();
        let mut springs = coloring.springs.iter().copied();
        let mut all = Vec::with_capacity(self.bodies.len());
        for (index, body) in self.bodies.iter().take(self.count()).enumerate() {
            let mut values = Vec::new();
            values.extend(triangles.by_ref().take(body.triangles.len()));
            values.extend(springs.by_ref().take(body.lines.len()));
            if body.triangles.is_empty() && body.lines.is_empty() {
                values.extend(coloring.bodies.get(index));
            }
            all.push(values);
        }
        all
    }
}

impl Shape {
    /// The shape without images, whose vertices have numbers from the first image on.
    fn at_home(&self, first_image: usize) -> Self {
        let disks = self.disks.iter().copied();
        let points = self.points.iter().copied();
        let regions = self.regions.iter();
        Self {
            triangles: self.triangles.clone(),
            lines: self.lines.clone(),
            outline: self
                .outline
                .iter()
                .copied()
                .filter(|edge| edge[0] < first_image)
                .collect(),
            thickness: self.thickness,
            regions: regions
                .filter(|curve| curve.iter().all(|&i| i < first_image))
                .cloned()
                .collect(),
            disks: disks.filter(|disk| disk.center < first_image).collect(),
            points: points.filter(|&i| i < first_image).collect(),
            is_obstacle: self.is_obstacle,
        }
    }

    /// The shape with other numbers of vertices.
    ///
    /// Each cell that is drawn has its own positions.
    fn shifted(mut self, by: usize) -> Self {
        let triangles = self.triangles.iter_mut().flatten();
        let lines = self.lines.iter_mut().flatten();
        let outline = self.outline.iter_mut().flatten();
        let regions = self.regions.iter_mut().flatten();
        let all = triangles.chain(lines).chain(outline).chain(regions);
        all.chain(&mut self.points).for_each(|i| *i += by);
        for disk in &mut self.disks {
            disk.center += by;
            disk.rim += by;
        }
        self
    }

    /// Elements of the body for a frame, filled as `fill` says.
    fn with<'a>(&'a self, fill: Fill<'a>) -> BodyShape<'a> {
        BodyShape {
            triangles: &self.triangles,
            lines: &self.lines,
            outline: &self.outline,
            thickness: self.thickness,
            regions: &self.regions,
            disks: &self.disks,
            points: &self.points,
            fill,
        }
    }
}

/// Elements of each body of a mesh, sorted by the body of their first vertex.
fn shapes(mesh: &MeshFile) -> Vec<Shape> {
    let mut shapes = Vec::with_capacity(mesh.bodies.len());
    for body in &mesh.bodies {
        shapes.push(Shape {
            is_obstacle: body.kind == BodyKind::Obstacle.name(),
            ..Shape::default()
        });
    }

    // Each element goes to the body of its first vertex.
    for &triangle in &mesh.triangles {
        shapes[mesh.body[triangle[0]]].triangles.push(triangle);
    }
    for &spring in &mesh.springs {
        shapes[mesh.body[spring[0]]].lines.push(spring);
    }
    for &edge in &mesh.edges {
        shapes[mesh.body[edge[0]]].outline.push(edge);
    }
    for disk in &mesh.disks {
        shapes[mesh.body[disk.center_vertex]].disks.push(DiskShape {
            center: disk.center_vertex,
            rim: disk.rim_vertex,
            radius: disk.radius,
        });
    }
    for rod in &mesh.rods {
        shapes[rod.body].thickness = rod.thickness;
    }
    for &point in &mesh.points {
        shapes[mesh.body[point]].points.push(point);
    }

    // Bodies that are filled, but have no elements, are areas within their outlines.
    for (shape, body) in shapes.iter_mut().zip(&mesh.bodies) {
        if body.filled && shape.triangles.is_empty() && shape.lines.is_empty() {
            shape.regions = curves(&shape.outline);
        }
    }
    shapes
}
