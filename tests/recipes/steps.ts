// The steps that a page shows as code blocks: whole files, added lines and shell commands, each under its heading.

export type Step =
  | { readonly recipe: string; readonly kind: "file" | "diff"; readonly path: string; readonly text: string }
  | { readonly recipe: string; readonly kind: "shell"; readonly text: string };

/** A heading of second level, or a code block with its language and, behind it, a path. */
const parts = /^## (?<heading>.+)$|^```(?<language>\w+)(?: (?<path>\S+))?\n(?<text>[\s\S]*?)^```$/gm;

export function readSteps(page: string): Step[] {
  let recipe = "";
  const steps: Step[] = [];
  for (const { groups = {} } of page.matchAll(parts)) {
    const { heading, language = "", path = "", text = "" } = groups;
    if (heading) recipe = heading;
    else if (language === "sh") steps.push({ recipe, kind: "shell", text });
    else steps.push({ recipe, kind: language === "diff" ? "diff" : "file", path, text });
  }
  return steps;
}
