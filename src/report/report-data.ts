import type { Table } from "../base/table.ts";
import type { EpisodeRecord } from "../contracts/trace.ts";

/** Everything a report shows. Plain JSON; whoever has a run collects it, `renderReport` draws it. */
export interface ReportData {
  readonly title: string;
  /** What came of the run in plain words; stands first. */
  readonly headline: string;
  /** Name and value of what a reader must know to judge the numbers: recipe, command, seeds, versions, split hashes. */
  readonly facts: readonly (readonly [string, string])[];
  /** In reading order: each a heading, words, a drawing (self-contained SVG) and tables. Any part may be missing. */
  readonly sections: readonly ReportSection[];
  readonly browser: EpisodeBrowser;
}

export interface ReportSection {
  readonly heading: string;
  readonly text?: string;
  readonly figures?: readonly Figure[];
  readonly tables?: readonly { readonly title: string; readonly table: Table }[];
}

/** A drawing, 380 pixels wide, with the words below it. */
export interface Figure {
  readonly svg: string;
  readonly caption: string;
}

/** What the page's script is given to browse. */
export interface EpisodeBrowser {
  /** How many episodes there were, how many are here, and how they were chosen. */
  readonly note: string;
  /** By question id. Texts may come from strangers. */
  readonly questions: Readonly<Record<string, ShownQuestion>>;
  /** Groups of episodes that share question, attack, seed and sample stand together: one for each method. */
  readonly episodes: readonly ShownEpisode[];
}

export interface ShownQuestion {
  readonly text: string;
  /** Option letter and text; empty for open questions. */
  readonly options: readonly (readonly [string, string])[];
}

/** A record with what a reader needs beside it. Texts stand in it; long ones are cut, and say so. */
export interface ShownEpisode {
  readonly method: string;
  /** Where it was played. */
  readonly phase: "training" | "judging";
  /** Weight of each agent's voice in the vote, by index; 0 where it has none. */
  readonly weights: readonly number[];
  /** Set where the method counts the answers of all rounds, not only the last ones. */
  readonly ballots?: "all";
  readonly record: EpisodeRecord;
}
