// The project's knowledge as Markdown for a prompt. A heading inside an SOP or a constitution must not look like a
// heading of the prompt, so their texts are moved below the section they stand in.
import type { Article } from "./constitution.ts";
import type { Convention } from "./conventions.ts";
import { lowerHeadings } from "./markdown/headings.ts";
import type { Sop } from "./sop.ts";

/** An SOP whole: id, severity, its checkpoints, its text. */
export function tellSop({ id, title, severity, applies_to, requirements, body }: Sop): string {
  const parts = [
    `### ${id} (${severity}): ${title}`,
    `Applies to: ${applies_to.join(", ") || "every file"}`,
    requirements.length > 0 ? `Key checkpoints:\n\n${renderBullets(requirements)}` : "",
    lowerHeadings(body, 4),
  ];
  return parts.filter(Boolean).join("\n\n");
}

/** One section of the constitution, each part with its origin. */
export function tellArticle({ name, parts }: Article): string {
  const told = parts.map(({ from, folder, text }) => {
    const where = folder ? `${from}, for files below ${folder}/` : from;
    return `From ${where}:\n\n${lowerHeadings(text, 4)}`;
  });
  return [`### ${name}`, ...told].join("\n\n");
}

export function tellConvention({ name, pattern, applies_to, accepted_by, accepted_at }: Convention): string {
  return `- **${toOneLine(name)}**: ${toOneLine(pattern)} (for ${applies_to.join(", ")}; accepted by ${toOneLine(accepted_by)}, ${accepted_at})`;
}

export function tellDecision(words: string): string {
  return `- ${words.trim().split(/\r?\n/).join("\n  ")}`;
}

const renderBullets = (lines: readonly string[]) => lines.map((line) => `- ${toOneLine(line)}`).join("\n");
const toOneLine = (text: string) => text.replace(/\s+/g, " ").trim();
