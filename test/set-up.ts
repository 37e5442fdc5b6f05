/** Set up before every file of tests. */
import { afterAll } from 'vitest';
import { runFileEnd } from './file-end.ts';

afterAll(runFileEnd);
