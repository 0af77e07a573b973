import type { IncomingMessage } from 'node:http';
import { type ContentEncoding, readableEncodings } from '@levada/grpc-wire';
import type { SignalName } from '../../model/signals.ts';
import type { BodyForm } from '../admission/export-intake.ts';
import { refuse } from '../admission/export-outcome.ts';
import { bodyFormOf } from './media-type.ts';
import {
  type Problem,
  problemOf,
  unknownExpectation,
  unsupportedEncoding,
  unsupportedTransferEncoding,
  unsupportedType,
  wrongMethod,
} from './problem.ts';
import type { ScannedHeaders } from './scanned-headers.ts';

/** Size limits of a body. */
export interface BodyLimits {
  readonly maxRequestBytes: number;
  readonly maxCompressedBytes: number;
}

/** What the headers of an export say. */
export interface ExportHead {
  readonly kind: 'export';
  readonly signal: SignalName;
  readonly form: BodyForm;
  /** Undefined: the body is sent as it is. */
  readonly encoding: ContentEncoding | undefined;
  /** Content-Length; undefined for a chunked body. */
  readonly declaredBytes: number | undefined;
  /** Most bytes of the body as it is sent. */
  readonly wireLimit: number;
}

/** A request that is not an export; its problem is answered without reading the body. */
export interface HeadProblem {
  readonly kind: 'problem';
  readonly problem: Problem;
}

/** Reads the headers of a request for a known path, in the order in which their problems are reported. */
export function readExportHead(
  request: IncomingMessage,
  signal: SignalName,
  { headers, limits }: { readonly headers: ScannedHeaders; readonly limits: BodyLimits },
): ExportHead | HeadProblem {
  if (request.method !== 'POST') return problem(wrongMethod(request.method ?? ''));
  const { transferEncoding } = headers;
  if (transferEncoding !== undefined && transferEncoding.trim().toLowerCase() !== 'chunked') {
    return problem(unsupportedTransferEncoding(transferEncoding));
  }
  const form = bodyFormOf(headers.contentType);
  if (form === undefined) return problem(unsupportedType(headers.contentType));
  const encoding = contentEncodingOf(headers.contentEncoding);
  if (encoding === undefined) return problem(unsupportedEncoding(headers.contentEncoding ?? ''));
  const { expect, contentLength } = headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return problem(unknownExpectation(expect));
  }
  const inflates = encoding !== 'identity';
  const wireLimit = inflates ? limits.maxCompressedBytes : limits.maxRequestBytes;
  const declaredBytes = contentLength === undefined ? undefined : Number(contentLength);
  if (declaredBytes !== undefined && declaredBytes > wireLimit) return problem(tooLarge(wireLimit));
  return {
    kind: 'export',
    signal,
    form,
    encoding: inflates ? encoding : undefined,
    declaredBytes,
    wireLimit,
  };
}

/** A body that is larger than may be sent. */
export function tooLarge(limit: number): Problem {
  return problemOf(refuse('too_large', `the body is larger than ${limit} bytes`));
}

/** Undefined when it is not read. */
function contentEncodingOf(header: string | undefined): ContentEncoding | 'identity' | undefined {
  const name = header?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return 'identity';
  return readableEncodings.find((encoding) => encoding === name);
}

function problem(found: Problem): HeadProblem {
  return { kind: 'problem', problem: found };
}
