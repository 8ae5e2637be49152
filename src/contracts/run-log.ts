/** One row of a run's log: the update it tells of, and its numbers by name. */
export interface LogRow {
  readonly step: number;
  readonly values: readonly (readonly [key: string, value: number])[];
}

/** How a run stands, for whoever watches it. */
export interface RunStatus {
  /**
   * `waiting`: nothing is logged yet. `running`: a process holds the folder. `finished`: all updates are made, or the
   * run has been judged. `resting`: nobody works on it and updates are left, after an interrupt or because validation no
   * longer improved.
   */
  readonly state: "waiting" | "running" | "finished" | "resting";
  /** The recipe's, else the folder's. */
  readonly name: string;
  /** Updates planned; `null` where the recipe cannot be read. */
  readonly steps: number | null;
  /** Milliseconds since the logs last grew; `null` where there are none. */
  readonly ageMs: number | null;
  /** What the results say in plain words; `null` where there are none, or the run has gone on since. */
  readonly headline: string | null;
  readonly hasReport: boolean;
}

/** A run folder that is looked at again and again: before, while and after something writes to it. */
export interface RunFollower {
  /** Looks at the folder once. @returns whether anything but the age is new */
  look(): boolean;
  /** All rows so far, in the order they were found. */
  rows(): readonly LogRow[];
  /** Grows by one each time the run is begun anew or cut off: the rows before are void. */
  epoch(): number;
  status(): RunStatus;
}
