// @ts-check
// Makes the page of `html` reports, dist/report.html: the script and the style of src/page are put into page.html, and a
// policy that lets nothing else run. paylint puts the data where the page says `<!-- data -->`.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const SOURCES = new URL('../src/page/', import.meta.url);

/** The whole page, in ASCII, so that nothing depends on how it is read. */
export async function reportPage() {
  const script = inAscii(await bundled(new URL('main.ts', SOURCES)));
  const style = minified(read('page.css'));
  if (/<\/(?:script|style)|<!--/i.test(script + style))
    throw new Error('the page would end in its own script');
  const parts = {
    'content="policy"': `content="${policy(script, style)}"`,
    '<link rel="stylesheet" href="page.css">': `<style>${style}</style>`,
    '<script src="main.ts"></script>': `<script>${script}</script>`,
  };
  let page = read('page.html');
  for (const [part, text] of Object.entries(parts)) {
    if (!page.includes(part)) throw new Error(`page.html has no ${part}`);
    page = page.replace(part, () => text);
  }
  return page;
}

/** @param {string} name */
function read(name) {
  return readFileSync(new URL(name, SOURCES), 'utf8');
}

/** @param {URL} entry */
async function bundled(entry) {
  const bundle = await rolldown({ input: fileURLToPath(entry), platform: 'browser' });
  const { output } = await bundle.generate({
    format: 'iife',
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  });
  return output[0].code;
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
 * @param {string} script
 * @param {string} style
 */
function policy(script, style) {
  return [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
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
