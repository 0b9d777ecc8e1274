// A document from the disk and what its checks say of it. Gates run it in the tree they judge, so the path is looked for
// in the current directory and nowhere else.
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type CheckResult, checkDocument } from "../../core/document/check.ts";
import type { CheckName } from "../../core/document/check-names.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import { buildUsageError } from "../host/usage.ts";

const sizeLimit = 1_000_000;

/** Checks the document at a path by the named checks, or by all when none is named. */
export function checkDocumentFile(path: string, cwd: string, names: readonly CheckName[]): CheckResult[] {
  const text = getText(path, resolve(cwd, path));
  return checkDocument(text, names.length > 0 ? names : undefined);
}

function getText(path: string, file: string): string {
  const bytes = readBytes(path, file);
  if (bytes.length > sizeLimit)
    throw buildUsageError(
      "document.too-large",
      `${path} is larger than 1 MB`,
      "split it into documents of their own",
    );
  if (bytes.includes(0))
    throw buildUsageError("document.not-text", `${path} is not a text file`, "name the Markdown file itself");
  return bytes.toString("utf8");
}

function readBytes(path: string, file: string): Buffer {
  const stat = tryOr(() => statSync(file, { throwIfNoEntry: false }), undefined);
  if (!stat)
    throw buildUsageError(
      "document.no-such-file",
      `there is no ${path} here`,
      "check the path; it is taken from the current directory",
    );
  if (!stat.isFile())
    throw buildUsageError("document.not-a-file", `${path} is not a file`, "name the Markdown file itself");
  try {
    return readFileSync(file);
  } catch (error) {
    throw buildUsageError("document.unreadable", `${path} cannot be read: ${(error as Error).message}`);
  }
}
