/**
 * What a string looks like: `pattern`, `format`, and the limits for formats that the package ajv-formats adds.
 */
import { foundText, schemaText } from '../words/value-text.ts';
import { doesNotHold, type Family, type Keyword, specification } from './keyword.ts';

interface FormatLimit {
  readonly limit: string;
}

export interface TextParams {
  pattern: { readonly pattern: string };
  format: { readonly format: string };
}

export interface FormatLimitParams {
  formatMinimum: FormatLimit;
  formatMaximum: FormatLimit;
  formatExclusiveMinimum: FormatLimit;
  formatExclusiveMaximum: FormatLimit;
}

/** @internal */
export const TEXTS: Family<TextParams> = {
  pattern: {
    sentence: ({ pattern }, found) =>
      `expected text that matches ${schemaText(pattern)}, found ${foundText(found)}`,
    anchor: 'value',
    yieldsToType: true,
    ofSchema: ({ pattern }) => ({ pattern: pattern! }),
    judge({ node, pattern }) {
      const matches = pattern(node.pattern!);
      return (value) => matches(value as string); // asked about strings
    },
    text: {
      meaning: 'The string does not match the regular expression.',
      fix: 'Write a string that does.',
      schema: '{"pattern": "^[a-z]+$"}',
      wrong: '"A1"',
      right: '"abc"',
    },
    link: specification('validation', 'pattern'),
    hidesText: false,
  },
  format: {
    sentence: ({ format }, found) => `expected the format ${schemaText(format)}, found ${foundText(found)}`,
    anchor: 'value',
    yieldsToType: true,
    ofSchema: ({ format }) => ({ format: format! }),
    judge: ({ node, format }) => format(node.format!),
    text: {
      meaning: 'The string does not have the format.',
      fix: 'Write it as the format asks.',
      schema: '{"format": "date"}',
      wrong: '"1 May 2026"',
      right: '"2026-05-01"',
    },
    link: specification('validation', 'defined-formats'),
    hidesText: false,
  },
};

/** @internal */
export const FORMAT_LIMITS: Family<FormatLimitParams> = {
  formatMinimum: formatLimit('formatMinimum'),
  formatMaximum: formatLimit('formatMaximum'),
  formatExclusiveMinimum: formatLimit('formatExclusiveMinimum'),
  formatExclusiveMaximum: formatLimit('formatExclusiveMaximum'),
};

function formatLimit(name: keyof FormatLimitParams): Keyword<FormatLimit> {
  return {
    sentence: doesNotHold(name),
    anchor: 'value',
    ofSchema: (node) => ({ limit: node[name]! }),
    judge: ({ node, formatLimit: limitOf }) => limitOf(node, name),
    text: null,
    link: null,
    hidesText: true,
  };
}
