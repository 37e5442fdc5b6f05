// @ts-check
// Makes the pages of src/page: that of `html` reports, where paylint puts the data where the page says `<!-- data -->`, and the
// playground. Scripts and styles are put into the page, and a policy that lets nothing else run.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const SOURCES = new URL('../src/page/', import.meta.url);

/** The page of `html` reports. */
export async function reportPage() {
  const { code } = await bundled('main.ts', {
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  });
  return pageOf('page.html', inAscii(code));
}

/**
 * The playground, and the modules in it. Its Worker is a text in the page, from which the page makes a Blob.
 * @param {Pick<import('rolldown').InputOptions, 'plugins' | 'resolve' | 'transform'>} browser how the library is built for browsers
 */
export async function playgroundPage(browser) {
  const page = await bundled('playground/main.ts', { minify: true });
  const worker = await bundled('playground/worker/main.ts', { minify: true }, browser);
  const text = `<script type="text/plain" id="worker">${checked(inAscii(worker.code))}</script>`;
  const html = pageOf('playground/playground.html', inAscii(page.code), {
    policy: ['worker-src blob:', "'wasm-unsafe-eval'"],
    parts: { '<script type="text/plain" id="worker"></script>': text },
  });
  return { html, moduleIds: [...page.moduleIds, ...worker.moduleIds] };
}

/**
 * A whole page, in ASCII, so that nothing depends on how it is read.
 * @param {string} name
 * @param {string} script
 * @param {{ policy?: [worker: string, script: string], parts?: Record<string, string> }} more
 */
function pageOf(name, script, { policy: [worker = '', wasm = ''] = ['', ''], parts = {} } = {}) {
  let page = readFileSync(new URL(name, SOURCES), 'utf8');
  const folder = new URL(name, SOURCES);
  const links = /<link rel="stylesheet" href="([^"]+)">\n/g;
  const sheets = [...page.matchAll(links)].map(([, sheet]) => readFileSync(new URL(sheet ?? '', folder), 'utf8'));
  const style = checked(minified(sheets.join('\n')));
  /** @type {Record<string, string>} */
  const all = {
    'content="policy"': `content="${policy({ script, style, worker, wasm })}"`,
    '<script src="main.ts"></script>': `<style>${style}</style><script>${checked(script)}</script>`,
    ...parts,
  };
  page = page.replace(links, '');
  for (const [part, text] of Object.entries(all)) {
    if (!page.includes(part)) throw new Error(`${name} has no ${part}`);
    page = page.replace(part, () => text);
  }
  return page;
}

/**
 * Throws an Error for a text that would end its own element.
 * @param {string} text
 */
function checked(text) {
  if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error('the page would end in its own script');
  return text;
}

/**
 * @param {string} entry
 * @param {import('rolldown').OutputOptions} output
 * @param {import('rolldown').InputOptions} options
 */
async function bundled(entry, output, options = {}) {
  const input = fileURLToPath(new URL(entry, SOURCES));
  const bundle = await rolldown({ ...options, input, platform: 'browser' });
  const { output: chunks } = await bundle.generate({ format: 'iife', codeSplitting: false, ...output });
  await bundle.close();
  const [{ code, moduleIds }] = chunks;
  return { code, moduleIds };
}

/**
 * Without comments and line ends.
 * @param {string} css
 */
function minified(css) {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s*\n\s*/g, '')
    .replace(/ ?([{;]) ?/g, '$1');
}

/**
 * Nothing is loaded, nothing is sent, and no script or style runs but these two.
 * @param {{ script: string, style: string, worker: string, wasm: string }} texts
 */
function policy({ script, style, worker, wasm }) {
  return [
    "default-src 'none'",
    `script-src ${hash(script)} ${wasm}`.trimEnd(),
    `style-src ${hash(style)}`,
    ...(worker === '' ? [] : [worker]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** @param {string} text */
function hash(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/**
 * Characters beyond ASCII are only in strings, templates and regular expressions; no template is raw.
 * @param {string} code
 */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
