/**
 * Making elements, and texts as people read them. Payload text gets into the page only as text nodes, each harmless by `visible`;
 * there is no markup from text anywhere in the page.
 */
import { visible } from '../words/escape.ts';

export type Child = Node | string;

/** An element; texts among `children` are made harmless. `attributes` are names and values of ours. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.map((child) => (typeof child === 'string' ? visible(child) : child)));
  return made;
}

/** A button; `onClick` may be reached by keyboard as well. */
export function button(
  attributes: Readonly<Record<string, string>>,
  onClick: () => void,
  ...children: readonly Child[]
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, ...children);
  made.addEventListener('click', onClick);
  return made;
}

/** Text of a payload or a file, kept apart from its neighbours whatever its direction is. */
export function foreign(text: string, className = ''): HTMLElement {
  return element('bdi', className === '' ? {} : { class: className }, text);
}

/** Text of a line, with its tabs. */
export function lineText(text: string): Text {
  return document.createTextNode(text.split('\t').map(visible).join('\t'));
}

/** An element of the page by its id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Node[]
): SVGElement {
  const made = document.createElementNS(SVG, tag) as SVGElement; // of that namespace
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
