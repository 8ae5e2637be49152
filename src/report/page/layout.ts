/* Where the nodes of a round stand. Pure geometry, in pixels. */

export interface PlacedNode {
  readonly agent: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** 0 in the quiet column. */
  readonly level: number;
}

export interface RoundLayout {
  readonly width: number;
  readonly height: number;
  /** By agent. */
  readonly nodes: readonly PlacedNode[];
  /** One for each column that has somebody in it, from left to right; level 0 is the quiet one. */
  readonly columns: readonly { readonly level: number; readonly x: number }[];
  /** The heights that edges over other columns can take without touching a node; empty where there are too many agents. */
  readonly lanes: readonly number[];
  /** Few agents keep a row each through all rounds; many stand in blocks, one for each level. */
  readonly style: "rows" | "blocks";
}

export interface LayoutSettings {
  /** Distance of two columns. */
  readonly pitch: number;
  /** Room at the left for edges that come from the round before. */
  readonly leadIn: number;
}

/** Up to this many agents each has a row of its own. */
const MOST_ROWS = 24;
export const LEFT_MARGIN = 26;
const TOP = 30;
const BLOCK_CELL = 19;
const BLOCK_ROWS = 14;
const RUNG_ROWS = 2;
const RUNG_STEP = 10;
/** Its multiples spread evenly over (0, 1), however many they are. */
const GOLDEN = 0.618034;

/** Columns get narrower when an episode has many of them, so that its rounds fit beside each other. */
export function columnPitch(columns: number): number {
  return Math.max(40, Math.min(76, Math.round(540 / Math.max(1, columns))));
}

/**
 * Places a round. Levels run from left to right, behind a column for who keeps quiet. The area of a node is its σ(c).
 * @param levelsN as `levelsOf` gives them @param sigmasN σ(c), or `null` where there are no credits: all are drawn alike
 */
export function layoutRound(
  levelsN: readonly number[],
  sigmasN: readonly number[] | null,
  settings: LayoutSettings,
): RoundLayout {
  return levelsN.length <= MOST_ROWS ? layRows(levelsN, sigmasN, settings) : layBlocks(levelsN, sigmasN, settings);
}

const sizeOf = (levelsN: readonly number[], level: number): number => levelsN.filter((other) => other === level).length;

/**
 * Many levels of one or two agents each: on one line all edges would lie over one another, and it would look like a chain.
 * They spread over the height, neighbours far apart, and so can stand closer.
 */
const rungOf = (column: number, rows: number): number => ((column * GOLDEN) % 1) * (rows - RUNG_ROWS);

const levelsPresent = (levelsN: readonly number[]): number[] => [...new Set(levelsN)].sort((a, b) => a - b);

function layRows(levelsN: readonly number[], sigmasN: readonly number[] | null, settings: LayoutSettings): RoundLayout {
  const agents = levelsN.length;
  const rowHeight = agents <= 8 ? 46 : agents <= 12 ? 38 : 30;
  const most = Math.min(rowHeight * 0.42, settings.pitch * 0.34);
  const left = LEFT_MARGIN + settings.leadIn;
  const columns = levelsPresent(levelsN).map((level, c) => ({ level, x: left + (c + 0.5) * settings.pitch }));
  const rowY = (row: number): number => TOP + (row + 0.5) * rowHeight;
  return {
    width: left + Math.max(1, columns.length) * settings.pitch + 4,
    height: TOP + agents * rowHeight + 4,
    nodes: levelsN.map((level, agent) => ({
      agent,
      level,
      x: columns.find((column) => column.level === level)!.x,
      y: rowY(agent),
      radius: radiusOf(level, sigmasN?.[agent], most, 8.5),
    })),
    columns,
    lanes: Array.from({ length: agents + 1 }, (_, lane) => rowY(lane - 0.5)),
    style: "rows",
  };
}

function layBlocks(
  levelsN: readonly number[],
  sigmasN: readonly number[] | null,
  settings: LayoutSettings,
): RoundLayout {
  const rows = Math.max(BLOCK_ROWS, Math.ceil(Math.sqrt(levelsN.length)));
  const placed = new Map<number, PlacedNode>();
  const columns: { level: number; x: number }[] = [];
  const levels = levelsPresent(levelsN);
  const gap = levels.length > 8 ? 12 : 44;
  const isLadder = levels.length > 8 && levels.every((level) => level === 0 || sizeOf(levelsN, level) <= RUNG_ROWS);
  let left = settings.leadIn + 14;
  let right = left;
  for (const level of levels) {
    const members = levelsN.flatMap((other, agent) => (other === level ? [agent] : []));
    const wide = Math.ceil(members.length / rows);
    const tall = Math.ceil(members.length / wide);
    const isThin = isLadder && level > 0;
    const top = isThin ? rungOf(columns.length, rows) : (rows - tall) / 2;
    members.forEach((agent, place) => {
      const x = left + (Math.floor(place / tall) + 0.5) * BLOCK_CELL;
      const y = TOP + (top + (place % tall) + 0.5) * BLOCK_CELL;
      placed.set(agent, { agent, level, x, y, radius: radiusOf(level, sigmasN?.[agent], 8.5, 3.2) });
    });
    columns.push({ level, x: left + (wide * BLOCK_CELL) / 2 });
    left += isThin ? RUNG_STEP : wide * BLOCK_CELL + gap;
    right = Math.max(right, columns[columns.length - 1].x + (wide * BLOCK_CELL) / 2);
  }
  return {
    width: right + 14,
    height: TOP + rows * BLOCK_CELL + 4,
    nodes: levelsN.map((_, agent) => placed.get(agent)!),
    columns,
    lanes: [],
    style: "blocks",
  };
}

/** Area in proportion to σ(c), never too small to see and to press; the quiet ones are small whatever their credit. */
function radiusOf(level: number, sigma: number | undefined, most: number, least: number): number {
  if (level === 0) return least;
  if (sigma === undefined) return Math.max(least, most * 0.8);
  return Math.max(least * 1.15, most * Math.sqrt(sigma));
}
