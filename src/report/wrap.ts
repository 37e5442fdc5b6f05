/**
 * Text broken into lines at its spaces, for people.
 */
import { displayWidth } from './display-width.ts';

/**
 * Lines of at most `width` display columns, unless one word is wider. The first line begins with `first`, the others
 * with `rest`; both count. Only plain text: colours would count as well.
 */
export function wrapped(text: string, width: number, first: string, rest: string): string[] {
  if (first.length + text.length <= width && !/[^ -~]/.test(first + text)) return [first + text];
  const lines: string[] = [];
  let line = first;
  let used = displayWidth(first);
  let isEmpty = true;
  for (const word of text.split(' ')) {
    const wide = displayWidth(word);
    if (!isEmpty && used + 1 + wide > width) {
      lines.push(line);
      line = rest;
      used = displayWidth(rest);
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    used += wide + (isEmpty ? 0 : 1);
    isEmpty = false;
  }
  lines.push(line);
  return lines;
}
