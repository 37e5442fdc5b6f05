/**
 * What the page can show at once: payloads of the three kinds with typical faults, and a schema of one's own.
 */
import type { Shared } from './link.ts';

export interface Example extends Shared {
  readonly title: string;
}

/** Lines of JSON. */
const lines = (...payloads: object[]): string => payloads.map((one) => `${JSON.stringify(one)}\n`).join('');
const pretty = (payload: unknown): string => `${JSON.stringify(payload, null, 2)}\n`;

const ITEM = {
  application: { '@id': '/applications/1' },
  author: { '@id': '/workers/7', '@type': 'Worker' },
  publishStatus: { '@id': 'Published' },
};
const EMOJI = { '@context': 'https://schema.example/context', '@type': 'Emoji', emoji: '👍' };

export const EXAMPLES: readonly Example[] = [
  {
    title: 'Content items, as NDJSON',
    payloads: lines(
      {
        ...{ '@id': '/articles/1', '@type': 'Article', ...ITEM, title: 'Sleeping better' },
        ...{ content: 'Go to bed early.', moderationStatus: { '@id': 'PassedModeration' } },
        ...{ minAge: 11, maxAge: 25 },
      },
      {
        ...{ '@id': '/comments/8', '@type': 'Coment', ...ITEM, content: 'Thank you!' },
        ...{ moderationStatus: { '@id': 'PassedModeration' } },
      },
      {
        ...{ '@id': '/comments/9', '@type': 'Comment', ...ITEM, content: 'This helped me.' },
        ...{ moderationStatus: { '@id': 'PassedModration' } },
      },
    ),
    schema: '',
  },
  {
    title: 'A contract',
    payloads: pretty({
      ...{ '@type': 'Contract', name: 'Counselling in the north region', customer: { '@id': '/customers/1' } },
      ...{ startDate: '2024-01-01', endDate: '2024-12-31T23:59:59Z', effectiveDate: '2024-02-01T00:00:00Z' },
      coverage: {
        ...{ '@type': 'Coverage', customer: { '@id': '/customers/1' } },
        ...{ applicationCoverage: { '@id': '/applications/1' }, monthlyCounsellingHours: 40 },
        ...{ monthlyIandPHours: 10, monthlyDynamicModerationHours: 8, minAge: 11, maxAge: 120 },
        ...{ faceToFace: true, subLocation: [{ '@type': 'Place', name: 'North' }] },
      },
      contactName: 'Ada Example',
    }),
    schema: '',
  },
  {
    title: 'Emoji, as an array',
    payloads: pretty([
      { ...EMOJI, reason: 'Helpful answer' },
      { ...EMOJI, emoji: '', reson: 'kind' },
    ]),
    schema: '',
  },
  {
    title: 'Your own schema',
    payloads: pretty({ id: 17, colour: 'gren', size: { width: 0 } }),
    schema: pretty({
      type: 'object',
      required: ['id', 'colour', 'currency'],
      properties: {
        id: { type: 'string' },
        colour: { enum: ['red', 'green', 'blue'] },
        currency: { type: 'string', default: 'EUR' },
        size: { type: 'object', properties: { width: { type: 'number', exclusiveMinimum: 0 } } },
      },
      additionalProperties: false,
    }),
  },
];
