// The script of a worker thread: it loads the command's bundle and runs the worker.
'use strict';
require('../dist/main.cjs').work();
