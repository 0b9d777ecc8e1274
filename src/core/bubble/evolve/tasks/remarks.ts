// What critics and judges say about a handoff beside their findings: kept until a newer tree is judged, because red gates may
// come in between.
import type { EnvelopeOf } from "../../../model/record/envelope.ts";
import type { Remark } from "../../../model/state/evidence.ts";
import type { Turn } from "../../../model/state/turn.ts";
import type { State } from "../../../model/state.ts";
import { clip } from "../../../model/value/sizes.ts";

const keptRemarks = 20;
const keptWords = 4_000;

/** The state with the words and files of the turn that has just been accepted. */
export function addRemarks(state: State, turn: Turn, { payload, round, seq }: EnvelopeOf<"HANDOFF">): State {
  const { pass, convergence, refs } = turn.claim ?? {};
  const said = pass ?? convergence;
  if (!said) return state;
  const files = payload.put_back_files ?? payload.files.map(({ path }) => path);
  const remark: Remark = {
    ...{ agent: said.by_operator ? "human" : turn.agent, role: turn.role, round, seq, tree: payload.tree },
    summary: clip(said.summary, keptWords),
    ...(refs ? { refs } : {}),
    ...(refs && payload.put_back ? { putBack: { files, patch: payload.put_back } } : {}),
  };
  const same = (state.remarks ?? []).filter(({ tree }) => tree === remark.tree);
  return { ...state, remarks: [...same, remark].slice(-keptRemarks) };
}
