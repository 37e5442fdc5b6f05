// What a worker thread runs: the same bundle, and in it the part that does the work.
'use strict';
const { inThread, load } = require('./load.js');

inThread();
load('main.cjs').work();
