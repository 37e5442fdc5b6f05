/**
 * Makes schemas and instances by seeds, and compares what paylint says of them on its routes, and with its peers.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeToken } from '../../src/json/pointer.ts';
import { visible } from '../../src/words/escape.ts';
import { seeded } from '../mutations/mutate.ts';
import type { Random } from '../mutations/schemas.ts';
import { compareFills } from './fills.ts';
import { flavourBy } from './flavour.ts';
import { InstanceMaker } from './instance-maker.ts';
import { peersFor } from './peers.ts';
import { compareCommands, compareLibrary, factsOf, type Subject } from './routes.ts';
import { DRAFTS, type Draft, SchemaMaker } from './schema-maker.ts';
import { broken, type Json, respelled, smaller, spellingBy, write } from './values.ts';
import { type World, worldOf } from './world.ts';

export interface Outcome {
  schemas: number;
  instances: number;
  valid: number;
  /** Instances that the peers judged, too. */
  peers: number;
  /** Schemas that paylint refuses, by its message without the place. */
  readonly refused: Map<string, number>;
  differences: number;
  /** Called for each difference. */
  readonly tell: (difference: string) => void;
}

export interface Trial {
  readonly count: number;
  readonly seed: number;
  /** Every how many schemas the commands are run, too. */
  readonly commands: number;
  readonly dist: URL;
  /** An empty folder. */
  readonly folder: string;
  /** Called for each difference. */
  readonly tell: (difference: string) => void;
}

const INSTANCES = 24;
/** Stop after this number of schemas with differences. */
const ENOUGH = 10;

export async function tryRandom({ count, seed, commands, dist, folder, tell }: Trial): Promise<Outcome> {
  const outcome: Outcome = { schemas: 0, instances: 0, valid: 0, peers: 0, refused: new Map(), differences: 0, tell };
  const world = await worldOf(dist, folder);
  for (let i = 0; i < count && outcome.differences < ENOUGH; i++)
    await trySeed({ world, outcome, seed: seed + i, runs: i % commands === 0 });
  return outcome;
}

interface Try {
  readonly world: World;
  readonly outcome: Outcome;
  readonly seed: number;
  /** Whether the commands are run. */
  readonly runs: boolean;
}

async function trySeed({ world, outcome, seed, runs }: Try): Promise<void> {
  const random = seeded(seed);
  const draft = DRAFTS[random(DRAFTS.length)]!;
  const flavour = flavourBy(random);
  const maker = new SchemaMaker(random, draft, flavour);
  const made = maker.schema();
  const asserts = flavour.formats && random(2) === 0;
  const open = openerFor(world, draft, asserts);
  const withBad = flavour.defaults ? write(made) : null;
  const schema = flavour.defaults ? await withoutBadDefaults(made, open) : made;
  const schemaText = write(respelled(schema, random), spellingBy(random, true));
  outcome.schemas++;
  const refusal = await open(schemaText).then(() => null, messageOf);
  if (refusal !== null) {
    outcome.refused.set(refusal, (outcome.refused.get(refusal) ?? 0) + 1);
    return;
  }
  const values = instancesOf(maker, made);
  const told = new Set<string>();
  const difference = (what: string, text: string, said: string): void => {
    if (told.has(what)) return;
    if (told.size === 0) outcome.differences++;
    outcome.tell(`seed ${seed}, draft ${draft}: ${what}\n  ${write(schema)}\n  ${text}\n  ${said}\n`);
    told.add(what);
  };
  const { texts, laidOut } = textsOf(values, random);
  const truths = await truthsOf(await open(schemaText), texts);
  outcome.instances += texts.length;
  outcome.valid += truths.filter((one) => one === '').length;
  const differ: Subject['differ'] = (route, i, said) =>
    difference(route, texts[i]!, `${said}\n  instead of\n  ${truths[i]}`);
  const flags = ['--schema', 'schema.json', '--draft', draft, ...(asserts ? [] : ['--no-assert-formats'])];
  const subject = {
    world,
    schema: schemaText,
    flags,
    random,
    texts,
    laidOut,
    truths,
    open: () => open(schemaText),
    differ,
  };
  if (flavour.defaults) await compareFills(subject);
  if (withBad !== null) {
    // For all but `fill`, a default that its schema does not allow is as good as not there.
    const others = await truthsOf(await open(withBad), texts);
    const plain = await truthsOf(await open(write(schema)), texts); // messages have the numbers of a schema as it spells them
    for (const [i, other] of others.entries())
      if (other !== plain[i]) differ('with bad defaults', i, `${other}\n  without them\n  ${plain[i]}`);
  }
  await compareLibrary(subject);
  if (runs) await compareCommands(subject);
  if (flavour.exact || asserts) return; // the peers have doubles, and other formats
  outcome.peers += values.length;
  const found = await peerDifference(draft, schema, values, open);
  if (found !== null)
    difference('other verdicts than those of the peers', found.text, `paylint: ${found.valid}\n  ${found.schema}`);
}

