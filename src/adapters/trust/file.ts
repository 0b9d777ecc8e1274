// Confirmations in the user's folder: one file for each repository, one line for each program. A line that cannot be read
// confirms nothing, so that damage leads to a question and never to a permission.
import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { getProgramKey, listUnknownPrograms, type TrustedProgram } from "../../core/trust/program.ts";
import { Failure } from "../../ports/failure.ts";
import type { Trust } from "../../ports/record/trust.ts";

export function createFileTrust(file: string, repo: string, makeFolder: (folder: string) => void): Trust {
  const unconfirmed = async (programs: readonly TrustedProgram[]) =>
    programs.length > 0
      ? listUnknownPrograms(programs, new Set((await listLines(file)).map(getProgramKey)))
      : [];
  return {
    unconfirmed,
    confirmed: () => listLines(file),
    forget: () => rm(file, { force: true }),
    fileHash: (value) => hashInside(repo, value),
    async remember(programs, at) {
      const fresh = await unconfirmed(programs);
      if (fresh.length === 0) return;
      makeFolder(dirname(file));
      const text = fresh
        .map(({ setting, runs }) => `${JSON.stringify({ at, repo, setting, runs })}\n`)
        .join("");
      await append(file, text);
    },
  };
}

async function listLines(file: string): Promise<TrustedProgram[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw toFailure(file, error);
  }
  return text.split("\n").flatMap((line) => {
    try {
      const { setting, runs } = JSON.parse(line);
      return typeof setting === "string" && typeof runs === "string" ? [{ setting, runs }] : [];
    } catch {
      return [];
    }
  });
}

/** A line end first: what a write that failed has left behind stays a line of its own. */
async function append(file: string, text: string): Promise<void> {
  try {
    const handle = await open(file, "a", 0o600);
    try {
      await handle.writeFile(`\n${text}`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const folder = await open(dirname(file), "r");
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    throw toFailure(file, error);
  }
}

const toFailure = (file: string, cause: unknown) =>
  new Failure("trust.unreadable", `${file}: ${(cause as Error).message}`, {
    cause,
    hint: "make the folder writable for you, or set PAIRFLOW_HOME to another one",
  });

function hashInside(repo: string, value: string): string | undefined {
  try {
    const path = realpathSync(resolve(repo, value));
    if (!path.startsWith(`${realpathSync(repo)}/`)) return undefined;
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    // No such file: then it is not one that the repository brings.
    return undefined;
  }
}
