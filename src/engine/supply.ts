/**
 * Makes the engine that a plan names: that of its schemas, with what is around it. When something is compiled is in
 * thresholds.ts. What is not plain is loaded by runs that need it.
 */
import { NO_DEFAULTS } from '../repair/wanted-defaults.ts';
import type { Judging } from '../words/rule-levels.ts';
import { type Schemas, schemasOf } from './accept.ts';
import type { AjvSchemas } from './ajv-judge.ts';
import type { Against } from './compared.ts';
import type { ExamineSettings } from './compile/acceptor.ts';
import type { Engine, EngineName, EngineWorld } from './engine.ts';
import { type Mark, markedEngine } from './marked.ts';
import { plainEngine } from './plain.ts';

/** What payloads are judged by. */
export interface EngineParts {
  readonly schemas: Schemas;
  /** For `compared`: the schemas to compare with. */
  readonly against?: Against;
  /** For `ajv`: the schemas as Ajv gets them. */
  readonly ajv?: AjvSchemas;
  readonly options: ExamineSettings & Judging & { readonly engine: EngineName };
}

/** `memory`: of the window; `mark`: learns which payload is explained. Throws what the engines throw. */
export async function createEngine(
  parts: EngineParts,
  memory: WebAssembly.Memory,
  world: EngineWorld,
  mark?: Mark,
): Promise<Engine> {
  const engine = await engineOf(parts, memory, world);
  return mark === undefined ? engine : markedEngine(engine, mark);
}

async function engineOf(
  { schemas, against, ajv, options }: EngineParts,
  memory: WebAssembly.Memory,
  world: EngineWorld,
): Promise<Engine> {
  const plain = (given = schemas): Engine => plainEngine(given, options, memory, world);
  switch (options.engine) {
    case 'plain':
      return plain();
    case 'compared': {
      const { comparedEngine } = await import('./compared.ts');
      return comparedEngine(schemas, against!, options, memory, world); // the plan that names it has them
    }
    case 'covering': {
      const { coveringEngine } = await import('./covering.ts');
      return coveringEngine(plain(), schemas, options);
    }
    case 'ajv': {
      const { ajvEngine } = await import('./by-ajv.ts');
      const each = schemasOf({ load: schemas.load, precompiled: null, defaults: NO_DEFAULTS, reads: 'nothing' });
      const { interrupt = null } = world;
      return ajvEngine(plain(each), ajv!, options, interrupt ?? new AbortController().signal); // the plan that names it has them
    }
  }
}
