/**
 * What a file is beside its bytes, after `fill --write`: access control lists, extended attributes, owner, group and mode are kept, and
 * where one cannot be, no one has a right that he did not have before.
 */
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InPlaceDestination } from '../../src/run/outlets/in-place-destination.ts';
import type { SourceOutcome } from '../../src/run/outlets/outlet.ts';
import { type Disk, REAL_DISK } from '../../src/write/disk.ts';
import { AFTER, BEFORE, deny, diskWith, leave, macOs, read, sourcesIn } from '../fill-disk.ts';
import { CONTRACT, CONTRACT_FILLED, place, root, run } from '../fill-run.ts';
import { sh } from '../spawned.ts';
import { needs, UNPRIVILEGED } from '../tools.ts';

const cp = needs('GNU cp');
/** As root, who can make files of others; the rights are dropped for the run. */
const drop = needs('the rights of root', 'an unprivileged user', 'GNU cp');
const DROP = UNPRIVILEGED.join(' ');
/** The user and the group that are left. */
const USER = 65534;

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

/** Rewrites `a.json`, the only file in `folder`. */
function rewrite(folder: string, disk: Disk, searchPath = process.env.PATH): Promise<SourceOutcome> {
  const [source] = sourcesIn(folder);
  return leave(new InPlaceDestination([source!], read, { disk, searchPath }), source!);
}

describe('access control lists and extended attributes', () => {
  const lists = needs('access control lists', 'getfacl', 'setfacl', 'GNU cp');
  const attributes = needs('extended attributes', 'getfattr', 'setfattr', 'GNU cp');
  const listOf = (path: string): string => lists.run('getfacl', ['-cp', path], { cwd: root() }).trim();
  const set = (...args: string[]): unknown => lists.run('setfacl', args, { cwd: root() });

  it.skipIf(lists.missing)(`a list stays, and the group gets nothing from its mask${lists.note}`, async () => {
    const folder = place({ 'a.json': CONTRACT });
    const path = join(folder, 'a.json');
    chmodSync(path, 0o600);
    set('-m', 'u:1234:rw', path);
    const before = listOf(path);
    expect([before.includes('user:1234:rw-'), modeOf(path)]).toEqual([true, '660']);
    const { code } = await run(['fill', '--write', '--quiet', 'a.json'], folder);
    expect([code, readFileSync(path, 'utf8')]).toEqual([0, CONTRACT_FILLED]);
    expect(listOf(path)).toBe(before);
  });

  it.skipIf(lists.missing)(`a list that takes rights away stays${lists.note}`, async () => {
    const folder = place({ 'a.json': CONTRACT });
    set('-m', 'u:1234:---', join(folder, 'a.json'));
    const before = listOf(join(folder, 'a.json'));
    await run(['fill', '--write', '--quiet', 'a.json'], folder);
    expect(listOf(join(folder, 'a.json'))).toBe(before);
    expect(before).toContain('user:1234:---');
  });

  it.skipIf(lists.missing)(
    `the list that the folder gives to new files does not come to an old one${lists.note}`,
    async () => {
      const folder = place({ 'a.json': CONTRACT });
      chmodSync(join(folder, 'a.json'), 0o640);
      set('-d', '-m', 'u:1234:rwx', folder);
      const before = listOf(join(folder, 'a.json'));
      await run(['fill', '--write', '--quiet', 'a.json'], folder);
      expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe(CONTRACT_FILLED);
      expect(listOf(join(folder, 'a.json'))).toBe(before);
      expect(before).not.toContain('1234');
    },
  );

  it.skipIf(attributes.missing)(`extended attributes stay${attributes.note}`, async () => {
    const folder = place({ 'a.json': CONTRACT });
    attributes.run('setfattr', ['-n', 'user.note', '-v', 'kept', 'a.json'], { cwd: folder });
    await run(['fill', '--write', '--quiet', 'a.json'], folder);
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe(CONTRACT_FILLED);
    expect(attributes.run('getfattr', ['-d', 'a.json'], { cwd: folder })).toContain('user.note="kept"');
  });

  /** As root, who can set what other users cannot. */
  const more = needs('extended attributes of root', 'setfattr', 'the rights of root', 'an unprivileged user', 'GNU cp');

  it.skipIf(more.missing)(`a file with one that the user cannot set is left as it is${more.note}`, async () => {
    const folder = place({ 'in/a.json': CONTRACT });
    for (const name of ['..', '.']) chmodSync(join(folder, name), 0o755);
    more.run('setfattr', ['-n', 'security.note', '-v', 'kept', 'in/a.json'], { cwd: folder });
    for (const name of ['in', 'in/a.json']) chownSync(join(folder, name), USER, USER);
    const line = `cd in; ${DROP} "$NODE" "$BIN" fill --write --quiet a.json`;
    const { code, stderr } = await sh(folder, line, more);
    expect(stderr).toMatch(
      /^paylint: a\.json: cannot be written: its access control list or attributes cannot be kept: cp: .*Operation not permitted\n$/,
    );
    expect([code, readFileSync(join(folder, 'in/a.json'), 'utf8')]).toEqual([2, CONTRACT]);
    expect(readdirSync(join(folder, 'in'))).toEqual(['a.json']);
  });

  it.skipIf(cp.missing)(
    `what GNU cp cannot keep keeps the file from being written; its words are told${cp.note}`,
    async () => {
      const folder = place({ 'a.json': BEFORE });
      const disk = diskWith((name, call, [, args]) =>
        name === 'runTool' && (args as string[]).length > 1
          ? { status: 1, stdout: '', stderr: 'cp: first\ncp: setting attributes: Not supported\n' }
          : call(),
      );
      expect(await rewrite(folder, disk)).toEqual({
        done: false,
        failure:
          'cannot be written: its access control list or attributes cannot be kept: cp: setting attributes: Not supported',
      });
      expect(readFileSync(join(folder, 'a.json')).equals(BEFORE)).toBe(true);
      expect(readdirSync(folder)).toEqual(['a.json']);
    },
  );

  it.skipIf(cp.missing)(
    `cp is run once more if a signal ends it, as an interrupt from the terminal does${cp.note}`,
    async () => {
      let signals = 1;
      const disk = diskWith((name, call, [, args]) =>
        name === 'runTool' && (args as string[]).length > 1 && signals-- > 0
          ? { status: null, stdout: '', stderr: '' }
          : call(),
      );
      const folder = place({ 'a.json': BEFORE });
      chmodSync(join(folder, 'a.json'), 0o640);
      expect((await rewrite(folder, disk)).failure).toBe(null);
      expect(modeOf(join(folder, 'a.json'))).toBe('640');
      signals = 2;
      expect((await rewrite(place({ 'a.json': BEFORE }), disk)).failure).toBe(
        'cannot be written: its access control list or attributes cannot be kept: cp was ended by a signal',
      );
    },
  );

  it('the time of the change is that of now, not the old one', async () => {
    const folder = place({ 'a.json': CONTRACT });
    const before = statSync(join(folder, 'a.json')).mtimeMs;
    await run(['fill', '--write', '--quiet', 'a.json'], folder);
    expect(statSync(join(folder, 'a.json')).mtimeMs).toBeGreaterThan(before + 1_800_000);
  });
});

