// Loaded into every process of the command under test (node --require): it writes down each change of the records in the
// order in which it was made, over all processes, and makes single calls fail where a test asks for it.
"use strict";
const fs = require("node:fs");
const { dirname, resolve, sep } = require("node:path");

const real = { ...fs };
const { disk, journal, calls, fault, withoutDrivers } = globalThis.watchedDisk;
const top = resolve(disk);
const paths = new Map();
let depth = 0;
let made = 0;

if (withoutDrivers && process.argv.includes("drive")) process.exit(0);

/** What is made durable: the bubbles and what becomes of them. Locks, drivers' places and scratch are not. */
const isRecord = (path) =>
  path === top || ["bubbles", "archive"].some((name) => `${path}${sep}`.startsWith(top + sep + name + sep));
const isOurs = (path) => path === top || path.startsWith(top + sep);
const pathOf = (target) => (typeof target === "number" ? (paths.get(target) ?? "") : resolve(String(target)));
const inode = (path) => real.lstatSync(path, { throwIfNoEntry: false })?.ino;

/**
 * A call on one of our files: counted, made to fail if it is its turn, made, and written down if it changed a record.
 * One process at a time does that, so that the journal has the order of the disk.
 */
function call(name, path, make) {
  if (depth > 0 || !isOurs(path)) return make(undefined);
  depth += 1;
  try {
    return journal && isRecord(path) ? alone(make) : make(faultOf(name, path));
  } finally {
    depth -= 1;
  }
}

function faultOf(name, path) {
  if (!calls || !process.argv.includes(fault?.verb ?? "")) return undefined;
  made += 1;
  real.appendFileSync(calls, `${name} ${path}\n`);
  if (made !== fault.nth) return undefined;
  if (fault.code !== "SHORT") {
    const text = `${fault.code}: made to fail, ${name} '${path}'`;
    throw Object.assign(new Error(text), { code: fault.code, syscall: name, path });
  }
  return "short";
}

function alone(make) {
  const lock = `${journal}.lock`;
  while (!taken(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  try {
    return make(undefined);
  } finally {
    real.unlinkSync(lock);
  }
}

function taken(lock) {
  try {
    real.symlinkSync(String(process.pid), lock);
    return true;
  } catch {
    // Of a process that was killed, perhaps.
    try {
      process.kill(Number(real.readlinkSync(lock)), 0);
    } catch (error) {
      if (error.code === "ESRCH") real.rmSync(lock, { force: true });
    }
    return false;
  }
}

function note(change) {
  if (!journal) return;
  const fd = real.openSync(journal, "a");
  real.writeSync(fd, `${JSON.stringify({ pid: process.pid, ...change })}\n`);
  real.closeSync(fd);
}

/** What git has pinned by now, which its own processes made durable. */
function pinsNow() {
  const folder = resolve(top, "..", ".git", "refs", "pairflow");
  if (!real.existsSync(folder)) return {};
  const names = real.readdirSync(folder, { recursive: true }).filter((name) => !name.endsWith(".lock"));
  const files = names.filter((name) => real.statSync(resolve(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, real.readFileSync(resolve(folder, name), "utf8")]));
}

fs.openSync = (path, flags, mode) => {
  const place = pathOf(path);
  const fd = call("open", place, () => {
    const isNew = isRecord(place) && inode(place) === undefined;
    const opened = real.openSync(path, flags, mode);
    if (isNew) note({ op: "create", path: place, ino: inode(place) });
    return opened;
  });
  paths.set(fd, place);
  return fd;
};

fs.closeSync = (fd) => {
  paths.delete(fd);
  real.closeSync(fd);
};

fs.writeSync = (fd, data, ...rest) => {
  if (fd === 1) note({ op: "say" });
  const path = paths.get(fd);
  if (path === undefined || !isOurs(path)) return real.writeSync(fd, data, ...rest);
  const { bytes, at } = writeOf(data, rest);
  return call("write", path, (how) => {
    if (path.endsWith("transcript.ndjson")) note({ op: "pins", pins: pinsNow() });
    const { size, ino } = real.fstatSync(fd);
    const part = how === "short" ? bytes.subarray(0, bytes.length >> 1) : bytes;
    const done = real.writeSync(fd, part, 0, part.length, at);
    if (isRecord(path)) note({ op: "write", ino, at: at ?? size, data: part.toString("base64"), path });
    return done;
  });
};

/** The bytes that the arguments of a write mean, and their place; null: behind what was written before. */
function writeOf(data, [first, second, third]) {
  if (typeof data === "string") return { bytes: Buffer.from(data), at: first ?? null };
  const from = first ?? 0;
  return { bytes: Buffer.from(data).subarray(from, from + (second ?? data.length)), at: third ?? null };
}

fs.fsyncSync = (fd) =>
  call("fsync", pathOf(fd), () => {
    real.fsyncSync(fd);
    if (isRecord(pathOf(fd))) note({ op: "fsync", ino: real.fstatSync(fd).ino, path: pathOf(fd) });
  });

/** Node reads and writes whole files by itself; here each part of it can be seen. */
fs.readFileSync = (target, options) => {
  if (typeof target === "number" || !isOurs(pathOf(target))) return real.readFileSync(target, options);
  const fd = fs.openSync(target, "r");
  try {
    return real.readFileSync(fd, options);
  } finally {
    fs.closeSync(fd);
  }
};

fs.writeFileSync = (target, data, options) => {
  const { flag = "w", mode = 0o666, flush = false } = typeof options === "object" ? (options ?? {}) : {};
  const fd = typeof target === "number" ? target : fs.openSync(target, flag, mode);
  try {
    const bytes = Buffer.from(data);
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done, bytes.length - done);
    if (flush) fs.fsyncSync(fd);
  } finally {
    if (typeof target !== "number") fs.closeSync(fd);
  }
};

fs.appendFileSync = (path, data, options) => fs.writeFileSync(path, data, { ...options, flag: "a" });

fs.mkdirSync = (path, options) =>
  call("mkdir", pathOf(path), () => {
    const missing = [];
    for (let up = pathOf(path); inode(up) === undefined; up = dirname(up)) missing.unshift(up);
    const first = real.mkdirSync(path, options);
    for (const one of missing) if (isRecord(one)) note({ op: "mkdir", path: one, ino: inode(one) });
    return first;
  });

for (const name of ["rename", "link", "symlink"]) {
  fs[`${name}Sync`] = (from, to) =>
    call(name, pathOf(to), () => {
      const ino = name === "symlink" ? undefined : inode(from);
      real[`${name}Sync`](from, to);
      if (isRecord(pathOf(to))) note({ op: name, from: pathOf(from), path: pathOf(to), ino });
    });
}

for (const name of ["unlink", "rm"]) {
  fs[`${name}Sync`] = (path, ...rest) =>
    call(name, pathOf(path), () => {
      const isThere = inode(path) !== undefined;
      real[`${name}Sync`](path, ...rest);
      if (isThere && isRecord(pathOf(path))) note({ op: "unlink", path: pathOf(path) });
    });
}

const say = process.stdout.write.bind(process.stdout);
process.stdout.write = (...args) => {
  note({ op: "say" });
  return say(...args);
};
