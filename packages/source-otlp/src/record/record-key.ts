import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { RecordForm } from '../model/queued-export.ts';
import type { SignalName } from '../model/signals.ts';

/** `resource_spans`, `resource_metrics`, `resource_logs`, `resource_profiles`; then the scopes; then the items. */
const RESOURCES = 1;
const SCOPES = 2;
const ITEMS = 2;
const RESOURCE = 1;
const ATTRIBUTES = 1;
const KEY = 1;
const VALUE = 2;
const STRING_VALUE = 1;

/** Number of `trace_id` in an item; metrics have none. */
const traceIdField: Readonly<Partial<Record<SignalName, number>>> = { traces: 1, logs: 9 };

const name = Buffer.from('service.name');

/**
 * The key of a record that holds this (valid) request: from its first resource, or its first item. Undefined when it has none.
 */
export function recordKey(
  signal: SignalName,
  request: Uint8Array,
  key: RecordForm['key'],
): string | undefined {
  if (key === 'none') return undefined;
  const resource = findField(request, RESOURCES);
  if (resource === undefined) return undefined;
  return key === 'service_name' ? serviceName(resource) : traceId(signal, resource);
}

function serviceName(resourceEntry: Uint8Array): string | undefined {
  const resource = findField(resourceEntry, RESOURCE);
  if (resource === undefined) return undefined;
  let found: Uint8Array | undefined;
  eachPart(resource, ATTRIBUTES, (attribute) => {
    if (!name.equals(findField(attribute, KEY) ?? new Uint8Array())) return false;
    found = findField(findField(attribute, VALUE) ?? new Uint8Array(), STRING_VALUE);
    return true;
  });
  return found === undefined || found.length === 0 ? undefined : Buffer.from(found).toString();
}

function traceId(signal: SignalName, resourceEntry: Uint8Array): string | undefined {
  const field = traceIdField[signal];
  const scope = findField(resourceEntry, SCOPES);
  const item = scope === undefined ? undefined : findField(scope, ITEMS);
  const id = item === undefined || field === undefined ? undefined : findField(item, field);
  return id === undefined || id.length === 0 ? undefined : Buffer.from(id).toString('hex');
}

/** The first length-delimited field of that number. */
function findField(message: Uint8Array, field: number): Uint8Array | undefined {
  let found: Uint8Array | undefined;
  eachPart(message, field, (part) => {
    found = part;
    return true;
  });
  return found;
}

/** Shows length-delimited fields of that number until one is enough. */
function eachPart(message: Uint8Array, field: number, show: (part: Uint8Array) => boolean): void {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number !== field || wireType !== WireType.LengthDelimited) reader.skip(wireType, number);
    else if (show(reader.bytes())) return;
  }
}
