/** The connector of {@link OtlpTask}. */
public final class OtlpConnector extends OneTaskConnector {
  public OtlpConnector() {
    super(OtlpTask.class);
  }
}
