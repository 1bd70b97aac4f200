// Links to pages outside of the manual, such as ARCHITECTURE.md, are files of the repository. mdBook gives all links to
// pages the ending of its own; this gives those that leave the manual theirs back.
for (const link of document.querySelectorAll("main a[href*='../']")) {
    const root = new URL(path_to_root || "./", document.baseURI);
    if (!link.href.startsWith(root.href)) {
        link.href = link.href.replace(/\.html(?=#|$)/, ".md");
    }
}
