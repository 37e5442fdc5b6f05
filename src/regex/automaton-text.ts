/**
 * An automaton as text and back: for automata that are made when the package is built.
 */
import type { Automaton } from './automaton.ts';

/**
 * First three numbers of two bytes each: number of classes, start, last accepting state. Then the class of each byte.
 */
const CLASSES_AT = 6;
const TRANSITIONS_AT = CLASSES_AT + 256;

/** For automata of at most 256 states: each transition is one byte. */
export function toText({ classes, classCount, transitions, start, lastAccepting }: Automaton): string {
  if (transitions.length > 256 * classCount) throw new RangeError('an automaton with more than 256 states');
  const bytes = Buffer.alloc(TRANSITIONS_AT + transitions.length);
  for (const [i, number] of [classCount, start, lastAccepting].entries()) bytes.writeUInt16LE(number, 2 * i);
  bytes.set(classes, CLASSES_AT);
  bytes.set(transitions, TRANSITIONS_AT);
  return bytes.toString('base64');
}

export function fromText(text: string): Automaton {
  const bytes = Buffer.from(text, 'base64');
  return {
    classes: Uint8Array.from(bytes.subarray(CLASSES_AT, TRANSITIONS_AT)),
    classCount: bytes.readUInt16LE(0),
    transitions: Uint16Array.from(bytes.subarray(TRANSITIONS_AT)),
    start: bytes.readUInt16LE(2),
    lastAccepting: bytes.readUInt16LE(4),
  };
}
