import type { SignalName } from '../../model/signals.ts';
import type { BodyForm } from '../admission/export-intake.ts';
import type { Acceptance } from '../admission/export-outcome.ts';
import { mediaTypes } from './media-type.ts';
import type { Problem } from './problem.ts';
import { partialSuccessBody, statusBody } from './response-message.ts';

/** A response: status, alternating names and values of its headers, and body. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  /** Undefined: there is none. A string is written together with the headers. */
  readonly body: Buffer | string | undefined;
}

/** An empty message of any signal, which is what nearly every export is answered with. */
const success: Readonly<Record<BodyForm, Answer>> = {
  protobuf: {
    status: 200,
    headers: ['Content-Type', mediaTypes.protobuf, 'Content-Length', '0'],
    body: undefined,
  },
  json: { ...withBody(200, 'json', Buffer.from('{}')), body: '{}' },
};

/** The answer to an export that was taken. */
export function successAnswer(form: BodyForm, signal: SignalName, { partial }: Acceptance): Answer {
  if (partial === undefined) return success[form];
  return withBody(200, form, partialSuccessBody(form, signal, partial));
}

/** The answer to everything else: google.rpc.Status, in the form of the request. */
export function problemAnswer(form: BodyForm, { status, grpcCode, message, headers }: Problem): Answer {
  const answer = withBody(status, form, statusBody(form, grpcCode, message));
  return headers.length === 0 ? answer : { ...answer, headers: [...answer.headers, ...headers] };
}

function withBody(status: number, form: BodyForm, body: Buffer): Answer {
  const headers = ['Content-Type', mediaTypes[form], 'Content-Length', String(body.length)];
  return { status, headers, body };
}
