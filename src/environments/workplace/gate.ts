import type { CommunicationGraph } from "../../contracts/topology.ts";
import { log, type WorkState } from "./state.ts";

/**
 * Opens and closes conversations until the next decision, where the policy decides: who does not take part keeps to its work
 * (no new requests sent or received, answers when they are due); who does is at hand and answers at once; and an edge
 * i → j lets j ask i. Open requests may always be answered.
 */
export function openGate(state: WorkState, { order, sources, targets, agents }: CommunicationGraph): void {
  const focusedN = new Uint8Array(agents).fill(1);
  for (const agent of order) focusedN[agent] = 0;
  state.focusedN = focusedN;
  const allowed = new Set<number>();
  sources.forEach((source, e) => {
    allowed.add(targets[e] * agents + source);
  });
  state.allowed = allowed;
  if (state.events === null) return;
  const focused = Array.from(focusedN.keys()).filter((agent) => focusedN[agent] === 1);
  const edges = Array.from(sources, (source, e): [number, number] => [source, targets[e]]);
  log(state, { step: state.step, kind: "decide", focused, edges });
}
