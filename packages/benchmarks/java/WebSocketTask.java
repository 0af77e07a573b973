import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Reads the text messages of a WebSocket server. Key: url. */
public final class WebSocketTask extends QueueTask implements WebSocket.Listener {
  private final StringBuilder begun = new StringBuilder();
  private volatile WebSocket socket;

  @Override
  void open(Map<String, String> config) {
    socket = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(URI.create(config.get("url")), this).join();
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    if (last && begun.length() == 0) {
      offer(data.toString());
    } else {
      begun.append(data);
      if (last) {
        offer(begun.toString());
        begun.setLength(0);
      }
    }
    from.request(1);
    return null;
  }

  @Override
  public void stop() {
    if (socket != null) {
      socket.abort();
    }
  }
}
