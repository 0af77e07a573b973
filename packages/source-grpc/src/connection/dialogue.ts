import { ConnectorError } from '@levada/connect-runtime-core';
import { type Answer, decodeAnswer, encodeQuestion, type Question, type StatusName } from '@levada/grpc-wire';
import { MAX_DESCRIPTOR_BYTES } from '../descriptor/descriptor-source.ts';
import { invalidDescriptor } from '../descriptor/invalid-descriptor.ts';
import { statusError } from '../model/errors.ts';
import type { GrpcStatus } from '../model/grpc-status.ts';
import type { Channel, MetadataEntry } from '../transport/channel.ts';

/** How the reflection service is called. */
export interface DialogueOptions {
  readonly path: string;
  readonly metadata: readonly MetadataEntry[];
  /** Ends the dialogue. Its reason, when it is a ConnectorError, is what questions are rejected with. */
  readonly signal: AbortSignal;
  /** Makes the server's text fit for a log. */
  readonly print: (text: string) => string;
  /** Codes that are not to be tried again. */
  readonly failOn: ReadonlySet<StatusName>;
  /** Called with a status, other than that the service is unknown, with which the server or a proxy ends the call. */
  readonly onRefused?: ((status: GrpcStatus) => void) | undefined;
}

/** Questions to one server and its answers, in one call. */
export interface Dialogue {
  /**
   * Asks; several questions may be open. Resolves with undefined when the answer says nothing that is known. Rejects with a ConnectorError when the call ends before the answer: `unsupported`
   * when the server does not know the service.
   */
  ask(question: Question): Promise<Answer | undefined>;
  /** Ends the call. */
  close(): void;
}

/** Calls the reflection service. */
export function startDialogue(channel: Channel, options: DialogueOptions): Dialogue {
  const open: PromiseWithResolvers<Answer | undefined>[] = [];
  let failure: ConnectorError | undefined;
  let left = MAX_DESCRIPTOR_BYTES;
  const fail = (error: ConnectorError): void => {
    failure ??= error;
    for (const question of open.splice(0)) question.reject(failure);
  };
  const receive = (message: Uint8Array): void => {
    left -= message.length;
    if (left < 0) fail(tooMuch());
    const question = open.shift();
    try {
      question?.resolve(decodeAnswer(message));
    } catch (cause) {
      const text = `${channel.peer} answered reflection with what is no message of it`;
      question?.reject(new ConnectorError('protocol_error', text, { cause }));
    }
  };
  const call = channel.call({
    path: options.path,
    metadata: options.metadata,
    maxMessageBytes: MAX_DESCRIPTOR_BYTES,
    compression: 'identity',
    onMessage: receive,
    onOversized: () => fail(tooMuch()),
  });
  const abort = (): void => fail(reasonOf(options.signal));
  if (options.signal.aborted) abort();
  options.signal.addEventListener('abort', abort, { once: true });
  void call.ended.then((status) => fail(endError(status, channel.peer, options)));
  return {
    ask: (question) => {
      if (failure !== undefined) return Promise.reject(failure);
      const answer = Promise.withResolvers<Answer | undefined>();
      open.push(answer);
      call.send(encodeQuestion(question));
      return answer.promise;
    },
    close: () => {
      options.signal.removeEventListener('abort', abort);
      call.cancel();
    },
  };
}

function tooMuch(): ConnectorError {
  return invalidDescriptor(`the server describes more than ${MAX_DESCRIPTOR_BYTES} bytes of files`);
}

function reasonOf({ reason }: AbortSignal): ConnectorError {
  if (reason instanceof ConnectorError) return reason;
  return new ConnectorError('aborted', 'reflection was cancelled', { cause: reason });
}

function endError(status: GrpcStatus, peer: string, options: DialogueOptions): ConnectorError {
  const unknown = status.code === 'UNIMPLEMENTED' && status.source === 'server';
  if (unknown) return new ConnectorError('unsupported', `${peer} offers no such reflection`);
  if (status.code === 'OK') {
    return new ConnectorError('protocol_error', `${peer} ended reflection before it answered`);
  }
  if (status.source !== 'local') options.onRefused?.(status);
  return statusError(status, { ...options, peer });
}
