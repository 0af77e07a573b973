import { STATUS_CODES } from 'node:http';
import type { Refusal } from '../admission/export-outcome.ts';
import { problemAnswer } from './answer.ts';
import { type Problem, problemOf } from './problem.ts';

/** An answer without a request, hence in JSON, and written by hand. */
export function lastAnswer(problem: Problem): string {
  const { status, headers, body } = problemAnswer('json', problem);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  lines.push('Connection: close', '', body?.toString() ?? '');
  return lines.join('\r\n');
}

/** The answer to a client that uses HTTP/1 where another protocol is expected. */
export function lastRefusal(refusal: Refusal): string {
  return lastAnswer(problemOf(refusal));
}
