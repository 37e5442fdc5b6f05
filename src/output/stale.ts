/**
 * The names of temporary files, and the removal of those left by a killed process. A name identifies the machine, its
 * start and the process that made the file. A file is removed only if that process has certainly ended.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';
import { type Disk, ignoreErrors } from './disk.ts';

/** The name of the only file in a private folder. */
export const HIDDEN_NAME = 'file';

/** The name of the folder in a private folder that has several files, under the names of others. */
export const HIDDEN_FOLDER = 'files';

/** Machine, start, process id, and a random part. Process id 0 means that the process does not know its id. */
const SHAPE = /^\.paylint-([0-9a-f]{8})-([0-9a-f]{8})-([1-9]\d{0,9})-[0-9a-f]{8}\.tmp$/;

export class TemporaryNames {
  readonly #pid: number;
  readonly #disk: Disk;
  #here: { readonly host: string; readonly start: string } | null = null;
  readonly #swept = new Set<string>();

  /** `pid`: of this process; null if it is not known. */
  constructor(pid: number | null, disk: Disk) {
    this.#pid = pid ?? 0;
    this.#disk = disk;
  }

  /** A path in `folder` that no other file has. */
  next(folder: string): string {
    const { host, start } = this.#place();
    return join(folder, `.paylint-${host}-${start}-${this.#pid}-${randomUUID().slice(0, 8)}.tmp`);
  }

  /**
   * Removes files of earlier runs on this machine from `folder`, as far as the system permits. Only once per folder.
   */
  sweep(folder: string): void {
    if (this.#swept.has(folder)) return;
    this.#swept.add(folder);
    let names: readonly string[] = [];
    ignoreErrors(() => {
      names = this.#disk.readdirSync(folder);
    });
    for (const name of names) {
      if (SHAPE.test(name)) ignoreErrors(() => this.#removeStale(join(folder, name), name));
    }
  }

  #removeStale(path: string, name: string): void {
    const [, host, start, pid] = SHAPE.exec(name) ?? [];
    const here = this.#place();
    if (host !== here.host) return;
    const stats = this.#disk.lstatSync(path);
    // After a restart of the machine, the process id means nothing.
    const gone = start === here.start ? !this.#disk.isAlive(Number(pid)) : stats.mtimeMs < startOfMachine();
    if (!gone) return;
    if (stats.isFile()) this.#disk.unlinkSync(path);
    if (!stats.isDirectory()) return;
    ignoreErrors(() => this.#disk.unlinkSync(join(path, HIDDEN_NAME)));
    ignoreErrors(() => this.#removeFiles(join(path, HIDDEN_FOLDER)));
    this.#disk.rmdirSync(path);
  }

  #removeFiles(folder: string): void {
    for (const name of this.#disk.readdirSync(folder)) this.#disk.unlinkSync(join(folder, name));
    this.#disk.rmdirSync(folder);
  }

  #place(): { readonly host: string; readonly start: string } {
    // Every container numbers its processes from 1, so the container is part of the machine's name.
    const container = textOr('', () => readlinkSync('/proc/self/ns/pid'));
    const machine = textOr('', () => readFileSync('/etc/machine-id', 'utf8'));
    this.#here ??= {
      host: digest(`${hostname()}\0${machine}\0${container}`),
      start: digest(textOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))),
    };
    return this.#here;
  }
}

/** In milliseconds since 1970. */
function startOfMachine(): number {
  return Date.now() - uptime() * 1000;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function textOr(otherwise: string, read: () => string): string {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
