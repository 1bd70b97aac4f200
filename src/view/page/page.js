// The elements of the page.

/** An element by its id. */
export function element(id) {
  return document.getElementById(id);
}

/** Data of the page: an element with JSON. */
export function dataOf(id) {
  return JSON.parse(element(id).textContent);
}
