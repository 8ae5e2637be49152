import { ColloquyError, suggest } from "../base/errors.ts";
import type { CommunicationGraph, DrawInput } from "../contracts/topology.ts";
import { topologies } from "../topology/index.ts";

/** A topology rule that leaves nothing to chance and draws from credits and participation alone. */
export type DeterministicRule = (input: Omit<DrawInput, "rng">) => CommunicationGraph;

const { random: _random, "random-order": _randomOrder, proposed: _proposed, ...deterministic } = topologies;

/**
 * The rule that draws a policy's graphs, by its name.
 * @throws ColloquyError `session/topology` for a name nobody knows, for rules that draw by chance (ablations), and for
 * `proposed`: a credit network proposes no edges
 */
export function chooseRule(name: string): DeterministicRule {
  if (Object.hasOwn(deterministic, name)) {
    return deterministic[name as keyof typeof deterministic].draw as DeterministicRule;
  }
  throw new ColloquyError("session/topology", `a session cannot draw graphs by the rule "${name}" of this policy`, {
    hint: suggest(name, Object.keys(deterministic)),
  });
}
