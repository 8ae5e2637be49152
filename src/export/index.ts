export type { CardContent, CardTable } from "../checkpoint/card.ts";
export { exportFormats, exportPolicy } from "./export-policy.ts";
