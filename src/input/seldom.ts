/**
 * Node's own modules that most runs do not need: loading one takes longer than checking a small file.
 */
import { createRequire } from 'node:module';

interface Seldom {
  (name: 'node:crypto'): typeof import('node:crypto');
  (name: 'node:os'): typeof import('node:os');
  (name: 'node:net'): typeof import('node:net');
  (name: 'node:tty'): typeof import('node:tty');
  (name: 'node:util'): typeof import('node:util');
  (name: 'node:vm'): typeof import('node:vm');
  (name: 'node:zlib'): typeof import('node:zlib');
}

let load: Seldom | null = null;

/** Loads a module at its first use. */
export const seldom = ((name: 'node:util') => {
  load ??= loaderBy(createRequire);
  return load(name);
}) as Seldom;

/** By another name, because webpack warns of a call of `createRequire` whose argument it cannot foresee. */
function loaderBy(create: typeof createRequire): Seldom {
  return create(import.meta.filename ?? '/') as Seldom; // the names in its type
}
