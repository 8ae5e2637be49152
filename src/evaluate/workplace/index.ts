export { attackOf, describeCell as describeWorkplaceCell, listCells, type WorkplaceGrid } from "./cells.ts";
export { compareWorkplace, mainMethod as mainWorkplaceMethod } from "./compare.ts";
export {
  keepWorkplaceEpisodes,
  nameOf as nameEpisode,
  parseKeptEpisodes,
  WORKPLACE_JUDGED,
  type WorkplaceKeeper,
} from "./keep-episodes.ts";
export { reduceRecord, type WorkplaceNumbers } from "./numbers.ts";
export { eventSchema, type KeptEpisode } from "./record-schema.ts";
export {
  collectWorkplaceResults,
  isWorkplaceResults,
  parseWorkplaceResults,
  workplaceCsv,
} from "./results.ts";
export {
  WORKPLACE_RESULTS,
  type WorkplaceResultComparison,
  type WorkplaceResultRow,
  type WorkplaceResults,
} from "./schema.ts";
export {
  sweepWorkplace,
  type WorkplaceEpisode,
  type WorkplacePlay,
  type WorkplaceSweep,
  type WorkplaceSweepSettings,
} from "./sweep.ts";
export { consoleWorkplace, markdownWorkplace, workplaceComparisons, workplaceTables } from "./tables.ts";
