/**
 * Violations as the page takes them: plain data, with long texts cut.
 */
import type { RowData } from '../../../report/html-data.ts';
import { rowText } from '../../../report/html-row.ts';
import type { Violation } from '../../../types.ts';

export function rowsOf(violations: readonly Violation[]): RowData[] {
  return violations.map((violation) => JSON.parse(rowText(violation, null)) as RowData); // it writes one
}
