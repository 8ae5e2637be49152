const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it stands between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]);

/** JSON that can stand in a script element: nothing in it can end the element or begin a comment. */
export const embedJson = (value: unknown): string => JSON.stringify(value).replace(/</g, "\\u003c");
