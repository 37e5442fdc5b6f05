/**
 * The texts of defaults, as accept needs them.
 */
import type { DefaultTexts } from '../accept/context.ts';
import { isNode } from '../schema/node.ts';
import type { DefaultMap } from './default-map.ts';

/**
 * Looks up defaults where Ajv does: in the member's own subschema, not after its `$ref`. A member with the name of a
 * property that every JavaScript object has, such as `constructor`, is never missing to Ajv.
 */
export function defaultTexts(defaults: DefaultMap): DefaultTexts {
  return {
    textOf({ properties }, name) {
      const member =
        properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isNode(member) || name in Object.prototype) return null;
      return defaults.get(member.origin.place) ?? null;
    },
  };
}
