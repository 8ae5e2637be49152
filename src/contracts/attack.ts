import type { Rng } from "../base/rng.ts";
import type { Agent } from "./agent.ts";
import type { Question } from "./task.ts";

/** When each agent is adversarial. `active(agent, round)` is fixed at the start of an episode. */
export interface Onsets {
  /** For each agent the first round in which it attacks, 1-based; 0 for an honest agent. */
  readonly firstRound: readonly number[];
  active(agent: number, round: number): boolean;
}

/**
 * An onset schedule (TodyComm: agents turn "at unknown rounds").
 * @param adversaries indices of the k adversaries
 */
export type Schedule = (setting: {
  readonly adversaries: readonly number[];
  readonly agents: number;
  readonly rounds: number;
  readonly rng: Rng;
}) => Onsets;

/** What an attack knows when it wraps an agent. It never sees credits. */
export interface AttackPlan {
  readonly question: Question;
  readonly agent: number;
  /** Wrong answers to choose from, never empty; the adversaries' lists begin differently as far as there are enough. */
  readonly targets: readonly string[];
  /** The wrong answer shared by all adversaries of the episode. */
  readonly sharedTarget: string;
  active(round: number): boolean;
  /** This adversary's own stream. */
  readonly rng: Rng;
}

/** An attack turns an agent into one that follows it in its active rounds and is itself in the others. */
export type Attack = (agent: Agent, plan: AttackPlan) => Agent;

/** How an episode is attacked; completed settings. */
export interface AttackSetting {
  /** Name in the table of attacks. */
  readonly kind: string;
  /** ρ in [0, 1]: k = round(ρN) adversaries. */
  readonly rate: number;
  /** Name in the table of schedules; `fixed` also takes a round, `fixed:2`. */
  readonly onset: string;
}

/** A team with its adversaries in place. */
export interface AttackedTeam {
  readonly team: readonly Agent[];
  readonly onsets: Onsets;
  /** The adversaries' shared wrong answer; `null` where nobody attacks. */
  readonly target: string | null;
}

/**
 * Puts k adversaries into a team. Who, when and what for comes from `rng` alone, so that the same episode is attacked in
 * the same way under every method.
 */
export type AttackPlanner = (
  setting: { readonly kind: string; readonly adversaries: number; readonly onset: string },
  situation: {
    readonly question: Question;
    readonly team: readonly Agent[];
    readonly targets: readonly string[];
    readonly rounds: number;
    readonly rng: Rng;
  },
) => AttackedTeam;
