import { ColloquyError, suggest } from "../base/errors.ts";
import { createRng } from "../base/rng.ts";
import { readBank, writeBank } from "../populations/bank.ts";
import { type ConformityRow, conformityTable } from "../populations/conformity-table.ts";
import { fitLaw } from "../populations/fit-law.ts";
import { type ImportOptions, type ImportReport, importers } from "../populations/import/index.ts";
import { type ProtocolAccuracy, recordedAccuracy, replayProtocol } from "../populations/replay-protocol.ts";
import type { ResponseLaw } from "../populations/response-law.ts";

/** Turns recorded debates into a behaviour bank. @throws ColloquyError `usage/format`, and whatever the importer throws */
export function importRecording(format: string, path: string, options: ImportOptions, out: string): ImportReport {
  if (!Object.hasOwn(importers, format)) {
    throw new ColloquyError("usage/format", `there is no importer for "${format}"`, {
      hint: suggest(format, Object.keys(importers)),
    });
  }
  const { bank, report } = importers[format as keyof typeof importers].read(path, options);
  writeBank(out, bank);
  return report;
}

/** A bank's response law, and how well it stands for the recording. */
export interface LawReport {
  readonly law: ResponseLaw;
  readonly recorded: ProtocolAccuracy;
  readonly replayed: ProtocolAccuracy;
  readonly conformity: readonly ConformityRow[];
  readonly warnings: readonly string[];
}

/** Fits the response law of a bank and replays the recording's own protocol with it. */
export function fitRecording(path: string): LawReport {
  const bank = readBank(path);
  const law = fitLaw(bank);
  const rng = createRng("fit");
  return {
    law,
    recorded: recordedAccuracy(bank),
    replayed: replayProtocol(bank, law, rng.fork("replay")),
    conformity: conformityTable(bank, law, rng.fork("conformity")),
    warnings: bank.warnings,
  };
}
