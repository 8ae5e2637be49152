export { exportFormats, exportPolicy } from "./export-policy.ts";
