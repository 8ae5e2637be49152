import { sha256 } from "../base/hash.ts";
import type { Table } from "../base/table.ts";
import { embedJson, escapeHtml } from "./escape-html.ts";
import type { EpisodeBrowser, ReportData, ReportSection } from "./report-data.ts";

/** The bundled script and style of the page, made at build time from `src/report/page`. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/**
 * The whole report as one HTML file that needs nothing else: no network, no fonts, and no script but the one given (its
 * hash stands in the policy of the page). Without JavaScript everything but the episode browser can be read. All texts
 * are taken as a stranger's and escaped, except drawings, which are markup and must come from the charts of this room.
 */
export function renderReport(data: ReportData, assets: PageAssets): string {
  const hash = Buffer.from(sha256(assets.script), "hex").toString("base64");
  // The first section says how it came out; then the episodes, which show why.
  const [first, rest] = [data.sections.slice(0, 1), data.sections.slice(1)].map((some) =>
    some.map((one) => section(one, data.sections.indexOf(one))),
  );
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(data.title)}</title>
<style>${assets.style}</style>
</head>
<body>
<header class="masthead">
<p class="kicker">Colloquy report</p>
<h1>${escapeHtml(data.title)}</h1>
${paragraphs(data.headline, "headline")}
${contents(data)}
</header>
<main>
${first.join("\n")}
${browser(data.browser)}
${rest.join("\n")}
${facts(data.facts)}
</main>
<script>${assets.script}</script>
</body>
</html>
`;
}

const paragraphs = (text: string, name: string): string =>
  text
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== "")
    .map((part) => `<p class="${name}">${escapeHtml(part.trim())}</p>`)
    .join("\n");

function contents({ sections, browser, facts }: ReportData): string {
  const links = sections.map(
    ({ heading }, index) => `<li><a href="#section-${index + 1}">${escapeHtml(heading)}</a></li>`,
  );
  if (browser.episodes.length > 0) links.splice(1, 0, '<li><a href="#episodes">Episodes</a></li>');
  if (facts.length > 0) links.push('<li><a href="#facts">How it was made</a></li>');
  return links.length < 2 ? "" : `<nav aria-label="Contents"><ul class="contents">${links.join("")}</ul></nav>`;
}

function section({ heading, text = "", figures = [], tables = [] }: ReportSection, index: number): string {
  const name = `section-${index + 1}`;
  return `<section class="prose" id="${name}" aria-labelledby="${name}-title">
<h2 id="${name}-title">${escapeHtml(heading)}</h2>
${paragraphs(text, "text")}
<div class="drawings">
${figures.map((figure, f) => drawing(figure, `${name}-figure-${f + 1}`)).join("\n")}
</div>
${tables.map(({ title, table }, t) => tableOf(title, table, `${name}-table-${t + 1}`)).join("\n")}
</section>`;
}

const drawing = ({ svg, caption }: { svg: string; caption: string }, name: string): string =>
  `<figure class="drawing"><div class="scroll" role="region" tabindex="0" aria-labelledby="${name}">${svg}</div>
<figcaption id="${name}">${escapeHtml(caption)}</figcaption></figure>`;

function tableOf(title: string, { columns, rows }: Table, name: string): string {
  const align = (column: number): string => (columns[column]?.align === "right" ? ' class="number"' : "");
  const head = columns.map(({ title }, c) => `<th scope="col"${align(c)}>${escapeHtml(title)}</th>`).join("");
  const cell = (text: string, c: number): string =>
    c === 0 ? `<th scope="row"${align(c)}>${escapeHtml(text)}</th>` : `<td${align(c)}>${escapeHtml(text)}</td>`;
  const body = rows.map((cells) => `<tr>${columns.map((_, c) => cell(cells[c] ?? "", c)).join("")}</tr>`).join("\n");
  const whole = `<div class="scroll" role="region" tabindex="0" aria-labelledby="${name}">
<table><caption id="${name}">${escapeHtml(title)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody></table></div>`;
  return rows.length <= longTable ? whole : `<details><summary>All ${rows.length} rows</summary>\n${whole}\n</details>`;
}

/** Tables with more rows than this are folded. */
const longTable = 40;

function facts(pairs: ReportData["facts"]): string {
  if (pairs.length === 0) return "";
  const list = pairs.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`);
  return `<section class="prose" id="facts" aria-labelledby="facts-title">
<h2 id="facts-title">How it was made</h2>
<dl class="facts">${list.join("\n")}</dl>
</section>`;
}

function browser(data: EpisodeBrowser): string {
  if (data.episodes.length === 0) return "";
  return `<section id="episodes" aria-labelledby="episodes-title">
<div class="prose"><h2 id="episodes-title">Episodes</h2>
${paragraphs(data.note, "text")}
<noscript><p class="text">The episodes are drawn by a script of this page, and JavaScript is off. Everything else can be read without it.</p></noscript></div>
<div id="browser"></div>
<script type="application/json" id="episode-data">${embedJson(data)}</script>
</section>`;
}
