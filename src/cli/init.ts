import { existsSync } from "node:fs";
import { type WorldName, worldNames } from "../assemble/index.ts";
import { ColloquyError, suggest } from "../base/errors.ts";
import { writeFileAtomic } from "../base/files.ts";
import { recipeTemplate } from "./recipe-template.ts";
import { workplaceTemplate } from "./workplace/recipe-template.ts";

/** What is written for each world. */
const templates: Readonly<Record<WorldName, (name: string) => string>> = {
  "deliberation-v1": recipeTemplate,
  "workplace-v1": workplaceTemplate,
};

/** `colloquy init`: a recipe with every key explained. */
export async function initCommand(
  name: string,
  options: { readonly force?: boolean; readonly world: string },
): Promise<number> {
  if (!/^[\w.-]+$/.test(name)) {
    throw new ColloquyError("usage/name", `"${name}" cannot name a recipe`, {
      hint: "Use letters, digits, dots, dashes and underscores.",
    });
  }
  if (!(worldNames as string[]).includes(options.world)) {
    throw new ColloquyError("usage/world", `there is no world "${options.world}"`, {
      hint: suggest(options.world, worldNames),
    });
  }
  const path = `${name}.yaml`;
  if (existsSync(path) && !options.force) {
    throw new ColloquyError("usage/exists", `${path} exists already`, {
      hint: "Choose another name, or replace it with --force.",
    });
  }
  writeFileAtomic(path, templates[options.world as WorldName](name));
  process.stdout.write(`Wrote ${path}. Train it with: colloquy train ${path}\n`);
  return 0;
}
