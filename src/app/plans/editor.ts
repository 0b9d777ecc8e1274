// Opens a plan in the person's own editor.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInForeground } from "../../adapters/process/foreground.ts";
import { refuse } from "../../core/model/refusal.ts";
import type { PlanDocument } from "../../core/plan/document.ts";
import { renderPlan } from "../../core/plan/markdown.ts";
import { readPlanMarkdown } from "../files/plan.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The editor of this person, as they said it to the shell. */
export const getEditor = (env: Env): string => env.VISUAL || env.EDITOR || "vi";

/** Opens a file and waits until the editor has ended. */
export async function openInEditor(path: string, env: Env): Promise<void> {
  const editor = getEditor(env);
  const code = await runInForeground(["sh", "-c", `${editor} "$1"`, "sh", path]);
  if (code !== 0)
    throw refuse(
      "plan.editor",
      `${editor} ended with ${code}; nothing was taken over`,
      `EDITOR=nano, or edit ${path}`,
    );
}

/** A document as a person left it in the editor. What cannot be read stays where it was written. */
export async function writeInEditor(start: PlanDocument, env: Env): Promise<PlanDocument> {
  const file = join(mkdtempSync(join(tmpdir(), "pairflow-plan-")), "plan.md");
  writeFileSync(file, renderPlan(start, { guide: true }));
  await openInEditor(file, env);
  return readPlanMarkdown(readFileSync(file, "utf8"), file);
}
