import { ColloquyError } from "../base/errors.ts";
import { estimateTokens } from "../base/estimate-tokens.ts";
import type { ChatReply, ChatRequest } from "../contracts/language-model.ts";

/** Shorter prompts fit everywhere, and an estimate of few tokens says little. */
const smallPrompt = 500;

/**
 * Some local servers drop the front of a prompt that is too long for them (the task with it) and answer all the same. The
 * sign is a count of prompt tokens that is less than half of what the prompt must have.
 * @throws ColloquyError `agents/prompt-truncated` where `truncatedPrompt` is `fail`
 */
export function checkPromptSize(
  request: ChatRequest,
  { usage }: ChatReply,
  { truncatedPrompt, onWarning }: { readonly truncatedPrompt: "warn" | "fail"; onWarning?(warning: string): void },
): void {
  if (usage === null) return;
  const estimated = request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  if (estimated <= smallPrompt || usage.prompt * 2 >= estimated) return;
  const what = `${request.label ?? "a call"}: the server counted ${usage.prompt} tokens of a prompt of about ${estimated}`;
  const hint =
    "It seems to drop the front of long prompts: give the model a longer context, or set a shorter messageLength.";
  if (truncatedPrompt === "fail") throw new ColloquyError("agents/prompt-truncated", what, { hint });
  onWarning?.(`prompt_truncated_by_server: ${what}. ${hint}`);
}
