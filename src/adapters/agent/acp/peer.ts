// The two ends of an ACP conversation as one value: what goes to the host until the turn is over, and the requests
// that wait for the agent's answer. Ids count from one, so that a replay asks with the same ids.
import type { AgentRequestParamsByMethod } from "@agentclientprotocol/sdk";
import * as v from "valibot";
import type { TurnEnd } from "../../../core/model/turn-end.ts";
import type { ConversationHost, TurnEvent } from "../../../ports/agent/adapter.ts";
import { buildEndAfter } from "./failure.ts";
import { formatEcho, formatRequest, type IncomingMessage, type Method } from "./wire.ts";

type Answer = Extract<IncomingMessage, { kind: "result" | "error" }>;

export interface Peer {
  send(line: string): void;
  tell(event: TurnEvent): void;
  end(how: TurnEnd): void;
  /** Ends the turn as crashed. */
  lost(detail: string): void;
  isOver(): boolean;
  /** Asks the agent. An error, or an answer that is not in the protocol's form, ends the turn. */
  request<M extends Method, Reader extends v.GenericSchema>(
    method: M,
    params: AgentRequestParamsByMethod[M],
    reader: Reader,
    then: (result: v.InferOutput<Reader>) => void,
  ): void;
  /** Waits for one way there and back. */
  echo(then: () => void): void;
  /** An answer of the agent; one to nothing that was asked, or a second one, is not heard. */
  answered(message: Answer): void;
}

export function createPeer(host: ConversationHost): Peer {
  const waiting = new Map<unknown, (answer: Answer) => void>();
  let asked = 0;
  let isOver = false;

  const peer: Peer = {
    send(line) {
      if (!isOver) host.send(line);
    },
    tell(event) {
      if (isOver) return;
      isOver = event.type === "over";
      host.happened(event);
    },
    end: (how) => peer.tell({ type: "over", end: how }),
    lost: (detail) => peer.end({ outcome: "crashed", detail }),
    isOver: () => isOver,

    request(method, params, reader, then) {
      asked += 1;
      waiting.set(asked, (answer) => {
        if (answer.kind === "error") return peer.end(buildEndAfter(method, answer.error));
        const read = v.safeParse(reader, answer.result ?? {});
        if (read.success) return then(read.output);
        peer.lost(`its answer to ${method} is not in the protocol's form: ${read.issues[0].message}`);
      });
      peer.send(formatRequest(asked, method, params));
    },

    echo(then) {
      asked += 1;
      waiting.set(asked, then);
      peer.send(formatEcho(asked));
    },

    answered(message) {
      const take = waiting.get(message.id);
      waiting.delete(message.id);
      take?.(message);
    },
  };
  return peer;
}
