// Which machine this is, for records that several machines share: its name, which people know, and an id that was made once,
// since two machines or containers may have one name. Kept in the user's folder, by the name: a home may be shared too.
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { getUserFolder, makeUserFolder } from "../user-folder.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** `laptop~3fa9c1d2`. Where nothing can be kept, the name alone. */
export function readHostId(env: Env = process.env): string {
  const name = hostname();
  const folder = join(getUserFolder(env), "hosts");
  const file = join(folder, name);
  try {
    makeUserFolder(folder);
    // The first process has made it; the others read that one.
    tryWrite(file, randomBytes(4).toString("hex"));
    const id = readFileSync(file, "utf8").trim();
    return /^[0-9a-f]{8}$/.test(id) ? `${name}~${id}` : name;
  } catch {
    return name;
  }
}

function tryWrite(file: string, id: string): void {
  try {
    writeFileSync(file, `${id}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
