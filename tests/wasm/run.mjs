// Runs a scene in WebAssembly, with the arguments of `ipcsim run`: node run.mjs MODULE run SCENE ... --steps N --out DIR
// Writes run.json with the hash only. A scene that needs files cannot be read: exit code 77.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const [file, , scene, ...options] = process.argv.slice(2);
const option = (name) => options[options.indexOf(name) + 1];

const module = new WebAssembly.Module(readFileSync(file));
const { memory, take, place, length, run } = new WebAssembly.Instance(module, {}).exports;

const text = readFileSync(scene);
const at = take(text.length);
new Uint8Array(memory.buffer, at, text.length).set(text);
const code = run(Number(option("--steps")));
const said = new TextDecoder().decode(new Uint8Array(memory.buffer, place(), length()));

if (code !== 0) {
    console.error(`${scene}: ${said}`);
    process.exit(code === 1 ? 77 : 1);
}
mkdirSync(option("--out"), { recursive: true });
writeFileSync(`${option("--out")}/run.json`, JSON.stringify({ hash: said }));
