/**
 * Where members go in an object that has none, and the white space around them. The white space between its brackets
 * stays: it is used as part of the space before the first member and after the last one, as far as it fits.
 */
import { COMPACT, lastIndentOf, type Style } from './style.ts';

/** A place between two brackets. */
export interface EmptyPlace {
  /** Offset of the members from the opening bracket, in bytes. */
  readonly at: number;
  /** White space before the first member and after the last one. */
  readonly before: string;
  readonly after: string;
  /** The style of the members. */
  readonly style: Style;
}

/**
 * `space`: the white space between the brackets; `style`: of an object at this place without white space between its
 * brackets.
 */
export function placeInEmpty(space: string, style: Style): EmptyPlace {
  if (space.includes('\n'))
    return onLines(space, style.between.includes('\n') ? style : linedStyle(space, style));
  if (style.close.includes('\n')) return onOneOfLines(space, style);
  // The space before the first member is also the space after the last one.
  return style.open.startsWith(space)
    ? { at: space.length, before: style.open.slice(space.length), after: style.close, style }
    : { at: space.length, before: '', after: space, style };
}

/** `{  }` in a style with members on lines: the space becomes the indentation of the closing bracket. */
function onOneOfLines(space: string, style: Style): EmptyPlace {
  const outer = lastIndentOf(style.close);
  let kept = Math.min(space.length, outer.length);
  while (!outer.endsWith(space.slice(space.length - kept))) kept--;
  const rest = space.slice(0, space.length - kept);
  const before = style.open.startsWith(rest) ? style.open.slice(rest.length) : style.open;
  return { at: rest.length, before, after: style.close.slice(0, style.close.length - kept), style };
}

/** Brackets on separate lines: the first member goes to the line after the opening one. */
function onLines(space: string, style: Style): EmptyPlace {
  // In a style that begins lines with commas, the first member is beside the bracket.
  if (!style.open.includes('\n')) return { at: 0, before: style.open, after: '', style };
  const line = space.indexOf('\n') + 1;
  const indent = lastIndentOf(style.open);
  const next = space.indexOf('\n', line);
  if (next >= 0) {
    // Of several lines between them, the first one is used. The others stay after the members.
    const there = space.slice(line, next).replace(/\r$/, '');
    const fits = indent.startsWith(there);
    return {
      at: line + (fits ? there.length : 0),
      before: fits ? indent.slice(there.length) : indent,
      after: '',
      style,
    };
  }
  const own = space.slice(line);
  const outer = lastIndentOf(style.close);
  const missing = outer.endsWith(own) ? outer.slice(0, outer.length - own.length) : '';
  return { at: line, before: indent, after: lineEndIn(space) + missing, style };
}

/** A style on lines, from the white space between two brackets alone. The colon is that of `style`, if that has one. */
function linedStyle(space: string, style: Style): Style {
  const outer = lastIndentOf(space);
  const indent = outer + (outer.includes('\t') ? '\t' : '  ');
  const lineEnd = lineEndIn(space);
  return {
    open: lineEnd + indent,
    between: `,${lineEnd}${indent}`,
    colon: style === COMPACT ? ': ' : style.colon,
    close: lineEnd + outer,
  };
}

function lineEndIn(space: string): string {
  return space[space.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n';
}
