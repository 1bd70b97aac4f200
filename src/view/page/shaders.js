// Programs of the graphics card. Positions are read from a texture of grid points, so that a new
// state needs one small texture and no other change.

/** Where a vertex is: pixels from the middle of the tile, upwards. Differences of whole numbers are
 * exact, so that nothing trembles when one zooms in far. */
const PLACES = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D uPositions;
uniform int uWidth;
uniform ivec2 uCell;
uniform vec2 uFraction;
uniform float uPixels;
uniform vec2 uHalf;

vec2 place(uint vertex) {
  ivec2 texel = ivec2(int(vertex) % uWidth, int(vertex) / uWidth);
  ivec2 point = ivec2(texelFetch(uPositions, texel, 0).xy);
  return (vec2(point - uCell) - uFraction) * uPixels;
}

vec4 clip(vec2 pixel) {
  return vec4(pixel / uHalf, 0.0, 1.0);
}
`;

/** Values of a field as fractions of the range; -1 stands for a missing value.
 * Modes: 0 bodies, 1 at vertices, 2 at triangles, 3 at vertices of outlines. */
const VALUES = `
uniform usampler2D uValues;
uniform sampler2D uBodies;
uniform int uValueWidth;
uniform int uMode;
uniform float uLargest;
uniform vec2 uRange;
uniform vec4 uGrey;

float fraction(int element) {
  ivec2 texel = ivec2(element % uValueWidth, element / uValueWidth);
  uint level = texelFetch(uValues, texel, 0).x;
  if (level == 255u) return -1.0;
  float share = float(level) / 254.0;
  return clamp((uLargest * share * share - uRange.x) / (uRange.y - uRange.x), 0.0, 1.0);
}

// Colour of a body, grey below lines of forces; its last part is 0 for obstacles, which show no values.
vec4 colourOf(uint body) {
  vec4 own = texelFetch(uBodies, ivec2(int(body) % 1024, int(body) / 1024), 0);
  return vec4(mix(own.rgb, uGrey.rgb, uGrey.a), own.a);
}
`;

/** Colours of a theme, and of values. */
const TONES = `#version 300 es
precision highp float;
precision highp int;
uniform sampler2D uScale;
uniform vec4 uTint;
uniform vec4 uShade;
uniform vec3 uInk;
uniform vec3 uMissing;
uniform int uMode;

vec3 tint(vec3 colour) { return mix(colour, uTint.rgb, uTint.a); }
vec3 shade(vec3 colour) { return mix(colour, uShade.rgb, uShade.a); }
vec3 ofValue(float fraction) {
  return texture(uScale, vec2((fraction * 63.0 + 0.5) / 64.0, 0.5)).rgb;
}
`;

/** Triangles, with fine lines along their sides where these are elements. */
export const FACES = [
  `${PLACES}${VALUES}
in uint aVertex;
in uint aBody;
uniform ivec2 uElements;
uniform int uVertices;
flat out vec4 vColour;
out vec2 vValue;
out vec3 vCorner;
flat out float vElement;

void main() {
  gl_Position = clip(place(aVertex));
  int face = gl_VertexID / 3;
  int corner = gl_VertexID % 3;
  bool element = face >= uElements.x && face < uElements.y;
  vElement = element ? 1.0 : 0.0;
  vCorner = vec3(corner == 0, corner == 1, corner == 2);
  vColour = colourOf(aBody);
  // Bodies that move as a whole have one value, behind those of all vertices.
  float value = uMode == 1 ? fraction(element ? int(aVertex) : uVertices + int(aBody))
    : uMode == 2 && element ? fraction(face - uElements.x) : -1.0;
  vValue = vec2(max(value, 0.0), value < 0.0);
}`,
  `${TONES}
uniform float uMesh;
flat in vec4 vColour;
in vec2 vValue;
in vec3 vCorner;
flat in float vElement;
out vec4 colour;

void main() {
  bool plain = uMode == 0 || vColour.a < 0.5;
  vec3 area = plain ? tint(vColour.rgb) : vValue.y > 0.001 ? uMissing : ofValue(vValue.x);

  // Lines fade where triangles are only a few pixels large.
  vec3 across = fwidth(vCorner);
  float line = 1.0 - min(min(smoothstep(0.0, across.x, vCorner.x), smoothstep(0.0, across.y, vCorner.y)),
    smoothstep(0.0, across.z, vCorner.z));
  float pixels = 1.0 / max(max(across.x, across.y), across.z);
  float strength = uMesh * vElement * smoothstep(5.0, 22.0, pixels);
  colour = vec4(mix(area, plain ? vColour.rgb : uInk, strength * line), 1.0);
}`,
];

/** Edges and springs as lines with round ends. A size above 0 is that of the body (m), by which the
 * line gets thin; below 0 it is the width of the line (pixels). */
export const LINES = [
  `${PLACES}${VALUES}