describe('without GNU cp', () => {
  const NO_TOOL =
    'cannot be written: its group may do what others may not, so it may have an access control list, and GNU cp, which would keep it, is not found; install coreutils';
  const tools: [string, (program: string) => unknown][] = [
    ['nothing of that name', () => deny('ENOENT')],
    ['no right to start a process', () => deny('ERR_ACCESS_DENIED')],
    ['that of BusyBox', () => ({ status: 1, stdout: '', stderr: 'BusyBox v1.35.0 multi-call binary.\n' })],
    ['that of uutils', () => ({ status: 0, stdout: 'cp (uutils coreutils) 0.2.2\n', stderr: '' })],
  ];

  it.each(tools)('(%s) a file is written only if its mode can hide no list', async (_, answer) => {
    const disk = diskWith((name, call, [program]) => (name === 'runTool' ? answer(program as string) : call()));
    for (const [mode, failure] of [
      [0o644, null],
      [0o600, null],
      [0o604, null],
      [0o666, null],
      [0o640, NO_TOOL],
      [0o660, NO_TOOL],
      [0o664, NO_TOOL],
      [0o755, null],
      [0o654, NO_TOOL],
    ] as const) {
      const folder = place({ 'a.json': BEFORE });
      chmodSync(join(folder, 'a.json'), mode);
      const left = await rewrite(folder, disk);
      expect([mode, left.failure]).toEqual([mode, failure]);
      expect(readFileSync(join(folder, 'a.json')).equals(failure === null ? AFTER : BEFORE)).toBe(true);
      expect(modeOf(join(folder, 'a.json'))).toBe(mode.toString(8));
      expect(readdirSync(folder)).toEqual(['a.json']);
    }
  });

  it.skipIf(cp.missing)(`GNU cp is taken if it has another name${cp.note}`, async () => {
    const folder = place({ 'a.json': BEFORE });
    chmodSync(join(folder, 'a.json'), 0o640);
    const programs: unknown[] = [];
    const disk = diskWith((name, call, [program, args, path]) => {
      if (name !== 'runTool') return call();
      programs.push(program);
      if (program === 'cp') return { status: 0, stdout: 'cp (uutils coreutils) 0.2.2\n', stderr: '' };
      return REAL_DISK.runTool('cp', args as string[], path as string);
    });
    expect(await rewrite(folder, disk)).toMatchObject({ done: true, failure: null });
    expect(programs).toEqual(['cp', 'gnucp', 'gnucp']);
    expect(modeOf(join(folder, 'a.json'))).toBe('640');
  });

  it('it is looked for where programs are, once in a run', async () => {
    const folder = place({ 'a.json': CONTRACT, 'b.json': CONTRACT, 'c.json': CONTRACT });
    for (const name of ['a.json', 'b.json']) chmodSync(join(folder, name), 0o640);
    const { code, stderr } = await sh(folder, 'paylint fill --write --quiet .');
    expect(stderr).toBe(`paylint: a.json: ${NO_TOOL}\npaylint: b.json: ${NO_TOOL}\n`);
    expect([code, readFileSync(join(folder, 'c.json'), 'utf8')]).toEqual([2, CONTRACT_FILLED]);
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe(CONTRACT);
  });

  it.skipIf(cp.missing)(`it is found where programs are${cp.note}`, async () => {
    const folder = place({ 'a.json': CONTRACT });
    chmodSync(join(folder, 'a.json'), 0o640);
    expect(await sh(folder, 'paylint fill --write --quiet .', cp)).toEqual({ code: 0, stdout: 'a.json\n', stderr: '' });
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe(CONTRACT_FILLED);
    expect(modeOf(join(folder, 'a.json'))).toBe('640');
  });
});

