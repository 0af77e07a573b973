/** The connector of {@link WebSocketTask}. */
public final class WebSocketConnector extends OneTaskConnector {
  public WebSocketConnector() {
    super(WebSocketTask.class);
  }
}
