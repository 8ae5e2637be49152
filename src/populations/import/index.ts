import { importDylan } from "./dylan.ts";
import type { Importer } from "./importer.ts";
import { importMultiAgentAttack } from "./multi-agent-attack.ts";

export type { Importer, ImportOptions, ImportReport } from "./importer.ts";

/** Recorded-data formats by name. */
export const importers = {
  "multi-agent-attack": importMultiAgentAttack,
  dylan: importDylan,
} satisfies Record<string, Importer>;
