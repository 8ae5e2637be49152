/** A graph without cycles that grows edge by edge and keeps within a number of levels. */
export interface GrowingLevels {
  /** Takes the edge i → j and says whether it did: not where a cycle would arise, or more levels than allowed. */
  add(i: number, j: number): boolean;
}

/**
 * Keeps for each agent the longest path that ends at it, and the longest that begins at it, both counted in agents. The
 * first is a level that rises along every path, so only agents below i need a look to see whether j leads back to i.
 * @param depth the most levels
 */
export function createLevels(agents: number, depth: number): GrowingLevels {
  const childrenN: number[][] = Array.from({ length: agents }, () => []);
  const parentsN: number[][] = Array.from({ length: agents }, () => []);
  const levelN = new Int32Array(agents).fill(1);
  const heightN = new Int32Array(agents).fill(1);
  const lastSearchN = new Int32Array(agents);
  let search = 0;

  const leadsTo = (from: number, to: number): boolean => {
    if (levelN[from] >= levelN[to]) return false;
    lastSearchN[from] = ++search;
    const open = [from];
    for (let agent = open.pop(); agent !== undefined; agent = open.pop()) {
      for (const child of childrenN[agent]) {
        if (child === to) return true;
        if (levelN[child] >= levelN[to] || lastSearchN[child] === search) continue;
        lastSearchN[child] = search;
        open.push(child);
      }
    }
    return false;
  };

  return {
    add(i, j) {
      if (levelN[i] + heightN[j] > depth || leadsTo(j, i)) return false;
      childrenN[i].push(j);
      parentsN[j].push(i);
      raise(j, levelN[i] + 1, levelN, childrenN);
      raise(i, heightN[j] + 1, heightN, parentsN);
      return true;
    },
  };
}

/** The longest path to `start` is at least `length`: passed on to all that it leads to. */
function raise(start: number, length: number, longestN: Int32Array, nextN: readonly (readonly number[])[]): void {
  if (longestN[start] >= length) return;
  longestN[start] = length;
  const open = [start];
  for (let agent = open.pop(); agent !== undefined; agent = open.pop()) {
    for (const next of nextN[agent]) {
      if (longestN[next] > longestN[agent]) continue;
      longestN[next] = longestN[agent] + 1;
      open.push(next);
    }
  }
}
