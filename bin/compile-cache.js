// Has Node keep the compiled code of the bundle between runs, where it can do so itself (22.1 and later). Node checks what it loads
// from there by its version, architecture, flags and the content of the script, and goes on without the cache if the folder cannot be
// written. https://nodejs.org/api/module.html#module-compile-cache
'use strict';
const { existsSync, mkdirSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { dirname, join } = require('node:path');

/** A folder of the user's own: in a shared one, such as that for temporary files, others could put code into the cache. */
function cacheFolder() {
  const { platform, env } = process;
  // Node itself looks at these.
  if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  if (platform === 'win32') return env.LOCALAPPDATA && join(env.LOCALAPPDATA, 'paylint', 'Cache');
  if (platform === 'darwin') return env.HOME && join(env.HOME, 'Library', 'Caches', 'paylint');
  const caches = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'));
  return caches && join(caches, 'paylint');
}

/** Whether the folder is there, or could be made. Node would never return where a folder cannot be made, as below /proc. */
function isThere(folder) {
  try {
    for (const path of [dirname(folder), folder]) if (!existsSync(path)) mkdirSync(path, 0o700);
    return true;
  } catch {
    return false;
  }
}

const folder = enableCompileCache === undefined ? undefined : cacheFolder();
if (folder && isThere(folder)) enableCompileCache(folder);
