import { eventLog, type RawConfig } from '@levada/connect-runtime-core';
import type { GroupAssignment } from '@levada/connect-runtime-core/platform';
import { createManualClock, createRecordingLogger } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { runtimeEvents } from '../port/runtime-events.ts';
import { GroupCheck } from './group-check.ts';

const own = 'http://own:8083/';
const peer = 'http://peer:8083/';
const noWork = { connectors: new Set<string>(), tasks: new Set<string>() };
const workOf = (name: string) => ({ connectors: new Set([name]), tasks: new Set([`${name}-0`]) });

interface Answer {
  readonly status?: number;
  readonly commit?: string;
  readonly classes?: readonly string[];
}

/** Longest interval between two checks. */
const INTERVAL_MS = 36_000;

/** A check whose other workers answer what `answers` says; one without a row cannot be reached. */
function checkIn(connectors: Readonly<Record<string, RawConfig>>) {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const answers = new Map<string, Answer>([[own, { classes: ['a.Own'] }]]);
  const asked: string[] = [];
  const load = { now: 0, most: 0 };
  const held: { until: Promise<void> | undefined } = { until: undefined };
  let rebalances = 0;
  const check = new GroupCheck(
    {
      clock,
      workerUrl: own,
      version: '1.2.3',
      askWorker: async ({ baseUrl, path }) => {
        if (path === '') asked.push(baseUrl);
        load.now += 1;
        load.most = Math.max(load.most, load.now);
        await held.until;
        load.now -= 1;
        const answer = answers.get(baseUrl);
        if (answer === undefined) throw new Error('Connection refused');
        const { status = 200, commit = 'levada-1.2.3', classes = [] } = answer;
        const rows = classes.map((name) => ({
          class: name,
          type: name.endsWith('Converter') ? 'converter' : 'source',
        }));
        return { status, body: path === '' ? { commit } : rows };
      },
    },
    {
      configs: {
        names: () => Object.keys(connectors),
        get: (name) => ({ config: connectors[name] ?? {}, tasks: [] }) as never,
      },
      registry: { fullName: (name) => (name === 'a.Missing' ? undefined : name), allNames: (name) => [name] },
      log: eventLog(runtimeEvents, logger, clock),
      requestRebalance: () => {
        rebalances += 1;
      },
    },
  );
  return {
    check,
    clock,
    logger,
    answers,
    asked,
    load,
    held,
    get rebalances() {
      return rebalances;
    },
    place: async (assignment: GroupAssignment | undefined) => {
      check.noteAssignment(assignment);
      await clock.advance(1);
    },
  };
}

const leading = (members: GroupAssignment['members'], work: GroupAssignment['work'] = noWork) =>
  ({ generation: 1, isLeader: true, leaderUrl: own, signed: true, work, members }) as const;
const following: GroupAssignment = { ...leading([]), isLeader: false, leaderUrl: peer };
const idle = (url: string) => ({ url, work: noWork, stopping: noWork });

