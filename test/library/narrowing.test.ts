/**
 * The types of the payloads, as a compiler sees them: what `Payload` narrows to, and what is refused. Each `// TS…` at the end of a
 * line is an error that the compiler must report there, and it must report no other.
 */
import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { compile, createUserFolder } from '../user-folder.ts';

const PRELUDE = `
import {
  type ContentItem, type Contract, type Emoji, isContentItem, isContract, isEmoji, isPayload, type Payload,
} from 'paylint';
declare const payload: Payload;
declare function content(value: ContentItem): void;
declare function contract(value: Contract): void;
declare function emoji(value: Emoji): void;
`;

const user = createUserFolder();
afterAll(() => rmSync(user, { recursive: true }));

/** Compiles `text` after the prelude: the errors are `count`, those that its lines ask for. */
function expectErrors(text: string, count: number): void {
  const lines = `${PRELUDE}${text}`.split('\n');
  const wanted = lines.flatMap((line, i) => {
    const code = /\/\/ (TS\d+)$/.exec(line)?.[1];
    return code === undefined ? [] : [`${i + 1} ${code}: ${line.trim()}`];
  });
  const errors = compile(user, lines.join('\n'), { module: 'nodenext', moduleResolution: 'nodenext' });
  const reported = errors.map((error) => {
    const line = lines[Number.parseInt(error, 10) - 1];
    return line === undefined ? error : `${error}: ${line.trim()}`;
  });
  expect(reported).toEqual(wanted);
  expect(wanted).toHaveLength(count);
}

describe('@type', () => {
  it('that only content items and emoji payloads may have', () => {
    expectErrors(
      `if (payload['@type'] === 'Article') {
        ((value: ContentItem | Emoji) => value)(payload);
        content(payload); // TS2345
        contract(payload); // TS2345
        if ('author' in payload) content(payload);
        else emoji(payload);
      }`,
      2,
    );
  });

  it('that only contracts and emoji payloads may have', () => {
    expectErrors(
      `if (payload['@type'] === 'Contract') {
        ((value: Contract | Emoji) => value)(payload);
        contract(payload); // TS2345
        content(payload); // TS2345
        payload.coverage; // TS2339
        if ('coverage' in payload) contract(payload);
        else emoji(payload);
        if (isContract(payload)) contract(payload);
        else emoji(payload);
      }`,
      3,
    );
  });

  it('that only emoji payloads may have', () => {
    expectErrors(
      `if (payload['@type'] === 'Emoji') emoji(payload);
      else emoji(payload); // TS2345
      switch (payload['@type']) {
        case 'Discussion':
        case 'Comment':
          ((value: ContentItem | Emoji) => value)(payload);
          break;
        case 'Reaction':
          emoji(payload);
      }`,
      1,
    );
  });
});

describe('guards', () => {
  it('narrow a payload, and what is left of it', () => {
    expectErrors(
      `if (isContract(payload)) contract(payload);
      else if (isContentItem(payload)) content(payload);
      else emoji(payload);
      if (!isEmoji(payload)) ((value: ContentItem | Contract) => value)(payload);
      content(payload); // TS2345`,
      1,
    );
  });

  it('narrow what is unknown', () => {
    expectErrors(
      `declare const value: unknown;
      if (isPayload(value)) ((given: Payload) => given)(value);
      if (isPayload(value) && value['@type'] === 'Contract' && 'coverage' in value) value.coverage.minAge.toFixed();
      value['@type']; // TS18046`,
      1,
    );
  });
});

describe('what is written', () => {
  it('is an emoji payload, of any type and with no other members', () => {
    expectErrors(
      `export const one: Emoji = { '@context': 'c', '@type': 'Emoji', emoji: '👍' };
      export const same: Payload = one;
      export const two: Emoji = { '@context': 'c', '@type': 'Emoji', emoji: '👍', mood: 'good' }; // TS2353
      export const three: Payload = { '@context': 'c', '@type': 'Emoji' }; // TS2322`,
      2,
    );
  });

  it('is a contract, with other members', () => {
    expectErrors(
      `export const one = (given: Contract): Payload => ({ ...given, note: 'other' });
      export const two = (given: Contract): Contract => ({ ...given, '@type': 'Article' }); // TS2322
      export const three = ({ coverage, ...rest }: Contract): Contract => rest; // TS2741`,
      2,
    );
  });
});
