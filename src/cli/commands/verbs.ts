// Every command of Pairflow, in the order help shows them. A new one is a file in commands/ and a line here.

import type { Verb } from "../verb/declaration.ts";
import { askHuman } from "./agent/ask-human.ts";
import { converged } from "./agent/converged.ts";
import { hook } from "./agent/hook.ts";
import { mcp } from "./agent/mcp.ts";
import { pass } from "./agent/pass.ts";
import { schema } from "./agent/schema.ts";
import { scriptedAgent } from "./agent/scripted-agent.ts";
import { bubbleAttach } from "./bubble/attach.ts";
import { bubbleCreate } from "./bubble/create.ts";
import { bubbleDelete } from "./bubble/delete.ts";
import { bubbleDrive } from "./bubble/drive.ts";
import { bubbleInbox } from "./bubble/inbox.ts";
import { bubbleList } from "./bubble/list.ts";
import { bubbleOpen } from "./bubble/open.ts";
import { bubblePause } from "./bubble/pause.ts";
import { bubbleResume } from "./bubble/resume.ts";
import { bubbleStart } from "./bubble/start.ts";
import { bubbleStatus } from "./bubble/status.ts";
import { bubbleStop } from "./bubble/stop.ts";
import { bubbleApprove } from "./decide/approve.ts";
import { bubbleCommit } from "./decide/commit.ts";
import { bubbleReply } from "./decide/reply.ts";
import { bubbleRework } from "./decide/rework.ts";
import { bubbleSalvage } from "./decide/salvage.ts";
import { bubbleUnlock } from "./decide/unlock.ts";
import { bubbleUpdate } from "./decide/update.ts";
import { bubbleWaive } from "./decide/waive.ts";
import { bubbleWatchdog } from "./decide/watchdog.ts";
import { brief } from "./knowledge/brief.ts";
import { constitutionShow } from "./knowledge/constitution-show.ts";
import { conventionsAccept } from "./knowledge/conventions-accept.ts";
import { conventionsDismiss } from "./knowledge/conventions-dismiss.ts";
import { conventionsList } from "./knowledge/conventions-list.ts";
import { conventionsRetire } from "./knowledge/conventions-retire.ts";
import { sopList } from "./knowledge/sop-list.ts";
import { sopMatch } from "./knowledge/sop-match.ts";
import { bubbleDiff } from "./look/diff.ts";
import { explain } from "./look/explain.ts";
import { home } from "./look/home.ts";
import { inbox } from "./look/inbox.ts";
import { log } from "./look/log.ts";
import { bubbleTry } from "./look/try.ts";
import { verify } from "./look/verify.ts";
import { hosts } from "./machines/hosts.ts";
import { importVerb } from "./machines/import.ts";
import { mirror } from "./machines/mirror.ts";
import { serverInit } from "./machines/server-init.ts";
import { serverJoin } from "./machines/server-join.ts";
import { worker } from "./machines/worker.ts";
import { operatorAdd } from "./operator/operator-add.ts";
import { operatorList } from "./operator/operator-list.ts";
import { operatorRemove } from "./operator/operator-remove.ts";
import { exportVerb } from "./page/export.ts";
import { ui } from "./page/ui.ts";
import { pipelineCancel } from "./pipeline/cancel.ts";
import { pipelineDryRun } from "./pipeline/dry-run.ts";
import { pipelineRecover } from "./pipeline/recover.ts";
import { pipelineReportVerb } from "./pipeline/report.ts";
import { pipelineReset } from "./pipeline/reset.ts";
import { pipeline } from "./pipeline/start.ts";
import { pipelineStatusVerb } from "./pipeline/status.ts";
import { auto } from "./plan/auto.ts";
import { plan } from "./plan/create.ts";
import { design, propose, spec } from "./plan/deprecated.ts";
import { planEdit } from "./plan/edit.ts";
import { execute } from "./plan/execute.ts";
import { explore } from "./plan/explore.ts";
import { planList } from "./plan/list.ts";
import { promote } from "./plan/promote.ts";
import { planShow } from "./plan/show.ts";
import { planStatus } from "./plan/status.ts";
import { tasks } from "./plan/tasks.ts";
import { adopt } from "./project/adopt.ts";
import { clean } from "./project/clean.ts";
import { defineComplete } from "./project/complete.ts";
import { completion } from "./project/completion.ts";
import { demo } from "./project/demo.ts";
import { doctor } from "./project/doctor.ts";
import { init } from "./project/init.ts";
import { newWork } from "./project/new.ts";
import { trust } from "./project/trust.ts";
import { benchReviewerVerb } from "./review/bench-reviewer.ts";
import { reviewCheck } from "./review/check.ts";
import { documentCheck } from "./review/document-check.ts";
import { reviewEvidenceVerb } from "./review/evidence.ts";
import { reviewLog } from "./review/log.ts";
import { workflowDryTurn } from "./workflow/dry-turn.ts";
import { workflowGraph } from "./workflow/graph.ts";
import { workflowList } from "./workflow/list.ts";
import { workflowRedo } from "./workflow/redo.ts";
import { workflowRun } from "./workflow/run.ts";
import { workflowShow } from "./workflow/show.ts";
import { workflowValidate } from "./workflow/validate.ts";

export const verbs: readonly Verb[] = [
  bubbleCreate,
  bubbleStart,
  bubbleStatus,
  bubbleList,
  bubbleDiff,
  bubbleInbox,
  bubbleReply,
  bubbleApprove,
  bubbleRework,
  bubbleWaive,
  bubbleUnlock,
  bubbleUpdate,
  bubbleCommit,
  bubbleOpen,
  bubbleTry,
  bubbleSalvage,
  bubbleStop,
  bubblePause,
  bubbleResume,
  bubbleWatchdog,
  bubbleAttach,
  bubbleDelete,
  bubbleDrive,
  pass,
  askHuman,
  converged,
  mcp,
  hook,
  scriptedAgent,
  home,
  ui,
  exportVerb,
  operatorAdd,
  operatorList,
  operatorRemove,
  inbox,
  log,
  explain,
  verify,
  reviewLog,
  reviewEvidenceVerb,
  reviewCheck,
  schema,
  sopList,
  sopMatch,
  constitutionShow,
  conventionsList,
  conventionsAccept,
  conventionsDismiss,
  conventionsRetire,
  brief,
  explore,
  plan,
  promote,
  planList,
  planShow,
  planEdit,
  planStatus,
  tasks,
  execute,
  auto,
  propose,
  design,
  spec,
  pipeline,
  pipelineStatusVerb,
  pipelineReportVerb,
  pipelineRecover,
  pipelineCancel,
  pipelineReset,
  pipelineDryRun,
  documentCheck,
  init,
  newWork,
  doctor,
  clean,
  trust,
  worker,
  serverInit,
  serverJoin,
  importVerb,
  mirror,
  hosts,
  adopt,
  benchReviewerVerb,
  workflowList,
  workflowValidate,
  workflowShow,
  workflowGraph,
  workflowRun,
  workflowRedo,
  workflowDryTurn,
  demo,
  completion,
  defineComplete(() => verbs),
];
