/**
 * The `params` of a violation, by its rule: a union of typed facts, which reports show as they are. Facts that are
 * payload text are absent under `--redact`. The params of a keyword are declared in its file.
 */
import type { OwnParams } from '../words/own-rules.ts';
import type { NoParams } from '../words/rule.ts';
import type { AjvParams, TestParams } from '../words/test-rules.ts';
import type { AlternativeParams } from './alternatives.ts';
import type { ItemParams, WholeArrayParams } from './items.ts';
import type { ArrayLengthParams, ObjectLengthParams, StringLengthParams } from './lengths.ts';
import type { DeprecatedParams, NameParams, OtherMemberParams, UnevaluatedItemParams } from './members.ts';
import type { NumberParams } from './numbers.ts';
import type { DependentParams, RequiredParams } from './required.ts';
import type { TextParams } from './texts.ts';
import type { TypeParams, ValueParams } from './values.ts';

/** By keyword of schemas. */
export interface SchemaParams
  extends TypeParams,
    ValueParams,
    StringLengthParams,
    ArrayLengthParams,
    ObjectLengthParams,
    NumberParams,
    TextParams,
    RequiredParams,
    DependentParams,
    OtherMemberParams,
    NameParams,
    ItemParams,
    WholeArrayParams,
    UnevaluatedItemParams,
    AlternativeParams,
    DeprecatedParams {}

/** What breaks a keyword of a schema: the rule says which facts there are. */
export type SchemaFacts = {
  [R in keyof SchemaParams]: { readonly rule: R; readonly params: SchemaParams[R] };
}[keyof SchemaParams];

type AllParams<First> = SchemaParams & OwnParams<First> & TestParams & AjvParams;

/** The rule of a check, and that of its evaluations that fail: `check/total`, `check/total/evaluation`. */
export type CheckRule = `check/${string}`;

export type RuleName = keyof AllParams<unknown> | CheckRule;

/** A rule and its facts, with places as `First`. */
export type FactsAt<First> =
  | {
      [R in keyof AllParams<First>]: { readonly rule: R; readonly params: AllParams<First>[R] };
    }[keyof AllParams<First>]
  | {
      readonly rule: CheckRule;
      readonly params:
        | NoParams
        /** Where a value that must be unique is for the first time; `line`: 1-based. */
        | { readonly first: { readonly file: string; readonly line: number } }
        /** Where the value of a reference should be; `kind`: null: in payloads of any kind. */
        | { readonly to: { readonly kind: string | null; readonly at: string } };
    };
