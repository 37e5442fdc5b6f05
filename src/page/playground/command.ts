/**
 * The check as a command for a shell, and texts for the clipboard.
 */

/** A word of a shell. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A here-document in which nothing is replaced. */
function here(text: string): string {
  let end = 'END';
  while (text.split('\n').includes(end)) end += '_';
  return `<<'${end}'\n${text}${text.endsWith('\n') ? '' : '\n'}${end}\n`;
}

/** `payloads`: a text, or the name of a file. */
export function commandFor(payloads: { text: string } | { file: string }, schema: string): string {
  const isOwn = schema.trim() !== '';
  const make = isOwn ? `cat > schema.json ${here(schema)}` : '';
  const flag = isOwn ? ' --schema schema.json' : '';
  return 'text' in payloads
    ? `${make}paylint validate${flag} - ${here(payloads.text)}`
    : `${make}paylint validate${flag} -- ${quoted(payloads.file)}\n`;
}

/** False: the browser does not let the page do that. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
