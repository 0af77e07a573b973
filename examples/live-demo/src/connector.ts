/**
 * Creates the demo's connector through REST. A connector that an earlier run left gets the current configuration,
 * and is resumed if it was paused.
 */
export async function createConnector(
  workerUrl: string,
  name: string,
  feed: { readonly url: string; readonly topic: string },
): Promise<void> {
  const connector = `${workerUrl}/connectors/${encodeURIComponent(name)}`;
  await put(`${connector}/config`, {
    'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
    'tasks.max': '1',
    'websocket.url': feed.url,
    'platform.topic': feed.topic,
    'websocket.reconnect.interval.ms': '1000',
  });
  await put(`${connector}/resume`);
}

async function put(url: string, body?: object): Promise<void> {
  const json = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, { method: 'PUT', ...(body === undefined ? {} : json) });
  if (!response.ok) throw new Error(`PUT ${url} answered ${response.status}: ${await response.text()}`);
}
