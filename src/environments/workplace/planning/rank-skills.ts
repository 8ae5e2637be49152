import type { Member } from "../../../contracts/workplace/project.ts";
import { skillMatch } from "./assign.ts";

/** Workers by how well they match a set of skills. */
export interface RankedSkills {
  /** The best few, spread over those who match equally well by `start`, so that not everybody asks the same one. */
  best(skills: readonly string[], start: number, most: number): readonly number[];
}

/** Ranks a team once for each set of skills that is asked for: O(W) a set, and a few steps a question. */
export function rankSkills(members: readonly Member[]): RankedSkills {
  const known = new Map<string, readonly (readonly number[])[]>();
  const groupsFor = (skills: readonly string[]): readonly (readonly number[])[] => {
    const key = skills.join("\n");
    let groups = known.get(key);
    if (groups === undefined) {
      const byMatch = new Map<number, number[]>();
      for (let w = 1; w < members.length; w++) {
        const match = skillMatch(members[w], skills, false);
        const group = byMatch.get(match);
        if (group !== undefined) group.push(w);
        else if (match > 0) byMatch.set(match, [w]);
      }
      groups = [...byMatch.entries()].sort(([a], [b]) => b - a).map(([, workers]) => workers);
      known.set(key, groups);
    }
    return groups;
  };
  return {
    best(skills, start, most) {
      const found: number[] = [];
      for (const group of groupsFor(skills)) {
        for (let k = 0; k < group.length && found.length < most; k++) found.push(group[(start + k) % group.length]);
        if (found.length === most) break;
      }
      return found;
    },
  };
}
