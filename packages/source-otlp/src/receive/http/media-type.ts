import type { BodyForm } from '../admission/export-intake.ts';

/** Content types of OTLP/HTTP, as they are answered. */
export const mediaTypes: Readonly<Record<BodyForm, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/** `type/subtype` and then parameters, quoted or not (RFC 9110, 8.3.1). */
const parameter = /\s*;\s*(?:([!#$%&'*+.^_`|~\w-]+)=("(?:[^"\\]|\\.)*"|[!#$%&'*+.^_`|~\w-]+))?/y;

/**
 * How a body of this Content-Type is written; undefined when it is neither of the two types of OTLP/HTTP, is not well formed, or
 * has a charset other than UTF-8. Names in any case.
 */
export function bodyFormOf(contentType: string | undefined): BodyForm | undefined {
  if (contentType === mediaTypes.protobuf) return 'protobuf';
  if (contentType === mediaTypes.json) return 'json';
  return contentType === undefined ? undefined : parseBodyForm(contentType.trim());
}

function parseBodyForm(contentType: string): BodyForm | undefined {
  const end = contentType.search(/[\s;]|$/);
  const type = contentType.slice(0, end).toLowerCase();
  if (!areParametersValid(contentType, end)) return undefined;
  if (type === mediaTypes.protobuf) return 'protobuf';
  return type === mediaTypes.json ? 'json' : undefined;
}

function areParametersValid(contentType: string, from: number): boolean {
  parameter.lastIndex = from;
  while (parameter.lastIndex < contentType.length) {
    const found = parameter.exec(contentType);
    if (found === null) return false;
    const [, name, value] = found;
    if (name?.toLowerCase() === 'charset' && !isUtf8(value)) return false;
  }
  return true;
}

function isUtf8(charset: string | undefined): boolean {
  return /^"?utf-?8"?$/i.test(charset ?? '');
}
