// Reads `trajectory.npy` and tables by their formats, and not by the program's own readers.

import { readFileSync } from "node:fs";

/** Positions of all entries: `at(entry, vertex)` is a place (m). */
export function trajectory(path) {
  const bytes = readFileSync(path);
  const start = 10 + bytes.readUInt16LE(8);
  const [entries, vertices] = bytes.toString("latin1", 10, start).match(/\((\d+), *(\d+), *2,? *\)/).slice(1).map(Number);
  const at = (entry, vertex) => [0, 1].map((axis) => bytes.readDoubleLE(start + 8 * (2 * (entry * vertices + vertex) + axis)));
  return { entries, vertices, at };
}

/** A table with a line of names, as a list of rows with numbers by name. */
export function table(path) {
  const [head, ...lines] = readFileSync(path, "utf8").trim().split("\n");
  const names = head.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((field, k) => [names[k], field === "" ? NaN : Number(field)])));
}
