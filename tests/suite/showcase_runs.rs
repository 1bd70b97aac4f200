//! Long runs of the showcase scenes, to their ends.

use crate::showcase::{
    JOINT_PLAY, advance, angle, bodies, body, center, joints, points, show, top,
};
use crate::support::{Run, near, near_ratio};
use std::f64::consts::PI;

fn share(run: &Run, bodies: &[usize], is: impl Fn(f64) -> bool) -> f64 {
    bodies.iter().filter(|&&k| is(center(run, k).y)).count() as f64 / bodies.len() as f64
}

#[test]
#[ignore = "210 grains for 420 steps"]
fn grains_stay_in_the_hourglass_and_run_through_its_neck() {
    let mut run = show("hourglass", &[]);
    let grains = bodies(&run, "grain");
    advance(&mut run, 50);

    assert!(share(&run, &grains, |y| y < 0.0) == 1.0);

    // The turn is over at 1.7 s; hardly any has passed the neck by then.
    advance(&mut run, 120);
    assert!(share(&run, &grains, |y| y > 0.0) > 0.8);

    advance(&mut run, 250);
    assert!(share(&run, &grains, |y| y < -0.2) == 1.0);
    assert!(
        grains
            .iter()
            .all(|&k| center(&run, k).x.abs() < 0.42 && center(&run, k).y > -0.841)
    );
}

#[test]
#[ignore = "500 steps with many contacts"]
fn the_ball_that_is_let_go_brings_the_house_of_cards_down() {
    let mut run = show("house_of_cards", &[]);
    let ball = body(&run, "ball");
    let cards = bodies(&run, "card");
    let start = center(&run, ball);
    let height = top(&run, &cards);
    advance(&mut run, 150);

    assert_eq!(center(&run, ball), start);
    advance(&mut run, 350);
    assert!(
        height > 2.7 && top(&run, &cards) < 0.6,
        "{height} {}",
        top(&run, &cards)
    );
}

#[test]
#[ignore = "600 steps with many contacts"]
fn the_chain_holds_when_its_ball_breaks_the_wall() {
    let mut run = show("chain", &[]);
    let bricks = bodies(&run, "brick");
    let height = top(&run, &bricks);

    for _ in 0..60 {
        advance(&mut run, 10);
        let (loosest, longest) = joints(&run);
        assert!(
            loosest < JOINT_PLAY && longest < 0.26 + JOINT_PLAY,
            "{loosest} {longest}"
        );
    }

    // Two of the six rows are gone. Where the last bricks come to rest is chaotic: a gravity that
    // differs in its tenth digit gives 0.8 to 1.2 m.
    let row = 0.302;
    let fell = height - top(&run, &bricks);
    assert!(fell > 2.0 * row, "{fell}");
}

#[test]
#[ignore = "560 steps of many edges"]
fn the_lift_goes_up_nine_teeth_sheds_its_balls_and_returns() {
    let mut run = show("gears", &[]);
    let lift = body(&run, "lift");
    let balls = bodies(&run, "ball");
    let ledge = points(&run, body(&run, "ledge"))[0].x;
    let start = center(&run, lift).y;

    assert!(balls.iter().all(|&k| run.centre(k).x < ledge));
    advance(&mut run, 400);
    let rise = center(&run, lift).y - start;
    let play = 4.0 * 0.05 * 0.04 * PI;

    near(rise, 9.0 * 0.04 * PI, play);
    advance(&mut run, 160);
    near(center(&run, lift).y, start, play);
    assert!(balls.iter().all(|&k| run.centre(k).x > ledge));
}

#[test]
#[ignore = "500 steps of many edges"]
fn planets_have_gone_round_by_the_share_of_teeth_in_the_end() {
    let mut run = show("planetary", &[]);
    let sun = body(&run, "sun");
    let planet = body(&run, "planet 1");
    advance(&mut run, 500);
    let place = center(&run, planet);
    let gone = (place.y.atan2(place.x) - PI / 4.0).rem_euclid(2.0 * PI);

    near(angle(&run, sun), 5.0 * PI, 1e-12);
    near(gone, 5.0 * PI * 16.0 / 56.0, 0.06 * 0.05 * PI / 0.7);
}

#[test]
#[ignore = "600 steps of soft bodies"]
fn the_mixer_lifts_all_that_is_in_it() {
    let mut run = show("mixer", &[]);
    let drum = body(&run, "drum");
    let mut highest = vec![f64::NEG_INFINITY; drum];

    // At the start some are high in the air.
    advance(&mut run, 60);
    for _ in 0..540 {
        advance(&mut run, 1);
        for (k, highest) in highest.iter_mut().enumerate() {
            *highest = highest.max(run.centre(k).y);
            assert!(
                points(&run, k).iter().all(|x| x.norm() < 1.0),
                "step {}",
                run.state().step
            );
        }
    }

    assert!(highest.iter().all(|&y| y > -0.2), "{highest:?}");
}

#[test]
#[ignore = "480 steps of a soft body"]
fn the_gripper_carries_its_ball_by_friction_and_drops_it_into_the_box() {
    let mut run = show("gripper", &[]);
    let ball = body(&run, "ball");
    advance(&mut run, 190);

    assert!(run.centre(ball).y > 1.0);
    advance(&mut run, 290);
    let place = run.centre(ball);

    assert!((place.x - 0.95).abs() < 0.2 && place.y < 0.8, "{place}");

    // Between smooth jaws it stays on the ground.
    let mut slippery = show("gripper", &["contact.friction.default=0"]);
    advance(&mut slippery, 190);
    assert!(slippery.centre(ball).y < 0.6, "{}", slippery.centre(ball));
}

#[test]
fn the_walker_walks_upright_at_the_speed_of_its_crank() {
    let mut run = show("walker", &[]);
    let [carriage, crank] = ["carriage", "crank"].map(|name| body(&run, name));
    let start = center(&run, carriage);
    advance(&mut run, 400);

    // Two turns further it has walked two strides, and all that time it was level.
    let before = [center(&run, carriage).x, angle(&run, crank)];
    let [mut lowest, mut highest, mut most] = [f64::INFINITY, 0.0_f64, 0.0_f64];
    for _ in 0..1000 {
        advance(&mut run, 1);
        lowest = lowest.min(center(&run, carriage).y);
        highest = highest.max(center(&run, carriage).y);
        most = most.max(angle(&run, carriage).abs().to_degrees());
    }
    let way = center(&run, carriage).x - before[0];
    let turns = (before[1] - angle(&run, crank)) / (2.0 * PI);
    let stride = way / turns;
    assert!((1.3..1.5).contains(&stride), "{stride} m in a turn");
    assert!(
        highest - lowest < 0.004 && most < 0.5,
        "{lowest} {highest} {most}"
    );
    near(start.y, lowest, 0.01);
}

#[test]
fn the_car_crosses_its_bumps_and_keeps_its_crate() {
    let mut run = show("car", &[]);
    let [car, crate_, wheel] = ["car", "crate", "rear wheel"].map(|name| body(&run, name));
    let start = center(&run, crate_) - center(&run, car);
    advance(&mut run, 1200);
    assert!(center(&run, car).x > 10.0, "{}", center(&run, car));
    assert!(angle(&run, car).abs() < 0.1);
    let moved = center(&run, crate_) - center(&run, car) - start;
    assert!(moved.norm() < 0.3, "{moved}");

    // The rear wheel rolls: its way is that of its rim, up to slip and the ways over the bumps.
    let rolled = -angle(&run, wheel) * 0.34;
    let way = center(&run, wheel).x + 1.2;
    near_ratio(rolled, way, 0.05);
}
