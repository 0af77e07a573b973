import { compile, loadProject, memoryFileSystem } from '@levada/stream-project-compiler';

const editor = element(HTMLTextAreaElement, 'textarea');
const heading = element(HTMLHeadingElement, 'h1');
const list = element(HTMLOListElement, 'ol');

// A link carries the project in its fragment, which never leaves the browser.
if (location.hash.length > 1) editor.value = decodeURIComponent(location.hash.slice(1));
editor.addEventListener('input', () => void check());
void check();

/** Compiles what the editor holds, and shows what is wrong with it. */
async function check(): Promise<void> {
  const text = editor.value;
  const fileSystem = memoryFileSystem({ 'stream_project.yml': text });
  const { valid, diagnostics, manifest } = compile(await loadProject({ fileSystem }));
  if (editor.value !== text) return; // a later check shows its own findings

  history.replaceState(null, '', `#${encodeURIComponent(text)}`);
  heading.textContent = valid ? `Valid: ${manifest?.order.join(', ')}` : 'Not valid';
  list.replaceChildren(
    ...diagnostics.map(({ code, severity, message, hint, range }) => {
      const item = document.createElement('li');
      item.className = severity;
      item.textContent = `Line ${range.start.line}: ${message}${hint ? ` (${hint})` : ''} [${code}]`;
      item.addEventListener('click', () => select(text, range.start));
      return item;
    }),
  );
}

/** Moves the cursor to a place, which counts from 1. */
function select(text: string, { line, column }: { readonly line: number; readonly column: number }): void {
  const before = text.split('\n').slice(0, line - 1);
  const at = before.reduce((sum, each) => sum + each.length + 1, column - 1);
  editor.focus();
  editor.setSelectionRange(at, at);
}

function element<E extends Element>(kind: new () => E, name: string): E {
  const found = document.querySelector(name);
  if (!(found instanceof kind)) throw new Error(`the page has no ${name}`);
  return found;
}
