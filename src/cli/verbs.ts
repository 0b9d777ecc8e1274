// Every command of Pairflow, in the order help shows them. A new one is a file in commands/ and a line here.
import { askHuman } from "./commands/ask-human.ts";
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
import { bubbleReply } from "./commands/bubble-reply.ts";
import { bubbleResume } from "./commands/bubble-resume.ts";
import { bubbleRework } from "./commands/bubble-rework.ts";
import { bubbleStart } from "./commands/bubble-start.ts";
import { bubbleStatus } from "./commands/bubble-status.ts";
import { bubbleStop } from "./commands/bubble-stop.ts";
import { bubbleUnlock } from "./commands/bubble-unlock.ts";
import { bubbleWaive } from "./commands/bubble-waive.ts";
import { bubbleWatchdog } from "./commands/bubble-watchdog.ts";
import { constitutionShow } from "./commands/constitution-show.ts";
import { converged } from "./commands/converged.ts";
import { demo } from "./commands/demo.ts";
import { doctor } from "./commands/doctor.ts";
import { documentCheck } from "./commands/document-check.ts";
import { explain } from "./commands/explain.ts";
import { home } from "./commands/home.ts";
import { hook } from "./commands/hook.ts";
import { inbox } from "./commands/inbox.ts";
import { init } from "./commands/init.ts";
import { log } from "./commands/log.ts";
import { mcp } from "./commands/mcp.ts";
import { pass } from "./commands/pass.ts";
import { reviewCheck } from "./commands/review-check.ts";
import { reviewLog } from "./commands/review-log.ts";
import { schema } from "./commands/schema.ts";
import { scriptedAgent } from "./commands/scripted-agent.ts";
import { sopList } from "./commands/sop-list.ts";
import { sopMatch } from "./commands/sop-match.ts";
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
  bubbleStop,
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
  reviewCheck,
  schema,
  sopList,
  sopMatch,
  constitutionShow,
  brief,
  documentCheck,
  init,
  doctor,
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
