import { join } from "node:path";
import type { AnyRecipe } from "../assemble/index.ts";
import { shortHash } from "../base/hash.ts";
import { canonicalJson } from "../base/json.ts";

/** The book of what an evaluation paid: of its own for each way of judging, since limits hold for all parts of one. */
export function evaluationLedger(
  { recipe }: { readonly recipe: AnyRecipe },
  { out, rates, limit }: { readonly out: string; readonly rates?: readonly number[]; readonly limit?: number },
): string {
  const { calls: _made, ...judged } = recipe;
  return join(out, `calls-evaluate-${shortHash(canonicalJson([judged, rates ?? null, limit ?? null]))}.jsonl`);
}
