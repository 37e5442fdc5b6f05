// Bundles the extension with its client of the protocol, because a package of VS Code has no node_modules.
import { copyFileSync } from 'node:fs';
import { rolldown } from 'rolldown';

const bundle = await rolldown({ input: 'extension.js', platform: 'node', external: ['vscode'] });
await bundle.write({ file: 'dist/extension.js', format: 'cjs', minify: true });
copyFileSync('../../LICENSE', 'LICENSE');
