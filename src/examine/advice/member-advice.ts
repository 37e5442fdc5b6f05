/**
 * Advice about the members of any kind, as far as its schema describes them with `properties` and `items`: names that
 * are nearly those of the schema, and texts of white space only.
 */
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { childrenOf, type Member, memberAt } from '../../schema/described-members.ts';
import type { SchemaNode } from '../../schema/node.ts';
import type { Kind } from '../../schema/set.ts';
import { type AdviceParams, type AdviceRule, shown } from '../../words/advice.ts';
import { nearMiss } from '../../words/near.ts';

/** What is known about the values of a schema. */
interface Described {
  readonly members: ReadonlyMap<string, Member>;
  readonly items: Member | null;
  /** Other members are allowed, and only `properties` names members. */
  readonly isOpen: boolean;
}

/** With one of these keywords, a schema can describe or forbid other members. */
const OTHER_MEMBERS = [
  'patternProperties',
  'propertyNames',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'dependentSchemas',
  'dependencies',
  '$dynamicRef',
  '$recursiveRef',
];

/** Names that begin with `@` and that JSON-LD 1.1 gives a meaning (section 1.7). They are not misspelt. */
const KEYWORDS = new Set(
  (
    '@base @container @context @direction @graph @id @import @included @index @json @language @list @nest @none @prefix ' +
    '@propagate @protected @reverse @set @type @value @version @vocab'
  ).split(' '),
);

/** Makes remarks about one payload after another, at most `most` for each. */
export class MemberAdvice {
  readonly #most: number;
  readonly #redact: boolean;
  readonly #roots = new Map<Kind, Member | null>();
  readonly #described = new Map<SchemaNode, Described>();

  constructor(most: number, redact: boolean) {
    this.#most = most;
    this.#redact = redact;
  }

  remarksOn(kind: Kind, value: unknown): Remark[] {
    let root = this.#roots.get(kind);
    if (root === undefined) {
      root = memberAt(kind, []);
      this.#roots.set(kind, root);
    }
    const remarks: Remark[] = [];
    if (root !== null) this.#visit(value, root, { path: [], remarks });
    return remarks;
  }

  #visit(value: unknown, member: Member, at: Visit): void {
    if (at.remarks.length >= this.#most) return;
    if (typeof value === 'string') {
      if (isBlank(value, member.schema)) at.remarks.push({ rule: 'advice/blank', params: {}, path: at.path });
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const described = this.#describe(member);
    if (isJsonObject(value)) {
      for (const [name, child] of Object.entries(value)) {
        const known = described.members.get(name);
        if (known !== undefined) this.#visit(child, known, { ...at, path: [...at.path, name] });
        else if (described.isOpen) this.#misspelt(value, name, described, at);
      }
    } else if (Array.isArray(value) && described.items !== null) {
      for (let i = 0; i < value.length && at.remarks.length < this.#most; i++)
        this.#visit(value[i], described.items, { ...at, path: [...at.path, i] });
    }
  }

  #misspelt(value: JsonObject, name: string, { members }: Described, { path, remarks }: Visit): void {
    if (KEYWORDS.has(name) || remarks.length >= this.#most) return;
    const missing = [...members.keys()].filter((known) => !Object.hasOwn(value, known));
    const known = nearMiss(name, missing);
    if (known === null) return;
    const text = shown(name, this.#redact);
    remarks.push({
      rule: 'advice/misspelt-member',
      params: { known },
      text,
      path: [...path, name],
      ofName: true,
    });
  }

  #describe(member: Member): Described {
    const { schema } = member;
    let described = this.#described.get(schema);
    if (described === undefined) {
      const members = new Map<string, Member>();
      let items: Member | null = null;
      const names = Object.keys(schema.properties ?? {});
      for (const [i, child] of childrenOf({ ...member, path: '' }).entries()) {
        const name = names[i];
        if (name === undefined) items = child;
        else members.set(name, child);
      }
      const { additionalProperties: additional = true, unevaluatedProperties: others = true } = schema;
      const isOpen =
        additional === true && others === true && OTHER_MEMBERS.every((word) => !(word in schema));
      described = { members, items, isOpen };
      this.#described.set(schema, described);
    }
    return described;
  }
}

interface Visit {
  readonly path: Path;
  readonly remarks: Remark[];
}

/** Values with an `enum` or `const` are checked by the schema. */
function isBlank(text: string, schema: SchemaNode): boolean {
  return text !== '' && text.trim() === '' && schema.enum === undefined && schema.const === undefined;
}

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
