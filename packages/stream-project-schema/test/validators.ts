import { Validator } from '@cfworker/json-schema';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type DocumentForm, editorKeywords, type JsonSchemaDraft, jsonSchema } from '../src/index.ts';

/** What a validator of JSON Schema says of a value: where it is wrong, or nothing. */
export type Check = (value: unknown) => readonly string[];

/** Ajv in strict mode, and a validator that shares no code with it, each over the schema of one draft and form. */
export function checksOf(
  draft: JsonSchemaDraft,
  form: DocumentForm = 'project',
): Readonly<Record<string, Check>> {
  const schema = jsonSchema({ draft, form });
  const ajv = draft === '2020-12' ? new Ajv2020({ strict: true, allErrors: true }) : strictDraft7();
  const compiled = ajv.compile(schema);
  const other = new Validator(schema, draft === '2020-12' ? '2020-12' : '7', false);
  return {
    ajv: (value) => (compiled(value) ? [] : (compiled.errors ?? []).map(({ instancePath }) => instancePath)),
    cfworker: (value) => {
      const { valid, errors } = other.validate(value);
      return valid ? [] : errors.map(({ instanceLocation }) => instanceLocation);
    },
  };
}

function strictDraft7(): Ajv {
  const ajv = new Ajv({ strict: true, allErrors: true });
  ajv.addVocabulary([...editorKeywords]);
  return ajv;
}
