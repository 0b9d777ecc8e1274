// What a disk may hold after the power went: every change that was synced, and of the others any part, in any order. A
// file's bytes are synced by the file, its name by its folder; nothing is assumed of any file system beyond that.
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";

/** One line of the journal that preload.cjs writes. */
export type Change = { readonly pid: number } & (
  | { readonly op: "mkdir" | "create"; readonly path: string; readonly ino: number }
  | {
      readonly op: "write";
      readonly path: string;
      readonly ino: number;
      readonly at: number;
      readonly data: string;
    }
  | { readonly op: "fsync"; readonly path: string; readonly ino: number }
  | { readonly op: "rename" | "link"; readonly from: string; readonly path: string; readonly ino: number }
  | { readonly op: "unlink"; readonly path: string }
  /** Words for whoever called the command: what it wrote before is acknowledged. */
  | { readonly op: "say" }
  /** What git had pinned before the line that follows. */
  | { readonly op: "pins"; readonly pins: Readonly<Record<string, string>> }
  /** Made by somebody who is not looked at; on the disk at once. */
  | { readonly op: "outside"; readonly path: string; readonly data: string }
);

interface Write {
  readonly at: number;
  readonly bytes: Buffer;
}
interface Entry {
  readonly name: string;
  readonly to: Item | undefined;
}
interface File {
  readonly kind: "file";
  synced: Buffer;
  pending: Write[];
}
interface Folder {
  readonly kind: "folder";
  readonly synced: Map<string, Item>;
  pending: Entry[];
}
type Item = File | Folder;

/** What becomes of a change that was not synced: kept, lost, or half of its bytes. */
export type Fate = () => "kept" | "lost" | "half";

export class Volume {
  readonly #root: Folder = emptyFolder();
  readonly #items = new Map<number, Item>();
  readonly #top: string;

  constructor(top: string) {
    this.#top = top;
  }

  apply(change: Change): void {
    switch (change.op) {
      case "mkdir":
      case "create":
        this.#make(change.path, change.ino, change.op === "mkdir" ? emptyFolder() : emptyFile());
        break;
      case "write":
        this.#file(change.ino)?.pending.push({ at: change.at, bytes: Buffer.from(change.data, "base64") });
        break;
      case "fsync":
        this.#sync(change.path === this.#top ? this.#root : this.#items.get(change.ino));
        break;
      case "link":
      case "rename":
        this.#enter(change.path, this.#items.get(change.ino));
        if (change.op === "rename") this.#enter(change.from, undefined);
        break;
      case "unlink":
        this.#enter(change.path, undefined);
        break;
      case "outside":
        this.#outside(change.path, Buffer.from(change.data, "base64"));
        break;
    }
  }

  /** Every file that is there if the power goes now, with its bytes; folders end with a slash. */
  left(fate: Fate): Map<string, Buffer> {
    const found = new Map<string, Buffer>();
    const walk = (folder: Folder, path: string): void => {
      for (const [name, item] of entriesOf(folder, fate)) {
        if (item.kind === "file") found.set(join(path, name), bytesOf(item, fate));
        else {
          found.set(join(path, name) + sep, Buffer.alloc(0));
          walk(item, join(path, name));
        }
      }
    };
    walk(this.#root, "");
    return found;
  }

  #make(path: string, ino: number, item: Item): void {
    if (path === this.#top) return;
    this.#items.set(ino, item);
    this.#enter(path, item);
  }

  #file(ino: number): File | undefined {
    const item = this.#items.get(ino);
    return item?.kind === "file" ? item : undefined;
  }

  #enter(path: string, to: Item | undefined): void {
    this.#folder(dirname(path))?.pending.push({ name: basename(path), to });
  }

  #folder(path: string): Folder | undefined {
    let folder: Item | undefined = this.#root;
    for (const name of relative(this.#top, path).split(sep).filter(Boolean)) {
      if (name === ".." || folder?.kind !== "folder") return undefined;
      folder = entriesOf(folder, () => "kept").get(name);
    }
    return folder?.kind === "folder" ? folder : undefined;
  }

  #sync(item: Item | undefined): void {
    if (item?.kind === "file") item.synced = bytesOf(item, () => "kept");
    if (item?.kind === "folder")
      for (const { name, to } of item.pending) to ? item.synced.set(name, to) : item.synced.delete(name);
    if (item) item.pending = [];
  }

  #outside(path: string, bytes: Buffer): void {
    const file: File = { kind: "file", synced: bytes, pending: [] };
    this.#folder(dirname(path))?.synced.set(basename(path), file);
  }
}

/** Writes what was left below a folder. */
export function putDown(left: ReadonlyMap<string, Buffer>, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, bytes] of left) {
    if (path.endsWith(sep)) mkdirSync(join(folder, path), { recursive: true });
    else writeFileSync(join(folder, path), bytes, { mode: /^[^/]+\/artifacts\//.test(path) ? 0o400 : 0o600 });
  }
}

const emptyFolder = (): Folder => ({ kind: "folder", synced: new Map(), pending: [] });
const emptyFile = (): File => ({ kind: "file", synced: Buffer.alloc(0), pending: [] });

function entriesOf({ synced, pending }: Folder, fate: Fate): Map<string, Item> {
  const entries = new Map(synced);
  for (const { name, to } of pending) {
    if (fate() === "lost") continue;
    if (to) entries.set(name, to);
    else entries.delete(name);
  }
  return entries;
}

function bytesOf({ synced, pending }: File, fate: Fate): Buffer {
  let bytes = synced;
  for (const write of pending) {
    const what = fate();
    if (what === "lost") continue;
    const part = what === "half" ? write.bytes.subarray(0, write.bytes.length >> 1) : write.bytes;
    const end = Math.max(bytes.length, write.at + part.length);
    const next = Buffer.alloc(end);
    bytes.copy(next);
    part.copy(next, write.at);
    bytes = next;
  }
  return bytes;
}