type Opener = (schemaText: string) => ReturnType<Subject['open']>;

function openerFor({ folder, library }: World, draft: Draft, assertFormats: boolean): Opener {
  return async (schemaText) => {
    writeFileSync(join(folder, 'schema.json'), schemaText);
    return library.openPaylint({ schema: join(folder, 'schema.json'), draft, assertFormats });
  };
}

function messageOf(error: Error): string {
  return error.message.replace(/^.*#[^:]*: /, '').replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"');
}

/** Most texts are well-formed; in some trials a few are not. */
function textsOf(values: readonly Json[], random: Random): Pick<Subject, 'texts' | 'laidOut'> {
  const isBroken = values.map(() => random(4) === 0);
  const breaks = random(3) === 0;
  const texts = values.map((value, i) => {
    const text = write(value, spellingBy(random, false));
    return breaks && isBroken[i] ? broken(text, random) : text;
  });
  const laidOut = values.map((value, i) =>
    breaks && isBroken[i] ? texts[i]! : write(value, spellingBy(random, true)),
  );
  return { texts, laidOut };
}

function instancesOf(maker: SchemaMaker, schema: Json): Json[] {
  const instances = new InstanceMaker(maker);
  return Array.from({ length: INSTANCES }, () => {
    let value = instances.instance(schema);
    for (let left = maker.random(4) - 1; left > 0; left--) value = instances.changed(value);
    return maker.random(3) === 0 ? respelled(value, maker.random) : value;
  });
}

async function truthsOf(paylint: Awaited<ReturnType<Opener>>, texts: readonly string[]): Promise<string[]> {
  return texts.map((text) => {
    const { failure, violations } = paylint.validate(text);
    return failure === undefined ? factsOf(violations) : `failure: ${failure}`;
  });
}

/** The schema without the defaults that their own schemas do not allow: `fill` refuses these. */
async function withoutBadDefaults(schema: Json, open: Opener): Promise<Json> {
  for (;;) {
    const refusal = await open(write(schema))
      .then((paylint) => [false, true].map((deep) => paylint.fill('{}', { deep })))
      .then(
        () => '',
        ({ message }: Error) => message,
      );
    const refused = [...withDefaults(schema)].filter(([pointer]) => refusal.includes(`#${visible(pointer)}/default: `));
    if (refused.length === 0) return schema;
    for (const [, one] of refused) one.delete('default');
  }
}

/** The objects with a member `default`, with their pointers. */
function* withDefaults(at: Json, pointer = ''): Generator<[string, Map<string, Json>]> {
  if (at instanceof Map && at.has('default')) yield [pointer, at];
  const entries = at instanceof Map || Array.isArray(at) ? at.entries() : [];
  for (const [name, inner] of entries) yield* withDefaults(inner, `${pointer}/${escapeToken(String(name))}`);
}

interface Found {
  readonly schema: string;
  readonly text: string;
  readonly valid: boolean;
}

/** The first value on which the peers agree with one another, but not with paylint, and its schema, both made small. */
async function peerDifference(
  draft: Draft,
  schema: Json,
  values: readonly Json[],
  open: Opener,
): Promise<Found | null> {
  const differsFor = async (one: Json): Promise<(value: Json) => boolean> => {
    const [paylint, peers] = [await open(write(one)), await peersFor(draft, write(one))];
    return (value) => peers(write(value)) === !paylint.isValid(write(value));
  };
  const differs = await differsFor(schema);
  const found = values.find(differs);
  if (found === undefined) return null;
  const isKept = async (one: Json, value: Json): Promise<boolean> =>
    (await differsFor(one).catch(() => () => false))(value);
  const [small, value] = await minimised(schema, found, isKept);
  return { schema: write(small), text: write(value), valid: (await open(write(small))).isValid(write(value)) };
}

/** Removes what the difference does not need. */
async function minimised(
  schema: Json,
  value: Json,
  isKept: (schema: Json, value: Json) => Promise<boolean>,
): Promise<[schema: Json, value: Json]> {
  for (const less of smaller(schema)) if (await isKept(less, value)) return minimised(less, value, isKept);
  for (const less of smaller(value)) if (await isKept(schema, less)) return minimised(schema, less, isKept);
  return [schema, value];
}
