/**
 * Tests of schemas: what a payload must be, and the one violation of a test that fails, which lists what was found
 * instead. A payload is a test here; it is valid if the test passes.
 */

import type { Engine } from '../../engine/engine.ts';
import type { Examined, PayloadBytes } from '../../engine/judge/examine.ts';
import { totalOf } from '../../engine/judge/fault.ts';
import { examinedAs, judged } from '../../engine/judge/judged.ts';
import { Interrupted, SourceError, TooCostly, Unexamined } from '../../errors.ts';
import { byteOrderMark } from '../../json/utf8.ts';
import type { FactsAt } from '../../keywords/params.ts';
import { LISTED_VIOLATIONS } from '../../limits.ts';
import type { Finding, Rule, Source, Span } from '../../types.ts';
import { number } from '../../words/number-text.ts';
import { type Judging, levelOf } from '../../words/rule-levels.ts';
import {
  type ExpectedViolation,
  TEST_RULES,
  type TestedViolation,
  type TestParams,
  type TestRule,
} from '../../words/test-rules.ts';
import { differencesOf } from './expected-violations.ts';
import { type CheckContext, type Steps, wait } from './flow.ts';
import { Reporting } from './reporting.ts';

/** `valid`, `invalid`, or exactly these violations. */
export type Expectation = 'valid' | 'invalid' | readonly ExpectedViolation[];

/** A test in a file of tests. */
export interface FileTest {
  readonly description: string | null;
  readonly expected: Expectation;
  /** Of the payload, or of what names its file; and its pointer in the file. */
  readonly span: Span;
  readonly pointer: string;
  /** Reads the payload, which has bytes of its own; null: it is at `span`. Throws SourceError and Interrupted. */
  readonly data: (() => Promise<Buffer>) | null;
  /** Index in the file. */
  readonly index: number;
  /** For its schema; absent: that of the file; null: the payload is the schema itself, which is valid if it could be loaded. */
  readonly engine?: Engine | null;
  /** The kind that it is judged as, and what that is called here; absent: as the schema says. */
  readonly kind?: { readonly given: string; readonly shown: string };
}

/** What is reported of the payloads of a file that must all be valid, or all be invalid. */
export function expecting(expected: 'valid' | 'invalid', judging: Judging): NonNullable<CheckContext['settle']> {
  return (examined, whole) => {
    const span = whole ?? examined.findings[0]?.span ?? NOWHERE;
    return tested(examined, { expected, span, pointer: '', description: null, data: null }, judging);
  };
}

/** What is reported of a file in which there is no payload: it tests nothing. */
export function* reportEmpty(source: Source, flow: CheckContext): Steps<void> {
  const subject = { expected: 'valid', span: NOWHERE, pointer: '', description: null, data: null } as const;
  const findings = [failed('test/not-json', { found: [] }, [], subject)];
  const examined = examinedAs({ findings, wellFormed: true });
  yield* new Reporting(source, flow, null).report(examined, { index: 0, span: null, prefix: '' });
}

const NOWHERE: Span = { start: 0, end: 0 };

/** Reports the tests of a file, whose bytes are in the window. `flow`: with the engine for their schema. */
export function* checkTests(source: Source, tests: readonly FileTest[], flow: CheckContext): Steps<void> {
  const { window, options, engine: own } = flow;
  const reporting = new Reporting(source, flow, null);
  for (const { index, ...test } of tests) {
    if (flow.sink.stopped) return;
    const { span, data, engine = own } = test;
    try {
      const bytes = data === null ? window.bytes : yield* wait(data());
      const at = data === null ? span : { start: byteOrderMark(bytes), end: bytes.length };
      const place = () => ({ payload: index, line: reporting.lineOf(span) });
      const payload: PayloadBytes = { bytes, span: at, base: 0, ending: 'text', place };
      const examined = engine === null ? examinedAs({}) : yield* explainAs(test.kind, payload, engine);
      const result = tested(examined, test, options);
      const { length } = result.findings;
      if (length === 0 && Array.isArray(test.expected)) requireCompared(examined, options);
      const subject = { index, span: { ...span, open: false }, prefix: '' };
      yield* reporting.report(result, subject);
    } catch (error) {
      if (error instanceof Interrupted) reporting.unfinished(span, index, error);
      const isKnown = error instanceof Unexamined || error instanceof SourceError || error instanceof TooCostly;
      if (!isKnown) throw error;
      reporting.fault(span, index, error instanceof Unexamined ? error.cause : error);
    }
  }
}

