/**
 * The texts of defaults, as accept needs them.
 */
import type { DefaultTexts } from '../accept/context.ts';
import { isSchemaObject } from '../schema/subschemas.ts';
import type { DefaultMap } from './default-map.ts';

/**
 * Looks up defaults where Ajv does: in the member's own subschema, not after its `$ref`. A member with the name of a
 * property that every JavaScript object has, such as `constructor`, is never missing to Ajv.
 */
export function defaultTexts(defaults: DefaultMap): DefaultTexts {
  return {
    textOf({ properties }, name) {
      if (!isSchemaObject(properties) || !Object.hasOwn(properties, name)) return null;
      const member = properties[name];
      if (!isSchemaObject(member) || name in Object.prototype) return null;
      return defaults.get(member) ?? null;
    },
  };
}
