import { Ajv2020 } from 'ajv/dist/2020.js';

/** Ajv in strict mode over a schema of draft 2020-12: where a value is wrong and how, or nothing. */
export function strictCheck(schema: object): (value: unknown) => readonly string[] {
  const compiled = new Ajv2020({ strict: true, allErrors: true, strictTypes: true }).compile(schema);
  return (value) =>
    compiled(value)
      ? []
      : (compiled.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}
