/**
 * Collects violations that were noted from the bytes of a part of a source: numbers for their places, and each text
 * once.
 */
import type { NotedForm, NotedPlace, NotedViolations, Rule, Said, Statement, Violation } from '../types.ts';
import { saidBy } from './facts.ts';
import { NOTED_ROW } from './noted.ts';
import { createForms } from './said.ts';

const FIRST_ROWS = 256;

/** The content of a violation, in each form. */
type Texts = readonly string[];

export class NotedLog {
  readonly #forms: readonly NotedForm[];
  readonly #makers: readonly ((said: Said) => string)[];
  /** Texts of statements that are passed repeatedly. */
  readonly #known = new WeakMap<Statement, Texts>();
  #file = '';
  #rows = new Float64Array(FIRST_ROWS * NOTED_ROW);
  #length = 0;
  /** Characters of the texts of all violations: as many as reports will write. */
  #characters = 0;
  #indexes = new Map<Statement, number>();
  /** Sizes of the texts. */
  #sizes: number[] = [];
  #rules: Rule[] = [];
  #fixable: boolean[] = [];
  /** By form. */
  #texts: string[][];

  /** `forms`: those that the reports need. */
  constructor(forms: readonly NotedForm[]) {
    const makers = createForms();
    this.#forms = forms;
    this.#makers = forms.map((form) => makers[form]);
    this.#texts = forms.map(() => []);
  }

  /** Number of violations since the last `take`. */
  get length(): number {
    return this.#length;
  }

  /** How much memory they take when they are written, in bytes, roughly. */
  get weight(): number {
    return this.#length * NOTED_ROW * Float64Array.BYTES_PER_ELEMENT + this.#characters;
  }

  /** All violations between two calls of `take` are in the same file. */
  add(statement: Statement, place: NotedPlace): void {
    let index = this.#indexes.get(statement);
    if (index === undefined) {
      index = this.#addTexts(statement, this.#textsOf(statement));
      if (statement.again) this.#indexes.set(statement, index);
    }
    this.#addRow(index, place);
  }

  /** The same for a violation that is an object. Returns whether it was added: it may not be an error on one line. */
  tryToAdd(violation: Violation): boolean {
    const { file: _, payload, line, column, endLine, endColumn, offset, ...said } = violation;
    // For two equal names, the first may be on another line. The same holds for items of the list below a violation.
    const hasOtherPlaces = said.rule === 'duplicate-member' || said.children !== undefined;
    const isPlain = said.severity === 'error' && line === endLine && !hasOtherPlaces;
    if (!isPlain) return false;
    const index = this.#addTexts(
      violation,
      this.#makers.map((make) => make(said)),
    );
    this.#addRow(index, violation);
    return true;
  }

  #addRow(index: number, { file, payload, line, column, endColumn, offset }: NotedPlace): void {
    const at = this.#length * NOTED_ROW;
    if (at === this.#rows.length) {
      const larger = new Float64Array(2 * at);
      larger.set(this.#rows);
      this.#rows = larger;
    }
    const rows = this.#rows;
    rows[at] = index;
    rows[at + 1] = payload;
    rows[at + 2] = line;
    rows[at + 3] = column;
    rows[at + 4] = endColumn;
    rows[at + 5] = offset;
    this.#file = file;
    this.#characters += this.#sizes[index]!;
    this.#length++;
  }

  /** Returns the violations, and begins again. Null: there are none. */
  take(): NotedViolations | null {
    if (this.#length === 0) return null;
    const taken = {
      file: this.#file,
      rows: this.#rows.slice(0, this.#length * NOTED_ROW),
      rules: this.#rules,
      fixable: this.#fixable,
      texts: Object.fromEntries(this.#forms.map((form, i) => [form, this.#texts[i]])),
    };
    this.#length = 0;
    this.#characters = 0;
    this.#indexes = new Map();
    this.#sizes = [];
    this.#rules = [];
    this.#fixable = [];
    this.#texts = this.#forms.map(() => []);
    return taken;
  }

  #textsOf(statement: Statement): Texts {
    let texts = this.#known.get(statement);
    if (texts === undefined) {
      const said = saidBy(statement);
      texts = this.#makers.map((make) => make(said));
      if (statement.again) this.#known.set(statement, texts);
    }
    return texts;
  }

  /** Returns their index. */
  #addTexts({ rule, fixable }: Pick<Violation, 'rule' | 'fixable'>, texts: Texts): number {
    for (const [i, text] of texts.entries()) this.#texts[i]!.push(text);
    this.#sizes.push(texts.reduce((sum, { length }) => sum + length, 0));
    this.#fixable.push(fixable);
    return this.#rules.push(rule) - 1;
  }
}
