/**
 * Engines that judge each payload by two schemas in one pass. A payload that is not accepted by both is examined here:
 * the result has what a change of the schema does to it, and the violations of the new schema if it broke.
 */
import type { Schemas } from '../../engine/accept.ts';
import { ComparedAcceptor } from '../../engine/compile/compared-acceptor.ts';
import { createEngines, type EngineHooks, type Engines } from '../../engine/engines.ts';
import type { Examined, PayloadBytes } from '../../engine/judge/examine.ts';
import { type Soon, soon } from '../../engine/supply.ts';
import type { Limits, Outcome } from '../../types.ts';
import type { Judging } from './flow.ts';
import { examinedAs, judged } from './reporting.ts';

/** The schemas to compare with. */
export interface Against {
  readonly schemas: Schemas;
  /** The names of their kinds. */
  readonly kinds: readonly string[];
}

/** Engines of `schemas`, the new ones, that ask those of `against` as well. */
export function comparedEngines(
  schemas: Schemas,
  against: Against,
  ...others: [Limits & Judging, WebAssembly.Memory, EngineHooks?]
): Engines {
  const [options, memory, hooks] = others;
  // The first payloads are not judged apart: two schemas are compared for many payloads.
  const compiledOnly = (given: Schemas): Schemas => ({ ...given, interpreted: false });
  const old = createEngines(compiledOnly(against.schemas), ...others);
  // A kind that only the new schema has is told apart by the old one as it can.
  const oldKind = (givenKind: string | null): string | null =>
    givenKind !== null && against.kinds.includes(givenKind) ? givenKind : null;
  const acceptors = new Map<string | null, ComparedAcceptor>();
  const own = createEngines(compiledOnly(schemas), options, memory, {
    ...hooks,
    acceptorOf: (code, givenKind) =>
      soon(old.acceptor(oldKind(givenKind)), (oldAcceptor) => {
        const acceptor = new ComparedAcceptor(oldAcceptor, code, memory, options);
        acceptors.set(givenKind, acceptor);
        return acceptor;
      }),
  });
  const knowsInvalid = Object.values(options.rules).every((level) => level === 'error');
  const isValidByOld = (payload: PayloadBytes, givenKind: string | null): Soon<boolean> => {
    const verdict = acceptors.get(givenKind)?.verdictByOld(payload, payload.span) ?? 'unsure';
    if (verdict === 'valid') return true;
    if (verdict === 'invalid' && knowsInvalid) return false;
    return soon(old.examine(payload, oldKind(givenKind), true), (examined) => judged(examined, options).valid);
  };
  const byNew = (payload: PayloadBytes, givenKind: string | null, countsOnly: boolean): Soon<Examined> => {
    const { bytes, span } = payload;
    const isUtf8 = acceptors.get(givenKind)?.isUtf8(payload, span.end) === true;
    return soon(own.notes(givenKind, countsOnly), (taker) => {
      const noted = taker?.take({ bytes, span, countsOnly, isUtf8 }) ?? null;
      return noted ?? own.examine(payload, givenKind, countsOnly);
    });
  };
  return {
    acceptor: own.acceptor,
    // For payloads that the old schema accepts: the acceptor reads no others.
    notes: own.notes,
    examine: (payload, givenKind, countsOnly) =>
      soon(isValidByOld(payload, givenKind), (wasValid) => {
        const kind = acceptors.get(givenKind)?.kindByNew(payload, payload.span) ?? null;
        if (kind !== null) return examinedAs({ kind, outcome: wasValid ? 'valid' : 'healed' });
        return soon(byNew(payload, givenKind, countsOnly || !wasValid), (examined) => ({
          ...examined,
          outcome: outcomeOf(wasValid, judged(examined, options).valid),
        }));
      }),
    async close() {
      await old.close();
      await own.close();
    },
  };
}

function outcomeOf(wasValid: boolean, isValid: boolean): Outcome {
  if (isValid) return wasValid ? 'valid' : 'healed';
  return wasValid ? 'broken' : 'invalid';
}
