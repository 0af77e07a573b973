import type { OtlpSchema } from '../model/otlp-schema.ts';
import type { SignalName } from '../model/signals.ts';
import { type CheckExport, InvalidExport } from './check-export.ts';
import { buildCheckTables } from './check-tables.ts';
import { cutValues } from './cut-values.ts';
import { pathTo } from './path-to.ts';
import { createWalk, REFUSED, type Walk, walkRequest } from './walk.ts';

/** Makes the check from the schema. What it returns is synchronous, and is kept: the tables are made once. */
export function createCheckExport(schema: Pick<OtlpSchema, 'request'>): CheckExport {
  const tables = buildCheckTables(schema);
  const walk = createWalk(tables.rows);
  return (signal, request, { strictUtf8 }) => {
    walk.strictUtf8 = strictUtf8;
    try {
      const root = tables.roots[signal];
      const jsonBytes = walkRequest(walk, root, request);
      const { items, tooDeep } = walk;
      const cut = tooDeep === 0 ? request : cutValues(tables, root, request);
      return { items, jsonBytes, cutValues: tooDeep, request: cut };
    } catch (thrown) {
      if (thrown !== REFUSED) throw thrown;
      throw invalidExport(schema, signal, { request, walk });
    }
  };
}

interface Refusal {
  readonly request: Uint8Array;
  readonly walk: Walk;
}

function invalidExport(
  schema: Pick<OtlpSchema, 'request'>,
  signal: SignalName,
  { request, walk }: Refusal,
): InvalidExport {
  const path = pathTo(schema.request(signal), request, walk.refusedAt);
  return new InvalidExport(path === '' ? walk.reason : `${path}: ${walk.reason}`);
}
