// WebGL 2 in a few calls: programs with their uniforms, buffers, textures.

/** Compiles one half of a program. */
function shaderOf(gl, kind, source) {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
    throw new Error(`the graphics card refuses a program: ${gl.getShaderInfoLog(shader)}`);
  }
  return shader;
}

/** A program with the places of its uniforms by name. */
export class Program {
  constructor(gl, [vertex, fragment]) {
    this.gl = gl;
    this.handle = gl.createProgram();
    gl.attachShader(this.handle, shaderOf(gl, gl.VERTEX_SHADER, vertex));
    gl.attachShader(this.handle, shaderOf(gl, gl.FRAGMENT_SHADER, fragment));
    gl.linkProgram(this.handle);
    if (!gl.getProgramParameter(this.handle, gl.LINK_STATUS)) {
      throw new Error(`the graphics card refuses a program: ${gl.getProgramInfoLog(this.handle)}`);
    }

    this.uniforms = {};
    const count = gl.getProgramParameter(this.handle, gl.ACTIVE_UNIFORMS);
    for (let k = 0; k < count; k++) {
      const { name, type } = gl.getActiveUniform(this.handle, k);
      this.uniforms[name] = { type, place: gl.getUniformLocation(this.handle, name) };
    }
  }

  /** Makes the program current and sets those of the values that it has. */
  use(values) {
    const { gl } = this;
    gl.useProgram(this.handle);
    for (const [name, { type, place }] of Object.entries(this.uniforms)) {
      const value = values[name];
      if (value === undefined) continue;
      if (type === gl.FLOAT) gl.uniform1f(place, value);
      else if (type === gl.FLOAT_VEC2) gl.uniform2fv(place, value);
      else if (type === gl.FLOAT_VEC3) gl.uniform3fv(place, value);
      else if (type === gl.FLOAT_VEC4) gl.uniform4fv(place, value);
      else if (type === gl.INT_VEC2) gl.uniform2iv(place, value);
      else gl.uniform1i(place, value);
    }
  }
}

/**
 * Buffers of a program as one object. Each attribute has an array with `size` numbers for each vertex,
 * or for each instance if `divisor` is 1.
 */
export function arraysOf(gl, program, attributes) {
  const object = gl.createVertexArray();
  const buffers = {};
  gl.bindVertexArray(object);
  for (const [name, { array, size, divisor = 0, usage = gl.STATIC_DRAW }] of Object.entries(attributes)) {
    const place = gl.getAttribLocation(program.handle, name);
    buffers[name] = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name]);
    gl.bufferData(gl.ARRAY_BUFFER, array, usage);
    if (place < 0) continue;
    gl.enableVertexAttribArray(place);
    if (array instanceof Float32Array) gl.vertexAttribPointer(place, size, gl.FLOAT, false, 0, 0);
    else gl.vertexAttribIPointer(place, size, gl.UNSIGNED_INT, 0, 0);
    gl.vertexAttribDivisor(place, divisor);
  }
  gl.bindVertexArray(null);
  return { object, buffers };
}

/** A texture that is read texel by texel, or mixed between texels if `smooth`. */
export function textureOf(gl, smooth = false) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  const filter = smooth ? gl.LINEAR : gl.NEAREST;
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return texture;
}

/** Format of a texture of whole numbers for an array of them, with `parts` numbers a texel. */
export function formatOf(gl, array, parts) {
  if (array instanceof Uint8Array) return [gl.R8UI, gl.RED_INTEGER, gl.UNSIGNED_BYTE];
  if (parts !== 2) throw new Error("no such texture");
  if (array instanceof Uint16Array) return [gl.RG16UI, gl.RG_INTEGER, gl.UNSIGNED_SHORT];
  return [gl.RG32UI, gl.RG_INTEGER, gl.UNSIGNED_INT];
}