describe('an owner or a group that cannot be kept', () => {
  /** As for a user who is neither the owner nor in the group, or only one of these. Whether X may be asked for is `executable`. */
  function foreign(mode: number, lost: { owner: boolean; group: boolean }, executable = false): Disk {
    let temporary: number | null = null;
    const ids = (stats: Stats): Stats =>
      Object.assign(stats, { uid: stats.uid + (lost.owner ? 1 : 0), gid: stats.gid + (lost.group ? 1 : 0) });
    return diskWith((name, call, args) => {
      if (name === 'fchownSync') {
        owners.push(args.slice(1));
        return deny();
      }
      if (name === 'accessSync' && args[1] === 1) return executable ? undefined : deny('EACCES');
      if (name === 'runTool' && (args[1] as string[]).length > 1) {
        const path = (args[1] as string[]).at(-1)!;
        const parent = statSync(dirname(path)).mode & 0o777;
        const answer = call();
        // What cp sets is the old mode. Wider than the new one, it must not be seen by others.
        if ((mode & 0o7777) !== (statSync(path).mode & 0o7777)) chmodSync(path, mode);
        seen.push([parent.toString(8), modeOf(path)]);
        return answer;
      }
      const answer = call();
      if (name === 'openSync' && args[1] === 'wx') temporary = answer as number;
      if (name === 'fstatSync' && args[0] === temporary) return answer;
      return name === 'statSync' && args[1] === undefined && String(args[0]).endsWith('a.json')
        ? Object.assign(ids(answer as Stats), { mode: 0o100_000 | mode })
        : answer;
    });
  }
  let seen: [parent: string, mode: string][] = [];
  let owners: unknown[] = [];

  // The mode of the old file, what is lost, whether the writer could execute it, and the new mode.
  it.skipIf(cp.missing).each<[number, 'owner' | 'group' | 'both', boolean, number]>([
    [0o644, 'group', false, 0o644],
    [0o640, 'group', false, 0o600],
    [0o660, 'group', false, 0o600],
    [0o664, 'group', false, 0o644],
    // Members of the old group would gain what others may.
    [0o604, 'group', false, 0o600],
    [0o646, 'group', false, 0o644],
    [0o2755, 'group', false, 0o755],
    [0o644, 'owner', false, 0o644],
    [0o660, 'owner', false, 0o660],
    [0o4775, 'owner', true, 0o775],
    // Who could not execute the file before cannot do so as its owner.
    [0o766, 'owner', false, 0o666],
    [0o466, 'owner', false, 0o466],
    [0o6775, 'both', true, 0o755],
    [0o760, 'both', false, 0o600],
  ])(`%o without its %s (executable: %s) becomes %o${cp.note}`, async (mode, which, executable, expected) => {
    const folder = place({ 'a.json': BEFORE });
    const lost = { owner: which !== 'group', group: which !== 'owner' };
    const { uid, gid } = statSync(join(folder, 'a.json'));
    // Others may look into it.
    chmodSync(folder, 0o755);
    seen = [];
    owners = [];
    const left = await rewrite(folder, foreign(mode, lost, executable));
    const what = [...(lost.owner ? [`owner (user ${uid + 1})`] : []), ...(lost.group ? [`group (${gid + 1})`] : [])];
    const change = mode === expected ? '' : `; its mode is ${expected.toString(8)} now, it was ${mode.toString(8)}`;
    expect(left).toEqual({
      done: true,
      failure: null,
      warning: `was written, but its ${what.join(' and its ')} could not be kept${change}`,
    });
    expect([modeOf(join(folder, 'a.json')), readdirSync(folder)]).toEqual([expected.toString(8), ['a.json']]);
    expect(readFileSync(join(folder, 'a.json')).equals(AFTER)).toBe(true);
    const ids = [uid + (lost.owner ? 1 : 0), gid + (lost.group ? 1 : 0)];
    expect(owners).toEqual([ids, [-1, ids[1]]]);
    // At no time could others open it with a wider mode.
    if (mode !== expected) expect(seen).toEqual([['700', mode.toString(8)]]);
  });

  it.skipIf(cp.missing)(`the mode is as it was if both are kept${cp.note}`, async () => {
    const folder = place({ 'a.json': BEFORE });
    chmodSync(join(folder, 'a.json'), 0o6751);
    expect(await rewrite(folder, REAL_DISK)).toEqual({ done: true, failure: null, warning: null });
    expect(modeOf(join(folder, 'a.json'))).toBe('6751');
  });

  it.skipIf(drop.missing)(`is told of by a warning, which is no failure${drop.note}`, async () => {
    const folder = place({ 'in/a.json': CONTRACT });
    for (const name of ['..', '.']) chmodSync(join(folder, name), 0o755);
    chownSync(join(folder, 'in'), USER, 0);
    chownSync(join(folder, 'in/a.json'), USER, 2345);
    chmodSync(join(folder, 'in/a.json'), 0o640);
    const line = `cd in; ${DROP} "$NODE" "$BIN" fill --write --format ndjson a.json`;
    const { code, stdout, stderr } = await sh(folder, line, drop);
    expect(stderr).toBe(
      'paylint: a.json: warning: was written, but its group (2345) could not be kept; its mode is 600 now, it was 640\n',
    );
    expect([code, /"type":"summary".*"failures":0/.test(stdout)]).toEqual([0, true]);
    const { uid, gid } = statSync(join(folder, 'in/a.json'));
    expect([uid, gid, modeOf(join(folder, 'in/a.json'))]).toEqual([USER, USER, '600']);
    expect(readFileSync(join(folder, 'in/a.json'), 'utf8')).toBe(CONTRACT_FILLED);
  });

  it.skipIf(drop.missing)(`the group is kept by one who is in it${drop.note}`, async () => {
    const folder = place({ 'in/a.json': CONTRACT });
    for (const name of ['..', '.']) chmodSync(join(folder, name), 0o755);
    chmodSync(join(folder, 'in'), 0o777);
    chownSync(join(folder, 'in/a.json'), 99, 2345);
    chmodSync(join(folder, 'in/a.json'), 0o660);
    const line = `cd in
      setpriv --reuid=${USER} --regid=${USER} --groups=2345 -- "$NODE" "$BIN" fill --write --quiet a.json`;
    const { code, stderr } = await sh(folder, line, drop);
    expect([code, stderr]).toEqual([
      0,
      'paylint: a.json: warning: was written, but its owner (user 99) could not be kept\n',
    ]);
    const { uid, gid } = statSync(join(folder, 'in/a.json'));
    expect([uid, gid, modeOf(join(folder, 'in/a.json'))]).toEqual([USER, 2345, '660']);
  });
});