function* explainAs(kind: FileTest['kind'], payload: PayloadBytes, engine: Engine): Steps<Examined> {
  const examined = yield* wait(engine.explain(payload, kind?.given ?? null, false));
  return kind === undefined ? examined : { ...examined, kind: kind.shown };
}

/** Throws TooCostly for a payload with more violations than are listed: it is not known whether the others are expected. */
function requireCompared({ findings, hidden }: Examined, { rules }: Judging): void {
  const others = totalOf(hidden.filter(([{ rule }]) => levelOf(rule, rules) !== 'off'));
  if (others === 0) return;
  const all = number(findings.length + others);
  throw new TooCostly(
    `it has ${all} violations, and at most ${number(LISTED_VIOLATIONS)} of a payload can be compared`,
  );
}

type TestSubject = Pick<FileTest, 'description' | 'expected' | 'span' | 'pointer' | 'data'>;

/** The result of the test: without findings if it passes. */
function tested(examined: Examined, subject: TestSubject, judging: Judging): Examined {
  const { findings, valid } = judged(examined, judging);
  const { kind, wellFormed } = examined;
  const failure = failureOf(findings, valid, subject);
  return examinedAs({ kind, findings: failure === null ? [] : [failure], wellFormed });
}

function failureOf(findings: readonly Finding[], valid: boolean, subject: TestSubject): Finding | null {
  const { expected, description } = subject;
  const found = findings.map(({ rule, pointer }): TestedViolation => ({ rule, pointer }));
  const test = description === null ? {} : { test: description };
  if (expected === 'valid') return valid ? null : failed('test/expected-valid', { ...test, found }, findings, subject);
  const syntax = found.filter(({ rule }) => NOT_JSON.includes(rule));
  if (expected === 'invalid' && syntax.length > 0)
    return failed('test/not-json', { ...test, found: syntax }, findings, subject);
  if (expected === 'invalid') return valid ? failed('test/expected-invalid', test, [], subject) : null;
  const { missing, unexpected: others } = differencesOf(expected, findings);
  if (missing.length + others.length === 0) return null;
  const unexpected = others.map(({ rule, pointer }): TestedViolation => ({ rule, pointer }));
  return failed('test/violations', { ...test, missing, unexpected }, others, subject);
}

/** Payloads that break them are not judged by a schema. */
const NOT_JSON: readonly string[] = ['json-syntax', 'json-encoding'] satisfies readonly Rule[];

function failed<R extends TestRule>(
  rule: R,
  params: TestParams[R],
  findings: readonly Finding[],
  { span, pointer, data }: TestSubject,
): Finding {
  const place = { pointer, span, schema: null, fixable: false };
  // Places in bytes of its own are not shown.
  const children = findings.map((one) => below(one, pointer, data === null ? null : span));
  const facts = { rule, params } as FactsAt<Span>; // the rule says which params there are
  return { ...place, ...facts, message: TEST_RULES[rule].sentence(params), children };
}

/** A violation as an item below that of the test. `span`: in place of its own; null: that one. */
function below(finding: Finding, pointer: string, span: Span | null): Finding {
  const own = span === null ? {} : { span };
  const prefix = span === null ? pointer : '';
  const { children } = finding;
  const inside = children === undefined ? {} : { children: children.map((one) => below(one, pointer, span)) };
  return { ...finding, ...own, ...inside, pointer: prefix + finding.pointer };
}