describe('GroupCheck', () => {
  it('reports a member of another version, once, and says when the group fits again', async () => {
    const group = checkIn({});
    group.answers.set(peer, { commit: 'levada-1.2.4' });
    await group.place(leading([idle(peer)]));
    const found = [`the worker at ${peer} is of version 1.2.4, this one of 1.2.3`];
    expect(group.check.findings).toEqual(found);
    await group.clock.advance(INTERVAL_MS);
    expect(group.logger.withEvent('group_mismatch')).toMatchObject([{ fields: { findings: found } }]);
    group.answers.set(peer, {});
    await group.clock.advance(INTERVAL_MS);
    expect(group.check.findings).toEqual([]);
    expect(group.logger.withEvent('group_fits')).toHaveLength(1);
    group.check.close();
    expect(group.clock.pending).toBe(0);
  });

  it.each(['levada-<script>', `levada-${'1'.repeat(65)}`, '3.9.1'])(
    'shows no version that is none: %s',
    async (commit) => {
      const group = checkIn({});
      group.answers.set(peer, { commit });
      await group.place(leading([idle(peer)]));
      expect(group.check.findings).toEqual([]);
      group.check.close();
    },
  );

  it('takes a worker that answers 401 for one that can be reached', async () => {
    const group = checkIn({ c: { 'connector.class': 'a.Own' } });
    group.answers.set(peer, { status: 401 });
    await group.place(following);
    expect(group.check.findings).toEqual([]);
    expect(group.check.hasClassOf(peer, 'c')).toBe(true);
    group.check.close();
  });

  it('reports a converter that the leader lacks', async () => {
    const group = checkIn({ c: { 'connector.class': 'a.Own', 'value.converter': 'a.RareConverter' } });
    group.answers.set(peer, { classes: ['a.Own', 'a.OtherConverter'] });
    await group.place(following);
    expect(group.check.findings).toEqual([
      `the leader at ${peer} does not have the class a.RareConverter of "c"`,
    ]);
    group.check.close();
  });

  it('reports a class that an assigned owner lacks, and none that an idle member lacks', async () => {
    const group = checkIn({ c: { 'connector.class': 'a.Missing' } });
    const other = 'http://other:8083/';
    for (const url of [peer, other]) group.answers.set(url, { classes: ['a.Own'] });
    await group.place(leading([{ ...idle(peer), work: workOf('c') }, idle(other)]));
    expect(group.check.findings).toEqual([
      'this worker does not have the class a.Missing of "c"',
      `the worker at ${peer} does not have the class a.Missing of "c"`,
    ]);
    expect(group.rebalances).toBe(0);
    group.check.close();
  });

  it('requests one rebalance when an owner that was silent turns out to lack the class', async () => {
    const group = checkIn({ c: { 'connector.class': 'a.Own' } });
    await group.check.askNewMembers([{ id: 'p', url: peer }]);
    expect(group.check.hasClassOf(peer, 'c')).toBe(true);
    await group.place(leading([{ ...idle(peer), work: workOf('c') }]));
    expect(group.rebalances).toBe(0);
    group.answers.set(peer, { classes: ['a.Different'] });
    await group.clock.advance(INTERVAL_MS);
    expect(group.rebalances).toBe(1);
    expect(group.check.findings).toEqual([`the worker at ${peer} does not have the class a.Own of "c"`]);
    await group.clock.advance(INTERVAL_MS);
    expect(group.rebalances).toBe(1);
    group.answers.delete(peer);
    await group.clock.advance(INTERVAL_MS);
    expect(group.check.hasClassOf(peer, 'c')).toBe(false);
    group.check.close();
  });

  it('asks a member once before an assignment, silent or not, and never itself', async () => {
    const group = checkIn({});
    const members = [
      { id: 'o', url: own },
      { id: 'p', url: peer },
    ];
    await group.check.askNewMembers(members);
    await group.check.askNewMembers(members);
    expect(group.asked).toEqual([peer]);
    await group.check.askNewMembers([{ id: 'p2', url: peer }]);
    expect(group.asked).toEqual([peer, peer]);
  });

  it('lets an assignment wait no longer than 2 s, however many members are silent', async () => {
    const group = checkIn({});
    const members = Array.from({ length: 40 }, (_, i) => ({ id: `${i}`, url: `http://m${i}:8083/` }));
    const held = Promise.withResolvers<void>();
    group.held.until = held.promise;
    // What waits in the network ends with the signal, in which a real request ends.
    const asking = group.check.askNewMembers(members);
    await group.clock.advance(2_000);
    held.resolve();
    await asking;
    expect(group.asked).toHaveLength(4);
    // Two requests to each.
    expect(group.load.most).toBe(8);
  });

  it('knows nothing of a group that it is not in any more', async () => {
    const group = checkIn({ c: { 'connector.class': 'a.Missing' } });
    await group.place(following);
    expect(group.check.findings).not.toEqual([]);
    await group.place(undefined);
    expect(group.check.findings).toEqual([]);
    expect(group.logger.withEvent('group_fits')).toEqual([]);
    expect(group.clock.pending).toBe(0);
  });

  it('reports nothing and leaves no timer when it is closed during a check', async () => {
    const group = checkIn({});
    const held = Promise.withResolvers<void>();
    group.held.until = held.promise;
    await group.place(following);
    group.check.close();
    held.resolve();
    await group.clock.advance(INTERVAL_MS);
    expect(group.check.findings).toEqual([]);
    expect(group.logger.withEvent('group_mismatch')).toEqual([]);
    expect(group.clock.pending).toBe(0);
  });
});
