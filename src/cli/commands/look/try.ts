// pairflow bubble try: runs the change for a person, on a checkout of exactly what was handed over.
import { tryChange } from "../../../app/operate/open.ts";
import { Failure } from "../../../ports/failure.ts";
import { openCall, operatorFlags } from "../../operator/operator-call.ts";
import { yesFlag } from "../../operator/trust.ts";
import { catchInterrupts } from "../../terminal/interrupt.ts";
import { writeAll } from "../../terminal/terminal.ts";
import { defineVerb } from "../../verb/declaration.ts";

const buildEnded = (command: string, exitCode: number | null) =>
  new Failure("try.failed", `${command} ended with exit code ${exitCode}`);

export const bubbleTry = defineVerb({
  words: "bubble try",
  also: ["try"],
  about: "Run the change for you to look at, with try_command of the project, on a checkout of its own",
  access: "operator",
  suits: ["READY_FOR_APPROVAL", "WAITING_HUMAN", "APPROVED_FOR_COMMIT"],
  example: 'pairflow bubble try --id fix-cart --command "npm start"',
  flags: {
    ...operatorFlags,
    ...yesFlag,
    command: { kind: "text", value: '"<line>"', about: "run this in the place of try_command" },
  },
  notes: [
    "Variables for the command: PORT, PORT2 and PORT3 are free ports, the same for a bubble each time;",
    "DATA_DIR is a folder of the bubble's own that stays between tries.",
  ],
  async run(shell, { flags }) {
    const call = await openCall(shell, flags);
    const interrupts = catchInterrupts();
    const print = (text: string) => void writeAll(shell.json ? 2 : 1, text);
    try {
      const { command, status, exitCode } = await tryChange(call, {
        ...{ command: flags.command, say: shell.say, print, signal: interrupts.signal },
      });
      const hasLeft = status === "aborted";
      return {
        text: `${hasLeft ? "Ended" : `It ended with exit code ${exitCode}`}; the checkout is gone, DATA_DIR stays`,
        json: { bubble: call.bubble, command, status, exit_code: exitCode },
        ...(hasLeft || exitCode === 0 ? {} : { refusal: buildEnded(command, exitCode), isTold: true }),
      };
    } finally {
      interrupts.over();
    }
  },
});
