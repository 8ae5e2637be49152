export { type AgentModel, type LanguageAgentSettings, languageAgent } from "./language-agent.ts";
export { type Narration, narrated } from "./narrated.ts";
export { completeRoles, type Role, type RoleInput, rolesFor } from "./roles.ts";
export { wrongAnswers } from "./targets.ts";
export { completePrompts, defaultPrompts, type Prompts } from "./templates.ts";
