/**
 * Faults planted into automata, each of which `compare` must find. Those of the source compile another expression than
 * RegExp gets; those of the tables change one entry.
 */
import type { Automaton } from '../../src/regex/automaton.ts';
import { compileAutomaton } from '../../src/regex/matcher.ts';
import type { Compile } from './compare.ts';

/** How a fault changes the source; the same if there is nothing to change. */
const OF_SOURCES: Readonly<Record<string, (source: string) => string>> = {
  'no ^': (source) => source.replace(/^\^/, ''),
  'no $': (source) => source.replace(/(?<!\\)\$$/, ''),
  '^ inside is forgotten': (source) => source.replace(/(?<=[|(])\^/, ''),
  '* is +': (source) => source.replace(/(?<=[\w)\]])\*/, '+'),
  '+ is *': (source) => source.replace(/(?<=[\w)\]])\+/, '*'),
  '? is nothing': (source) => source.replace(/(?<=[\w)\]])\?/, ''),
  'a lower bound is one too low': (source) => source.replace('{2,', '{1,'),
  'an upper bound is one too high': (source) => source.replace(',3}', ',4}'),
  'a count is one too high': (source) => source.replace('{2}', '{3}'),
  '\\b is \\B': (source) => source.replace(/(?<![[^\\])\\b(?![^[]*\])/, '\\B'),
  '\\d is \\w': (source) => source.replace('\\d', '\\w'),
  '\\s is a space': (source) => source.replace('\\s', ' '),
  '\\w is without _': (source) => source.replace(/(?<!\[[^\]]*)\\w/, '[A-Za-z0-9]'),
  '. is any character': (source) => source.replace(/(?<![\\[.])\.(?!\])/, '[^]'),
  'a class is negated': (source) => source.replace(/(?<!\\)\[(?!\^)/, '[^'),
  '(?! is (?=': (source) => source.replace('(?!', '(?='),
  'a lookahead is forgotten': (source) => source.replace(/\(\?=/, '(?:|'),
  'an option is lost': (source) => source.replace(/^[^|()[\]\\]*\|/, ''),
};

/** How a fault changes the tables. */
const OF_TABLES: Readonly<Record<string, (automaton: Automaton) => Automaton>> = {
  'a class begins one byte late': (automaton) => {
    const classes = automaton.classes.slice();
    const at = classes.findIndex((one, byte) => byte > 0 && one !== classes[byte - 1]);
    if (at > 0) classes[at] = classes[at - 1]!;
    return { ...automaton, classes };
  },
  'a class ends one byte late': (automaton) => {
    const classes = automaton.classes.slice();
    const at = classes.findLastIndex((one, byte) => byte < 0x80 && one !== classes[byte + 1]);
    if (at >= 0) classes[at + 1] = classes[at]!;
    return { ...automaton, classes };
  },
  'one state too few accepts': (automaton) => ({ ...automaton, lastAccepting: automaton.lastAccepting - 1 }),
  'one state too many accepts': (automaton) => ({ ...automaton, lastAccepting: automaton.lastAccepting + 1 }),
  'the last transition fails': (automaton) => {
    const transitions = automaton.transitions.slice();
    transitions[transitions.length - 1] = 0;
    return { ...automaton, transitions };
  },
  'it starts in the next state': (automaton) => ({
    ...automaton,
    start: (automaton.start + 1) % (automaton.transitions.length / automaton.classCount),
  }),
};

/** Compilers with one fault each, by its name. */
export const FAULTS: ReadonlyMap<string, Compile> = new Map([
  ...Object.entries(OF_SOURCES).map(([name, change]): [string, Compile] => [
    name,
    (source) => {
      try {
        return compileAutomaton(change(source));
      } catch {
        return compileAutomaton(source); // the changed source is not a regular expression
      }
    },
  ]),
  ...Object.entries(OF_TABLES).map(([name, change]): [string, Compile] => [
    name,
    (source) => {
      const compiled = compileAutomaton(source);
      return compiled.automaton === null ? compiled : { automaton: change(compiled.automaton), reason: null };
    },
  ]),
]);
