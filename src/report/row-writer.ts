/**
 * Writes violations one after another: what a statement says is made into text once for all violations that share it.
 */
import type { Severity, Statement, ViolationPlace, ViolationsEvent, ViolationTable } from '../types.ts';
import { placeAt, statementAt } from './violation-table.ts';

/** How a format writes a violation. */
export interface RowFormat {
  /** What a statement says. */
  readonly text: (statement: Statement, file: string) => string;
  /** The whole violation, with this text and its place. */
  readonly row: (place: ViolationPlace, text: string, severity: Severity) => string;
}

/** Creates the function that writes the violations of an event. */
export function createRowWriter({ text, row }: RowFormat): (event: ViolationsEvent) => string {
  let present: ViolationTable | null = null;
  let texts: string[] = [];
  return ({ table, from, to, before }) => {
    if (table !== present) {
      present = table;
      texts = table.statements.map((_, index) => text(statementAt(table, index, before), table.file));
    }
    let written = '';
    for (let i = from; i < to; i++) {
      const { place, index } = placeAt(table, i, before);
      written += row(place, texts[index]!, table.statements[index]!.severity);
    }
    return written;
  };
}
