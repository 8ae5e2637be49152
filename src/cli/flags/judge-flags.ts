/** What a command line may say of an evaluation instead of its recipe. */
export interface JudgeFlags {
  readonly methods?: readonly string[];
  readonly attack?: string;
  readonly onset?: readonly string[];
  readonly agents?: number;
  readonly rounds?: number;
  readonly budget?: Readonly<Record<string, number>>;
  readonly episodes?: number;
  readonly seeds?: readonly number[];
  readonly allowOverlap?: boolean;
}
