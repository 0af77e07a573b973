import type { TestProject } from 'vitest/node';
import { openBrokerDesk } from './broker-desk.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where test files ask for brokers that they share; absent where a project runs without this setup. */
    brokerDesk?: string;
  }
}

/** A `globalSetup` of vitest: one desk per run. It starts nothing by itself. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const desk = await openBrokerDesk();
  provide('brokerDesk', desk.url);
  return () => desk.close();
}
