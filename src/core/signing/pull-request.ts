// The text of a pull request for a commit that was approved: what the signed package says, in the order in which a reader asks.
import type { PackageView } from "./package.ts";

export interface PullRequest {
  readonly title: string;
  readonly body: string;
}

export function buildPullRequest(view: PackageView): PullRequest {
  const [title = view.title] = view.commit_message.split("\n").filter(Boolean);
  const gates = view.gates.map(({ name, status }) => `${name} ${status}`).join(", ");
  const reviews = view.reviews
    .filter(({ clean }) => clean)
    .map(({ agent, round }) => `${agent} (round ${round})`);
  const parts: readonly (readonly [heading: string, text: string])[] = [
    ["What", view.what],
    ["Why", view.why],
    ["Risks", view.risks],
    ["How to try it", view.test_plan],
    ["Wanted", view.criteria.map(({ text }) => `- ${text}`).join("\n")],
    [
      "Checked",
      [gates && `Gates: ${gates}`, reviews.length > 0 && `Clean reviews: ${reviews.join(", ")}`]
        .filter(Boolean)
        .join("\n\n"),
    ],
  ];
  const body = parts
    .filter(([, text]) => text.trim() !== "")
    .map(([heading, text]) => `## ${heading}\n\n${text.trim()}\n`);
  return { title, body: body.join("\n") };
}
