import { z } from "zod";
import { type Costs, defaultCosts, defaultTiers, type TierSettings } from "../../environments/index.ts";
import { count, share } from "../parts/keys.ts";

/*
 * What a recipe may say of the numbers a workplace runs by. Defaults are those of `environments/workplace`.
 */

export const tier = z.enum(Object.keys(defaultTiers) as [keyof typeof defaultTiers, ...(keyof typeof defaultTiers)[]]);

const minutes = z.number().min(0).max(600);
const words = z.number().positive().max(1e6);
const steps = z.int().min(0).max(160);

const costs = {
  chatMinutes: minutes.describe("minutes of writing a chat message"),
  emailMinutes: minutes.describe("minutes of writing an email, its words apart"),
  writingWords: words.describe("words an email's sender writes in a minute"),
  readingWords: words.describe("words its receiver reads in a minute"),
  meetingMinutes: minutes.describe("minutes of a meeting of two"),
  agendaMinutes: minutes.describe("minutes the organiser prepares each item"),
  participantMinutes: minutes.describe("minutes for everybody, for each participant beyond two"),
  chatWindow: steps.describe("steps within which a chat message is to be answered"),
  emailWindow: steps.describe("steps within which an email is to be answered"),
  meetingPatience: steps.describe("steps after which a meeting that could not start is cancelled"),
} satisfies Record<keyof Costs, z.ZodType>;

/** Every key at the default of its world. */
const withDefaults = <K extends string>(shape: Readonly<Record<K, z.ZodNumber>>, usual: Readonly<Record<K, number>>) =>
  z.strictObject(
    Object.fromEntries(
      Object.entries<z.ZodNumber>(shape).map(([key, schema]) => [
        key,
        schema.default(usual[key as K]).describe(schema.description!),
      ]),
    ) as Record<K, z.ZodDefault<z.ZodNumber>>,
  );

export const costsRecipe = withDefaults(costs, defaultCosts).prefault({}).describe("what communication takes");

const thousandths = z.int().min(0).max(1000);

const tierSettings = {
  hours: z.number().positive().multipleOf(0.25).max(1000).describe("time budget of a task, and its effort"),
  components: z.int().min(1).max(6).describe("parts of the product a task is about"),
  requirements: count.max(500).describe("things a task asks for"),
  subtasks: z.number().positive().max(500).describe("subtasks of a task for 4 workers"),
  growth: z.number().min(0).max(2).describe("power of W/4 that their number grows with"),
  links: share.describe("chance that a requirement waits for an earlier one"),
  ceiling: thousandths.describe("AF that talk alone can teach somebody with all the skills, in thousandths"),
  ceilingUnskilled: thousandths.describe("the same for somebody with none"),
  gaps: share.describe("chance, for each hour of work, of noticing a gap"),
  deep: share.describe("chance that a gap is of two topics"),
  unclear: share.describe("chance that a clear subtask's requirements are unclear at first"),
  shared: share.describe("chance that a gap is shared with the owner of a linked subtask"),
} satisfies Record<keyof TierSettings, z.ZodType>;

const tierRecipe = z.strictObject(tierSettings).partial();

export const tiersRecipe = z
  .strictObject({
    simple: tierRecipe.default({}).describe("of simple tasks"),
    medium: tierRecipe.default({}).describe("of medium ones"),
    complex: tierRecipe.default({}).describe("of complex ones"),
  })
  .prefault({})
  .describe("what differs from the usual numbers of a tier");
