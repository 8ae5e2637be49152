import type { EpisodeBrowser } from "../report-data.ts";
import { readAddress, writeAddress } from "./address.ts";
import { html } from "./create.ts";
import {
  type EpisodeGroup,
  type Filter,
  filterGroups,
  groupEpisodes,
  methodsOf,
  noFilter,
  underMethod,
} from "./episode-groups.ts";
import { drawEpisodeList } from "./episode-list.ts";
import { drawFilterBar } from "./filter-bar.ts";
import { listenToKeys } from "./keys.ts";
import { listOnPaper } from "./paper.ts";
import { createStage } from "./stage.ts";

const data = document.getElementById("episode-data");
const root = document.getElementById("browser");
if (data !== null && root !== null) browse(JSON.parse(data.textContent ?? "") as EpisodeBrowser, root);

/** Fills the place of the episode browser and keeps it, the address and the keys together. */
function browse(browser: EpisodeBrowser, root: HTMLElement): void {
  const groups = groupEpisodes(browser);
  if (groups.length === 0) return;
  let filter: Filter = noFilter;
  let matching: readonly EpisodeGroup[] = groups;
  let current = groups[0];
  let method = preferred(groups);

  const show = (group: EpisodeGroup): void => {
    current = group;
    const episode = underMethod(group, method);
    stage.show(group, episode);
    list.show(matching, group.number, method);
    const place = matching.indexOf(group);
    position.textContent = place < 0 ? `– of ${matching.length}` : `${place + 1} of ${matching.length}`;
    history.replaceState(null, "", writeAddress({ number: group.number, method: episode.method }));
  };
  const refilter = (next: Filter): void => {
    filter = next;
    if (filter.method !== "") method = filter.method;
    matching = filterGroups(groups, filter, method);
    if (matching.length === 0 || matching.includes(current)) show(current);
    else show(matching[0]);
  };
  const chooseMethod = (next: string): void => {
    method = next;
    if (filter.method !== "") {
      filter = { ...filter, method: next };
      bar.method.value = next;
    }
    // The episode stays in view although it may no longer match.
    matching = filterGroups(groups, filter, method);
    show(current);
  };
  const step = (offset: number): void => {
    if (matching.length === 0) return;
    const place = matching.indexOf(current);
    const after = matching.findIndex(({ number }) => number > current.number);
    const start = place >= 0 ? place + offset : offset > 0 ? after : (after < 0 ? matching.length : after) - 1;
    show(matching[(start + matching.length) % matching.length]);
  };
  const switchMethod = (offset: number): void => {
    const { episodes } = current;
    const place = episodes.indexOf(underMethod(current, method));
    chooseMethod(episodes[(place + offset + episodes.length) % episodes.length].method);
  };
  const follow = (): void => {
    const address = readAddress(location.hash);
    const group = address === null ? undefined : groups[address.number - 1];
    if (address === null || group === undefined) return;
    if (address.method !== "") method = address.method;
    show(group);
  };

  const stage = createStage(browser.questions, chooseMethod);
  const list = drawEpisodeList(show);
  const bar = drawFilterBar(groups, refilter);
  const position = html("span", { class: "position" });
  const { dialog } = listenToKeys({
    ...{ step, switchMethod, search: () => bar.search.focus(), leaveField: list.focus, close: stage.close },
  });
  const paper = html("div", { class: "paper-only" });
  const pager = html(
    "div",
    { class: "pager" },
    press("Previous episode", "←", () => step(-1)),
    position,
    press("Next episode", "→", () => step(1)),
    press("Keys", "?", () => dialog.showModal()),
  );
  root.append(
    bar.element,
    html("div", { class: "desk" }, html("div", { class: "rail" }, pager, list.element), stage.element),
    paper,
    dialog,
  );
  listOnPaper(paper, () => underMethod(current, method));
  window.addEventListener("hashchange", follow);
  const address = readAddress(location.hash);
  if (address === null) stage.show(current, underMethod(current, method));
  list.show(matching, current.number, method);
  position.textContent = `1 of ${matching.length}`;
  follow();
}

/** What a reader most likely wants to see first. */
function preferred(groups: readonly EpisodeGroup[]): string {
  const methods = methodsOf(groups);
  return methods.includes("learned") ? "learned" : methods[0];
}

function press(name: string, sign: string, action: () => void): HTMLElement {
  const button = html("button", { type: "button", "aria-label": name, title: name }, sign);
  button.addEventListener("click", action);
  return button;
}
