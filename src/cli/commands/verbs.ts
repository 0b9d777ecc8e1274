// Every command of Pairflow, in the order help shows them. A new one is a file in commands/ and a line here.

import type { Verb } from "../verb/verb.ts";
import { askHuman } from "./agent/ask-human.ts";
import { converged } from "./agent/converged.ts";
import { hook } from "./agent/hook.ts";
import { mcp } from "./agent/mcp.ts";
import { pass } from "./agent/pass.ts";
import { schema } from "./agent/schema.ts";
import { scriptedAgent } from "./agent/scripted-agent.ts";
import { bubbleAttach } from "./bubble/bubble-attach.ts";
import { bubbleCreate } from "./bubble/bubble-create.ts";
import { bubbleDelete } from "./bubble/bubble-delete.ts";
import { bubbleDrive } from "./bubble/bubble-drive.ts";
import { bubbleInbox } from "./bubble/bubble-inbox.ts";
import { bubbleList } from "./bubble/bubble-list.ts";
import { bubbleOpen } from "./bubble/bubble-open.ts";
import { bubblePause } from "./bubble/bubble-pause.ts";
import { bubbleResume } from "./bubble/bubble-resume.ts";
import { bubbleStart } from "./bubble/bubble-start.ts";
import { bubbleStatus } from "./bubble/bubble-status.ts";
import { bubbleStop } from "./bubble/bubble-stop.ts";
import { bubbleApprove } from "./decide/bubble-approve.ts";
import { bubbleCommit } from "./decide/bubble-commit.ts";
import { bubbleReply } from "./decide/bubble-reply.ts";
import { bubbleRework } from "./decide/bubble-rework.ts";
import { bubbleSalvage } from "./decide/bubble-salvage.ts";
import { bubbleUnlock } from "./decide/bubble-unlock.ts";
import { bubbleWaive } from "./decide/bubble-waive.ts";
import { bubbleWatchdog } from "./decide/bubble-watchdog.ts";
import { brief } from "./knowledge/brief.ts";
import { constitutionShow } from "./knowledge/constitution-show.ts";
import { conventionsAccept } from "./knowledge/conventions-accept.ts";
import { conventionsDismiss } from "./knowledge/conventions-dismiss.ts";
import { conventionsList } from "./knowledge/conventions-list.ts";
import { conventionsRetire } from "./knowledge/conventions-retire.ts";
import { sopList } from "./knowledge/sop-list.ts";
import { sopMatch } from "./knowledge/sop-match.ts";
import { explain } from "./look/explain.ts";
import { home } from "./look/home.ts";
import { inbox } from "./look/inbox.ts";
import { log } from "./look/log.ts";
import { verify } from "./look/verify.ts";
import { pipeline } from "./pipeline/pipeline.ts";
import { pipelineCancel } from "./pipeline/pipeline-cancel.ts";
import { pipelineDryRun } from "./pipeline/pipeline-dry-run.ts";
import { pipelineRecover } from "./pipeline/pipeline-recover.ts";
import { pipelineReportVerb } from "./pipeline/pipeline-report.ts";
import { pipelineReset } from "./pipeline/pipeline-reset.ts";
import { pipelineStatusVerb } from "./pipeline/pipeline-status.ts";
import { auto } from "./plan/auto.ts";
import { design } from "./plan/design.ts";
import { execute } from "./plan/execute.ts";
import { explore } from "./plan/explore.ts";
import { plan } from "./plan/plan.ts";
import { planEdit } from "./plan/plan-edit.ts";
import { planList } from "./plan/plan-list.ts";
import { planShow } from "./plan/plan-show.ts";
import { planStatus } from "./plan/plan-status.ts";
import { promote } from "./plan/promote.ts";
import { propose } from "./plan/propose.ts";
import { spec } from "./plan/spec.ts";
import { tasks } from "./plan/tasks.ts";
import { demo } from "./project/demo.ts";
import { doctor } from "./project/doctor.ts";
import { init } from "./project/init.ts";
import { trust } from "./project/trust.ts";
import { benchReviewerVerb } from "./review/bench-reviewer.ts";
import { documentCheck } from "./review/document-check.ts";
import { reviewCheck } from "./review/review-check.ts";
import { reviewEvidenceVerb } from "./review/review-evidence.ts";
import { reviewLog } from "./review/review-log.ts";
import { workflowDryTurn } from "./workflow/workflow-dry-turn.ts";
import { workflowGraph } from "./workflow/workflow-graph.ts";
import { workflowList } from "./workflow/workflow-list.ts";
import { workflowRedo } from "./workflow/workflow-redo.ts";
import { workflowRun } from "./workflow/workflow-run.ts";
import { workflowShow } from "./workflow/workflow-show.ts";
import { workflowValidate } from "./workflow/workflow-validate.ts";

export const verbs: readonly Verb[] = [
  bubbleCreate,
  bubbleStart,
  bubbleStatus,
  bubbleList,
  bubbleInbox,
  bubbleReply,
  bubbleApprove,
  bubbleRework,
  bubbleWaive,
  bubbleUnlock,
  bubbleCommit,
  bubbleOpen,
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
  doctor,
  trust,
  benchReviewerVerb,
  workflowList,
  workflowValidate,
  workflowShow,
  workflowGraph,
  workflowRun,
  workflowRedo,
  workflowDryTurn,
  demo,
];
