import { credibility } from "./credibility.ts";
import { detector } from "./detector.ts";
import { dylan } from "./dylan.ts";
import { nodeDropout } from "./node-dropout.ts";
import { queryGraph } from "./query-graph.ts";
import type { Rival } from "./rival.ts";
import { prunedStaticEdges, staticEdges } from "./static-edges.ts";

/** All rival learners, by the name of their method. */
export const rivals = {
  "static-edges": staticEdges,
  "static-edges/pruned": prunedStaticEdges,
  "node-dropout": nodeDropout,
  "query-graph": queryGraph,
  dylan,
  credibility,
  detector,
} as const satisfies Record<string, Rival>;

export type RivalName = keyof typeof rivals;

export type { PlayedEpisode, Rival, RivalShape, RivalState } from "./rival.ts";
