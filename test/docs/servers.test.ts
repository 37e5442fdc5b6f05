/**
 * The recipes for servers and workers: a strict compiler takes them, with the declarations of what they use checked as well, and what
 * it writes does what the page says.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocks } from '../repository.ts';
import { createUserFolder, ROOT } from '../user-folder.ts';

const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const GOOD = '{"id": 7}';
const BAD = '{"id": 0, "nte": ""}';
const JSON_TYPE = { 'content-type': 'application/json' };

const user = createUserFolder();
let compiled = { status: -1 as number | null, output: '' };
const names: string[] = [];

beforeAll(() => {
  mkdirSync(join(user, 'node_modules/@types'));
  for (const name of ['fastify', 'hono', '@types/node'])
    symlinkSync(join(ROOT, 'node_modules', name), join(user, 'node_modules', name), 'dir');
  for (const block of blocks('docs/guides/servers.md', 'ts')) {
    const name = /^\/\/ (\S+)\n/.exec(block)![1]!;
    names.push(name);
    writeFileSync(join(user, name), block);
  }
  const compilerOptions = {
    ...{ strict: true, skipLibCheck: false, module: 'nodenext', target: 'es2022', outDir: 'out' },
    ...{ lib: ['es2023'], types: ['node'], rootDir: '.' },
  };
  writeFileSync(join(user, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: names }));
  const { status, stdout, stderr } = spawnSync(process.execPath, [TSC, '--pretty', 'false'], {
    cwd: user,
    encoding: 'utf8',
  });
  compiled = { status, output: stdout + stderr };
});
afterAll(() => rmSync(user, { recursive: true }));

/** What the compiler has written of a recipe. */
function recipe<Exports>(name: string): Promise<Exports> {
  return import(`${pathToFileURL(join(user, 'out'))}/${name}`) as Promise<Exports>; // the page says so
}

it('are taken by a strict compiler', () => {
  expect(compiled).toEqual({ status: 0, output: '' });
  expect(names).toEqual(['order.ts', 'http.ts', 'fastify.ts', 'hono.ts', 'worker.ts']);
});

describe('the recipe', () => {
  it('for node:http answers with violations at lines and columns', async () => {
    const { server } = await recipe<{ readonly server: Server }>('http.js');
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const post = async (body: string) => {
      const response = await fetch(url, { method: 'POST', body });
      return { status: response.status, value: (await response.json()) as object };
    };
    try {
      expect(await post(GOOD)).toEqual({ status: 201, value: { id: 7 } });
      expect(await post(BAD)).toMatchObject({
        status: 422,
        value: { violations: [{ pointer: '/id', line: 1, column: 8 }, { pointer: '/nte' }] },
      });
      expect(await post('{"id"')).toMatchObject({ status: 422, value: { violations: [{ rule: 'json-syntax' }] } });
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('for Fastify has a schema for each route', async () => {
    interface Injected {
      readonly statusCode: number;
      json(): object;
    }
    interface App {
      inject(request: object): Promise<Injected>;
      close(): Promise<void>;
      post(path: string, options: object, handler: () => void): void;
      ready(): Promise<unknown>;
    }
    const { app } = await recipe<{ readonly app: App }>('fastify.js');
    const ask = async (request: object) => {
      const response = await app.inject({ headers: JSON_TYPE, ...request });
      return { status: response.statusCode, value: response.json() };
    };
    const post = { method: 'POST', url: '/orders' };
    expect(await ask({ ...post, payload: GOOD })).toEqual({ status: 201, value: { id: 7 } });
    expect(await ask({ ...post, payload: BAD })).toMatchObject({
      status: 422,
      value: { violations: [{ pointer: '/id', rule: 'minimum' }, { rule: 'additionalProperties' }] },
    });
    expect(await ask({ ...post, payload: '{"id"' })).toMatchObject({ status: 400 });
    expect(await ask({ method: 'GET', url: '/orders?page=3' })).toEqual({ status: 200, value: { page: 3 } });
    expect(await ask({ method: 'GET', url: '/orders?page=x' })).toMatchObject({ status: 422 });
    await app.close();
    const other = (await recipe<{ readonly app: App }>('fastify.js?other')).app;
    other.post('/other', { schema: { body: { type: 'objct' } } }, () => {});
    await expect(other.ready()).rejects.toThrow('did you mean "object"?');
  });

  it('for Hono answers with issues', async () => {
    interface App {
      request(path: string, init: object): Promise<Response>;
    }
    const { app } = await recipe<{ readonly app: App }>('hono.js');
    const post = async (body: string) => {
      const response = await app.request('/orders', { method: 'POST', headers: JSON_TYPE, body });
      return { status: response.status, value: (await response.json()) as object };
    };
    expect(await post(GOOD)).toEqual({ status: 201, value: { id: 7 } });
    expect(await post(BAD)).toMatchObject({ status: 422, value: { issues: [{ path: ['id'] }, { path: ['nte'] }] } });
  });

  it('for a worker refuses lines with their reasons, and goes on', async () => {
    interface Recipe {
      work(queue: AsyncIterable<string>, outcome: object, signal: AbortSignal): Promise<void>;
    }
    const { work } = await recipe<Recipe>('worker.js');
    const done: unknown[] = [];
    async function* queue() {
      yield '{"id": 1}\n{"id"';
      yield ': 0}\noops\n{"id": 2}\n';
    }
    const handle = async (order: object) => void done.push(order);
    const refuse = async (line: string, reasons: readonly string[]) => void done.push([line, reasons.length]);
    await work(queue(), { handle, refuse }, new AbortController().signal);
    expect(done).toEqual([{ id: 1 }, ['{"id": 0}', 1], ['oops', 1], { id: 2 }]);
  });
});
