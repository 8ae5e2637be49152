const refusal =
  /\b(?:(?:can['’]t|cannot|can not|unable to|not able to|won['’]t|will not|decline to|refuse to) (?:\w+ly )?(?:answer|help|assist|provide|comply|respond|fulfil|choose|select)|not qualified to|i apologi[sz]e, but|i['’]m sorry, but)/i;
const unknown =
  /\b(?:i|we)\s+(?:really\s+|simply\s+|honestly\s+)?(?:(?:do not|don['’]t|cannot|can['’]t)\s+(?:really\s+)?(?:know|tell|say|determine|be sure)|have no idea|am not sure|['’]m not sure|am unsure|am uncertain)\b|\b(?:cannot|can['’]t|can not|impossible to|not possible to)\s+(?:be\s+)?(?:determined?|known?|answered?|solved?|calculated?|computed?|say|tell)\b|\b(?:not enough|insufficient)\s+(?:information|data|details)\b|\b(?:no idea|not sure)\b/i;

/** The words decline to answer. */
export const isRefusal = (text: string): boolean => refusal.test(text);

/** The words say that the answer is not known, or cannot be. */
export const isUnknown = (text: string): boolean => unknown.test(text);
