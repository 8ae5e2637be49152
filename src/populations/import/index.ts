import { importDylan } from "./dylan.ts";
import type { Importer } from "./importer.ts";
import { importMultiAgentAttack } from "./multi-agent-attack.ts";

export type { Importer, ImportOptions, ImportReport } from "./importer.ts";

/** Recorded-data formats by name. */
export const importers = {
  "multi-agent-attack": {
    summary:
      "debates of three agents, clean or with one adversary: JSON lines in folders (amayuelas/multi-agent-attack)",
    read: importMultiAgentAttack,
  },
  dylan: {
    summary: "runs of seven role agents on MMLU; needs --questions and --map (SALT-NLP/DyLAN)",
    read: importDylan,
  },
} satisfies Record<string, { readonly summary: string; readonly read: Importer }>;
