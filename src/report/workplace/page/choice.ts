import { html } from "../../page/create.ts";

/** @param choices value and text */
export const select = (choices: readonly (readonly [string, string])[]): HTMLSelectElement =>
  html("select", {}, ...choices.map(([value, text]) => html("option", { value }, text)));

export const labelled = (name: string, control: HTMLElement): HTMLLabelElement =>
  html("label", {}, html("span", {}, name), control);
