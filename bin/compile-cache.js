// Has Node keep the compiled code of the bundle between runs, where it can do so itself (22.1 and later). Node checks what it loads
// from there by its version, architecture, flags and the content of the script, and goes on without the cache if the folder cannot be
// written. https://nodejs.org/api/module.html#module-compile-cache
'use strict';
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

/** A folder of the user's own: in a shared one, such as that for temporary files, others could put code into the cache. */
function cacheFolder() {
  const { platform, env } = process;
  if (platform === 'win32') return env.LOCALAPPDATA && join(env.LOCALAPPDATA, 'paylint', 'Cache');
  if (platform === 'darwin') return env.HOME && join(env.HOME, 'Library', 'Caches', 'paylint');
  const caches = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'));
  return caches && join(caches, 'paylint');
}

// The variables NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE win over this folder.
const folder = cacheFolder();
if (folder && enableCompileCache !== undefined) enableCompileCache(folder);
