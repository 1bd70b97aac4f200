// Opens pages in headless Chromium from file://, and compares pictures.

import { chromium } from "playwright-core";

/** Folder of the runs. */
export const PLACE = process.env.PLACE;

/** A browser that draws without a graphics card, so that pictures are the same everywhere. */
export function launch(more = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]) {
  const args = ["--no-sandbox", "--force-color-profile=srgb", ...more];
  return chromium.launch({ executablePath: process.env.CHROMIUM, args });
}

/** Opens a page of the place. `complaints` gets what it writes to the console and what it asks the network for. */
export async function open(browser, file, { size = [1000, 700], theme = "light" } = {}) {
  const page = await browser.newPage({ viewport: { width: size[0], height: size[1] }, colorScheme: theme });
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !message.text().includes("GPU stall") && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || complaints.push(request.url()));
  await page.goto(`file://${PLACE}/${file}`);
  await page.waitForSelector("body.ready", { timeout: 30000 });
  return { page, complaints };
}

/** Waits until the picture shows what was asked for. */
export async function painted(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** The picture, with all that stands over it, as a data URL. */
export async function picture(page) {
  await painted(page);
  return page.evaluate(() => window.viewer.stage.picture());
}

/** Share of the pixels of two pictures (data URLs) that differ by more than a little; 1 if sizes differ. */
export async function difference(page, a, b) {
  return page.evaluate(async (urls) => {
    const pixels = await Promise.all(urls.map(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    }));
    if (pixels[0].length !== pixels[1].length) return 1;
    let count = 0;
    for (let k = 0; k < pixels[0].length; k += 4) {
      const off = [0, 1, 2].map((part) => Math.abs(pixels[0][k + part] - pixels[1][k + part]));
      if (Math.max(...off) > 40) count++;
    }
    return count / (pixels[0].length / 4);
  }, [a, b]);
}

/** Colour of the picture at a pixel of style sheets. */
export async function colourAt(page, [x, y]) {
  await painted(page);
  return page.evaluate(([px, py]) => {
    const canvas = document.getElementById("canvas");
    const ratio = canvas.width / canvas.clientWidth;
    const gl = canvas.getContext("webgl2");
    const colour = new Uint8Array(4);
    gl.readPixels(Math.floor(px * ratio), canvas.height - 1 - Math.floor(py * ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, colour);
    return [...colour.slice(0, 3)];
  }, [x, y]);
}
