/**
 * `openPaylint`: loads the schemas and makes all that an instance needs. What fills is made when it is first asked for; only for schemas of
 * the caller's own it is made at once, because opening promises that they can be used.
 */
import { resolve } from 'node:path';
import { lazyAccept } from '../engines/accept.ts';
import { UsageError } from '../errors.ts';
import { Examiner } from '../examine/examine.ts';
import { type JudgedKinds, judgedKindsWith, loadJudgeModules } from '../examine/kinds.ts';
import { readDefaultsWith } from '../fill/defaults.ts';
import { createFilling } from '../fill/filling.ts';
import { NO_DEFAULTS } from '../fill/wanted-defaults.ts';
import { bundledSchema, ENTRY_SCHEMA, isInPlace, PRECOMPILED } from '../package.ts';
import { type LoadedSchemas, loadSchemas } from '../schema/load.ts';
import type { ResourceOptions } from '../schema/resources.ts';
import { withoutFormats } from '../schema/set.ts';
import { strictError, suspect } from '../schema/suspect.ts';
import { DRAFT_NAMES, type Limits, MOST_PAYLOAD_BYTES } from '../types.ts';
import { visible } from '../words/escape.ts';
import type { Paylint, PaylintOptions } from './api.ts';
import { pathList, pathText, requireOptions, wholeNumber } from './arguments.ts';
import { knownKind, PaylintInstance } from './paylint.ts';
import { textCodes } from './text-codes.ts';

/** Loads the schemas. Throws SchemaError for a schema that cannot be used, and UsageError for an unknown kind or option, and for arguments that are none. */
export async function openPaylint(options: PaylintOptions = {}): Promise<Paylint> {
  requireOptions('openPaylint', options);
  const { schema } = options;
  const path = schema === undefined ? bundledSchema(ENTRY_SCHEMA) : resolve(pathText('schema', schema));
  const isBundled = schema === undefined;
  const precompiled = isBundled && isInPlace() ? PRECOMPILED : null;
  const loaded = loadSchemas(path, await resourceOptions(options));
  const set = options.assertFormats === false ? withoutFormats(loaded) : loaded;
  const warnings = isBundled ? [] : warningsOf(set, options.strictSchema === true);
  const kind = knownKind(set, options.kind);
  const limits = {
    maxBytes: wholeNumber('maxPayloadBytes', options.maxPayloadBytes ?? 64 << 20, MOST_PAYLOAD_BYTES),
    maxDepth: wholeNumber('maxDepth', options.maxDepth ?? 1000, Number.POSITIVE_INFINITY),
    redact: options.redact === true,
  };
  const accept = lazyAccept(async () => set, NO_DEFAULTS, precompiled?.accept ?? null);
  const makers = new Makers(
    set,
    precompiled !== null,
    limits,
    judgedKindsWith(await loadJudgeModules(set), set),
  );
  const examiner = makers.examiner();
  const shallow = once(() => makers.filler(false));
  const deep = once(() => makers.filler(true));
  if (!isBundled) for (const make of [shallow, deep]) make();
  return new PaylintInstance({
    set,
    warnings,
    kind,
    limits,
    codes: textCodes({ set, kind, precompiled }),
    schemas: { load: async () => set, accept, precompiled, defaults: NO_DEFAULTS },
    examiner,
    finder: makers.finder(),
    fillers: { shallow, deep },
  });
}

/** Throws UsageError. */
async function resourceOptions({ draft, refs }: PaylintOptions): Promise<ResourceOptions> {
  if (draft !== undefined && !DRAFT_NAMES.includes(draft))
    throw new UsageError(
      `there is no draft "${visible(String(draft))}"; there are ${DRAFT_NAMES.join(', ')}`,
    );
  if (refs === undefined) return draft === undefined ? {} : { draft };
  const { readRef } = await import('../schema/refs-option.ts');
  const known = await Promise.all(pathList('refs', refs).map((text) => readRef(text, resolve(), 'refs: ')));
  return { refs: known.flat(), ...(draft === undefined ? {} : { draft }) };
}

/** Throws SchemaError for a schema that accepts everything by mistake, and for warnings if they are errors. */
function warningsOf(set: LoadedSchemas, areErrors: boolean): readonly string[] {
  const warnings = suspect(set);
  if (areErrors && warnings.length > 0) throw strictError(set, warnings);
  return warnings;
}

/** Makes examiners at once. */
class Makers {
  readonly #set: LoadedSchemas;
  /** The defaults are known to be valid. */
  readonly #isTrusted: boolean;
  readonly #limits: Limits;
  readonly #kinds: JudgedKinds;

  constructor(set: LoadedSchemas, isTrusted: boolean, limits: Limits, kinds: JudgedKinds) {
    this.#set = set;
    this.#isTrusted = isTrusted;
    this.#limits = limits;
    this.#kinds = kinds;
  }

  /** Checks payloads as they are. */
  examiner(): Examiner {
    return new Examiner(this.#kinds, this.#limits);
  }

  /** Finds the kinds of payloads. */
  finder(): Examiner {
    return new Examiner(this.#kinds, { ...this.#limits, syntaxOnly: true });
  }

  /** Checks payloads as they are once filled. Throws SchemaError. */
  filler(deep: boolean): Examiner {
    const texts = readDefaultsWith(this.#kinds.judge, this.#set, deep, this.#isTrusted);
    return new Examiner(this.#kinds, this.#limits, createFilling(this.#set, this.#kinds, texts));
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
