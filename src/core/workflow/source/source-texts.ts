// Conditions and texts with references in steps, where they are written.
import type { Step } from "../../model/program.ts";
import type { SourcePath, WrittenText } from "./draft.ts";
import { type ActionStep, isActionStep } from "./steps/schema.ts";

export function collectWrittenTexts(
  source: unknown,
  step: Step | undefined,
  path: SourcePath,
): WrittenText[] {
  if (typeof source !== "object" || source === null) return [];
  const template = (value: unknown, ...keys: string[]): WrittenText[] =>
    value === undefined ? [] : [{ as: "template", value, path: [...path, ...keys] }];
  const condition = (value: unknown, ...keys: string[]): WrittenText[] =>
    typeof value === "string" ? [{ as: "condition", value, path: [...path, ...keys] }] : [];
  if (isActionStep(source)) {
    const { action } = source as ActionStep;
    return [
      ...condition(step?.when ?? (step?.kind === "branch" ? step.if : undefined), "condition"),
      ...(["model", "prompt", "payload"] as const).flatMap((key) => template(action?.[key], "action", key)),
    ];
  }
  const words = source as Readonly<Record<string, unknown>>;
  return [
    ...["when", "if"].flatMap((key) => condition(words[key], key)),
    ...["prompt", "text", "payload", "seconds"].flatMap((key) => template(words[key], key)),
  ];
}
