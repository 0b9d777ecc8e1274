// Every command of Pairflow, in the order help shows them. A new one is a file in commands/ and a line here.
import { askHuman } from "./commands/ask-human.ts";
import { auto } from "./commands/auto.ts";
import { benchReviewerVerb } from "./commands/bench-reviewer.ts";
import { brief } from "./commands/brief.ts";
import { bubbleApprove } from "./commands/bubble-approve.ts";
import { bubbleAttach } from "./commands/bubble-attach.ts";
import { bubbleCommit } from "./commands/bubble-commit.ts";
import { bubbleCreate } from "./commands/bubble-create.ts";
import { bubbleDelete } from "./commands/bubble-delete.ts";
import { bubbleDrive } from "./commands/bubble-drive.ts";
import { bubbleInbox } from "./commands/bubble-inbox.ts";
import { bubbleList } from "./commands/bubble-list.ts";
import { bubbleOpen } from "./commands/bubble-open.ts";
import { bubblePause } from "./commands/bubble-pause.ts";
import { bubbleReply } from "./commands/bubble-reply.ts";
import { bubbleResume } from "./commands/bubble-resume.ts";
import { bubbleRework } from "./commands/bubble-rework.ts";
import { bubbleSalvage } from "./commands/bubble-salvage.ts";
import { bubbleStart } from "./commands/bubble-start.ts";
import { bubbleStatus } from "./commands/bubble-status.ts";
import { bubbleStop } from "./commands/bubble-stop.ts";
import { bubbleUnlock } from "./commands/bubble-unlock.ts";
import { bubbleWaive } from "./commands/bubble-waive.ts";
import { bubbleWatchdog } from "./commands/bubble-watchdog.ts";
import { constitutionShow } from "./commands/constitution-show.ts";
import { conventionsAccept } from "./commands/conventions-accept.ts";
import { conventionsDismiss } from "./commands/conventions-dismiss.ts";
import { conventionsList } from "./commands/conventions-list.ts";
import { conventionsRetire } from "./commands/conventions-retire.ts";
import { converged } from "./commands/converged.ts";
import { demo } from "./commands/demo.ts";
import { design } from "./commands/design.ts";
import { doctor } from "./commands/doctor.ts";
import { documentCheck } from "./commands/document-check.ts";
import { execute } from "./commands/execute.ts";
import { explain } from "./commands/explain.ts";
import { explore } from "./commands/explore.ts";
import { home } from "./commands/home.ts";
import { hook } from "./commands/hook.ts";
import { inbox } from "./commands/inbox.ts";
import { init } from "./commands/init.ts";
import { log } from "./commands/log.ts";
import { mcp } from "./commands/mcp.ts";
import { pass } from "./commands/pass.ts";
import { pipeline } from "./commands/pipeline.ts";
import { pipelineCancel } from "./commands/pipeline-cancel.ts";
import { pipelineDryRun } from "./commands/pipeline-dry-run.ts";
import { pipelineRecover } from "./commands/pipeline-recover.ts";
import { pipelineReportVerb } from "./commands/pipeline-report.ts";
import { pipelineReset } from "./commands/pipeline-reset.ts";
import { pipelineStatusVerb } from "./commands/pipeline-status.ts";
import { plan } from "./commands/plan.ts";
import { planEdit } from "./commands/plan-edit.ts";
import { planList } from "./commands/plan-list.ts";
import { planShow } from "./commands/plan-show.ts";
import { planStatus } from "./commands/plan-status.ts";
import { promote } from "./commands/promote.ts";
import { propose } from "./commands/propose.ts";
import { reviewCheck } from "./commands/review-check.ts";
import { reviewEvidenceVerb } from "./commands/review-evidence.ts";
import { reviewLog } from "./commands/review-log.ts";
import { schema } from "./commands/schema.ts";
import { scriptedAgent } from "./commands/scripted-agent.ts";
import { sopList } from "./commands/sop-list.ts";
import { sopMatch } from "./commands/sop-match.ts";
import { spec } from "./commands/spec.ts";
import { tasks } from "./commands/tasks.ts";
import { trust } from "./commands/trust.ts";
import { verify } from "./commands/verify.ts";
import { workflowDryTurn } from "./commands/workflow-dry-turn.ts";
import { workflowGraph } from "./commands/workflow-graph.ts";
import { workflowList } from "./commands/workflow-list.ts";
import { workflowRedo } from "./commands/workflow-redo.ts";
import { workflowRun } from "./commands/workflow-run.ts";
import { workflowShow } from "./commands/workflow-show.ts";
import { workflowValidate } from "./commands/workflow-validate.ts";
import type { Verb } from "./verb.ts";

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
