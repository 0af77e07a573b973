/** Creates the demo's connector through REST, as anybody would; one that is left from an earlier run gets today's configuration. */
export async function createConnector(
  workerUrl: string,
  name: string,
  feed: { readonly url: string; readonly topic: string },
): Promise<void> {
  const response = await fetch(`${workerUrl}/connectors/${encodeURIComponent(name)}/config`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
      'tasks.max': '1',
      'websocket.url': feed.url,
      'platform.topic': feed.topic,
      'websocket.reconnect.interval.ms': '1000',
    }),
  });
  if (!response.ok)
    throw new Error(`PUT ${response.url} answered ${response.status}: ${await response.text()}`);
}
