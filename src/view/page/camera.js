// The part of the plane that a tile shows: its middle (m) and its scale (pixels per metre).

/** View of a tile. Pixels are those of style sheets, from the upper left corner of the tile. */
export class Camera {
  constructor() {
    this.x = 0;
    this.y = 0;
    this.scale = 1;
    this.width = 1;
    this.height = 1;
  }

  /** Shows a box (m) with corners `[min, max]`, and nothing else along one of the sides. */
  fit([min, max]) {
    const wide = Math.max(max[0] - min[0], 1e-12);
    const high = Math.max(max[1] - min[1], 1e-12);
    this.scale = Math.min(this.width / wide, this.height / high);
    this.x = (min[0] + max[0]) / 2;
    this.y = (min[1] + max[1]) / 2;
  }

  /** Size of the tile; its middle stays, and what fits in it. */
  resize(width, height) {
    const before = Math.min(this.width, this.height);
    if (before > 1) this.scale *= Math.min(width, height) / before;
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
  }

  /** Pixel of a place (m). */
  pixel([x, y]) {
    return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 - (y - this.y) * this.scale];
  }

  /** Place (m) of a pixel. */
  place([px, py]) {
    return [this.x + (px - this.width / 2) / this.scale, this.y - (py - this.height / 2) / this.scale];
  }

  /** Zooms in by `factor`; the place at a pixel stays there. */
  zoom(factor, pixel = [this.width / 2, this.height / 2]) {
    const [x, y] = this.place(pixel);
    this.scale = Math.min(1e12, Math.max(1e-9, this.scale * factor));
    const [nextX, nextY] = this.place(pixel);
    this.x += x - nextX;
    this.y += y - nextY;
  }

  /** Moves the picture by pixels. */
  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
  }
}
