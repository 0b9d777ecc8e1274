// The request of a pipeline: the words themselves, or a file. What looks like a mistyped command is no request.
import { resolve } from "node:path";
import { buildUsageError, readNamedText } from "../../app/host/usage.ts";
import { findNearestWord } from "../../core/text/nearest.ts";

const commands = ["status", "report", "recover", "cancel", "reset", "dry-run"];
const example = 'pairflow pipeline "what is wanted"';
/** It is told to every agent and kept in the first line of the record. */
const longest = 100_000;

/** Undefined: nothing was said. */
export function readRequest(
  words: readonly string[],
  file: string | undefined,
  cwd: string,
): string | undefined {
  if (words.length > 0 && file !== undefined)
    throw buildUsageError(
      "usage.contradiction",
      "the request is said twice: in words and as --file",
      "leave one out",
    );
  if (file === undefined && words.length === 0) return undefined;
  const text = file === undefined ? words.join(" ") : readText(resolve(cwd, file), file);
  const what = file ?? "the request";
  if (text.trim() === "") throw buildUsageError("task.empty", `${what} says nothing`, example);
  if (text.includes("\0")) throw buildUsageError("task.not-text", `${what} is not text`, example);
  if (text.length > longest)
    throw buildUsageError(
      "task.too-large",
      `${what} has ${text.length} characters; ${longest} is the most`,
      "say it in a page, and name the large file in it",
    );
  if (file === undefined) refuseCommand(text.trim());
  return text;
}

/** One plain word says nothing that could be built, and starting agents for it costs money. */
function refuseCommand(word: string): void {
  if (!/^[a-z][a-z-]*$/i.test(word)) return;
  const meant = findNearestWord(word, commands);
  throw buildUsageError(
    "pipeline.one-word",
    `${word} is neither a command of the pipeline nor a request`,
    meant ? `pairflow pipeline ${meant}` : example,
  );
}

const readText = (path: string, file: string): string =>
  readNamedText(path, ({ message }) =>
    buildUsageError("task.unreadable", `${file}: ${message}`, "--file <request.md>"),
  );
