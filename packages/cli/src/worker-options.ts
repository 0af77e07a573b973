import { choice, option, repeatable, wholeNumber } from './command-row.ts';
import { outputForms } from './output/forms.ts';

/** Options of every command that asks a worker. Defaults come from the environment and from contexts. */
export const workerOptions = [
  option('--context <name>', 'the worker of this context; also LEVADA_CONTEXT'),
  option('--url <url>', 'base URL of the worker; also LEVADA_URL (default: http://127.0.0.1:8083)'),
  repeatable('--header <line>', 'sent with each request, as "Name: value"; may be repeated'),
  option('--token <token>', 'bearer token; better in LEVADA_TOKEN, where other users cannot see it'),
  option('--user <name:password>', 'basic authentication; the password better in LEVADA_PASSWORD'),
  option('--ca <file>', 'PEM file of the authorities to trust; also LEVADA_CA'),
  option('--cert <file>', "PEM file of the client's certificate; also LEVADA_CERT"),
  option('--key <file>', 'PEM file of its key; also LEVADA_KEY'),
].map((one) => one.helpGroup('Which worker:'));

/** Options of every command that prints data. */
export const outputOptions = [
  choice('-o, --output <form>', 'how to print', { words: outputForms, defaultValue: 'table' }),
  option('--json', 'as --output json').implies({ output: 'json' }),
];

/** Options of every command that waits until connectors are in a state. */
export const waitOptions = [
  option('--wait', 'wait until connectors and tasks are in their state', true),
  option('--no-wait', 'end as soon as the worker has accepted it'),
  option('--timeout <seconds>', 'longest wait', 60).argParser(wholeNumber),
];