describe('on macOS', () => {
  it('the new file begins as a copy, in a folder that only its owner may enter', async () => {
    const folder = place({ 'a.json': BEFORE });
    chmodSync(join(folder, 'a.json'), 0o640);
    const copies: unknown[] = [];
    const disk = diskWith((name, call, args) => {
      if (name === 'runTool') throw new Error('no tool is needed');
      const answer = call();
      if (name === 'copyFileSync') {
        const [from, to] = args as [string, string];
        copies.push([from, (statSync(dirname(to)).mode & 0o777).toString(8), existsSync(to)]);
      }
      return answer;
    }, macOs);
    expect(await rewrite(folder, disk)).toMatchObject({ done: true, failure: null });
    expect(copies).toEqual([[join(folder, 'a.json'), '700', true]]);
    expect(readFileSync(join(folder, 'a.json')).equals(AFTER)).toBe(true);
    expect([modeOf(join(folder, 'a.json')), readdirSync(folder)]).toEqual(['640', ['a.json']]);
  });

  it('nothing is left if the content becomes shorter than the copy', async () => {
    const folder = place({ 'a.json': Buffer.concat([BEFORE, Buffer.alloc(100_000)]) });
    await rewrite(folder, macOs);
    expect(readFileSync(join(folder, 'a.json')).equals(AFTER)).toBe(true);
  });
});
