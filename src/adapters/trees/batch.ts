// Files of pinned trees by one run of git: each is asked for by its path in its tree, and beside it the folder that it stands in,
// which alone tells a file from a link.
import { Failure } from "../../ports/failure.ts";
import type { FileText, WantedFile } from "../../ports/record/trees.ts";
import type { Git } from "./run.ts";
import { buildText, isPlainFile, maxBytes } from "./text.ts";

interface Entry {
  readonly mode: string;
  readonly id: string;
}

/** An object as git prints it, its bytes as characters. */
interface GitObject {
  readonly type: string;
  readonly bytes: string;
}

/** More is no review any more: such files are looked up with their sizes first. */
const mostOutput = 16 * 1024 * 1024;

const absent: FileText = { kind: "absent" };
const other: FileText = { kind: "other" };

/** The files in the order of the questions; undefined where together they are too long to be read at once. */
export async function readAtOnce(git: Git, wanted: readonly WantedFile[]): Promise<FileText[] | undefined> {
  const names = [...new Set(wanted.flatMap(listNames))];
  const input = `${names.join("\0")}\0`;
  let output: string;
  try {
    output = await git(["cat-file", "--buffer", "-z", "--batch"], input, "latin1", mostOutput);
  } catch (error) {
    if (error instanceof Failure && error.code === "process.too-much-output") return undefined;
    throw error;
  }
  const objects = parseObjects(output, names);
  return wanted.map((one) => findText(one, objects));
}

const nameRoot = ({ tree }: WantedFile) => `${tree}:`;
const nameFile = ({ tree, path }: WantedFile) => `${tree}:${path}`;
const nameFolder = ({ tree, path }: WantedFile) =>
  `${tree}:${path.slice(0, Math.max(0, path.lastIndexOf("/")))}`;

function listNames(one: WantedFile): string[] {
  const around = [nameRoot(one), nameFolder(one)];
  return one.only === "presence" ? around : [...around, nameFile(one)];
}

/** What git printed for each name, in their order: `id type size`, and the bytes; or the name again, and that it is missing. */
function parseObjects(output: string, names: readonly string[]): Map<string, GitObject> {
  const objects = new Map<string, GitObject>();
  let at = 0;
  for (const name of names) {
    const missing = `${Buffer.from(name).toString("latin1")} missing\n`;
    if (output.startsWith(missing, at)) {
      at += missing.length;
      continue;
    }
    const end = output.indexOf("\n", at);
    const [, type = "", size = ""] = output.slice(at, end).split(" ");
    if (end === -1 || !/^\d+$/.test(size))
      throw new Failure("git.failed", `git cat-file: no answer for ${name}`);
    const from = end + 1;
    at = from + Number(size) + 1;
    objects.set(name, { type, bytes: output.slice(from, at - 1) });
  }
  return objects;
}

function findText(one: WantedFile, objects: ReadonlyMap<string, GitObject>): FileText {
  if (objects.get(nameRoot(one))?.type !== "tree")
    throw new Failure("git.failed", `git cat-file: there is no tree ${one.tree}`);
  const folder = objects.get(nameFolder(one));
  const name = one.path.slice(one.path.lastIndexOf("/") + 1);
  const entry = folder?.type === "tree" ? findEntry(folder.bytes, name, one.tree.length / 2) : undefined;
  if (!entry) return absent;
  if (!isPlainFile(entry.mode) || one.only === "presence") return other;
  const file = objects.get(nameFile(one));
  if (!file) throw new Failure("git.failed", "git cat-file: an object of a pinned tree is gone");
  return file.bytes.length > maxBytes
    ? other
    : buildText(entry.id, Buffer.from(file.bytes, "latin1").toString("utf8"));
}

/** Entries stand one behind the other as `mode name NUL id`. A name may stand inside an id as well, so they are walked through. */
function findEntry(tree: string, name: string, idBytes: number): Entry | undefined {
  const wanted = ` ${Buffer.from(name).toString("latin1")}\0`;
  if (!tree.includes(wanted)) return undefined;
  for (let at = 0; at < tree.length; ) {
    const blank = tree.indexOf(" ", at);
    const end = tree.indexOf("\0", blank) + 1;
    if (blank === -1 || end === 0) break;
    if (tree.startsWith(wanted, blank) && end === blank + wanted.length) {
      const id = Buffer.from(tree.slice(end, end + idBytes), "latin1").toString("hex");
      return { mode: tree.slice(at, blank), id };
    }
    at = end + idBytes;
  }
  return undefined;
}
