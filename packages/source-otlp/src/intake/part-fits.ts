import type { SignalName } from '../signals.ts';
import type { LiveSettings } from './live-settings.ts';
import type { Preparation } from './prepare-export.ts';

/** JSON is seldom less than half as long as the request. What is, and is large, is divided more than it would have to be. */
const JSON_SHARE = 2;
/** How much the bound of a check exceeds the length of the JSON at most, for what senders send. */
const BOUND_EXCESS = 1.6;

/**
 * Whether a part of a valid request is small enough to become one record. Asked again and again while a request is divided, so that
 * JSON is made only where the bound of the check leaves it open: for large hostile requests that is the difference
 * between a tenth of a second and several.
 */
export function partFits(
  { checkExport, values }: Pick<Preparation, 'checkExport' | 'values'>,
  signal: SignalName,
  settings: LiveSettings,
): (part: Uint8Array) => boolean {
  const { form, maxRecordBytes } = settings;
  const exactly = (part: Uint8Array): boolean => values.fit({ signal, part, settings });
  if (form.encoding === 'base64' || form.encoding === 'otlp_proto') return exactly;
  return (part) => {
    if (part.length > JSON_SHARE * maxRecordBytes) return false;
    if (form.encoding === 'legacy_json') return exactly(part);
    const { jsonBytes } = checkExport(signal, part, { strictUtf8: false });
    return jsonBytes <= maxRecordBytes || (jsonBytes <= BOUND_EXCESS * maxRecordBytes && exactly(part));
  };
}
