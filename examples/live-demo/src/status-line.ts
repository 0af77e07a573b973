/** Where the line is shown. `process.stdout` fits. */
interface LineOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

interface Attributes {
  readonly MessagesReceived: number;
  readonly RecordsProduced: number;
  readonly MessagesDropped: number;
  readonly QueueSize: number;
  readonly QueueCapacity: number;
}

interface Connection {
  readonly state: string;
  readonly attempt: number | null;
  readonly next_try_in_ms: number | null;
}

/** On a terminal the line is renewed this often; elsewhere a new line is written every ten seconds. */
const TERMINAL_MS = 500;
const PLAIN_MS = 10_000;
const ERASE_LINE = '\r\u001b[2K';

/** One line that shows how a connector is doing, read through REST. */
export function statusLine(output: LineOutput): { follow(connectorUrl: string): void; end(): void } {
  const terminal = output.isTTY === true;
  let timer: NodeJS.Timeout | undefined;
  const show = async (url: string): Promise<void> => {
    const text = await read(url).catch(() => 'waiting for the connector');
    output.write(terminal ? `${ERASE_LINE}${text}` : `${text}\n`);
  };
  return {
    follow: (url) => {
      // A refresh that is late makes the next one wait for its own turn: reads never pile up.
      let busy = false;
      const refresh = async (): Promise<void> => {
        if (busy) return;
        busy = true;
        await show(url);
        busy = false;
      };
      void refresh();
      timer = setInterval(() => void refresh(), terminal ? TERMINAL_MS : PLAIN_MS);
    },
    end: () => {
      clearInterval(timer);
      if (terminal) output.write('\n');
    },
  };
}

async function read(url: string): Promise<string> {
  const metrics = (await json(`${url}/metrics`)) as Record<string, Attributes>;
  const status = (await json(`${url}/status?expand=connection`)) as { connection?: Connection[] };
  const attributes = Object.values(metrics)[0];
  if (attributes === undefined) return 'no metrics yet';
  const { MessagesReceived, RecordsProduced, MessagesDropped, QueueSize, QueueCapacity } = attributes;
  return [
    `received ${MessagesReceived}`,
    `produced ${RecordsProduced}`,
    `dropped ${MessagesDropped}`,
    `queue ${QueueSize}/${QueueCapacity}`,
    connectionText(status.connection?.[0]),
  ].join(' · ');
}

function connectionText(connection: Connection | undefined): string {
  if (connection === undefined) return 'not connected';
  if (connection.next_try_in_ms === null) return connection.state;
  const next = (connection.next_try_in_ms / 1000).toFixed(1);
  return `${connection.state}, attempt ${connection.attempt} in ${next} s`;
}

async function json(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}
