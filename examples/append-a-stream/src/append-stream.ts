import { appendFile, readFile, truncate } from 'node:fs/promises';
import type { SourceOffset } from '@levada/connect-runtime-core';
import { type GrpcOptions, grpcSource } from '@levada/source-grpc';

/** What is read, and the request field that says where to resume. */
export type Feed = Omit<GrpcOptions, 'topic' | 'overflow' | 'resume'> & {
  readonly resume: {
    /** Field of the request. */
    readonly field: string;
    /** Its value is what the last message has in this field: `/number`. */
    readonly from: string;
  };
};

/**
 * Appends the messages of a method to a file, one line of JSON each, until the signal aborts. The file is the only
 * state: the next run resumes after its last line, so no message is missing and none is duplicated.
 */
export async function appendStream(feed: Feed, file: string, signal: AbortSignal): Promise<void> {
  const offset = await offsetOf(file, feed.resume.from);
  const source = grpcSource({
    ...feed,
    topic: 'lines',
    offsets: { offset: async () => offset },
    signal,
  });
  for await (const record of source) await appendFile(file, `${String(record.value)}\n`);
}

/** Where the file ends. Half a line, from a run that was killed, is cut off. */
async function offsetOf(file: string, pointer: string): Promise<SourceOffset | undefined> {
  const text = await readFile(file, { encoding: 'utf8', flag: 'a+' });
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) await truncate(file, Buffer.byteLength(whole));
  const lines = whole.split('\n').slice(0, -1);
  const last = lines.at(-1);
  if (last === undefined) return undefined;
  const resume = (JSON.parse(last) as Record<string, unknown>)[pointer.slice(1)];
  return { sequence: lines.length, resume: String(resume) };
}
