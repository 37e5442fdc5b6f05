// @ts-check
// Targets of `npm run bench -- --quick`, by row, where that of the full size cannot be reached with a twentieth of the data: what was measured on a
// quiet machine with two cores, with half as much again for what else happens. Rows that are not here have the target of the full size.

/** @param {number} least @returns {import('./rows.js').Target} */
const faster = (least) => ({ kind: 'faster', least });
/** @param {number} most @returns {import('./rows.js').Target} */
const ratio = (most) => ({ kind: 'ratio', most });

/** @type {Readonly<Record<string, import('./rows.js').Target>>} */
export const QUICK_TARGETS = {
  native: faster(3),
  script: faster(4),
  'one-thread': faster(4.5),
  checks: faster(0.5),
  'one-in-100': ratio(3.5),
  'one-in-10': ratio(3.5),
  'all-invalid': faster(1.3),
  mixed: ratio(1.6),
  folder: faster(0.2),
  gzip: ratio(2.3),
  'fill-jq': faster(4.5),
  'fill-script': faster(2.8),
  'fill-write-jq': faster(5),
  'fill-write-script': faster(2),
  'prune-fill': ratio(3.5),
  'filter-jq': faster(5),
  'to-array-jq': faster(12),
  'to-lines-cat': ratio(15),
  'start-20.19.0': ratio(1.8),
  'start-20': ratio(1.7),
  'start-22.12.0': ratio(1.6),
  'start-22': ratio(1.6),
  'start-24': ratio(1.6),
  'start-26': ratio(1.7),
};
