import { existsSync } from "node:fs";
import { ColloquyError } from "../base/errors.ts";
import { writeFileAtomic } from "../base/files.ts";
import { recipeTemplate } from "./recipe-template.ts";

/** `colloquy init`: a recipe with every key explained. */
export async function initCommand(name: string, options: { readonly force?: boolean }): Promise<number> {
  if (!/^[\w.-]+$/.test(name)) {
    throw new ColloquyError("usage/name", `"${name}" cannot name a recipe`, {
      hint: "Use letters, digits, dots, dashes and underscores.",
    });
  }
  const path = `${name}.yaml`;
  if (existsSync(path) && !options.force) {
    throw new ColloquyError("usage/exists", `${path} exists already`, {
      hint: "Choose another name, or replace it with --force.",
    });
  }
  writeFileAtomic(path, recipeTemplate(name));
  process.stdout.write(`Wrote ${path}. Train it with: colloquy train ${path}\n`);
  return 0;
}
