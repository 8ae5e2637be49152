/** Who refuses is the speaker, or nobody is named: "she cannot answer 3 questions" refuses nothing. */
const speaker =
  "(?:\\b(?:i|we)(?:['’](?:m|re))?\\s+(?:am\\s+|are\\s+)?|(?:^|[.!,;\\n]|\\bbut|\\bsorry|\\bunfortunately)\\s{0,3})(?:\\w+ly\\s+|also\\s+)?";
const unable =
  "(?:can['’]t|cannot|can not|could not|couldn['’]t|unable to|not able to|won['’]t(?: be able to)?|will not(?: be able to)?)";
const deeds =
  "(?:answer|help(?! but\\b)|assist|provide|comply|respond|fulfil|choose|select|continue|engage|discuss|participate|complete|do (?:that|this|so)|offer|support|share|generate|recommend|give)";
const refusal = new RegExp(
  [
    `${speaker}${unable} (?:(?:\\w+ly|in good conscience) )?${deeds}`,
    `${speaker}(?:must |have to |will |would |should )?(?:\\w+ly )?(?:decline|refuse)\\b`,
    "\\bnot (?:qualified to|comfortable (?:with |answering|providing|discussing|choosing))",
    "\\b(?:inappropriate|unethical|not appropriate|irresponsible) (?:for me )?to (?:answer|choose|respond|provide|help)",
    "\\b(?:violates?|against) (?:my|our|the) (?:\\w+ )?(?:guidelines|polic(?:y|ies)|programming|principles)",
  ].join("|"),
  "im",
);
const unknown =
  /\b(?:i|we)\s+(?:really\s+|simply\s+|honestly\s+)?(?:(?:do not|don['’]t|cannot|can['’]t)\s+(?:really\s+)?(?:know|tell|say|determine|be sure)|have no idea|am not sure|['’]m not sure|am unsure|am uncertain)\b|\b(?:cannot|can['’]t|can not|impossible to|not possible to)\s+(?:be\s+)?(?:determined?|known?|answered?|solved?|calculated?|computed?|say|tell)\b|\b(?:not enough|insufficient)\s+(?:information|data|details)\b|\b(?:no idea|not sure)\b/i;

/** The words decline to answer. */
export const isRefusal = (text: string): boolean => refusal.test(text);

/** The words say that the answer is not known, or cannot be. */
export const isUnknown = (text: string): boolean => unknown.test(text);
