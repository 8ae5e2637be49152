import type { WorkplaceRecord } from "../../contracts/workplace/record.ts";
import type { WorkplaceComparison, WorkplaceRow } from "../../contracts/workplace/results.ts";
import type { ReportSection } from "../report-data.ts";

/** Everything a report of the workplace shows. Plain JSON; all texts are taken as a stranger's. */
export interface WorkplaceReportData {
  readonly title: string;
  /** What came of it in plain words; stands first. */
  readonly headline: readonly string[];
  /** The command that made the numbers. */
  readonly command: string;
  /** Name and value of what else a reader must know to judge them: seeds, versions, split hashes. */
  readonly facts?: readonly (readonly [string, string])[];
  /** The method that stands out. Default `learned`. */
  readonly main?: string;
  readonly rows: readonly WorkplaceRow[];
  readonly comparisons: readonly WorkplaceComparison[];
  /** Sections of the caller's, such as a table beside the paper's numbers; they stand before the comparisons. */
  readonly sections?: readonly ReportSection[];
  readonly episodes: WorkplaceBrowser;
}

/** What the page's script is given to browse. */
export interface WorkplaceBrowser {
  /** How many episodes there were, how many are here, and how they were chosen. */
  readonly note: string;
  readonly episodes: readonly ShownWorkplaceEpisode[];
}

/** A record with what a reader needs beside it. */
export interface ShownWorkplaceEpisode {
  readonly method: string;
  /** Names of the project's members, the manager first. */
  readonly members: readonly string[];
  /** Titles of the plan's subtasks. */
  readonly subtasks: readonly string[];
  /** With its events. */
  readonly record: WorkplaceRecord;
}
