// Text of a scene or lesson: paragraphs, headings, lists, code and stress of Markdown, and nothing else. It is never HTML.

/** Elements of a text within a line. */
function inLine(text) {
  const parts = [];
  const rule = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*/g;
  let end = 0;
  for (const found of text.matchAll(rule)) {
    parts.push(document.createTextNode(text.slice(end, found.index)));
    const kind = found[1] ? "code" : found[2] ? "strong" : "em";
    parts.push(Object.assign(document.createElement(kind), { textContent: found[1] ?? found[2] ?? found[3] }));
    end = found.index + found[0].length;
  }
  parts.push(document.createTextNode(text.slice(end)));
  return parts;
}

/** Elements of a text. */
export function richText(text) {
  // A heading is a block, also without an empty line after it.
  const parted = text.replace(/^(#+ .*)$/gm, "$1\n");
  const blocks = parted.split(/\n\s*\n/).filter((block) => block.trim());
  return blocks.map((block) => {
    const lines = block.trim().split("\n");
    if (lines.every((line) => /^\s*[-*] /.test(line))) {
      const list = document.createElement("ul");
      lines.forEach((line) => {
        const entry = document.createElement("li");
        entry.append(...inLine(line.replace(/^\s*[-*] /, "")));
        list.append(entry);
      });
      return list;
    }
    const heading = /^#+ (.*)$/.exec(lines[0]);
    const element = document.createElement(heading && lines.length === 1 ? "h3" : "p");
    element.append(...inLine(heading && lines.length === 1 ? heading[1] : lines.join(" ")));
    return element;
  });
}
