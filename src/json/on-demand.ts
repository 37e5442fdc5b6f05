/** What is made at its first use, and kept: values, and Node's own modules, which are slow to load. */
import { createRequire } from 'node:module';

/** Calls `make` when its value is first needed, and keeps the value. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A map, which may hold its keys weakly. */
interface Entries<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of `key` in `map`. If there is none, it is made and added. */
export function entryOf<K, V>(map: Entries<K, V>, key: K, make: (key: K) => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make(key);
    map.set(key, value);
  }
  return value;
}

/** Calls `make` once for each key, and keeps what it returns in `made`. */
export function memoized<K, V>(make: (key: K) => V, made: Entries<K, V> = new Map()): (key: K) => V {
  return (key) => entryOf(made, key, make);
}

/** The same, as long as the key is used elsewhere. */
export function memoizedWeakly<K extends object, V>(make: (key: K) => V): (key: K) => V {
  return memoized(make, new WeakMap());
}

interface LoadNodeModule {
  (name: 'node:child_process'): typeof import('node:child_process');
  (name: 'node:crypto'): typeof import('node:crypto');
  (name: 'node:os'): typeof import('node:os');
  (name: 'node:net'): typeof import('node:net');
  (name: 'node:tty'): typeof import('node:tty');
  (name: 'node:util'): typeof import('node:util');
  (name: 'node:vm'): typeof import('node:vm');
  (name: 'node:zlib'): typeof import('node:zlib');
}

let load: LoadNodeModule | null = null;

/** Loads a module at its first use. */
export const nodeModule = ((name: 'node:util') => {
  load ??= loaderBy(createRequire);
  return load(name);
}) as LoadNodeModule;

/** By another name, because webpack warns of a call of `createRequire` whose argument it cannot foresee. */
function loaderBy(create: typeof createRequire): LoadNodeModule {
  return create(import.meta.filename ?? '/') as LoadNodeModule; // the names in its type
}

/** A value that is there already, or comes later. */
export type Soon<T> = T | Promise<T>;

/** What `next` makes of the value: at once, if it is there. */
export function soon<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The value, if it is there. Throws if it is a promise. */
export function synchronously<T>(value: Soon<T>): T {
  if (value instanceof Promise) throw new Error('this supply must not wait');
  return value;
}

type Present<All> = { [Name in keyof All]?: Exclude<All[Name], undefined> };

/** The members that are not undefined. */
export function withoutUndefined<All extends object>(all: All): Present<All> {
  const entries = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Present<All>; // the others are there
}
