// Once: writes the folders of `test/cases` as pages, reads the pages back, and compares case by case, byte for byte.
//   node scripts/migrate-cases.js            writes pages (folders that are not in a page yet are added)
//   node scripts/migrate-cases.js --remove   and removes the folders, if all are the same
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { CASES, nameOf, pageNames, pageText, readPage } from './case-pages.js';
import { SUBJECTS } from './migrate-subjects.js';

const NOT_DATA = ['cmd', 'stdout', 'stderr', 'code', 'stdin', 'columns', 'spawn', 'summary', 'after'];
const TERMS =
  /utf-\d+|latin-1|draft-0\d|2019-09|2020-12|json-ld|max-(?:invalid|violations|warnings)|allow-empty|exit-zero(?=-(?:of|that|and|does|reports))|no-config|no-color|force-color|files-from(?!-a-list|-an|-reads|-standard)|list-files|print-config|update-baseline|strict-schema|with-defaults|stdin-filename|no-assert-formats|json-syntax|git-lfs/g;

function titleOf(name) {
  const kept = name.replace(TERMS, (term) => term.replaceAll('-', '\0'));
  const title = kept.replaceAll('-', ' ').replaceAll('\0', '-');
  const text = title.slice(0, 1).toUpperCase() + title.slice(1);
  if (nameOf(text) !== name) throw new Error(`${name} is not the name of ${text}`);
  return text;
}

function filesIn(folder, base = '') {
  const files = new Map();
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = `${base}${entry.name}`;
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) files.set(name, readlinkSync(path));
    else if (entry.isFile()) files.set(name, readFileSync(path));
    else for (const [inner, content] of filesIn(path, `${name}/`)) files.set(inner, content);
  }
  return files;
}

function folderCase(name) {
  const folder = join(CASES, name);
  const read = (file) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file)) : null);
  const files = new Map([...filesIn(folder)].filter(([path]) => !NOT_DATA.includes(path.split('/')[0])));
  const columns = read('columns');
  return {
    title: titleOf(name),
    command: read('cmd').toString().trim(),
    stdout: read('stdout')?.toString() ?? '',
    stderr: read('stderr')?.toString() ?? '',
    code: Number(read('code')?.toString() ?? '0'),
    stdin: read('stdin'),
    columns: columns === null ? null : Number(columns.toString()),
    spawned: read('spawn') !== null,
    summary: read('summary') !== null,
    files,
    after: existsSync(join(folder, 'after')) ? filesIn(join(folder, 'after')) : new Map(),
  };
}

/** gzip that can be unpacked to its end, and says the same if it is packed as the reader does. */
function repacked(content) {
  if (typeof content === 'string' || content[0] !== 0x1f) return content;
  try {
    const text = gunzipSync(content);
    // Not what is made of several members.
    return text.length > 0 && Math.abs(gzipSync(text).length - content.length) < 40 && !isMany(content)
      ? gzipSync(text)
      : content;
  } catch {
    return content;
  }
}
const isMany = (bytes) => bytes.indexOf(Buffer.from([0x1f, 0x8b, 8]), 3) > 0;

const folders = readdirSync(CASES, { withFileTypes: true })
  .filter((e) => e.isDirectory())
  .map((e) => e.name)
  .sort();
const originals = new Map(folders.map((name) => [name, folderCase(name)]));
const subjectOf = (one) => {
  const name = nameOf(one.title);
  const found = SUBJECTS.find(([, pattern]) => pattern.test(name));
  if (found === undefined) throw new Error(`no subject for ${name}: ${one.command}`);
  return found[0];
};
const pages = new Map();
for (const [name, one] of originals) {
  const subject = subjectOf(one);
  if (!pages.has(subject)) {
    const path = `${subject}.md`;
    const title = subject.replaceAll('-', ' ');
    pages.set(
      subject,
      existsSync(join(CASES, path))
        ? readPage(path)
        : { head: `# ${title[0].toUpperCase()}${title.slice(1)}\n\n`, cases: [] },
    );
  }
  const { cases } = pages.get(subject);
  const files = new Map([...one.files].map(([path, content]) => [path, repacked(content)]));
  const stdin = one.stdin === null ? null : repacked(one.stdin);
  const at = cases.findIndex((other) => nameOf(other.title) === name);
  if (at < 0) cases.push({ ...one, files, stdin });
  else cases[at] = { ...one, files, stdin };
}
for (const [subject, page] of pages) {
  page.cases.sort((a, b) => (nameOf(a.title) < nameOf(b.title) ? -1 : 1));
  writeFileSync(join(CASES, `${subject}.md`), pageText(page));
}

// The proof: what the reader finds in the pages is what is in the folders.
const found = new Map();
for (const name of pageNames()) {
  const page = readPage(name);
  const text = readFileSync(join(CASES, name), 'utf8');
  if (pageText(page) !== text) throw new Error(`${name} is not written as it is read`);
  for (const one of page.cases) {
    if (found.has(nameOf(one.title))) throw new Error(`${one.title} is there twice`);
    found.set(nameOf(one.title), one);
  }
}
let packed = 0;
const differs = (what) => {
  throw new Error(`differs: ${what}`);
};
const same = (a, b, what) => {
  if (typeof a === 'string' || typeof b === 'string') return a === b || differs(what);
  if (a.equals(b)) return true;
  if (!repacked(a).equals(b) || !gunzipSync(a).equals(gunzipSync(b))) differs(what);
  packed++;
};
let files = 0;
for (const [name, one] of originals) {
  const now = found.get(name) ?? differs(`${name} is in no page`);
  for (const key of ['title', 'command', 'stdout', 'stderr', 'code', 'columns', 'spawned', 'summary'])
    if (one[key] !== now[key]) differs(`${name} ${key}`);
  if ((one.stdin === null) !== (now.stdin === null)) differs(`${name} stdin`);
  if (one.stdin !== null) same(one.stdin, now.stdin, `${name} stdin`);
  for (const key of ['files', 'after']) {
    if ([...one[key].keys()].join('\n') !== [...now[key].keys()].join('\n')) differs(`${name} ${key}`);
    for (const [path, content] of one[key]) files++, same(content, now[key].get(path), `${name} ${path}`);
  }
}
console.log(
  `${originals.size} folders are the same in pages, ${files} files byte for byte, but ${packed} of gzip, which hold the same bytes`,
);
for (const [subject, { cases }] of [...pages].sort()) console.log(`${String(cases.length).padStart(4)} ${subject}`);
if (process.argv.includes('--remove')) for (const name of folders) rmSync(join(CASES, name), { recursive: true });
