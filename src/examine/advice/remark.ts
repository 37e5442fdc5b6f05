/**
 * A remark about a payload, before it has a place in the bytes.
 */
import { isJsonObject } from '../../json/value.ts';
import type { AdviceParams, AdviceRule } from '../../words/advice.ts';

/** From the payload's root. */
export type Path = readonly (string | number)[];

interface RemarkOf<R extends AdviceRule> {
  readonly rule: R;
  readonly params: AdviceParams[R];
  /** What it is about, quoted; absent or null: nothing, or it must not be shown. */
  readonly text?: string | null;
  readonly path: Path;
  /** It is about the name of the member, not about its value. */
  readonly ofName?: true;
}

/** `advice/id-conflict` is about two payloads, so no remark on one of them. */
export type Remark = {
  readonly [R in Exclude<AdviceRule, 'advice/id-conflict'>]: RemarkOf<R>;
}[Exclude<AdviceRule, 'advice/id-conflict'>];

/** The value of the object's own member; undefined if there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
