import { html } from "./create.ts";

/** What the keys do. */
export interface KeyActions {
  /** The next episode (1) or the one before (-1). */
  step(offset: number): void;
  switchMethod(offset: number): void;
  search(): void;
  /** From a field to what it found. */
  leaveField(): void;
  close(): boolean;
}

const TABLE: readonly (readonly [string, string])[] = [
  ["n  p", "next, previous episode (also → ← where nothing has the focus)"],
  ["m  M", "next, previous method"],
  ["↑ ↓", "another agent of the round"],
  ["← →", "the same agent in another round"],
  ["Enter", "read what the agent said"],
  ["Esc", "close"],
  ["/", "search in the questions"],
  ["?", "these keys"],
];

/** Listens to the keys of the page, and makes the dialog that explains them. */
export function listenToKeys(actions: KeyActions): { readonly dialog: HTMLDialogElement } {
  const close = html("button", { type: "button" }, "Close");
  const dialog = html(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    html("h3", { id: "help-title" }, "Keys"),
    html("dl", {}, ...TABLE.map(([keys, what]) => html("div", {}, html("dt", {}, keys), html("dd", {}, what)))),
    close,
  );
  close.addEventListener("click", () => dialog.close());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    const target = event.target as HTMLElement;
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
    if (event.key === "Escape" && !isTyping && actions.close()) return event.preventDefault();
    if (event.key === "Escape" && isTyping) return actions.leaveField();
    if (isTyping) return;
    const isFree = target === document.body || target === document.documentElement;
    const action = actionOf(event.key, isFree, actions, dialog);
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
  return { dialog };
}

function actionOf(
  key: string,
  isFree: boolean,
  actions: KeyActions,
  dialog: HTMLDialogElement,
): (() => void) | undefined {
  if (key === "n" || (key === "ArrowRight" && isFree)) return () => actions.step(1);
  if (key === "p" || (key === "ArrowLeft" && isFree)) return () => actions.step(-1);
  if (key === "m") return () => actions.switchMethod(1);
  if (key === "M") return () => actions.switchMethod(-1);
  if (key === "/") return () => actions.search();
  if (key === "?") return () => dialog.showModal();
  return undefined;
}
