import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import type { Finding } from './compiled.ts';

/** Colors are those of the site, so that they follow its light and dark appearance. */
const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--playground-key)' },
  { tag: [tags.string, tags.content], color: 'var(--vp-c-text-1)' },
  { tag: [tags.comment, tags.meta, tags.punctuation], color: 'var(--vp-c-text-2)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '14px', backgroundColor: 'var(--vp-code-block-bg)' },
  '&.cm-focused': { outline: '2px solid var(--vp-c-brand-1)' },
  '.cm-scroller': { fontFamily: 'var(--vp-font-family-mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--vp-c-text-1)' },
  '.cm-cursor': { borderLeftColor: 'var(--vp-c-text-1)' },
  '.cm-gutters': { backgroundColor: 'var(--vp-c-bg-alt)', color: 'var(--vp-c-text-2)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--vp-c-brand-soft)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--vp-c-bg-elv)', color: 'var(--vp-c-text-1)' },
});

/** An editor of YAML in `parent`. `onChange` gets each text after an edit. */
export function openEditor(
  parent: HTMLElement,
  { text, onChange }: { readonly text: string; readonly onChange: (text: string) => void },
): EditorView {
  const attributes = EditorView.contentAttributes.of({ 'aria-label': 'stream_project.yml', tabindex: '0' });
  const changes = EditorView.updateListener.of((update) => {
    if (update.docChanged) onChange(update.state.doc.toString());
  });
  const extensions = [
    basicSetup,
    yaml(),
    syntaxHighlighting(colors),
    look,
    lintGutter(),
    attributes,
    changes,
  ];
  return new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
}

/** Underlines findings, and marks their lines. */
export function showFindings(view: EditorView, findings: readonly Finding[]): void {
  const marks = findings.map((finding): Diagnostic => {
    const from = offsetOf(view, finding.start);
    return {
      from,
      to: Math.max(from, offsetOf(view, finding.end)),
      severity: finding.severity,
      message: finding.hint === undefined ? finding.message : `${finding.message} (${finding.hint})`,
    };
  });
  view.dispatch(
    setDiagnostics(
      view.state,
      marks.toSorted((one, other) => one.from - other.from),
    ),
  );
}

/** Selects the text of a finding, and shows it. */
export function goTo(view: EditorView, { start, end }: Finding): void {
  const anchor = offsetOf(view, start);
  view.dispatch({ selection: { anchor, head: Math.max(anchor, offsetOf(view, end)) }, scrollIntoView: true });
  view.focus();
}

function offsetOf(view: EditorView, { line, column }: Finding['start']): number {
  const { doc } = view.state;
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + column - 1, to);
}