in uvec2 aEnds;
in uint aBody;
in float aSize;
uniform float uRatio;
uniform float uScalePixels;
uniform int uSelected;
flat out vec4 vColour;
flat out float vHalf;
flat out float vLength;
flat out float vLine;
flat out float vSelected;
out vec2 vAt;
out vec2 vValue;

void main() {
  vec2 a = place(aEnds.x);
  vec2 b = place(aEnds.y);
  float thickest = uMode == 1 || uMode == 2 ? 1.2 : 2.0;
  float width = aSize < 0.0 ? -aSize : clamp(0.1 * aSize * uScalePixels, 0.7, thickest);
  bool chosen = int(aBody) == uSelected;
  // Pressed outlines are thicker, so that a single pressed edge is seen.
  float pressed = uMode == 3 ? max(max(fraction(int(aEnds.x)), fraction(int(aEnds.y))), 0.0) : 0.0;
  width += 6.0 * sqrt(pressed);
  if (chosen) width += 1.5;
  vHalf = 0.5 * width * uRatio;
  vLength = length(b - a);
  vec2 along = vLength > 0.0 ? (b - a) / vLength : vec2(1.0, 0.0);
  float end = float(gl_VertexID / 2);
  float side = float(gl_VertexID % 2) * 2.0 - 1.0;
  float reach = vHalf + 1.0;
  vAt = vec2(mix(-reach, vLength + reach, end), side * reach);
  gl_Position = clip(a + along * vAt.x + vec2(-along.y, along.x) * vAt.y);

  vColour = colourOf(aBody);
  vLine = aSize < 0.0 ? 1.0 : 0.0;
  vSelected = chosen ? 1.0 : 0.0;
  float value = uMode == 1 || uMode == 3 ? fraction(int(end < 0.5 ? aEnds.x : aEnds.y)) : -1.0;
  vValue = vec2(max(value, 0.0), value < 0.0);
}`,
  `${TONES}
uniform vec3 uAccent;
flat in vec4 vColour;
flat in float vHalf;
flat in float vLength;
flat in float vLine;
flat in float vSelected;
in vec2 vAt;
in vec2 vValue;
out vec4 colour;

void main() {
  float distance = length(vec2(vAt.x - clamp(vAt.x, 0.0, vLength), vAt.y));
  float cover = clamp(vHalf - distance + 0.5, 0.0, 1.0);
  bool plain = uMode == 0 || vColour.a < 0.5;
  bool valued = !plain && vValue.y < 0.001 && (uMode == 3 ? vValue.x > 0.002 : vLine > 0.5);
  vec3 line = valued ? ofValue(vValue.x)
    : plain ? (vLine > 0.5 && vColour.a > 0.5 ? vColour.rgb : shade(vColour.rgb))
    : vLine > 0.5 && uMode != 3 ? uMissing : mix(uInk, uMissing, uMode == 3 ? 0.5 : 0.0);
  colour = vec4(vSelected > 0.5 && !valued ? uAccent : line, cover);
}`,
];

/** Circles with a spoke, and points. A radius below 0 is one in pixels. */
export const DISKS = [
  `${PLACES}${VALUES}
in uvec2 aEnds;
in uint aBody;
in float aRadius;
uniform float uRatio;
uniform float uScalePixels;
uniform int uSelected;
flat out vec4 vColour;
flat out float vValue;
flat out float vRadius;
flat out vec2 vSpoke;
flat out float vWidth;
flat out float vSelected;
out vec2 vAt;

void main() {
  vec2 centre = place(aEnds.x);
  vRadius = aRadius < 0.0 ? -aRadius * uRatio : aRadius * uScalePixels * uRatio;
  vSpoke = aEnds.x == aEnds.y ? vec2(0.0) : normalize(place(aEnds.y) - centre);
  vSelected = int(aBody) == uSelected ? 1.0 : 0.0;
  vWidth = (clamp(0.2 * vRadius / uRatio, 0.8, 2.0) + 1.5 * vSelected) * uRatio;
  vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0;
  vAt = corner * (vRadius + vWidth + 1.0);
  gl_Position = clip(centre + vAt);
  vColour = colourOf(aBody);
  vValue = uMode == 1 ? fraction(int(aEnds.x)) : -1.0;
}`,
  `${TONES}
