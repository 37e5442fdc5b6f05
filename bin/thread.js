// What a worker thread runs: the same bundle, and in it the part that does the work.
'use strict';
require('./load.js').load('main.cjs').work();
