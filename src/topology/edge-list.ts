import { ColloquyError } from "../base/errors.ts";
import type { EdgeArrays } from "../contracts/topology.ts";

/** The most edges a graph may have: 2^26 take half a gigabyte. Complete graphs of up to 11,000 agents stay below. */
const MOST_EDGES = 2 ** 26;

/** Edges in the order they were added, in two arrays that double as they fill up. */
export interface EdgeList {
  add(source: number, target: number): void;
  count(): number;
  /** Exact-size copies. */
  arrays(): EdgeArrays;
}

/**
 * @param expected edges to make room for at first
 * @param most edges it takes; one more is a ColloquyError `graph/too-large`
 */
export function createEdgeList(expected: number, most = MOST_EDGES): EdgeList {
  let sources = new Int32Array(Math.min(Math.max(16, expected), most));
  let targets = new Int32Array(sources.length);
  let count = 0;
  return {
    add(source, target) {
      if (count === sources.length) {
        if (count === most) {
          throw new ColloquyError("graph/too-large", `the graph would have more than ${count} edges`, {
            hint: "Set in- or out-degree budgets, or let fewer agents take part.",
          });
        }
        sources = enlarged(sources, Math.min(2 * count, most));
        targets = enlarged(targets, sources.length);
      }
      sources[count] = source;
      targets[count++] = target;
    },
    count: () => count,
    arrays: () => ({ sources: sources.slice(0, count), targets: targets.slice(0, count) }),
  };
}

function enlarged(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const result = new Int32Array(length);
  result.set(array);
  return result;
}

/** Edges as [source, target] pairs, in their order. */
export const listEdges = ({ sources, targets }: EdgeArrays): [number, number][] =>
  Array.from(sources, (source, e) => [source, targets[e]]);
