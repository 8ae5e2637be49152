/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { systemClock } from "../../../base/clock.ts";
import type { RunStatus } from "../../../contracts/run-log.ts";
import { formatNumber, measures, sortKeys } from "./measures.ts";
import { createPanels } from "./panels.ts";
import { type AllSeries, addRow } from "./series.ts";

/* The page of `colloquy watch`: what the server sends is collected, and drawn once a frame. */

const stateWords: Readonly<Record<RunStatus["state"], string>> = {
  waiting: "Waiting for the run to begin",
  running: "Running",
  finished: "Finished",
  resting: "Not running",
};

const lostWords = {
  lost: "No connection; trying again",
  full: "Too many pages of this run are open; trying again",
} as const;

const byId = (id: string): HTMLElement => document.getElementById(id)!;

const all: AllSeries = new Map();
const panels = createPanels();
byId("charts").append(...panels.map(({ element }) => element));
let status: { readonly run: RunStatus; readonly atMs: number } | undefined;
let connection: "lost" | "full" | "there" = "lost";
let isDrawPlanned = false;

function plan(): void {
  if (isDrawPlanned) return;
  isDrawPlanned = true;
  requestAnimationFrame(() => {
    isDrawPlanned = false;
    draw();
  });
}

function draw(): void {
  const step = Math.max(0, ...[...all.values()].map(({ steps }) => steps.at(-1) ?? 0));
  const planned = status?.run.steps ?? null;
  drawHead(step, planned);
  for (const panel of panels) panel.draw(all, Math.max(step, planned ?? 0, 1));
  drawNumbers();
}

function drawHead(step: number, planned: number | null): void {
  const run = status?.run;
  const state = connection === "there" ? (run?.state ?? "waiting") : "lost";
  const words = state === "lost" ? lostWords[connection === "full" ? "full" : "lost"] : stateWords[state];
  // A status that is written anew is read out anew.
  if (byId("state").textContent !== words) byId("state").textContent = words;
  byId("state").dataset["state"] = state;
  const bar = byId("progress") as HTMLProgressElement;
  bar.max = planned ?? Math.max(1, step);
  bar.value = step;
  byId("progress-text").textContent =
    planned === null ? `Update ${formatNumber(step)}` : `Update ${formatNumber(step)} of ${formatNumber(planned)}`;
  if (run === undefined) return;
  byId("name").textContent = run.name;
  document.title = `${run.name} · ${words}`;
  byId("report").hidden = !run.hasReport;
  byId("headline").hidden = run.headline === null;
  byId("headline").textContent = run.headline ?? "";
}

function drawNumbers(): void {
  const rows = sortKeys(all.keys()).map((key) => {
    const { steps, values } = all.get(key)!;
    const name = document.createElement("th");
    name.scope = "row";
    name.textContent = measures[key] ?? key;
    if (key in measures) {
      const code = document.createElement("code");
      code.textContent = key;
      name.append(code);
    }
    const row = document.createElement("tr");
    row.append(name, cell(formatNumber(values.at(-1)!)), cell(formatNumber(steps.at(-1)!)));
    return row;
  });
  byId("numbers").replaceChildren(...rows);
}

function cell(text: string): HTMLElement {
  const element = document.createElement("td");
  element.textContent = text;
  return element;
}

function showAge(): void {
  const ageMs = status?.run.ageMs ?? null;
  byId("age").textContent =
    status === undefined || ageMs === null
      ? "Nothing logged yet."
      : `Last update ${ago(ageMs + systemClock.elapsedMs() - status.atMs)}.`;
}

function ago(ms: number): string {
  if (ms < 120_000) return `${Math.floor(ms / 1000)} s ago`;
  if (ms < 7_200_000) return `${Math.floor(ms / 60_000)} min ago`;
  return ms < 172_800_000 ? `${Math.floor(ms / 3_600_000)} h ago` : `${Math.floor(ms / 86_400_000)} days ago`;
}

/** Milliseconds before a server that has refused is asked again; a lost connection the browser takes up by itself. */
const retryMs = 5_000;

let events: EventSource | undefined;
/** The place after the last row. */
let lastId = "";

function connect(): void {
  const source = new EventSource(`/events?after=${lastId}`);
  events = source;
  const listen = (name: string, take: (data: unknown) => void): void =>
    source.addEventListener(name, (event) => {
      if (event.lastEventId !== "") lastId = event.lastEventId;
      take(JSON.parse((event as MessageEvent<string>).data));
      plan();
    });
  listen("begin", () => all.clear());
  listen("row", (data) => {
    const [step, values] = data as [number, [string, number][]];
    addRow(all, step, values);
  });
  listen("status", (data) => {
    status = { run: data as RunStatus, atMs: systemClock.elapsedMs() };
    connection = "there";
    showAge();
  });
  listen("full", () => {
    connection = "full";
  });
  source.onerror = () => {
    if (connection === "there") connection = "lost";
    plan();
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, retryMs);
  };
}

/** A browser has few connections to one server: a page that nobody sees gives its own back. */
function follow(): void {
  if (document.visibilityState === "hidden") events?.close();
  else if (events === undefined || events.readyState === EventSource.CLOSED) connect();
}

document.addEventListener("visibilitychange", follow);
follow();
setInterval(showAge, 1000);
new ResizeObserver(plan).observe(byId("charts"));
plan();
