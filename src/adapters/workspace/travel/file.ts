// A bundle as a file for git, in a folder that goes with it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file for a bundle, as long as it is used; empty bytes make none yet. */
export async function lendBundleFile<T>(bytes: Uint8Array, use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-bundle-"));
  const file = join(folder, "pin.bundle");
  try {
    if (bytes.length > 0) writeFileSync(file, bytes, { mode: 0o600 });
    return await use(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
