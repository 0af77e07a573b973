/** A broker that is back sooner after a kill: its controller forgets the life before within a second or two. */
export const quickBroker = {
  settings: { 'broker.session.timeout.ms': '2000', 'broker.heartbeat.interval.ms': '300' },
} as const;
