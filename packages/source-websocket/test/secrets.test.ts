import { afterEach, expect, it } from 'vitest';
import { type RunningTask, startTask } from './running-task.ts';
import { type SocketServer, startSocketServer } from './socket-server.ts';

let server: SocketServer | undefined;
let running: RunningTask | undefined;
afterEach(async () => {
  await running?.task.stop();
  await server?.close();
});

it('no secret is logged, reported or kept in an error, also when the server repeats it', async () => {
  const canaries = {
    user: 'canary-user-71',
    password: 'canary-password-72',
    parameter: 'canary-parameter-73',
    token: 'canary-token-74',
    header: 'canary-header-75',
    named: 'canary-named-76',
    subscription: 'canary-subscription-77',
  };
  let connections = 0;
  server = await startSocketServer(({ socket }) => {
    socket.send(`your token is ${canaries.token}`);
    connections += 1;
    if (connections === 1) socket.close(1008, `${canaries.token} ${canaries.header} ${canaries.password}`);
    else socket.close(1008, `${canaries.parameter} ${canaries.named} ${canaries.subscription}`);
  });
  const { user, password, parameter, token, header, named, subscription } = canaries;
  running = await startTask({
    'websocket.url': `${server.url.replace('ws://', `ws://${user}:${password}@`)}?api_key=${parameter}`,
    'websocket.auth.token': token,
    'websocket.headers': `X-Key: ${header}`,
    'websocket.headers.X-Other': named,
    'websocket.subscription.message': JSON.stringify({ op: 'login', key: subscription }),
    'websocket.reconnect.max.attempts': '1',
  });
  await running.take(2);
  const failure = await running.task.poll().catch((thrown: unknown) => thrown);
  const reported = [
    running.logger.text(),
    JSON.stringify(running.events, (_, value: unknown) => (value instanceof Error ? value.stack : value)),
    JSON.stringify(running.task.connection()),
    String((failure as Error).stack),
  ].join('\n');
  expect(reported).toContain('server closed the connection with code 1008: *** *** ***');
  for (const canary of Object.values(canaries)) expect(reported).not.toContain(canary);
});

const key = 'canary-key-78-"quoted"';

it.each([
  ['control.1.reply', { 'websocket.control.1.match': '=ping' }],
  ['heartbeat.message', { 'websocket.heartbeat.interval.ms': '1' }],
  ['sequence.replay.message', { 'websocket.sequence.pointer': '/seq' }],
  ['sequence.resume.message', { 'websocket.sequence.pointer': '/seq' }],
  ['handshake.1.message', { 'websocket.secret.key': key }],
])('no text of %s is shown when the server quotes it as it was sent', async (name, raw) => {
  const resumes = name.startsWith('sequence.resume');
  server = await startSocketServer(({ socket }, index) => {
    socket.on('message', (data: Buffer) => socket.close(1008, `bad ${data.toString()}!`));
    for (const text of ['ping', '{"seq":1}', ...(resumes ? [] : ['{"seq":3}'])]) socket.send(text);
    if (resumes && index === 0) socket.close(1000);
  });
  const written = 'websocket.secret.key' in raw ? '{{secret:key}}' : key;
  running = await startTask({
    'websocket.url': server.url,
    'websocket.close.codes.fail': '1008',
    [`websocket.${name}`]: JSON.stringify({ key: written }),
    ...raw,
  });
  const failure = await running.take(100).catch((thrown: unknown) => thrown);
  expect(String(failure)).toMatch(/code 1008: bad (\{"key":"\*\*\*"\}|\*\*\*)!/);
  expect(running.logger.text() + JSON.stringify(running.events)).not.toContain('canary-key');
});
