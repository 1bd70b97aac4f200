// Numbers as text: few digits, and prefixes of units where these make them shorter.

/** Prefixes of units by powers of 1000. */
const PREFIXES = { "-3": "n", "-2": "µ", "-1": "m", 0: "", 1: "k", 2: "M", 3: "G", 4: "T" };

/** A number with `digits` significant digits, without zeros at the end. */
export function short(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return `${Number(mantissa)}e${Number(exponent)}`.replace("-", "−").replace("e-", "e−");
  }
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

/** Power of 1000 whose prefix suits a value with a unit; 0 for units that take none. */
function powerOf(value, unit) {
  const isPlain = !["m", "Pa", "N", "J", "N m", "m/s"].includes(unit);
  if (isPlain || value === 0 || !Number.isFinite(value)) return 0;
  return Math.min(4, Math.max(-3, Math.floor(Math.log10(Math.abs(value)) / 3 + 1e-9)));
}

/** A unit with the prefix that suits a value, and what to divide by. */
export function prefixed(value, unit) {
  const power = powerOf(value, unit);
  return { unit: `${PREFIXES[power]}${unit}`, divisor: 1000 ** power };
}

/** A number with its unit, the unit with a prefix: `12.3 kPa`. Units other than these stay plain. */
export function withUnit(value, unit, digits = 3) {
  if (!Number.isFinite(value)) return "–";
  const power = powerOf(value, unit);
  if (power === 0) return `${short(value, digits)} ${unit}`.trim();
  const scaled = Number((value / 1000 ** power).toPrecision(digits));
  return `${String(scaled).replace("-", "−")} ${PREFIXES[power]}${unit}`;
}

/** A time with as many decimals as tell steps of `step` seconds apart. */
export function timeText(time, step) {
  const digits = step > 0 ? Math.min(9, Math.max(2, Math.ceil(-Math.log10(step) - 1e-9))) : 2;
  return time.toFixed(digits);
}

/** A round number at or below `value`: 1, 2 or 5 times a power of 10. */
export function roundBelow(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = value / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

/** Round values from `min` to `max`, at most about `count` of them, as pictures have them. */
export function roundTicks(min, max, count = 4) {
  const span = max - min;
  if (!(span > 0) || !Number.isFinite(span)) return [min];
  const power = 10 ** Math.floor(Math.log10(span / count));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((each) => span / each <= count * (1 + 1e-9));
  const ticks = [];
  for (let k = Math.ceil(min / step - 1e-9); k * step <= max + 1e-9 * span; k++) ticks.push(Number((k * step).toPrecision(12)));
  return ticks;
}
