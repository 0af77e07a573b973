import { ConversionError } from '@levada/protobuf-tables';
import { InvalidExport } from '../export/check-export.ts';
import { type Refusal, refused } from '../receiver/export-outcome.ts';

/** What a client is told of a body that nothing could be made of. Anything else than an invalid body is a fault of ours. */
export function invalidBody(thrown: unknown): Refusal {
  if (thrown instanceof InvalidExport) return refused('invalid', thrown.message);
  if (thrown instanceof ConversionError) return refused('invalid', thrown.message);
  throw thrown;
}
