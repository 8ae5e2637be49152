import { html } from "./create.ts";
import { cellsOf, type EpisodeGroup, type Filter, methodsOf } from "./episode-groups.ts";
import { shorten } from "./wording.ts";

export interface FilterBar {
  readonly element: HTMLElement;
  readonly search: HTMLInputElement;
  readonly method: HTMLSelectElement;
}

/** Choices of attack, outcome, method and a search in the questions. Says `change` after every choice. */
export function drawFilterBar(groups: readonly EpisodeGroup[], change: (filter: Filter) => void): FilterBar {
  const plain = (values: readonly string[]): [string, string][] => values.map((value) => [value, value]);
  const cell = select("Attack", [["", "all attacks"], ...plain(cellsOf(groups))]);
  const outcome = select("Outcome", [
    ["", "all outcomes"],
    ["right", "right"],
    ["wrong", "wrong"],
    ["unparsed", "unparsed"],
    ["failed", "failed"],
    ["differs", "methods disagree"],
  ]);
  const method = select("Method", [["", "all methods"], ...plain(methodsOf(groups))]);
  const search = html("input", { type: "search", placeholder: "words of the question", autocomplete: "off" });
  const read = (): Filter => ({
    cell: cell.control.value,
    outcome: outcome.control.value as Filter["outcome"],
    method: method.control.value,
    search: search.value,
  });
  const element = html(
    "form",
    { class: "filters", role: "search", "aria-label": "Find episodes" },
    cell.label,
    outcome.label,
    method.label,
    html("label", {}, html("span", {}, "Search"), search),
  );
  element.addEventListener("submit", (event) => event.preventDefault());
  element.addEventListener("input", () => change(read()));
  return { element, search, method: method.control };
}

function select(
  name: string,
  choices: readonly [string, string][],
): { label: HTMLElement; control: HTMLSelectElement } {
  const control = html("select", {}, ...choices.map(([value, text]) => html("option", { value }, shorten(text, 60))));
  return { label: html("label", {}, html("span", {}, name), control), control };
}
