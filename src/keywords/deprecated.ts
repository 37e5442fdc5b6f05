/**
 * The keyword `deprecated`: a remark on a member whose schema has it (or a `deprecationMessage`). It rejects no value. Nodes
 * have the keyword only if the rule is turned on: see `deprecations` in `schema/resources.ts`.
 */
import { type Family, specification } from './keyword.ts';

export interface DeprecatedParams {
  deprecated: {
    /** The name of the member, which may be payload text; absent: it must not be shown. */
    readonly name?: string;
  };
}

/** @internal */
export const DEPRECATED: Family<DeprecatedParams> = {
  deprecated: {
    sentence: (_, { text }) => `${text === null ? 'this member' : `the member ${text}`} is deprecated`,
    anchor: 'name',
    ofPayload: (_, { name }) => ({ name: name() }),
    nameIn: ({ name }) => name,
    text: {
      meaning:
        'The schema says that the member is deprecated; the position is its name. It is a warning, and off unless the config or --advice turns it on.',
      fix: 'Use what the schema has in its place.',
      schema: '{"properties": {"old": {"deprecated": true}}}',
      wrong: '{"old": 1}',
      right: '{}',
    },
    link: specification('validation', 'deprecated'),
  },
};
