// A package registry on the loopback for the bench of preparation: so many small packages that exist nowhere else, packed
// as npm packs them. Started as a process of its own, it prints its port.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";

const filesEach = 12;
const count = Number(process.argv[2] ?? 300);

/** One entry of a tar file: a header of 512 bytes, and the text in blocks of as many. */
function entry(path, text) {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${text.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\0" + "00", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(text.length / 512) * 512);
  body.write(text);
  return Buffer.concat([header, body]);
}

function packed(name) {
  const manifest = JSON.stringify({ name, version: "1.0.0", main: "index.js" });
  const sources = Array.from({ length: filesEach }, (_, n) =>
    entry(`package/lib/part-${n}.js`, `module.exports = ${JSON.stringify(`${name} ${n} `.repeat(150))};\n`),
  );
  const index = entry("package/index.js", 'module.exports = require("./lib/part-0.js");\n');
  const end = Buffer.alloc(1024);
  return gzipSync(Buffer.concat([entry("package/package.json", manifest), index, ...sources, end]));
}

const tarballs = new Map(
  Array.from({ length: count }, (_, n) => `bench-part-${n}`).map((name) => [name, packed(name)]),
);

const server = createServer((request, response) => {
  const [, name = "", file] = (request.url ?? "").split("/");
  const tarball = tarballs.get(name);
  if (!tarball) return response.writeHead(404).end("{}");
  if (file) return response.writeHead(200, { "content-type": "application/octet-stream" }).end(tarball);
  const base = `http://127.0.0.1:${server.address().port}`;
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const dist = { tarball: `${base}/${name}/${name}-1.0.0.tgz`, integrity };
  const versions = { "1.0.0": { name, version: "1.0.0", dist } };
  response.writeHead(200, { "content-type": "application/json" });
  return response.end(JSON.stringify({ name, "dist-tags": { latest: "1.0.0" }, versions }));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
