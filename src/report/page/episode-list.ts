import { html, word } from "./create.ts";
import { type EpisodeGroup, underMethod } from "./episode-groups.ts";
import { count, outcomeMarks, shorten } from "./wording.ts";

/** At most this many episodes are listed around the one shown; filters and keys reach the others. */
const MOST_LISTED = 120;

export interface EpisodeList {
  readonly element: HTMLElement;
  show(groups: readonly EpisodeGroup[], current: number, method: string): void;
  focus(): void;
}

/** The matching episodes with their outcomes. Arrows move in it, as in any list box. */
export function drawEpisodeList(choose: (group: EpisodeGroup) => void): EpisodeList {
  const box = html("div", { class: "episode-list", role: "listbox", tabindex: 0, "aria-label": "Episodes" });
  const note = html("p", { class: "note", role: "status" });
  let listed: readonly EpisodeGroup[] = [];
  let currentNumber = 0;

  const step = (offset: number): void => {
    const place = listed.findIndex(({ number }) => number === currentNumber);
    const next = listed[place < 0 ? 0 : Math.max(0, Math.min(listed.length - 1, place + offset))];
    if (next !== undefined) choose(next);
  };
  box.addEventListener("keydown", (event) => {
    const offset = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -Infinity, End: Infinity }[event.key];
    if (offset === undefined) return;
    event.preventDefault();
    step(offset);
  });

  function show(groups: readonly EpisodeGroup[], current: number, method: string): void {
    const place = Math.max(
      0,
      groups.findIndex(({ number }) => number === current),
    );
    const start = Math.max(0, Math.min(place - MOST_LISTED / 2, groups.length - MOST_LISTED));
    listed = groups;
    currentNumber = current;
    box.replaceChildren(
      ...groups.slice(start, start + MOST_LISTED).map((group) => option(group, group.number === current, method)),
    );
    box.hidden = groups.length === 0;
    if (groups.some(({ number }) => number === current))
      box.setAttribute("aria-activedescendant", `episode-${current}`);
    else box.removeAttribute("aria-activedescendant");
    note.textContent =
      groups.length === 0
        ? "No episode matches."
        : groups.length > MOST_LISTED
          ? `${groups.length} episodes match; ${MOST_LISTED} around this one are listed.`
          : `${count(groups.length, "episode")} match${groups.length === 1 ? "es" : ""}.`;
    reveal(box);
  }

  function option(group: EpisodeGroup, isCurrent: boolean, method: string): HTMLElement {
    const { outcome } = underMethod(group, method).record;
    const line = html(
      "div",
      { class: "episode", role: "option", id: `episode-${group.number}`, "aria-selected": String(isCurrent) },
      html("span", { class: `outcome ${outcome}`, role: "img", "aria-label": outcome }, outcomeMarks[outcome]),
      html("span", { class: "question" }, word(shorten(group.question, 90))),
      html("span", { class: "cell" }, group.cell),
    );
    line.addEventListener("click", () => choose(group));
    return line;
  }
  return { element: html("div", { class: "episodes-found" }, note, box), show, focus: () => box.focus() };
}

/** Scrolls the list, and never the page. */
function reveal(box: HTMLElement): void {
  const current = box.querySelector<HTMLElement>('[aria-selected="true"]');
  if (current === null) return;
  const top = current.offsetTop - box.offsetTop;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + current.offsetHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = top + current.offsetHeight - box.clientHeight;
}
