// The script of a worker thread: the bundle of the command, and the part of it that does the work.
'use strict';
require('../dist/main.cjs').work();
