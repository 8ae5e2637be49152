/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Attribute values; `false`, `null` and `undefined` leave the attribute out. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

type Child = Node | string | null;

/** An HTML element. Texts become text nodes, never markup. */
export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Words of a stranger inside a sentence: their writing direction stays their own. */
export const word = (text: string): HTMLElement => html("bdi", {}, text);
