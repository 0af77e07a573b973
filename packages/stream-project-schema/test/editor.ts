import { TextDocument } from 'vscode-languageserver-textdocument';
import { CompletionItemKind, getLanguageService } from 'yaml-language-server';
import { type DocumentForm, jsonSchema } from '../src/index.ts';

/** What yaml-language-server, the one in editors, says of YAML under our schema. `§` in the text is the cursor. */
export interface Editor {
  /** Labels of what it offers at the cursor, without skeletons of whole objects. */
  readonly offers: (text: string) => Promise<readonly string[]>;
  /** Line (from 1) and message of all that it marks. */
  readonly marks: (text: string) => Promise<readonly string[]>;
  /** What it shows when the mouse rests at the cursor. */
  readonly hover: (text: string) => Promise<string>;
}

/** The kind under which the server offers all required keys of an object at once. */
const skeleton = CompletionItemKind.Class;

/** The language server itself, in this process. Schemas of other addresses are not asked for. */
export function createEditor(form: DocumentForm): Editor {
  const service = getLanguageService({
    schemaRequestService: (uri) => Promise.reject(new Error(`asked for ${uri}`)),
    workspaceContext: { resolveRelativePath: (path) => path },
  });
  const uri = 'file:///schema.json';
  service.configure({
    validate: true,
    completion: true,
    hover: true,
    yamlVersion: '1.2',
    // A copy: the server writes into it.
    schemas: [{ uri, fileMatch: ['*.yml'], schema: structuredClone(jsonSchema({ form })) }],
  });
  let opened = 0;
  const open = (text: string) => {
    const offset = Math.max(text.indexOf('§'), 0);
    opened += 1;
    // What the server knows of a document it keeps by address and version.
    const document = TextDocument.create(`file:///${form}/${opened}.yml`, 'yaml', 1, text.replace('§', ''));
    return { document, position: document.positionAt(offset) };
  };
  return {
    offers: async (text) => {
      const { document, position } = open(text);
      const { items } = await service.doComplete(document, position, false);
      return items.filter(({ kind }) => kind !== skeleton).map(({ label }) => label);
    },
    marks: async (text) => {
      const found = await service.doValidation(open(text).document, false);
      return found.map(
        ({ range, message }) =>
          `${range.start.line + 1}: ${typeof message === 'string' ? message : message.value}`,
      );
    },
    hover: async (text) => {
      const { document, position } = open(text);
      const shown = await service.doHover(document, position);
      return JSON.stringify(shown?.contents ?? '');
    },
  };
}
