/** Pipes: read to their end, up to a limit; a signal ends the wait for a writer. */
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readPipe, readPipedSchema } from '../../src/config/pipes.ts';
import { Interrupted, SchemaError } from '../../src/errors.ts';
import { folderWith, ioIn } from './config-world.ts';

const KIB = 1024;

describe('a pipe', () => {
  it('is read to its end, in pieces of any size', async () => {
    const text = 'é'.repeat(200 * KIB);
    expect((await readPipe(null, ioIn('/', { input: text }))).toString()).toBe(text);
    expect(await readPipe(null, ioIn('/'))).toEqual(Buffer.alloc(0));
  });

  it('may have as many bytes as the limit, and no more', async () => {
    const most = 1 << 20;
    expect(await readPipe(null, ioIn('/', { input: 'x'.repeat(most) }), most)).toHaveLength(most);
    await expect(readPipe(null, ioIn('/', { input: 'x'.repeat(most + 1) }), most)).rejects.toThrow(
      'is larger than 1 MiB',
    );
  });

  it('is left at a signal, also if it has no writer', async () => {
    const interrupt = new AbortController();
    const read = readPipe(null, ioIn('/', { stdin: new PassThrough(), interrupt: interrupt.signal }));
    interrupt.abort('SIGTERM');
    await expect(read).rejects.toThrow(Interrupted);
  });
});

describe('a schema in a pipe', () => {
  it('that cannot be read is an error of the schema, with its name', async () => {
    const folder = folderWith();
    const error: unknown = await readPipedSchema(join(folder, 'none.json'), ioIn(folder)).catch(
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(SchemaError);
    expect(String(error)).toMatch(/none\.json.*no such file or folder/);
  });

  it('is what is in it', async () => {
    const folder = folderWith({ 's.json': '{}' });
    expect((await readPipedSchema(join(folder, 's.json'), ioIn(folder))).toString()).toBe('{}');
  });
});
