// One bubble: the tab that is open. The review and the graph are loaded when somebody wants to see them.
import { Later } from "../../parts/later.tsx";
import type { BubbleAt } from "./head.tsx";
import { Log } from "./log.tsx";
import { Overview } from "./overview.tsx";
import { Package } from "./package.tsx";
import { Prompts } from "./prompts.tsx";

export function BubblePage({ at }: { readonly at: BubbleAt }) {
  switch (at.tab) {
    case "overview":
      return <Overview at={at} />;
    case "log":
      return <Log at={at} />;
    case "package":
      return <Package at={at} />;
    case "prompts":
      return <Prompts at={at} />;
    case "plan":
      return <Later key="plan" load={() => import("./plan.tsx").then(({ Plan }) => Plan)} at={at} />;
    case "panes":
      return (
        <Later key="panes" load={() => import("../panes/panes.tsx").then(({ Panes }) => Panes)} at={at} />
      );
    case "review":
      return (
        <Later
          key="review"
          load={() => import("../review/review.tsx").then(({ Review }) => Review)}
          at={at}
        />
      );
    case "workflow":
      return (
        <Later
          key="workflow"
          load={() => import("../workflow/workflow.tsx").then(({ Workflow }) => Workflow)}
          at={at}
        />
      );
    default:
      return (
        <div class="empty">
          <h1>There is no such page of {at.id}</h1>
        </div>
      );
  }
}
