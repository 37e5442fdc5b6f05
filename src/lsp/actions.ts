/**
 * Fixes: the missing defaults as `paylint fill` adds them, what a near miss was meant to be, and members that must not be there.
 */
import type { CodeAction, CodeActionParams, Range, TextEdit } from 'vscode-languageserver';
import { SchemaError } from '../errors.ts';
import { FROM, NAME, TO } from '../json/edits.ts';
import { skipValue } from '../json/skip.ts';
import type { FillEdit, Paylint } from '../library/api.ts';
import { codeUnitsAt } from '../library/inputs.ts';
import { memberRemoval } from '../repair/removal-edits.ts';
import type { Violation } from '../types.ts';
import { visible } from '../words/escape.ts';
import type { DocumentPayload, OpenDocument, TextChange } from './documents.ts';

const FIX_ALL = 'source.fixAll.paylint';
/** Not a part of `source.fixAll`: it makes objects, which is more than fixes. */
const FILL_DEEP = 'source.paylint.fillDeep';
const QUICK = 'quickfix';

export const ACTION_KINDS = [QUICK, FIX_ALL, FILL_DEEP];

/** Code units of payload text in titles. */
const TITLE_UNITS = 80;

interface Context {
  readonly document: OpenDocument;
  readonly paylint: Paylint;
}

export function actionsFor(context: Context, { range, context: { only } }: CodeActionParams): CodeAction[] {
  const wants = (kind: string): boolean =>
    only === undefined || only.some((one) => kind === one || kind.startsWith(`${one}.`));
  return [
    ...(wants(QUICK) ? quickFixes(context, range) : []),
    ...(wants(FIX_ALL) ? fillFile(context, false) : []),
    ...(wants(FILL_DEEP) ? fillFile(context, true) : []),
  ];
}

function quickFixes(context: Context, range: Range): CodeAction[] {
  const { document } = context;
  const actions: CodeAction[] = [];
  for (const payload of document.payloads)
    for (const violation of payload.violations)
      if (meets(document.rangeOf(violation), range)) actions.push(...fixesOf(violation, payload, context));
  const { payload } = document.payloadAt(range.start) ?? {};
  const changes = payload === undefined ? [] : fillEdits(context, payload.text);
  if (payload !== undefined && changes.length > 0)
    actions.push(action('Add the missing defaults in this payload', document.editsOf(payload, changes), context));
  // Several violations of one object have one fix.
  return [...new Map(actions.map((one) => [JSON.stringify([one.title, one.edit]), one])).values()];
}

function fixesOf(violation: Violation, payload: DocumentPayload, context: Context): CodeAction[] {
  const { document } = context;
  const actions: CodeAction[] = [];
  const fix = (title: string, change: TextChange, isPreferred = true): void => {
    actions.push(action(title, document.editsOf(payload, [change]), context, isPreferred));
  };
  if (violation.fixable) {
    const pointers = [violation.pointer, violation.pointer.replace(`/${violation.payload}`, '')];
    const edit = fillEdits(context, payload.text).find(({ pointer }) => pointers.includes(pointer));
    if (edit !== undefined) fix('Add the missing defaults here', edit);
  }
  const [from, to] = document.spanOf(violation);
  const start = from - payload.start;
  const token = payload.text.slice(start, to - payload.start);
  const { suggestion } = violation;
  if (suggestion !== undefined && /^"(?:[^"\\]|\\.)*"$/.test(token)) {
    const text = JSON.stringify(suggestion);
    fix(`Change to ${shown(text)}`, { offset: start, length: token.length, text });
  }
  if (violation.rule === 'duplicate-member' || violation.fix === 'prune') {
    const member = memberAt(payload.text, start);
    if (member !== null) fix(`Remove the member ${shown(member.name)}`, member.change, false);
  }
  return actions;
}

/** The member whose name, or value, begins at `start`, as `paylint prune` removes it. Null if there is none. */
function memberAt(text: string, start: number) {
  const bytes = Buffer.from(text);
  const span = { start: 0, end: bytes.length };
  const { length, rows } = memberRemoval(bytes, span, Buffer.byteLength(text.slice(0, start)));
  if (length === 0) return null;
  const [from, to] = codeUnitsAt(bytes, [rows[FROM]!, rows[TO]!]) as [number, number]; // one for each
  const name = bytes.toString('utf8', rows[NAME]!, skipValue(bytes, rows[NAME]!, bytes.length));
  return { name, change: { offset: from, length: to - from, text: '' } };
}

/** What `paylint fill` changes in a payload: nothing by a schema that does not allow one of its own defaults. */
function fillEdits({ paylint }: Context, text: string, deep = false): readonly FillEdit[] {
  try {
    return paylint.fill(text, { deep }).edits;
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return [];
  }
}

function fillFile(context: Context, deep: boolean): CodeAction[] {
  const { document } = context;
  const edits = document.payloads.flatMap((payload) =>
    payload.text === '' ? [] : document.editsOf(payload, fillEdits(context, payload.text, deep)),
  );
  if (edits.length === 0) return [];
  const title = deep ? 'Add the missing defaults and objects in the file' : 'Add the missing defaults in the file';
  return [{ title, kind: deep ? FILL_DEEP : FIX_ALL, edit: { changes: { [document.uri]: edits } } }];
}

function action(title: string, edits: TextEdit[], { document }: Context, isPreferred = false): CodeAction {
  return { title, kind: QUICK, edit: { changes: { [document.uri]: edits } }, ...(isPreferred ? { isPreferred } : {}) };
}

function shown(token: string): string {
  return visible(token.length > TITLE_UNITS ? `${token.slice(0, TITLE_UNITS)}…` : token);
}

function meets(one: Range, other: Range): boolean {
  return !(isBefore(one.end, other.start) || isBefore(other.end, one.start));
}

function isBefore(one: Range['start'], other: Range['start']): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}
