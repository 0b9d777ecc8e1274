// What asks for a signature, in one line: how much, whether the gates are green, who found nothing, and the digest.
import type { PageChange } from "../../../src/core/views/page/inbox.ts";
import { Digest } from "../../parts/digest.tsx";
import { GateMarks } from "../../parts/gates.tsx";

export function Change({ change }: { readonly change: PageChange }) {
  const { files, added, removed, gates, clean_reviews: clean, open_findings: open, digest } = change;
  return (
    <p class="change">
      <span>
        {files} {files === 1 ? "file" : "files"} <ins>+{added}</ins> <del>−{removed}</del>
      </span>
      <GateMarks gates={gates} />
      <span>
        {clean} clean {clean === 1 ? "review" : "reviews"}
        {open > 0 ? `, ${open} open` : ""}
      </span>
      <Digest digest={digest} />
    </p>
  );
}
