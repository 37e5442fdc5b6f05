/**
 * The look of the editors, in the colours of the pages. Marks have no pictures: the policy of the page loads none.
 */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Below what is wrong, and beside its line. */
function marks(severity: 'error' | 'warning', colour: 'bad' | 'warn') {
  return {
    [`.cm-lintRange-${severity}`]: {
      backgroundImage: 'none',
      backgroundColor: `var(--${colour}-tint)`,
      borderBottom: `2px solid var(--${colour})`,
      paddingBottom: '0',
    },
    [`.cm-lint-marker-${severity}`]: {
      content: '""',
      width: '8px',
      height: '8px',
      marginTop: '6px',
      borderRadius: '50%',
      backgroundColor: `var(--${colour})`,
    },
    [`.cm-diagnostic-${severity}`]: { borderLeft: `4px solid var(--${colour})` },
    [`.cm-lintPoint-${severity}:after`]: { borderBottomColor: `var(--${colour})` },
  };
}

const LOOK = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--card)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '10px 0' },
  '.cm-line': { padding: '0 14px 0 8px' },
  '.cm-gutters': { color: 'var(--soft)', backgroundColor: 'var(--card)', border: '0' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '34px' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 0 0 4px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '.cm-content ::selection, .cm-line::selection': { backgroundColor: 'var(--select)' },
  '.cm-placeholder': { color: 'var(--soft)' },
  '.cm-specialChar': { color: 'var(--bad)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--tint)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--bad-tint)' },
  '.cm-tooltip': {
    maxWidth: 'min(520px, 90vw)',
    color: 'var(--ink)',
    backgroundColor: 'var(--card)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    boxShadow: '0 4px 16px rgb(0 0 0 / 18%)',
    overflow: 'hidden',
  },
  '.cm-diagnostic': {
    padding: '8px 12px',
    fontSize: '14px',
    fontFamily: 'system-ui, sans-serif',
    overflowWrap: 'anywhere',
  },
  '.cm-diagnosticAction': {
    margin: '2px 0 2px 10px',
    padding: '2px 10px',
    color: 'var(--accent-ink)',
    backgroundColor: 'var(--tint)',
    borderRadius: '6px',
  },
  ...marks('error', 'bad'),
  ...marks('warning', 'warn'),
});

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--name)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--soft)' },
]);

export const THEME: Extension = [LOOK, syntaxHighlighting(COLOURS)];
