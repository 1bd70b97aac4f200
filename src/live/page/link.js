// A link is a scene: JSON in the fragment of the address, deflated and in base64url.

import { bytesOf, inflated } from "./decode.js";

/** Largest number of characters of a scene that a link may unfold to. */
const MOST_TEXT = 4_000_000;

/** Bytes in base64 for addresses. */
function base64url(bytes) {
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The fragment of a scene. */
export async function fragmentOf(scene) {
  const stream = new Blob([scene]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return `#scene=${base64url(new Uint8Array(await new Response(stream).arrayBuffer()))}`;
}

/** The scene in a fragment; nothing if it has none. */
export async function sceneOf(fragment) {
  const found = /[#&]scene=([A-Za-z0-9_-]+)/.exec(fragment);
  if (!found) return undefined;
  const text = found[1].replaceAll("-", "+").replaceAll("_", "/");
  const bytes = await inflated(bytesOf(text + "=".repeat((4 - (text.length % 4)) % 4)));
  if (bytes.length > MOST_TEXT) throw new Error("the scene in this link is too large");
  return new TextDecoder().decode(bytes);
}

/** Saves a text, or parts of bytes, as a file. */
export function saveFile(name, contents, type = "application/json") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([contents].flat(), { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
