/**
 * Pointers without their indices: equal for the same fault anywhere in an array, so that violations can be counted, and
 * recognised in a later run.
 */

// `/0/subLocation/12/name` → `/*/subLocation/*/name`. A member whose name looks like an index is taken for one.
export function foldIndices(pointer: string): string {
  return pointer.replace(/\/(?:0|[1-9]\d*)(?=\/|$)/g, '/*');
}
