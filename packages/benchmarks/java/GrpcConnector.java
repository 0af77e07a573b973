/** The connector of {@link GrpcTask}. */
public final class GrpcConnector extends OneTaskConnector {
  public GrpcConnector() {
    super(GrpcTask.class);
  }
}
