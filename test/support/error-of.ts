import { ColloquyError } from "../../src/base/errors.ts";

/** What a function throws; fails where it throws nothing or a stranger's error. */
export function errorOf(work: () => unknown): ColloquyError {
  try {
    work();
  } catch (error) {
    if (error instanceof ColloquyError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
