/** What a string looks like: `pattern` and `format`. */
import { foundText, schemaText } from '../words/value-text.ts';
import { type Family, specification } from './keyword.ts';

export interface TextParams {
  pattern: { readonly pattern: string };
  format: { readonly format: string };
}

/** @internal */
export const TEXTS: Family<TextParams> = {
  pattern: {
    sentence: ({ pattern }, found) => `expected text that matches ${schemaText(pattern)}, found ${foundText(found)}`,
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
  },
  format: {
    sentence: ({ format }, found) => `expected the format ${schemaText(format)}, found ${foundText(found)}`,
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
  },
};
