// What is wrong with the arguments of a call, in sentences that a model can act on.
import { plainly } from "../app/files/plain-words.ts";
import { type Path, spell } from "../app/files/problems.ts";

export function sentence(path: Path, message: string): string {
  const [, bound, limit, found] =
    /^Invalid length: Expected ([<>])=(\d+) but received (\d+)$/.exec(message) ?? [];
  if (bound === ">") return `${spell(path)} must not be empty`;
  if (bound === "<") return `${spell(path)} is too long: ${found}, and at most ${limit} are allowed`;
  return message.startsWith("is ") ? `${spell(path)} ${message}` : plainly(path, message);
}
