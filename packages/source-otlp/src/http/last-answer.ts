import { STATUS_CODES } from 'node:http';
import { problemAnswer } from './answer.ts';
import type { Problem } from './problem.ts';

/** An answer without a request, hence in JSON, and written by hand. */
export function lastAnswer(problem: Problem): string {
  const { status, headers, body } = problemAnswer('json', problem);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  lines.push('Connection: close', '', body?.toString() ?? '');
  return lines.join('\r\n');
}
