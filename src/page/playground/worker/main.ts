/**
 * The Worker of the playground: one question after another. Between two slices of a check it answers, and looks whether it was asked
 * about a newer text. What never ends is ended by the page.
 */
import { SchemaError, UsageError } from '../../../errors.ts';
import type { Answer, Ask } from '../protocol.ts';
import { Check } from './check.ts';
import { reportOn } from './reports.ts';
import { Schemas } from './schemas.ts';

type CheckAsk = Extract<Ask, { type: 'check' }>;

/** The part of the global scope of a Worker that is used. */
interface Scope {
  onmessage: ((event: { readonly data: Ask }) => void) | null;
  postMessage(answer: Answer): void;
}

const scope = globalThis as unknown as Scope; // a Worker's
const schemas = new Schemas();
let latest: CheckAsk | null = null;
let work: Promise<void> = Promise.resolve();
let checked: Check | null = null;

scope.onmessage = ({ data }) => {
  if (data.type === 'check') latest = data;
  work = work.then(() => (data.type === 'check' ? check(data) : report(data)));
};

async function check(ask: CheckAsk): Promise<void> {
  const { id, schema } = ask;
  if (ask !== latest) return;
  scope.postMessage({ type: 'begun', id });
  try {
    const opened = await schemas.open(schema);
    if (opened.paylint === null) {
      scope.postMessage({ type: 'refused', id, ...opened });
      return;
    }
    const one = new Check(ask, opened.paylint);
    for await (const found of one.run()) {
      if (ask !== latest) return;
      scope.postMessage({ type: 'found', id, ...found });
    }
    checked = one;
  } catch (error) {
    scope.postMessage({ type: 'refused', id, message: wordsOf(error), rows: [] });
  }
}

async function report({ id, format }: Extract<Ask, { type: 'report' }>): Promise<void> {
  const text = checked === null ? '' : await reportOn(checked, format);
  scope.postMessage({ type: 'report', id, text });
}

function wordsOf(error: unknown): string {
  if (error instanceof SchemaError || error instanceof UsageError) return error.message;
  return `This cannot be checked here: ${error instanceof Error ? error.message : String(error)}`;
}
