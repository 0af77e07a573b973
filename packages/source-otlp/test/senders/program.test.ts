import { expect, it } from 'vitest';
import { comparable, comparableJson } from './comparable-request.ts';
import { runIntoLog } from './run-into-log.ts';
import { sdkProtocols } from './sdk-exporters.ts';

it.each(sdkProtocols)(
  'a program with the JavaScript SDK fills the three topics over %s with what it exported, in order',
  async (protocol) => {
    for (const { signal, sent, stored } of await runIntoLog(protocol)) {
      expect(sent.length).toBeGreaterThan(1);
      expect(stored.map((value) => comparableJson(signal, value))).toEqual(
        sent.map((wire) => comparable(signal, wire)),
      );
    }
  },
);
