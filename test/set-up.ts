/** Set up before every file of tests. In a new clone there is no folder for what tests write. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { runFileEnd } from './file-end.ts';

mkdirSync(join(import.meta.dirname, 'tmp'), { recursive: true });
afterAll(runFileEnd);
