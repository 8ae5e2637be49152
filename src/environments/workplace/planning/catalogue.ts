import type { Tier } from "../../../contracts/workplace/project.ts";

/** The skill pool (C2C names frontend, backend, database, security and testing; the rest are ours). */
export const skillPool = ["frontend", "backend", "database", "security", "testing", "operations"] as const;

export type Skill = (typeof skillPool)[number];

/** What has to be understood in work of a skill; together with a component it names one topic. */
export const aspects: Readonly<Record<Skill, readonly string[]>> = {
  frontend: ["form validation", "error messages", "keyboard paths", "loading states", "page routing", "style rules"],
  backend: ["request checks", "retry rules", "session handling", "rate limits", "background jobs", "error codes"],
  database: ["table layout", "index choice", "migration order", "transaction scope", "data retention", "backup plan"],
  security: ["token rotation", "password hashing", "access rules", "audit trail", "secret storage", "threat model"],
  testing: ["test data", "edge cases", "browser matrix", "load profile", "failure injection", "acceptance checks"],
  operations: ["release steps", "alert limits", "log format", "capacity plan", "rollback path", "configuration"],
};

/** Parts of a product that a task may be about, by tier (C2C: basic operations, API integration with authentication, full-stack user authentication). */
export const components: Readonly<Record<Tier, readonly string[]>> = {
  simple: ["settings page", "search box", "contact form", "price list", "news feed", "help page"],
  medium: ["order interface", "payment bridge", "address book", "sign-in gate", "stock lookup", "invoice export"],
  complex: ["account store", "sign-in flow", "recovery mail", "permission model", "session service", "admin console"],
};

/** What the team is told, by tier. */
export const descriptions: Readonly<Record<Tier, (parts: readonly string[]) => string>> = {
  simple: (parts) =>
    `Add small, well-known things to a running product: ${parts.join(", ")}. Keep what is there working.`,
  medium: (parts) =>
    `Connect the product to an outside interface that asks callers to prove who they are: ${parts.join(", ")}. Refused calls must be told apart from lost ones.`,
  complex: (parts) =>
    `Build user accounts from the database to the screen: ${parts.join(", ")}. Nobody may read what is not theirs, and a lost password must be recoverable.`,
};
