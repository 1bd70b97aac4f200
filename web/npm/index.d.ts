/** A scene: an object as in a file, or its text. */
export type Scene = string | Record<string, unknown>;

/** A body or obstacle. */
export interface Body {
  name: string;
  kind: string;
  /** Mass (kg), 0 of obstacles. */
  mass: number;
  obstacle: boolean;
  /** First vertex, and number of vertices. */
  first: number;
  count: number;
}

/** A body in the present state. */
export interface Motion extends Body {
  /** Centre of mass (m). */
  centre: [number, number];
  /** Angle (rad), NaN of bodies that deform. */
  angle: number;
  /** Velocity of the centre (m/s). */
  velocity: [number, number];
  /** Angular velocity (rad/s), NaN of bodies that deform. */
  spin: number;
}

/** What has been proved: steps, pairs, elements, and what was not, in words. */
export interface Proofs {
  steps: number;
  pairs: number;
  elements: number;
  breaches: string[];
}

/** Compiles the module once; `Simulation.create` does it by itself. */
export function load(source?: URL | string | ArrayBuffer | Uint8Array | WebAssembly.Module): Promise<WebAssembly.Module>;

/** A scene that cannot be used, or a step that cannot be made. */
export class IpcsimError extends Error {}

/** A simulation of a scene. */
export class Simulation {
  /** Builds the world of a scene. */
  static create(scene: Scene): Promise<Simulation>;
  readonly bodies: Body[];
  readonly mesh: { edges: Uint32Array; triangles: Uint32Array; body: Uint32Array };
  /** Time (s). */
  readonly time: number;
  readonly steps: number;
  /** Positions of all vertices (m): x and y in turn. */
  readonly positions: Float64Array;
  readonly proofs: Proofs;
  /** Makes steps; each is proved. */
  step(steps?: number): this;
  /** Place, angle and velocities of a body. */
  body(name: string): Motion;
  /** Sets parameters from the next step on, as in `changes` of a scene. */
  set(...parameters: Record<string, unknown>[]): this;
  /** Steps back to an earlier state, bit for bit. */
  back(step: number): this;
  /** The scene with all that was set, which `ipcsim run` repeats bit for bit. */
  scene(): Record<string, unknown>;
  /** A request of the live page's engine; the head of the reply with its arrays. */
  request(name: string, values?: Record<string, unknown>): Record<string, unknown>;
}

/** Shows the live page with a scene in an element of a page. */
export function live(host: Element, scene?: Scene): Promise<HTMLIFrameElement>;

/** The part of an address of the live page that has a scene in it. */
export function fragment(scene: Scene): Promise<string>;
