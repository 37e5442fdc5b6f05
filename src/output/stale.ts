/**
 * The names of temporary files, and the removal of those that a killed process has left. A name says which machine, which start of the
 * machine and which process made the file. A file is removed only if that process has ended for certain.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';
import type { Disk } from './disk.ts';

/** The name of the only file in a private folder. */
export const HIDDEN_NAME = 'file';

/** Machine, start, process, and a random part. The number 0 means that the process does not know its number. */
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

  /** Removes what earlier runs on this machine have left in `folder`, as far as the system lets it. Only once for each folder. */
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
    // The number of a process says nothing about a process of an earlier start.
    const gone = start === here.start ? !this.#disk.isAlive(Number(pid)) : stats.mtimeMs < startOfMachine();
    if (!gone) return;
    if (stats.isFile()) this.#disk.unlinkSync(path);
    if (!stats.isDirectory()) return;
    ignoreErrors(() => this.#disk.unlinkSync(join(path, HIDDEN_NAME)));
    this.#disk.rmdirSync(path);
  }

  #place(): { readonly host: string; readonly start: string } {
    // Processes count from 1 in every container, so the container is a part of the machine's name.
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

/** Whether `action` went through. */
export function ignoreErrors(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