uniform vec3 uAccent;
flat in vec4 vColour;
flat in float vValue;
flat in float vRadius;
flat in vec2 vSpoke;
flat in float vWidth;
flat in float vSelected;
in vec2 vAt;
out vec4 colour;

void main() {
  float away = length(vAt);
  float cover = clamp(vRadius - away + 0.5, 0.0, 1.0);
  bool plain = uMode == 0 || vColour.a < 0.5;
  bool point = dot(vSpoke, vSpoke) == 0.0;
  vec3 area = plain ? (point ? vColour.rgb : tint(vColour.rgb)) : vValue < 0.0 ? uMissing : ofValue(vValue);
  vec3 line = vSelected > 0.5 ? uAccent : plain ? shade(vColour.rgb) : uInk;

  // The rim lies within the circle, and the spoke ends there.
  float rim = clamp(away - (vRadius - vWidth) + 0.5, 0.0, 1.0);
  float ahead = dot(vAt, vSpoke);
  float beside = abs(vAt.x * vSpoke.y - vAt.y * vSpoke.x);
  float spoke = ahead > 0.0 ? clamp(0.5 * vWidth - beside + 0.5, 0.0, 1.0) : 0.0;
  colour = vec4(mix(area, line, point ? 0.0 : max(rim, spoke)), cover);
}`,
];

/** The solid side of a half-plane, with a line and hatches. */
export const PLANES = [
  `#version 300 es
void main() {
  vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0;
  gl_Position = vec4(corner, 0.0, 1.0);
}`,
  `#version 300 es
precision highp float;
uniform vec2 uMiddle;
uniform vec2 uOrigin;
uniform vec2 uNormal;
uniform float uRatio;
uniform vec3 uFill;
uniform vec3 uLine;
out vec4 colour;

void main() {
  vec2 at = gl_FragCoord.xy - uMiddle - uOrigin;
  float depth = -dot(uNormal, at) / uRatio;
  float along = dot(vec2(-uNormal.y, uNormal.x), at) / uRatio;
  float inside = clamp(depth * uRatio + 0.5, 0.0, 1.0);
  if (inside <= 0.0) discard;

  // Hatches run into the wall at 45 degrees, 13 pixels from each other.
  float from = mod(along - depth + 6.5, 13.0) - 6.5;
  float hatch = clamp(0.6 - abs(from) * 0.7071 + 0.5, 0.0, 1.0) * clamp(8.5 - depth, 0.0, 1.0) * 0.7;
  float line = clamp(2.0 - depth + 0.5, 0.0, 1.0);
  colour = vec4(mix(uFill, uLine, max(hatch, line)), inside);
}`,
];

/** Arrows and marks, whose places and sizes are pixels from the middle of the tile, upwards. */
export const ARROWS = [
  `#version 300 es
precision highp float;
in vec2 aAt;
in vec2 aWay;
in vec3 aColour;
in vec2 aStyle;
uniform vec2 uHalf;
uniform float uRatio;
flat out vec3 vColour;
flat out vec2 vStyle;
out vec2 vAt;

// Style: width of the shaft and length of the head; without a way the width is that of a dot.
void main() {
  float reach = length(aWay);
  vec2 along = reach > 0.0 ? aWay / reach : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  float head = min(aStyle.y, 0.6 * reach);
  float half_ = 0.5 * aStyle.x;
  int k = gl_VertexID;
  vec2 p;
  if (reach == 0.0) {
    p = k < 6 ? vec2(k == 1 || k == 2 || k == 4, k == 2 || k == 4 || k == 5) * 2.0 - 1.0 : vec2(0.0);
    p *= half_ + 1.0;
  } else if (k < 6) {
    bool far = k == 1 || k == 2 || k == 4;
    bool up = k == 2 || k == 4 || k == 5;
    p = vec2(far ? reach - head : 0.0, up ? half_ : -half_);
  } else {
    p = k == 6 ? vec2(reach, 0.0) : vec2(reach - head, (k == 7 ? 0.5 : -0.5) * head);
  }
  vAt = p;
  vStyle = vec2(reach == 0.0 ? half_ : -1.0, uRatio);
  vColour = aColour;
  gl_Position = vec4((aAt + along * p.x + across * p.y) * uRatio / uHalf, 0.0, 1.0);
}`,
  `#version 300 es
precision highp float;
flat in vec3 vColour;
flat in vec2 vStyle;
in vec2 vAt;
out vec4 colour;

void main() {
  float cover = vStyle.x < 0.0 ? 1.0 : clamp((vStyle.x - length(vAt)) * vStyle.y + 0.5, 0.0, 1.0);
  colour = vec4(vColour, cover);
}`,
];
