/**
 * An editor of JSON with marks for violations. It is in a shadow tree, where its styles are objects and not markup, so that the page
 * allows no style but its own.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching } from '@codemirror/language';
import { type Diagnostic, lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics } from '@codemirror/lint';
import { type ChangeSpec, Compartment, EditorState } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import type { RowData } from '../../report/html-data.ts';
import { visible } from '../../words/escape.ts';
import { THEME } from './theme.ts';

/** In UTF-16 code units of the editor's text. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A violation at its place in the editor, and what can be done about it. */
export interface Mark extends Range {
  readonly row: RowData;
  readonly fixes: readonly Fix[];
}

/** A button: its words, and what it does. */
export type Fix = readonly [words: string, run: () => void];

export class Editor {
  readonly #view: EditorView;
  readonly #mode = new Compartment();

  /** The second argument: for screen readers, and what an empty editor says. `onChange`: after a change by the user, and by a fix. */
  constructor(parent: HTMLElement, [label, hint]: readonly [string, string], onChange: () => void) {
    const root = parent.attachShadow({ mode: 'open' });
    const extensions = [
      [lineNumbers(), lintGutter(), history(), json(), bracketMatching()],
      [highlightSpecialChars(), highlightActiveLine(), highlightActiveLineGutter(), THEME],
      [EditorView.lineWrapping, placeholder(hint)],
      keymap.of([...defaultKeymap, ...historyKeymap, { key: 'F8', run: nextDiagnostic, shift: previousDiagnostic }]),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorView.domEventHandlers({ beforeinput: replacesSelection }),
      EditorView.updateListener.of(({ docChanged, transactions }) => {
        if (docChanged && !transactions.some((one) => one.isUserEvent('load'))) onChange();
      }),
      this.#mode.of([]),
    ];
    this.#view = new EditorView({ state: EditorState.create({ extensions }), parent: root, root });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  get length(): number {
    return this.#view.state.doc.length;
  }

  /** Shows another text. `firstLine`: its number, if it is a part of a file, which is not edited; absent: it is edited. */
  load(text: string, firstLine?: number): void {
    const { length } = this.#view.state.doc;
    const part = [
      EditorState.readOnly.of(true),
      lineNumbers({ formatNumber: (line) => String(line + (firstLine ?? 1) - 1) }),
    ];
    this.#view.dispatch({
      changes: { from: 0, to: length, insert: text },
      effects: this.#mode.reconfigure(firstLine === undefined ? [] : part),
      selection: { anchor: 0 },
      userEvent: 'load',
    });
  }

  /** Where a violation is in the text, which is all of it. */
  rangeOf({ line, column, endLine, endColumn }: RowData): Range {
    const from = this.#at(line, column);
    return { from, to: Math.max(from, endLine > line ? this.#lineEnd(from) : this.#at(endLine, endColumn)) };
  }

  #at(line: number, column: number): number {
    const { doc } = this.#view.state;
    const { from, to } = doc.line(Math.max(1, Math.min(line, doc.lines)));
    return Math.min(from + column - 1, to);
  }

  #lineEnd(at: number): number {
    return this.#view.state.doc.lineAt(at).to;
  }

  slice({ from, to }: Range): string {
    return this.#view.state.sliceDoc(from, to);
  }

  mark(marks: readonly Mark[]): void {
    const diagnostics = marks.map(({ from, to, row, fixes }): Diagnostic => {
      const actions = fixes.map(([name, apply]) => ({ name: visible(name), apply }));
      return { from, to, severity: row.severity, message: visible(row.message), actions };
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  /** Selects the range, in the middle of the editor, which gets the focus. */
  show({ from, to }: Range): void {
    const { length } = this.#view.state.doc;
    const range = { anchor: Math.min(from, length), head: Math.min(to, length) };
    this.#view.dispatch({ selection: range, effects: EditorView.scrollIntoView(range.anchor, { y: 'center' }) });
    this.#view.focus();
  }

  change(changes: ChangeSpec): void {
    this.#view.dispatch({ changes, userEvent: 'input.fix' });
  }
}

/** Chromium would keep the look of what is replaced in an attribute, which the policy of the page does not allow. */
function replacesSelection(event: InputEvent, view: EditorView): boolean {
  const { state } = view;
  const { inputType, data, isComposing } = event;
  if (inputType !== 'insertText' || data === null || isComposing) return false;
  if (state.readOnly || state.selection.main.empty) return false;
  view.dispatch(state.replaceSelection(data), { scrollIntoView: true, userEvent: 'input.type' });
  return true;
}
