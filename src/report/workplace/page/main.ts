import { html } from "../../page/create.ts";
import { shorten } from "../../page/wording.ts";
import { groupEpisodes } from "../episode/group-episodes.ts";
import type { ShownWorkplaceEpisode, WorkplaceBrowser } from "../report-data.ts";
import { labelled, select } from "./choice.ts";
import { showEpisode } from "./show-episode.ts";

const data = document.getElementById("episode-data");
const root = document.getElementById("browser");
if (data !== null && root !== null) browse(JSON.parse(data.textContent ?? "") as WorkplaceBrowser, root);

/** Fills the place of the episode browser; the address remembers the episode by its number, `#e=3`. */
function browse({ episodes }: WorkplaceBrowser, root: HTMLElement): void {
  const groups = groupEpisodes(episodes);
  const group = select(groups.map(({ name }, k) => [String(k), shorten(name, 100)]));
  const method = select([]);
  const stage = html("div", { class: "stage" });
  const form = html("form", { class: "filters", "aria-label": "Choose an episode" });
  form.append(labelled("Project and cell", group), labelled("Method", method));
  form.addEventListener("submit", (event) => event.preventDefault());
  root.append(form, stage);

  const show = (episode: ShownWorkplaceEpisode): void => {
    const place = groups.findIndex((one) => one.episodes.includes(episode));
    group.value = String(place);
    method.replaceChildren(
      ...groups[place].episodes.map((one, k) => html("option", { value: k, selected: one === episode }, one.method)),
    );
    stage.replaceChildren(...showEpisode(episode));
  };
  const choose = (episode: ShownWorkplaceEpisode): void => {
    show(episode);
    history.replaceState(null, "", `#e=${episodes.indexOf(episode) + 1}`);
  };
  const current = (): string => method.selectedOptions[0]?.textContent ?? "";
  group.addEventListener("change", () => {
    const own = groups[Number(group.value)].episodes;
    choose(own.find((one) => one.method === current()) ?? own[0]);
  });
  method.addEventListener("change", () => choose(groups[Number(group.value)].episodes[Number(method.value)]));
  const named = (): ShownWorkplaceEpisode | undefined =>
    episodes[Number(/^#e=(\d{1,6})$/.exec(location.hash)?.[1] ?? 0) - 1];
  window.addEventListener("hashchange", () => {
    const episode = named();
    if (episode !== undefined) show(episode);
  });
  show(named() ?? episodes[0]);
}
