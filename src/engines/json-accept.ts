/**
 * Accept code for payloads that must only be well-formed, and for their layout. The build makes it, so that no run has to.
 */
import type { AcceptCode } from '../accept/code.ts';
import { readAccept } from '../accept/code-file.ts';
import type { Layout } from '../accept/layout.ts';
import { jsonFile } from '../package.ts';

const CODES = new Map<Layout, Promise<AcceptCode>>();

/** The code for payloads of any kind, which writes each in the layout. */
export function jsonCode(layout: Layout): Promise<AcceptCode> {
  const code = CODES.get(layout) ?? make(layout);
  CODES.set(layout, code);
  return code;
}

async function make(layout: Layout): Promise<AcceptCode> {
  const made = readAccept(jsonFile(layout));
  if (made !== null) return made;
  const { compileJson } = await import('./compile-json.ts');
  return compileJson(layout);
}
