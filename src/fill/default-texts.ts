/**
 * The texts of defaults, as accept needs them.
 */
import type { DefaultTexts } from '../accept/context.ts';
import { isNode } from '../schema/node.ts';
import type { DefaultMap } from './default-map.ts';

/**
 * Looks up defaults where Ajv does: in the member's own subschema, not after its `$ref`. Ajv never treats a member as
 * missing if every JavaScript object has a property with its name, such as `constructor`.
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
